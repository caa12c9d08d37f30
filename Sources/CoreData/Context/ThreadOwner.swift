import CoreDataSchema

/// The thread a confined context belongs to: the one that made it, or main as a whole when it was made there.
final class ThreadOwner: Sendable {
    private enum Owner: Sendable { case main, thread(ThreadIdentity, name: String), firstComer }

    private let owner: LockedValue<Owner>

    init() { owner = LockedValue(Self.caller) }

    private static var caller: Owner { MainQueue.isCurrent ? .main : .thread(HeldExecutors.current.thread, name: ThreadIdentity.callerName) }

    /// Made for a thread that is not the caller: the next one to use the context becomes its owner.
    func leaveToFirstComer() { owner.withLock { $0 = .firstComer } }

    var isCurrent: Bool {
        owner.withLock { owner in
            switch owner {
            case .main: return MainQueue.isCurrent
            case .thread(let thread, _): return thread === HeldExecutors.current.thread
            case .firstComer:
                owner = Self.caller
                return true
            }
        }
    }

    var text: String {
        owner.withLock { owner in
            switch owner {
            case .main: "the main thread"
            case .thread(_, let name): name
            case .firstComer: "the first thread to use it"
            }
        }
    }
}
