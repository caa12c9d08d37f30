import CoreData

/// One edit at a time under a fetched results controller. There is no raw twin: what counts is that the time does not follow
/// the number of rows.
struct ResultsWorkload {
    private static let edits = 200

    /// One line for each number of rows, with and without sections: microseconds an edit, from setting the value until the
    /// delegate was told.
    static func run(_ counts: [Int], in folder: URL, model: NSManagedObjectModel) throws {
        print("Results controllers, µs an edit, medians of \(edits) edits")
        print("    rows  sections  nothing fetched      update        move      insert      delete")
        for count in counts {
            let engine = try Engine(store: folder.appendingPathComponent("list-\(count).sqlite"), model: model)
            try engine.insert(Sample.make(count))
            for section in [nil, "rank"] {
                let times = try measure(engine, section)
                let columns = times.map { String(format: "%10.1f", $0 * 1e6) }.joined(separator: "  ")
                print(String(format: "%8d", count), section == nil ? "       no" : "      yes", "      ", columns)
                engine.context.performAndWait { engine.context.rollback() }
            }
        }
    }

    private static func measure(_ engine: Engine, _ section: String?) throws -> [Double] {
        let context = engine.context
        let request = NSFetchRequest<Record>(entityName: "Record")
        request.sortDescriptors = (section.map { [$0] } ?? []).map { NSSortDescriptor(key: $0, ascending: true) }
            + [NSSortDescriptor(key: "name", ascending: true), NSSortDescriptor(key: "count", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section, cacheName: nil)
        let counter = ChangeCounter()
        return try context.performAndWait {
            try controller.performFetch()
            let objects = controller.fetchedObjects ?? []
            func median(_ edit: (Record, Int) -> Void) -> Double {
                let times = (0..<edits).map { number in
                    let object = objects[(number * 7919) % objects.count]
                    return Cost.of {
                        edit(object, number)
                        context.processPendingChanges()
                    }.wall
                }
                return times.sorted()[times.count / 2]
            }
            let idle = median { object, _ in object.note = (object.note ?? "") + "." }
            controller.delegate = counter
            var results = [idle, median { object, _ in object.note = (object.note ?? "") + "," }]
            results.append(median { object, number in object.name = "\(number * 37 % 1000) \(number)" })
            results.append(median { _, number in
                let record = Record(context: context)
                record.name = "\(number * 53 % 1000) new"
                record.rank = objects[number % objects.count].rank
            })
            var last = objects.count
            results.append(median { _, _ in
                last -= 1
                context.delete(objects[last])
            })
            precondition(counter.changes >= 4 * edits)
            return results
        }
    }

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        var changes = 0

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) { changes += 1 }
    }
}
