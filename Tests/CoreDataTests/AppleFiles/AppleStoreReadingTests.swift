import CoreData
import CoreDataSQLStorage
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Reading stores Apple's framework wrote")
struct AppleStoreReadingTests {
    @Test("Every row of every entity reads as an independent program reads it", arguments: AppleStore.all)
    func everyRow(_ store: AppleStore) throws {
        let folder = try TemporaryFolder()
        let url = try store.copy(in: folder)
        let ownModel = try StoredModel(url)
        guard store.model != nil || ownModel.source == .modelCache else { return }
        let model = try store.model.map { try NSManagedObjectModel(reading: $0.deletingLastPathComponent()) } ?? NSManagedObjectModel(stored: ownModel)
        let differences = try RowComparison.run(url, model: model, xml: store.model) { rows, values in
            Corpus.say("\(store.testDescription): \(rows) rows, \(values) values read as an independent program reads them")
        }
        #expect(differences.isEmpty, "\(differences.prefix(5))")
    }

    @Test("A store opens without its model, and what it was made with fits", arguments: AppleStore.all)
    func withoutModel(_ store: AppleStore) throws {
        let folder = try TemporaryFolder()
        let url = try store.copy(in: folder)
        let model = try NSManagedObjectModel(contentsOfStore: url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let context = try openAppleStore(url, model: model)
        try context.performAndWait {
            for entity in model.entities {
                _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
            }
        }
    }

    @Test("With no model at all, the tables alone tell every column's value", arguments: AppleStore.all)
    func tablesAlone(_ store: AppleStore) throws {
        let folder = try TemporaryFolder()
        let url = try store.copy(in: folder)
        let model = NSManagedObjectModel(schema: try StoreContents.recoverModel(url))
        guard let expected = try AppleStore.rows(url, raw: true) else { return Corpus.say("SKIPPED rows: no python3") }
        let options = [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
        let context = try openAppleStore(url, model: model, options: options)
        var rows = 0, values = 0, references = 0
        try context.performAndWait {
            for entity in model.entities where entity.superentity == nil {
                let table = try #require(expected["Z" + (entity.name ?? "").uppercased()])
                let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
                #expect(objects.count == table.count, "\(entity.name ?? "")")
                for object in objects {
                    let row = try #require(table[ObjectImage.name(of: object).split(separator: "/").last.map(String.init) ?? ""])
                    rows += 1
                    for (key, value) in ObjectImage.values(of: object) {
                        var right = row["Z" + key.uppercased()] as? String
                        if let relationship = object.entity.relationshipsByName[key] {
                            if relationship.isToMany { continue }
                            // No row has the key 0.
                            if right == "i0" { right = nil }
                            #expect(value.map { "i" + ($0.split(separator: "/").last ?? "") } == right, "\(object.objectID) \(key)")
                            references += 1
                        } else if object.entity.attributesByName[key]?.allowsExternalBinaryDataStorage == true {
                            continue
                        } else {
                            #expect(value.map(Self.plain) == right.map(Self.plain), "\(object.objectID) \(key)")
                            values += 1
                        }
                    }
                }
            }
        }
        Corpus.say("\(store.testDescription): \(rows) rows, \(values) values and \(references) references without a model")
    }

    /// Numbers by value: a FLOAT or DECIMAL column may hold a whole number.
    private static func plain(_ text: String) -> String {
        func shown(_ value: Double) -> String { String(format: "%.14g", value) }
        return switch text.first {
        case "r": UInt64(text.dropFirst(), radix: 16).map { shown(Double(bitPattern: $0)) } ?? text
        case "t" where text == "tNaN": "nan"
        case "i", "d": Double(text.dropFirst()).map(shown) ?? text
        default: text
        }
    }
}
