import Dispatch
import Synchronization

/// Whether contexts are checked from the start: the launch argument or environment variable
/// `com.apple.CoreData.ConcurrencyDebug` with the value 1 (or 2, 3).
private enum ConfinementSetting {
    static let isOn = Atomic<Bool>(asked)

    private static var asked: Bool {
        let name = "com.apple.CoreData.ConcurrencyDebug"
        let value = arguments.firstIndex(of: "-" + name).flatMap { arguments.dropFirst($0 + 1).first }
            ?? ProcessInfo.processInfo.environment[name]
        return value.flatMap(Int.init).map { $0 > 0 } ?? false
    }

    /// Those of `CommandLine`, which stops a program that gave up the right to read them.
    private static var arguments: [String] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/cmdline")) else { return [] }
        return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}

extension NSManagedObjectContext {
    /// Whether a context, or an object of it, that is touched outside of its queue or thread stops the program with a message
    /// that names both.
    ///
    /// Off at first, unless the environment variable or launch argument `com.apple.CoreData.ConcurrencyDebug` is 1. Set it
    /// before the stack is made: a context keeps what was set when it was made. From any thread. Ours; Apple has the argument.
    public static var checksConfinement: Bool {
        get { ConfinementSetting.isOn.load(ordering: .relaxed) }
        set { ConfinementSetting.isOn.store(newValue, ordering: .relaxed) }
    }

    /// Called by everything public that is for the context's queue alone.
    @inline(__always)
    func checkQueue() { if isChecked { confirmQueue(for: nil) } }

    func confirmQueue(for object: NSManagedObject?) {
        if executor.isCurrent { return }
        let subject = object.map { "The \($0.runtime.name) \($0.objectID.uriRepresentation().absoluteString) was used outside of its context’s" }
            ?? "The context was used outside of its"
        let place = concurrencyType == .confinementConcurrencyType ? "thread" : "queue"
        let advice = switch concurrencyType {
        case .confinementConcurrencyType: "Use it on its own thread only, or make a context with a queue."
        case .mainQueueConcurrencyType: "Use it on the main thread or in perform or performAndWait."
        case .privateQueueConcurrencyType: "Use it in perform or performAndWait."
        }
        raise(.internalInconsistency, "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__: \(subject) \(place). It belongs to "
            + "\(label), to be used on \(executor.expectation); the caller is on \(HeldExecutors.place). \(advice) What may be "
            + "handed over is an objectID, for object(with:) of another context.")
    }

    /// The context in messages: its name, or its kind and address.
    var label: String {
        if let name, !name.isEmpty { return "the context “\(name)”" }
        let kind = switch concurrencyType {
        case .confinementConcurrencyType: "a confined context"
        case .mainQueueConcurrencyType: "a main queue context"
        case .privateQueueConcurrencyType: "a private queue context"
        }
        return "\(kind) (\(Unmanaged.passUnretained(self).toOpaque()))"
    }

    /// For NLCoreData, which makes confined contexts for other threads: the next thread to use the context becomes its owner.
    public func _leaveToFirstThread() {
        if case .confinement(let owner) = executor.kind { owner.leaveToFirstComer() }
    }
}

extension NSManagedObject {
    /// Called by everything public that is for the context's queue alone; one bit tested where the check is off.
    @inline(__always)
    final func checkQueue() { if state.contains(.guarded) { anchor?.context?.confirmQueue(for: self) } }
}

extension ContextExecutor {
    /// Where blocks run, for messages.
    var expectation: String {
        switch kind {
        case .confinement(let owner): owner.text
        case .main: "the main queue"
        case .privateQueue: "its private queue"
        }
    }
}

extension HeldExecutors {
    /// Where the caller is, for messages.
    static var place: String {
        let place = MainQueue.isCurrent ? "the main queue" : ThreadIdentity.callerName
        guard let innermost = current.innermost?.context else { return place + ", in no context’s block" }
        return place + ", in a block of \(innermost.label)"
    }
}
