import CoreDataStorage
import Dispatch
import Glibc

/// Runs a context's blocks: on its own serial queue, on the main queue, or wherever the caller is (confinement).
///
/// Invariant: a thread inside a block of this executor, however nested, may enter it again without waiting.
final class ContextExecutor: Sendable {
    enum Kind: Sendable { case confinement, privateQueue(DispatchQueue), main }

    let kind: Kind

    init(_ type: NSManagedObjectContextConcurrencyType) {
        kind = switch type {
        case .confinementConcurrencyType: .confinement
        case .privateQueueConcurrencyType: .privateQueue(DispatchQueue(label: "CoreData.context"))
        case .mainQueueConcurrencyType: .main
        }
    }

    /// Whether the calling thread is inside one of this executor's blocks.
    var isCurrent: Bool {
        switch kind {
        case .confinement: true
        case .main: MainQueue.isCurrent || HeldExecutors.current.contains(self)
        case .privateQueue: HeldExecutors.current.contains(self)
        }
    }

    func perform(_ block: @escaping () -> Void) {
        // The block crosses to the queue once and runs there alone; its captures are the caller's contract, as at Apple's.
        let box = UncheckedBox(DiagnosticTally.carried(block))
        switch kind {
        case .confinement: block()
        case .main: DispatchQueue.main.async { HeldExecutors.current.hold(self) { box.value() } }
        case .privateQueue(let queue): queue.async { HeldExecutors.current.hold(self) { box.value() } }
        }
    }

    func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        if isCurrent { return try block() }
        return try withoutActuallyEscaping(block) { block in
            // The caller waits, so the block runs before anything else of the caller's can.
            let box = UncheckedBox(block)
            return switch kind {
            case .confinement: try block()
            case .main: try enterMain(box)
            case .privateQueue(let queue): try enter(queue, box)
            }
        }
    }

    private func enterMain<Result>(_ box: UncheckedBox<() throws -> Result>) throws -> Result {
        // The one block a waiting caller has run on another thread: what counts for the caller goes along.
        let tally = DiagnosticInterests.wanted.isEmpty ? nil : DiagnosticTally.current
        return try DispatchQueue.main.sync {
            try HeldExecutors.current.hold(self) { try DiagnosticTally.counting(for: tally, box.value) }
        }
    }

    /// The block runs on the calling thread, where Dispatch then forgets that it was on the main queue: a block that needs
    /// main again, such as a save to a main-queue parent, would wait for itself.
    private func enter<Result>(_ queue: DispatchQueue, _ box: UncheckedBox<() throws -> Result>) throws -> Result {
        guard MainQueue.isCurrent else { return try queue.sync { try HeldExecutors.current.hold(self, box.value) } }
        return try queue.sync { try HeldExecutors.current.holdOnMain(self, box.value) }
    }
}

/// “Main” is the main thread or the main queue: in an `async` program the main actor's code may run on either.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true || HeldExecutors.current.isOnMain
    }
}

/// The executors whose blocks the current thread is in.
private final class HeldExecutors {
    private var held: [ContextExecutor] = []
    private var mainDepth = 0

    /// Whether the thread waits in a private queue's block for work that began on main.
    var isOnMain: Bool { mainDepth > 0 }

    func contains(_ executor: ContextExecutor) -> Bool { held.contains { $0 === executor } }

    func hold<Result>(_ executor: ContextExecutor, _ block: () throws -> Result) rethrows -> Result {
        held.append(executor)
        defer { held.removeLast() }
        return try block()
    }

    func holdOnMain<Result>(_ executor: ContextExecutor, _ block: () throws -> Result) rethrows -> Result {
        mainDepth += 1
        defer { mainDepth -= 1 }
        return try hold(executor, block)
    }

    /// One list a thread; the thread's end releases it.
    static var current: HeldExecutors {
        if let pointer = pthread_getspecific(key) { return Unmanaged<HeldExecutors>.fromOpaque(pointer).takeUnretainedValue() }
        let made = HeldExecutors()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }

    // The raw pointer is this class's own retained instance, set above, released by the destructor.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            if let pointer { Unmanaged<HeldExecutors>.fromOpaque(pointer).release() }
        }
        return key
    }()
}

/// Whether misuse of queues stops the program: the launch argument or environment variable
/// `com.apple.CoreData.ConcurrencyDebug` with the value 1 (or 2, 3).
package enum ConcurrencyDebug {
    package static let isOn: Bool = {
        let name = "com.apple.CoreData.ConcurrencyDebug"
        let process = ProcessInfo.processInfo
        let value = process.environment[name]
            ?? process.arguments.firstIndex(of: "-" + name).flatMap { process.arguments.dropFirst($0 + 1).first }
        return value.flatMap(Int.init).map { $0 > 0 } ?? false
    }()
}
