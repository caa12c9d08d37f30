import CoreData

extension CostLimit {
    static let reading = [
        CostLimit("fetch as faults", allocations: 9, statements: 1) { store, rows in
            try store.fill(rows)
            return { _ = try store.wares() }
        },
        CostLimit("fetch, every value read", allocations: 23, statements: 1) { store, rows in
            try store.fill(rows)
            return {
                for ware in try store.wares() {
                    _ = (ware.count, ware.rank, ware.size, ware.created, ware.height, ware.weight, ware.city, ware.name, ware.note)
                }
            }
        },
        // A debug build allocates a closure for each row that is reached by pointer.
        CostLimit("fetch again what is registered", allocations: 5.5, statements: 1) { store, rows in
            try store.fill(rows)
            let held = try store.wares()
            return { try withExtendedLifetime(held) { _ = try store.wares() } }
        },
        CostLimit("fetch IDs", allocations: 3.5, statements: 1) { store, rows in
            try store.fill(rows)
            return {
                let request = NSFetchRequest<NSManagedObjectID>(entityName: "Ware")
                request.resultType = .managedObjectIDResultType
                _ = try store.context.fetch(request)
            }
        },
        CostLimit("to-one, prefetched", allocations: 28, statements: 2) { store, rows in
            try store.fill(rows)
            return { for ware in try store.wares(prefetching: ["keeper"]) { _ = ware.keeper?.name } }
        },
        CostLimit("to-many, prefetched", allocations: 38, statements: 3) { store, rows in
            try store.fill(rows)
            return {
                let request = NSFetchRequest<Keeper>(entityName: "Keeper")
                request.relationshipKeyPathsForPrefetching = ["wares"]
                for keeper in try store.context.fetch(request) { for ware in keeper.wares { _ = ware.count } }
            }
        },
    ]

    static let asking = [
        CostLimit("count by predicate, a query", allocations: 88, statements: 0, aRow: 1) { store, queries in
            try store.fill(100)
            return {
                for query in 0..<queries {
                    let request = NSFetchRequest<Ware>(entityName: "Ware")
                    request.predicate = NSPredicate(format: "rank == %d", query % 10)
                    _ = try store.context.count(for: request)
                }
            }
        },
        CostLimit("filtered, sorted, one result, a query", allocations: 186, statements: 0, aRow: 1) { store, queries in
            try store.fill(100)
            let held = try store.wares()
            return {
                for query in 0..<queries {
                    let request = NSFetchRequest<Ware>(entityName: "Ware")
                    request.predicate = NSPredicate(format: "rank == %d", query % 10)
                    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                    request.fetchLimit = 1
                    try withExtendedLifetime(held) { _ = try store.context.fetch(request) }
                }
            }
        },
        CostLimit("find or create, a call", allocations: 155, statements: 4, aRow: 1, inserts: true) { store, calls in
            {
                for call in 0..<calls {
                    let request = NSFetchRequest<Ware>(entityName: "Ware")
                    request.predicate = NSPredicate(format: "count == %d", call)
                    request.fetchLimit = 1
                    if try store.context.fetch(request).isEmpty { CostStore.insert(call, store.context) }
                }
                try store.context.save()
            }
        },
    ]
}
