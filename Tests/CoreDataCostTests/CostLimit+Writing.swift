import CoreData

extension CostLimit {
    static let writing = [
        CostLimit("insert and save", allocations: 116, statements: 4, inserts: true) { store, rows in
            {
                for row in 0..<rows { CostStore.insert(row, store.context) }
                try store.context.save()
            }
        },
        CostLimit("update one property and save", allocations: 93, statements: 2, aRow: 1) { store, rows in
            try store.fill(rows)
            let wares = try store.wares()
            return {
                for ware in wares { ware.count += 1 }
                try store.context.save()
            }
        },
        CostLimit("delete and save, nullify rule", allocations: 113, statements: 3, aRow: 1.1) { store, rows in
            try store.fill(rows)
            let wares = try store.wares()
            return {
                for ware in wares { store.context.delete(ware) }
                try store.context.save()
            }
        },
        CostLimit("merge a save", allocations: 15, statements: 0) { store, rows in
            try store.fill(rows)
            let wares = try store.wares(), other = store.makeContext()
            for ware in wares { ware.count += 1 }
            let shown = try other.performAndWait {
                let shown = try other.fetch(NSFetchRequest<Ware>(entityName: "Ware"))
                for ware in shown { _ = ware.count }
                return shown
            }
            // Posted and kept on this thread, inside the save.
            nonisolated(unsafe) var note: Notification?
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave, object: store.context, queue: nil) { note = $0 }
            try store.context.save()
            NotificationCenter.default.removeObserver(token)
            guard let note else { throw CostStore.Failure(text: "no note of the save") }
            return { withExtendedLifetime(shown) { other.performAndWait { other.mergeChanges(fromContextDidSave: note) } } }
        },
    ]

    static let batches = [
        CostLimit("batch insert, object handler", allocations: 32, statements: 4, inserts: true) { store, rows in
            {
                var row = 0
                let request = NSBatchInsertRequest(entityName: "Ware", managedObjectHandler: { object in
                    guard row < rows, let ware = object as? Ware else { return true }
                    ware.count = Int64(row)
                    ware.name = "A name that is not short"
                    row += 1
                    return false
                })
                _ = try store.context.execute(request)
            }
        },
        CostLimit("batch update", allocations: 0.5, statements: 3) { store, rows in
            try store.fill(rows)
            return {
                let request = NSBatchUpdateRequest(entityName: "Ware")
                request.propertiesToUpdate = ["count": NSExpression(format: "count + 1")]
                _ = try store.context.execute(request)
            }
        },
        CostLimit("batch delete", allocations: 0.1, statements: 3) { store, rows in
            try store.fill(rows)
            return { _ = try store.context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Ware"))) }
        },
    ]
}
