import CoreData

/// A server's requests on eight threads, each durable (`synchronous=FULL`): a new context, one object by its key, one property
/// edited, saved. How long half of them take at most, and all but one in a hundred; and whether memory stays.
final class ServerWorkload: Workload {
    let name = "server request"
    private static let threads = 8

    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        let items = max(80, rows / 100), requests = max(800, rows / 5)
        var raw: [[Double]] = [], engine: [[Double]] = []
        for run in 0..<runs {
            bench.discardCopies()
            let server = RawServer(try bench.copy(.items, rows: items), .items, synchronous: "FULL")
            let store = try Self.store(bench, items: items)
            let sides: [() throws -> Void] = [
                { raw.append(try Self.serve(requests, items, twin: server)) },
                { engine.append(try Self.serve(requests, items, store.coordinator)) },
            ]
            for side in run.isMultiple(of: 2) ? sides : sides.reversed() { try side() }
            let stored = try Stored.digests(server.readingConnection(), store, ["ZITEM"])
            guard stored.raw == stored.engine else { throw BenchmarkError("\(name): the two files differ.") }
        }
        func line(_ part: String, _ rank: Double) -> Measurement {
            func side(_ runs: [[Double]]) -> Measurement.Side {
                .init(time: runs.map { $0[Int(Double($0.count - 1) * rank)] }.median)
            }
            return Measurement(
                name: "\(name), \(part)", goal: .ratio(1.3), units: requests, runs: runs, raw: side(raw), engine: side(engine))
        }
        return [line("p50", 0.5), line("p99", 0.99), try memory(bench, items: items, requests: requests)]
    }

    /// From opening the store on. The twin's column is a tenth of the requests.
    private func memory(_ bench: Bench, items: Int, requests: Int) throws -> Measurement {
        func side(_ requests: Int) throws -> Measurement.Side {
            bench.discardCopies()
            var cost = Cost()
            let peak = try PeakMemory.of {
                let store = try Self.store(bench, items: items)
                cost = try Cost.of { _ = try Self.serve(requests, items, store.coordinator, notes: false) }
            }
            return .init(time: cost.wall / Double(requests), peakMemory: peak)
        }
        return Measurement(
            name: "\(name), memory", goal: .memory(1.1), units: requests, runs: 1, raw: try side(requests / 10),
            engine: try side(requests))
    }

    private static func store(_ bench: Bench, items: Int) throws -> Engine {
        try Engine(
            store: bench.copy(.items, rows: items), model: bench.model,
            options: [NSSQLitePragmasOption: ["synchronous": "FULL"] as NSDictionary])
    }

    private static func serve(_ requests: Int, _ items: Int, twin: RawServer) throws -> [Double] {
        try serve(requests, items) {
            let reader = twin.reader()
            return { name in
                guard let row = reader.find(name) else { throw BenchmarkError("No row \(name).") }
                twin.save(row, count: row.count + 1)
            }
        }
    }

    private static func serve(
        _ requests: Int, _ items: Int, _ coordinator: NSPersistentStoreCoordinator, notes: Bool = true
    ) throws -> [Double] {
        try serve(requests, items, notes: notes) {
            { name in
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try context.performAndWait {
                    let request = NSFetchRequest<Item>(entityName: "Item")
                    request.predicate = NSPredicate(format: "name == %@", name)
                    request.fetchLimit = 1
                    guard let item = try context.fetch(request).first else { throw BenchmarkError("No item \(name).") }
                    item.count += 1
                    try context.save()
                }
            }
        }
    }

    /// Seconds of each request, shortest first; none if they are not noted, so that they take no memory.
    ///
    /// Each thread has items of its own: no two requests are in each other's way but for the file.
    private static func serve(
        _ requests: Int, _ items: Int, notes: Bool = true, _ start: @escaping @Sendable () -> (String) throws -> Void
    ) throws -> [Double] {
        let times = Tally<Double>(), own = items / threads
        try Threads.run(threads) { thread in
            let serve = start()
            var noted: [Double] = []
            for number in 0..<requests / threads {
                let name = "Name \(thread * own + number % own)"
                let time = try Latency.of { try serve(name) }
                if notes { noted.append(time) }
            }
            times.add(noted)
        }
        return times.values.sorted()
    }
}
