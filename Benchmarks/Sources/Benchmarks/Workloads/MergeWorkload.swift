import CoreData

/// A save of many changes merged into another context that shows the same objects. SQLite has nothing to compare with.
final class MergeWorkload: Workload {
    let name = "merge a save, a change"

    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        let changes = max(1, rows / 10)
        bench.discardCopies()
        let store = try Engine(store: bench.copy(.records, rows: changes), model: bench.model)
        let other = store.makeContext()
        let edited: [Record] = try store.fetch()
        let shown = try other.performAndWait { () -> [Record] in
            let records = try other.fetch(NSFetchRequest<Record>(entityName: "Record"))
            for record in records { _ = record.attributeSum }
            return records
        }
        var costs: [Cost] = []
        for run in 1...runs {
            let note = try save(edited, in: store.context)
            costs.append(Cost.of { other.performAndWait { other.mergeChanges(fromContextDidSave: note) } })
            let isMerged = other.performAndWait {
                zip(shown, 0...).allSatisfy { record, index in record.count == Int64(index + run) }
            }
            guard isMerged else { throw BenchmarkError("\(name): the other context shows old values.") }
        }
        return [
            Measurement(
                name: name, goal: .microseconds(2), units: changes, runs: runs, raw: nil, engine: .init(costs, units: changes))
        ]
    }

    /// One more in every record; answers the note of the save.
    private func save(_ records: [Record], in context: NSManagedObjectContext) throws -> Notification {
        // The note is posted and read on this thread, inside the save.
        nonisolated(unsafe) var note: Notification?
        let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) {
            note = $0
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.performAndWait {
            for record in records { record.count += 1 }
            try context.save()
        }
        guard let note else { throw BenchmarkError("\(name): no note of the save.") }
        return note
    }
}
