extension Result where Failure == any Error {
    /// The value, or the error thrown again, where a function may throw only what its block throws: the compiler takes `rescue` for
    /// such a throw.
    func rethrown(from block: () throws -> Success, rescue: (any Error) throws -> Success) rethrows -> Success {
        switch self {
        case .success(let value): value
        case .failure(let error): try rescue(error)
        }
    }
}
