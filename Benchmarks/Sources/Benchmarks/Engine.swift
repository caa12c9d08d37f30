import CoreData

/// The same workloads through Core Data, with generated classes of this module.
final class Engine {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(store url: URL, model: NSManagedObjectModel) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func insert(_ rows: [Sample]) throws {
        try context.performAndWait {
            for row in rows {
                let record = Record(context: context)
                record.count = row.count
                record.rank = row.rank
                record.size = row.size
                record.created = row.created
                record.height = row.height
                record.weight = row.weight
                record.city = row.city
                record.name = row.name
                record.note = row.note
            }
            try context.save()
        }
    }

    func fetch() throws -> [Record] {
        try context.performAndWait { try context.fetch(NSFetchRequest<Record>(entityName: "Record")) }
    }

    /// Reads every value of every object, and returns a sum so that nothing is optimised away.
    func read(_ records: [Record]) -> Int {
        context.performAndWait {
            var sum = 0
            for record in records {
                sum &+= Int(record.count) &+ Int(record.rank) &+ Int(record.size)
                sum &+= Int((record.created?.timeIntervalSinceReferenceDate ?? 0) + record.height + record.weight)
                sum &+= (record.city?.utf8.count ?? 0) &+ (record.name?.utf8.count ?? 0) &+ (record.note?.utf8.count ?? 0)
                if record.owner != nil { sum &+= 1 }
            }
            return sum
        }
    }

    func update(_ records: [Record]) throws {
        try context.performAndWait {
            for record in records { record.count += 1 }
            try context.save()
        }
    }

    // MARK: Batches

    func insertBatch(_ rows: [[String: Any]]) throws {
        _ = try context.performAndWait { try context.execute(NSBatchInsertRequest(entityName: "Record", objects: rows)) }
    }

    func insertBatch(filling rows: [Sample]) throws {
        var next = rows.makeIterator()
        let request = NSBatchInsertRequest(entityName: "Record", managedObjectHandler: { object in
            guard let record = object as? Record, let row = next.next() else { return true }
            record.count = row.count
            record.rank = row.rank
            record.size = row.size
            record.created = row.created
            record.height = row.height
            record.weight = row.weight
            record.city = row.city
            record.name = row.name
            record.note = row.note
            return false
        })
        _ = try context.performAndWait { try context.execute(request) }
    }

    func insertBatch(naming rows: [Sample]) throws {
        var next = rows.makeIterator()
        let request = NSBatchInsertRequest(entityName: "Record", dictionaryHandler: { dictionary in
            guard let row = next.next() else { return true }
            dictionary["count"] = row.count
            dictionary["rank"] = row.rank
            dictionary["size"] = row.size
            dictionary["created"] = row.created
            dictionary["height"] = row.height
            dictionary["weight"] = row.weight
            dictionary["city"] = row.city
            dictionary["name"] = row.name
            dictionary["note"] = row.note
            return false
        })
        _ = try context.performAndWait { try context.execute(request) }
    }

    func updateBatch() throws {
        let request = NSBatchUpdateRequest(entityName: "Record")
        request.propertiesToUpdate = ["count": NSExpression(format: "count + 1")]
        request.predicate = NSPredicate(format: "rank < 900")
        _ = try context.performAndWait { try context.execute(request) }
    }

    func deleteBatch() throws {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Record")
        fetch.predicate = NSPredicate(format: "rank < 900")
        _ = try context.performAndWait { try context.execute(NSBatchDeleteRequest(fetchRequest: fetch)) }
    }
}
