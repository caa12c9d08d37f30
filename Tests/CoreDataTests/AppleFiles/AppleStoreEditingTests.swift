import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

@Suite("Editing stores Apple's framework wrote")
struct AppleStoreEditingTests {
    /// One edit: the object, and the names of the properties it is to change in the file.
    private struct Edit {
        let kind: String
        let property: String
        let make: (NSManagedObjectContext) throws -> Bool
    }

    @Test("Edits of every kind are saved; all else stays byte for byte", arguments: AppleStore.all)
    func edits(_ store: AppleStore) throws {
        let folder = try TemporaryFolder()
        let url = try store.copy(in: folder)
        // Tracked stores are read only (HI16): without its history the same store takes edits.
        do {
            let connection = try SQLiteConnection(path: url.path, access: .readWrite)
            defer { connection.close() }
            try connection.execute("DROP TABLE IF EXISTS ACHANGE; DROP TABLE IF EXISTS ATRANSACTION; CREATE TABLE Foreigner (a, b); INSERT INTO Foreigner VALUES (1, x'00ff')")
        }
        let stored = try StoredModel(url)
        guard store.model != nil || stored.source == .modelCache else { return }
        let before = try FileImage(url)
        func model() throws -> NSManagedObjectModel {
            try store.model.map { try NSManagedObjectModel(reading: $0.deletingLastPathComponent()) } ?? NSManagedObjectModel(stored: stored)
        }
        var changed: Set<String> = ["Z_OPT"]
        var touched: Set<String> = []
        var kinds: [String] = []
        do {
            let context = try openAppleStore(url, model: model())
            try context.performAndWait {
                kinds = try Editing(context).run(&changed)
                for object in context.updatedObjects { touched.insert(ObjectImage.name(of: object).split(separator: "/").last.map(String.init) ?? "") }
                try context.save()
            }
            for store in context.persistentStoreCoordinator?.persistentStores ?? [] { try context.persistentStoreCoordinator?.remove(store) }
        }
        #expect(try FileImage.isSound(url))
        let after = try FileImage(url)
        #expect(after.statements == before.statements)
        for (table, rows) in after.differences(from: before) {
            for (row, columns) in rows {
                if table.hasPrefix("Z_") {
                    #expect(changed.contains { table.hasSuffix($0.dropFirst()) } || columns.contains { column in changed.contains { column.hasSuffix($0.dropFirst()) } } || columns == ["*"], "\(table) \(row) \(columns)")
                    #expect(!["Z_METADATA", "Z_PRIMARYKEY", "Z_MODELCACHE"].contains(table), "\(table) \(columns)")
                } else {
                    #expect(touched.contains(row), "\(table) \(row) \(columns)")
                    let strays = columns.filter { column in !changed.contains { column == $0 || column.hasSuffix("_" + $0.dropFirst()) || column.hasPrefix($0) } }
                    #expect(strays.isEmpty, "\(table) \(row) \(strays)")
                }
            }
        }
        Corpus.say("\(store.testDescription): edited \(kinds.joined(separator: ", "))")
        if let difference = try RowComparison.run(url, model: model(), xml: store.model).first { Issue.record("after the edits: \(difference)") }
    }
}

/// Changes something of each kind a store has.
private struct Editing {
    let context: NSManagedObjectContext
    let model: NSManagedObjectModel

    init(_ context: NSManagedObjectContext) throws {
        self.context = context
        model = try #require(context.persistentStoreCoordinator?.managedObjectModel)
    }

    /// The kinds that were found; `changed` gets the columns concerned.
    func run(_ changed: inout Set<String>) throws -> [String] {
        var kinds: Set<String> = []
        var used: Set<NSManagedObjectID> = []
        for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
            request.fetchLimit = 5
            let unique = Set(entity.uniquenessConstraints.flatMap { $0.compactMap { $0 as? String } })
            for object in try context.fetch(request) where !used.contains(object.objectID) {
                for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key }) where !property.isTransient && !unique.contains(name) {
                    guard let kind = try edit(object, property, except: kinds) else { continue }
                    kinds.insert(kind)
                    used.insert(object.objectID)
                    changed.insert("Z" + name.uppercased())
                    if let inverse = (property as? NSRelationshipDescription)?.inverseRelationship { changed.insert("Z" + inverse.name.uppercased()) }
                }
            }
        }
        return kinds.sorted()
    }

    /// Edits the property unless its kind is among `done`; the kind, or nil when nothing was edited.
    private func edit(_ object: NSManagedObject, _ property: NSPropertyDescription, except done: Set<String>) throws -> String? {
        if let attribute = property as? NSAttributeDescription {
            let kind = "\(attribute.attributeType.rawValue)" + (attribute.allowsExternalBinaryDataStorage ? " external" : "")
            if attribute is NSDerivedAttributeDescription || done.contains(kind) { return nil }
            switch attribute.attributeType {
            case .stringAttributeType where attribute.validationPredicates.isEmpty: object.setValue("Ä “quoted” 'text' 日本", forKey: attribute.name)
            case .dateAttributeType: object.setValue(Date(timeIntervalSinceReferenceDate: 12345.678), forKey: attribute.name)
            case .doubleAttributeType: object.setValue(-0.1, forKey: attribute.name)
            case .booleanAttributeType: object.setValue(!(object.value(forKey: attribute.name) as? Bool ?? false), forKey: attribute.name)
            case .decimalAttributeType: object.setValue(NSDecimalNumber(string: "12.5"), forKey: attribute.name)
            case .binaryDataAttributeType: object.setValue(Data(repeating: 7, count: 200_000), forKey: attribute.name)
            default: return nil
            }
            return kind
        }
        guard let relationship = property as? NSRelationshipDescription, let destination = relationship.destinationEntity?.name else { return nil }
        let request = NSFetchRequest<NSManagedObject>(entityName: destination)
        request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: false)]
        let others = try context.fetch(request)
        guard let other = others.first(where: { $0 !== object }) else { return nil }
        if !relationship.isToMany {
            let kind = relationship.inverseRelationship?.isOrdered == true ? "to-one of ordered" : "to-one"
            if object.value(forKey: relationship.name) as? NSManagedObject === other || relationship.inverseRelationship?.isToMany == false
                || done.contains(kind) { return nil }
            object.setValue(other, forKey: relationship.name)
            return kind
        }
        if relationship.isOrdered {
            let members = object.mutableOrderedSetValue(forKey: relationship.name)
            guard members.count > 1, !done.contains("ordered") else { return nil }
            members.moveObjects(at: IndexSet(integer: members.count - 1), to: 0)
            return "ordered"
        }
        guard relationship.inverseRelationship?.isToMany == true, !done.contains("many-to-many") else { return nil }
        object.mutableSetValue(forKey: relationship.name).add(other)
        return "many-to-many"
    }
}
