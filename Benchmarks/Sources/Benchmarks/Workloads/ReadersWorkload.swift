import CoreData

/// Four threads that read beside one that writes, for a moment: how often each gets through. A ratio of 1.25 is 0.8 of the
/// twin's throughput.
final class ReadersWorkload: Workload {
    /// How often both kinds of threads got through in one run.
    private struct Throughput {
        var reads = 0, writes = 0
        var seconds = 0.0
    }

    private static let readers = 4, seconds = 0.5, rowsAWrite = 100
    let name = "readers beside a writer"

    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        var raw: [Throughput] = [], engine: [Throughput] = []
        for run in 0..<runs {
            bench.discardCopies()
            let rawURL = try bench.copy(.entries, rows: rows), url = try bench.copy(.entries, rows: rows)
            let store = try Engine(store: url, model: bench.model), ranks = Sample.ranks(of: rows)
            let sides: [() throws -> Void] = [
                { raw.append(try Self.twin(rawURL, ranks)) }, { engine.append(try Self.engine(store.coordinator, ranks)) },
            ]
            for side in run.isMultiple(of: 2) ? sides : sides.reversed() { try side() }
            guard let last = raw.last, let ours = engine.last else { continue }
            try check(rawURL, last)
            try check(url, ours)
        }
        func line(_ kind: String, _ operations: (Throughput) -> Int) -> Measurement {
            func side(_ all: [Throughput]) -> Measurement.Side {
                .init(time: all.map { $0.seconds / Double(max(1, operations($0))) }.median)
            }
            return Measurement(
                name: "\(name), \(kind)", goal: .ratio(1.25), units: 1, runs: runs, raw: side(raw), engine: side(engine))
        }
        return [line("reads") { $0.reads }, line("writes") { $0.writes }]
    }

    /// Every write that was counted is in the file.
    private func check(_ url: URL, _ throughput: Throughput) throws {
        let versions = RawConnection(url).integer("SELECT SUM(Z_OPT - 1) FROM ZENTRY")
        guard versions == Int64(throughput.writes * Self.rowsAWrite) else { throw BenchmarkError("\(name): writes are missing.") }
    }

    /// Calls the two until the time is over; the read answers how many rows it got.
    private static func run(
        read: @escaping @Sendable () throws -> (Int) throws -> Int, write: @escaping @Sendable () throws -> () throws -> Void
    ) throws -> Throughput {
        let clock = ContinuousClock(), start = clock.now, end = start + .seconds(seconds)
        let reads = Tally<Int>(), writes = Tally<Int>()
        try Threads.run(readers + 1) { thread in
            var done = 0
            if thread == readers {
                let write = try write()
                while clock.now < end {
                    try write()
                    done += 1
                }
                writes.add([done])
            } else {
                let read = try read()
                while clock.now < end {
                    guard try read(done + thread * 31) == 50 else { throw BenchmarkError("A read found too little.") }
                    done += 1
                }
                reads.add([done])
            }
        }
        return Throughput(
            reads: reads.values.reduce(0, +), writes: writes.values.reduce(0, +),
            seconds: (clock.now - start).inSeconds)
    }

    // MARK: The two sides

    private static func twin(_ url: URL, _ ranks: Int) throws -> Throughput {
        try run(
            read: {
                let records = RawRecords(RawConnection(url), .entries)
                let statement = records.connection.prepare(
                    "SELECT \(records.table.columns) FROM ZENTRY WHERE ZRANK = ? ORDER BY ZNAME LIMIT 50")
                return { number in
                    statement.bind(1, Int64(number % ranks))
                    return records.list(statement).count
                }
            },
            write: {
                let records = RawRecords(RawConnection(url), .entries)
                let statement = records.connection.prepare("SELECT \(records.table.columns) FROM ZENTRY ORDER BY Z_PK LIMIT \(rowsAWrite)")
                let rows = records.list(statement)
                return { records.update(rows) }
            })
    }

    private static func engine(_ coordinator: NSPersistentStoreCoordinator, _ ranks: Int) throws -> Throughput {
        try run(
            read: {
                let context = context(of: coordinator)
                return { number in
                    try context.performAndWait {
                        let request = NSFetchRequest<Entry>(entityName: "Entry")
                        request.predicate = NSPredicate(format: "rank == %d", number % ranks)
                        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                        request.fetchLimit = 50
                        return try context.fetch(request).count
                    }
                }
            },
            write: {
                let context = context(of: coordinator)
                let entries = try context.performAndWait {
                    let request = NSFetchRequest<Entry>(entityName: "Entry")
                    request.sortDescriptors = [NSSortDescriptor(key: "count", ascending: true)]
                    request.fetchLimit = rowsAWrite
                    return try context.fetch(request)
                }
                return {
                    try context.performAndWait {
                        for entry in entries { entry.count += 1 }
                        try context.save()
                    }
                }
            })
    }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
