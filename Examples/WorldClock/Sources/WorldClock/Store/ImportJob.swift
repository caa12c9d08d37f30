import NLCoreData
import Synchronization

/// Fills a store from the tables, on a thread of its own.
final class ImportJob: Sendable {
    private struct State {
        var fraction = 0.0
        var outcome: Result<Void, any Error>?
    }

    private let tables: ZoneTables
    private let state = Mutex(State())

    init(_ tables: ZoneTables) { self.tables = tables }

    /// How far it is, from 0 to 1.
    var fraction: Double { state.withLock { $0.fraction } }
    /// nil until everything is saved and has arrived in the main thread's context, or something went wrong; nothing is saved then.
    var outcome: Result<Void, any Error>? { state.withLock { $0.outcome } }

    /// Starts the thread. Meanwhile the main thread must serve its run loop, or be free for the main queue.
    func start(in stack: NLCoreData) throws {
        try stack.loadStoreCoordinator()
        Thread.detachNewThread {
            NLCoreData.withStack(stack) { self.work() }
        }
    }

    /// On the main thread of a program: starts, and serves the run loop until the end. `show` is told how far it is.
    func run(in stack: NLCoreData, show: (Double) -> Void) throws {
        try start(in: stack)
        while true {
            show(fraction)
            if let outcome { return try outcome.get() }
            RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.01))
        }
    }

    /// On the other thread, in that thread's own context.
    private func work() {
        do {
            try insertAll()
            // Saves this thread's context; the block runs on the main thread, after its context has taken the changes in.
            try NSManagedObjectContext.contextForThread().merge(withContextOn: .main) { _ in self.finish(.success(())) }
        } catch {
            finish(.failure(error))
        }
    }

    private func insertAll() throws {
        var countries: [String: Country] = [:]
        for row in tables.countries {
            countries[row.code] = try Country.insert(row)
            advance()
        }
        for row in tables.zones {
            try Zone.insert(row, countries: row.countryCodes.compactMap { countries[$0] })
            advance()
        }
    }

    private func advance() {
        let step = 1 / Double(tables.countries.count + tables.zones.count)
        state.withLock { $0.fraction = min($0.fraction + step, 1) }
    }

    private func finish(_ outcome: Result<Void, any Error>) { state.withLock { $0.outcome = outcome } }
}
