import CoreData
import Testing

/// `do { … } catch let error as NSError { … }`, as nearly all existing code has it: every error is found, in Apple's domain.
@Suite("Errors caught as NSError")
struct CaughtErrorTests {
    @Test("Requests: an unknown entity, key, type, order, function, a wrong constant", arguments: StoreKind.allCases)
    func requests(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let formats = [
                "shoe == 1", "dept.shoe == 1", "salary == 'abc'", "name MATCHES '['", "salary BETWEEN {1}", "dept == 5", "scratch == 1",
                "employees.name == 'x'", "name == $unbound", "name BEGINSWITH 5",
            ]
            for format in formats {
                let request = context.request("Employee", NSPredicate(format: format))
                for attempt in [{ _ = try context.fetch(request) }, { _ = try context.count(for: request) }] {
                    let error = try failure(of: attempt)
                    #expect(error.isCocoa && error.code == NSCoreDataError && !error.localizedDescription.isEmpty, "\(format): \(error)")
                }
            }
            #expect(try failure { _ = try context.all("Nobody") }.code == NSCoreDataError)
            for key in ["shoe", "dept.shoe", "scratch"] {
                #expect(try failure { _ = try context.fetch(context.request("Employee", by: key)) }.isCocoa, "\(key)")
            }
            let blocks = context.request("Employee", NSPredicate { _, _ in true })
            #expect(try failure { _ = try context.fetch(blocks) }.isCocoa)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Employee")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["shoe"]
            #expect(try failure { _ = try context.fetch(rows) }.isCocoa)
        }
    }

    @Test("Batch requests: an unknown key, a value of the wrong type", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let update = NSBatchUpdateRequest(entityName: "Employee")
            update.propertiesToUpdate = ["shoe": 1]
            let errors = [
                try failure { _ = try context.execute(update) },
                try failure { _ = try context.execute(NSBatchInsertRequest(entityName: "Employee", objects: [["salary": "much"]])) },
            ]
            #expect(errors.count { $0.isCocoa } == 2)
        }
    }

    @Test("Objects: a value that does not fit, a row that is gone, an ID of another store", arguments: StoreKind.allCases)
    func objects(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind), other = try Stack(Models.rules(), kind)
        let ada = try stack.seed { $0.make("Worker", ["name": "Ada"]) }
        let gone = ada.objectID
        try stack.run { context in
            let worker = context.make("Worker")
            var value: AnyObject? = NSNumber(value: -1)
            #expect(try failure { try worker.validateValue(&value, forKey: "salary") }.isCocoa)
            #expect(try failure { try context.save() }.code == NSValidationMissingMandatoryPropertyError)
            context.delete(worker)
            context.delete(try context.existingObject(with: gone))
            try context.save()
            #expect(try failure { _ = try context.existingObject(with: gone) }.code == NSManagedObjectReferentialIntegrityError)
        }
        try other.run { context in
            let error = try failure { _ = try context.existingObject(with: gone) }
            #expect(error.isCocoa)
        }
    }

    @Test("Saves: a conflict, a unique value taken, no coordinator")
    func saves() throws {
        let stack = try Stack(Models.coded())
        try stack.seed { $0.make("Product", ["code": 1, "name": "Lamp"]) }
        let other = stack.newContext()
        try stack.run { context in
            let mine = try context.only("Product")
            _ = mine.text("name")
            try other.run {
                try $0.only("Product").setValue("Desk", forKey: "name")
                try $0.save()
            }
            mine.setValue("Chair", forKey: "name")
            #expect(try failure { try context.save() }.code == NSManagedObjectMergeError)
            context.rollback()
            context.make("Product", ["code": 1])
            #expect(try failure { try context.save() }.code == NSManagedObjectConstraintMergeError)
        }
        let orphan = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let refused = try orphan.run { context in try failure { _ = try context.all("Product") } }
        #expect(refused.isCocoa)
    }

    @Test("Stores: a folder that is not there, a file that is none, another model, an unknown type")
    func stores() throws {
        let folder = try TemporaryFolder()
        func open(_ file: String, _ model: NSManagedObjectModel = Models.office(), type: String = NSSQLiteStoreType) throws -> NSError {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let url = folder.url.appendingPathComponent(file)
            return try failure { try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil) }
        }
        #expect(try open("none/Store.sqlite").isCocoa)
        try Data("no store at all, but long enough to be looked at".utf8).write(to: folder.url.appendingPathComponent("text.sqlite"))
        #expect(try open("text.sqlite").code == CocoaError.Code.fileReadCorruptFile.rawValue)
        #expect(try open("a.sqlite", type: "Papyrus").code == NSPersistentStoreInvalidTypeError)
        let file = folder.url.appendingPathComponent("b.sqlite")
        let first = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let store = try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file, options: nil)
        try first.remove(store)
        #expect(try open("b.sqlite", Models.coded()).code == NSPersistentStoreIncompatibleVersionHashError)
        let missing = folder.url.appendingPathComponent("missing.sqlite")
        #expect(try failure {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: missing, options: nil)
        }.isCocoa)
        #expect(try failure {
            _ = try first.migratePersistentStore(store, to: missing, options: nil, withType: NSSQLiteStoreType)
        }.isCocoa)
    }

    @Test("Results controllers, and what hooks of the program throw")
    func programs() throws {
        try Stack(Models.office()).run { context in
            let request = context.request("Employee", NSPredicate(format: "shoe == 1"), by: "name")
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let error = try failure { try controller.performFetch() }
            #expect(error.isCocoa)
        }
        try Stack(Models.household(person: Refusing.self)).run { context in
            context.make("Person")
            let error = try failure { try context.save() }
            #expect(error.localizedDescription == "no people today")
            #expect(error.userInfo[NSUnderlyingErrorKey] as? HookRefusal == .today || error as Error as? HookRefusal == .today)
        }
    }
}

enum HookRefusal: LocalizedError {
    case today
    var errorDescription: String? { "no people today" }
}

final class Refusing: NSManagedObject {
    override func validateForInsert() throws { throw HookRefusal.today }
}
