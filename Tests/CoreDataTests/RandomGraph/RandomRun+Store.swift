import CoreData
import Foundation
import SQLiteDriver

/// What a save must have left behind.
extension RandomRun {
    /// Reads everything again, over a new coordinator where there is a file.
    func checkStore() throws {
        var reader = coordinator
        if let folder {
            reader = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
            try Self.addStore(to: reader, in: folder)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = reader
        try context.performAndWait { try compareStore(context) }
        if let folder, setting.checksRows || setting.checksIntegrity { try checkFile(folder.file("Graph.sqlite")) }
    }

    private func compareStore(_ context: NSManagedObjectContext) throws {
        var objects: [NSManagedObjectID: (number: Int, object: NSManagedObject)] = [:]
        for kind in Kind.roots {
            for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: kind.name)) {
                objects[object.objectID] = (object.value(forKey: "number") as? Int ?? -1, object)
            }
        }
        let found = Set(objects.values.map(\.number))
        guard found == Set(world.store.keys), found.count == objects.count else {
            throw Mismatch("the store has \(objects.values.map(\.number).sorted()), not \(world.store.keys.sorted())")
        }
        for (number, object) in objects.values {
            guard let thing = world.store[number] else { continue }
            guard object.entity.name == thing.kind.name, object.value(forKey: "title") as? String == thing.title,
                  object.value(forKey: "count") as? Int == thing.count
            else { throw Mismatch("the store has \(object), not \(number): \(thing)") }
            for shape in Shape.ofKind[thing.kind.rawValue] {
                let description = Shape.all[shape]
                let shown = object.objectIDs(forRelationshipNamed: description.name).compactMap { objects[$0]?.number }
                let wanted = thing.links[shape].filter { world.store[$0] != nil }
                guard description.isOrdered ? shown == wanted : Set(shown) == Set(wanted), Set(shown).count == shown.count else {
                    throw Mismatch("the store’s \(number).\(description.name) has \(shown), not \(wanted)")
                }
            }
        }
    }

    // MARK: Rows

    private func checkFile(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        if setting.checksIntegrity, let verdict = try connection.text("PRAGMA integrity_check"), verdict != "ok" {
            throw Mismatch("integrity_check says: \(verdict)")
        }
        guard setting.checksRows else { return }
        for (index, shape) in Shape.all.enumerated() where !shape.mayDangle {
            if !shape.isToMany {
                try checkReferences(connection, shape)
            } else if let inverse = shape.inverse, Shape.all[inverse].isToMany, !Shape.all[inverse].mayDangle, index <= inverse {
                try checkJoins(connection, shape, Shape.all[inverse])
            }
        }
    }

    private func table(_ kind: Kind) -> String { "Z" + kind.root.name.uppercased() }

    private func count(_ connection: SQLiteConnection, _ sql: String, mustBeZero complaint: String) throws {
        let count = try connection.integer("SELECT COUNT(*) FROM " + sql) ?? 0
        if count != 0 { throw Mismatch("\(count) rows \(complaint)") }
    }

    /// No key without its row; members of an ordered relationship have places of their own.
    private func checkReferences(_ connection: SQLiteConnection, _ shape: Shape) throws {
        let column = "Z" + shape.name.uppercased(), owners = table(shape.owner)
        try count(
            connection, "\(owners) WHERE \(column) IS NOT NULL AND \(column) NOT IN (SELECT Z_PK FROM \(table(shape.destination)))",
            mustBeZero: "of \(owners) name rows in \(column) that are not there")
        guard let inverse = shape.inverse, Shape.all[inverse].isOrdered else { return }
        try count(
            connection, "(SELECT 1 FROM \(owners) WHERE \(column) IS NOT NULL GROUP BY \(column), Z_FOK_\(shape.name.uppercased()) HAVING COUNT(*) > 1)",
            mustBeZero: "of \(owners) share a place in \(Shape.all[inverse].name)")
    }

    private func checkJoins(_ connection: SQLiteConnection, _ shape: Shape, _ inverse: Shape) throws {
        let (a, b) = (try entityNumber(connection, shape.owner), try entityNumber(connection, inverse.owner))
        let name = shape.name.uppercased(), other = inverse.name.uppercased()
        let isReflexive = shape.name == inverse.name
        let candidates = ["Z_\(a)\(name)", "Z_\(b)\(other)"]
        guard let join = try candidates.first(where: {
            try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '\($0)'") == 1
        }) else { throw Mismatch("no join table among \(candidates)") }
        let columns = isReflexive
            ? [("Z_\(a)\(name)", shape.destination), ("REFLEXIVE", shape.owner)]
            : [("Z_\(b)\(name)", shape.destination), ("Z_\(a)\(other)", shape.owner)]
        for (column, kind) in columns {
            try count(
                connection, "\(join) WHERE \(column) NOT IN (SELECT Z_PK FROM \(table(kind)))",
                mustBeZero: "of \(join) name rows in \(column) that are not there")
        }
    }

    private func entityNumber(_ connection: SQLiteConnection, _ kind: Kind) throws -> Int64 {
        guard let number = try connection.integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(kind.name)'") else {
            throw Mismatch("Z_PRIMARYKEY has no \(kind.name)")
        }
        return number
    }
}
