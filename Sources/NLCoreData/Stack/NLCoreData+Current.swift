extension NLCoreData {
    @TaskLocal static var scoped: NLCoreData?

    /// The stack the one-liners use here: that of the innermost `withStack(_:_:)`, or else `shared`.
    public static var current: NLCoreData { scoped ?? shared }

    /// Makes a stack the one the one-liners use in `body`, and in tasks that start in it. A thread or queue that `body` starts
    /// does not inherit it: call `withStack` there too.
    public static func withStack<Result>(_ stack: NLCoreData, _ body: () throws -> Result) rethrows -> Result {
        try $scoped.withValue(stack, operation: body)
    }

    /// As the other, around `async` work.
    public static func withStack<Result>(
        _ stack: NLCoreData, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $scoped.withValue(stack, operation: body, isolation: isolation)
    }
}
