import NLCoreData

/// Runs the block on the main queue, with the stack as the current one, and waits. The test process drains that queue.
func onMain<Result>(_ stack: NLCoreData, _ body: () throws -> Result) throws -> Result {
    if Thread.isMainThread { return try NLCoreData.withStack(stack, body) }
    return try withoutActuallyEscaping(body) { body in
        let work = Crossing(body)
        return try DispatchQueue.main.sync { Crossing(try NLCoreData.withStack(stack, work.value)) }.value
    }
}
