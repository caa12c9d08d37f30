import CoreData
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Foundation
import SQLiteDriver

/// Opens and reads harmed copies of stores. Meant for a process of its own: what it checks first is that nothing stops it.
enum DamageRun {
    private struct Outcome {
        var errors: [any Error] = []
        var complaints: [String] = []
        var rows = 0
    }

    /// Writes what is wrong, and the case at work, to the log; returns whether nothing was wrong.
    static func run(rounds: Int, seed: UInt64) throws -> Bool {
        var cases = 0, refused = 0, rows = 0, wrong = 0
        let wanted = ProcessInfo.processInfo.environment["COREDATA_DAMAGE_STORE"]
        for (index, store) in AppleStore.all.enumerated() where wanted.map({ store.testDescription == $0 }) ?? true {
            for round in 0..<rounds {
                for (number, damage) in Damage.allCases.enumerated() where rounds > 3 || wanted != nil || (index + round + number) % 3 == 0 {
                    let seed = seed &+ UInt64(index * 1_000_000 + round * 100 + number)
                    var random = SeededGenerator(seed)
                    let folder = try TemporaryFolder()
                    let url = try store.copy(in: folder)
                    guard let model = try? StoredModel(url).schema else { continue }
                    let what = (try? damage.harm(url, &random)) ?? "nothing"
                    say("at \(store.testDescription) \(damage) seed \(seed): \(what)")
                    let outcome = try examine(url, model)
                    cases += 1
                    rows += outcome.rows
                    refused += outcome.errors.isEmpty ? 0 : 1
                    for complaint in outcome.complaints {
                        wrong += 1
                        say("WRONG \(store.url.lastPathComponent) \(damage) seed \(seed) (\(what)): \(complaint)")
                    }
                }
            }
        }
        say("damage: \(cases) cases, \(refused) refused, \(rows) rows read, \(wrong) wrong")
        return wrong == 0 && cases > 0
    }

    /// Where a process of its own writes what it does: what it was at is then known even if it was stopped.
    static func log(of parent: Int32) -> URL { FileManager.default.temporaryDirectory.appendingPathComponent("damage-\(parent).log") }

    private static let file: FileHandle? = {
        let url = log(of: getppid())
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        return try? FileHandle(forWritingTo: url)
    }()

    private static func say(_ text: String) { file?.write(Data((text + "\n").utf8)) }

    private static func bytes(_ url: URL) -> [Data?] { ["", "-wal"].map { FileManager.default.contents(atPath: url.path + $0) } }

    private static func examine(_ url: URL, _ schema: ModelSchema) throws -> Outcome {
        var outcome = Outcome()
        let before = bytes(url)
        func attempt(_ what: String, _ body: () throws -> Void) {
            do { try body() } catch {
                outcome.errors.append(error)
                let error = error as NSError
                if error.domain != NSCocoaErrorDomain { outcome.complaints.append("\(what): \(error.domain) \(error.code), not of Cocoa's domain: \(error)") }
            }
        }
        attempt("metadata") { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url) }
        attempt("model") { _ = try NSManagedObjectModel(contentsOfStore: url) }
        if bytes(url) != before { outcome.complaints.append("reading metadata and model changed the file") }
        for isReadOnly in [true, false] {
            attempt("open") {
                let options: [AnyHashable: Any] = [
                    NSReadOnlyPersistentStoreOption: isReadOnly, NSIgnorePersistentStoreVersioningOption: true, NSPersistentStoreTimeoutOption: 0.2,
                ]
                let context: NSManagedObjectContext
                do { context = try openAppleStore(url, model: NSManagedObjectModel(schema: schema), options: options) } catch {
                    if bytes(url) != before { outcome.complaints.append("the file was changed by a refused opening") }
                    throw error
                }
                try context.performAndWait { try read(context, &outcome) }
                for store in context.persistentStoreCoordinator?.persistentStores ?? [] { try context.persistentStoreCoordinator?.remove(store) }
            }
            if isReadOnly, bytes(url)[0] != before[0] { outcome.complaints.append("reading changed the file") }
        }
        return outcome
    }

    /// Every row and every membership, and both again as SQLite itself gives them.
    private static func read(_ context: NSManagedObjectContext, _ outcome: inout Outcome) throws {
        guard let coordinator = context.persistentStoreCoordinator, let store = coordinator.persistentStores.first,
              let rows = store.rowStore as? SQLiteRowStore else { return }
        let raw = try? SQLiteConnection(path: rows.url.path, access: .readOnly)
        defer { raw?.close() }
        for entity in coordinator.managedObjectModel.entities where entity.superentity == nil {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            let objects = try context.fetch(request)
            outcome.rows += objects.count
            _ = try context.count(for: request)
            for object in objects {
                for name in object.entity.attributesByName.keys { _ = object.value(forKey: name) }
                for (name, relationship) in object.entity.relationshipsByName where !relationship.isToMany {
                    _ = (object.value(forKey: name) as? NSManagedObject)?.objectID
                }
            }
            for relationship in entity.relationshipsByName.values where relationship.isToMany {
                request.relationshipKeyPathsForPrefetching = [relationship.name]
                for object in try context.fetch(request) { _ = object.value(forKey: relationship.name) }
            }
            if let raw { try compare(objects, rows, raw, &outcome) }
        }
    }

    private static func compare(
        _ objects: [NSManagedObject], _ store: SQLiteRowStore, _ raw: SQLiteConnection, _ outcome: inout Outcome
    ) throws {
        guard let first = objects.first, let root = store.model.entity(named: first.entity.name ?? "")?.rootIndex,
              let table = store.schema.table(of: root) else { return }
        for property in store.model.entities[root].properties where property.storage == .integer || property.storage == .string {
            guard let column = store.schema.column(property)?.name else { continue }
            var values: [String: String?] = [:]
            // An index may hold other bytes than the row.
            let isComplete: Void? = try? raw.withStatement("SELECT Z_PK, \(column) FROM \(table.name) NOT INDEXED") { row in
                while try row.step() {
                    values[row.text(0) ?? ""] = row.isNull(1) ? .some(nil) : property.storage == .integer ? "\(row.integer(1))" : row.text(1)
                }
            }
            guard isComplete != nil else { continue }
            for object in objects {
                let key = String(object.objectID.uriRepresentation().lastPathComponent.dropFirst())
                let value = object.value(forKey: property.name)
                let text = value.map { ($0 as? NSNumber).map { "\($0.int64Value)" } ?? "\($0)" }
                guard let right = values[key] else {
                    outcome.complaints.append("\(table.name) \(key) is not in the file")
                    continue
                }
                let isNarrow = property.attribute?.type == .integer16 || property.attribute?.type == .integer32
                if text != right, !isNarrow { outcome.complaints.append("\(table.name).\(column) \(key): \(text ?? "nil") ≠ \(right ?? "nil")") }
            }
        }
    }
}
