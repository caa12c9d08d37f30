import CoreData

/// One edit at a time under a fetched results controller, until its delegate was told. What counts is that the time does not
/// follow the number of rows: the column of the twin is the same edit among a hundredth of them.
final class ResultsWorkload: Workload {
    private static let edits = 200
    private static let kinds = ["update", "move", "insert", "delete"]

    let name: String
    private let section: String?

    init(sections: Bool) {
        section = sections ? "rank" : nil
        name = sections ? "results with sections" : "results controller"
    }

    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        let few = try costs(bench, rows: max(Self.edits * 2, rows / 100), runs: runs)
        let many = try costs(bench, rows: rows, runs: runs)
        return Self.kinds.indices.map { kind in
            Measurement(
                name: "\(name), \(Self.kinds[kind])", goal: .ratio(1.2), units: Self.edits, runs: runs,
                raw: .init(few[kind], units: 1), engine: .init(many[kind], units: 1))
        }
    }

    /// For each kind of edit the median edit of each run.
    private func costs(_ bench: Bench, rows: Int, runs: Int) throws -> [[Cost]] {
        let store = try Engine(store: bench.store(.records, rows: rows), model: bench.model)
        var costs: [[Cost]] = Array(repeating: [], count: Self.kinds.count)
        for _ in 0..<runs {
            for (kind, cost) in try edit(store.context).enumerated() { costs[kind].append(cost) }
            store.context.performAndWait { store.context.rollback() }
        }
        return costs
    }

    private func edit(_ context: NSManagedObjectContext) throws -> [Cost] {
        let keys = (section.map { [$0] } ?? []) + ["name", "count"]
        let request = NSFetchRequest<Record>(entityName: "Record")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section, cacheName: nil)
        let counter = ChangeCounter()
        controller.delegate = counter
        return try context.performAndWait {
            try controller.performFetch()
            let objects = controller.fetchedObjects ?? []
            let costs = Self.edits(of: objects, in: context)
            guard counter.changes >= Self.kinds.count * Self.edits else {
                throw BenchmarkError("\(name): the delegate heard of \(counter.changes) changes.")
            }
            return costs
        }
    }

    private static func edits(of objects: [Record], in context: NSManagedObjectContext) -> [Cost] {
        var last = objects.count
        return [
            median(context) { number in
                let object = objects[(number * 7919) % objects.count]
                object.note = (object.note ?? "") + ","
            },
            median(context) { number in objects[(number * 7919) % objects.count].name = "\(number * 37 % 1000) \(number)" },
            median(context) { number in
                let record = Record(context: context)
                record.name = "\(number * 53 % 1000) new"
                record.rank = objects[number % objects.count].rank
            },
            median(context) { _ in
                last -= 1
                context.delete(objects[last])
            },
        ]
    }

    private static func median(_ context: NSManagedObjectContext, _ edit: (Int) -> Void) -> Cost {
        let costs = (0..<edits).map { number in
            Cost.of {
                edit(number)
                context.processPendingChanges()
            }
        }
        return costs.sorted { $0.wall < $1.wall }[edits / 2]
    }

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        var changes = 0

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) { changes += 1 }
    }
}
