import CoreData
import Testing

/// Every note of a family of contexts, in the order they were posted, as "context note".
///
/// Unchecked Sendable: used under the lock only.
private final class Diary: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [(entry: String, note: Notification)] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ contexts: [(String, NSManagedObjectContext)]) {
        let names: [(String, Notification.Name)] = [
            ("willSave", NSManagedObjectContext.willSaveObjectsNotification), ("didSave", NSManagedObjectContext.didSaveObjectsNotification),
            ("didChange", NSManagedObjectContext.didChangeObjectsNotification),
            ("didSaveIDs", NSManagedObjectContext.didSaveObjectIDsNotification),
        ]
        for (who, context) in contexts {
            for (what, name) in names {
                tokens.append(NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] note in
                    self?.add("\(who) \(what)", note)
                })
            }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private func add(_ entry: String, _ note: Notification) { lock.withLock { list.append((entry, note)) } }
    var entries: [String] { lock.withLock { list.map(\.entry) } }
    func note(_ entry: String) -> Notification? { lock.withLock { list.last { $0.entry == entry }?.note } }
    func clear() { lock.withLock { list = [] } }
}

@Suite("Notes of contexts: names, keys, order")
struct ContextNoteTests {
    @Test("Names and keys are Apple's")
    func names() {
        typealias Key = NSManagedObjectContext.NotificationKey
        #expect(NSManagedObjectContext.willSaveObjectsNotification == .NSManagedObjectContextWillSave)
        #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
        #expect(NSManagedObjectContext.didChangeObjectsNotification == .NSManagedObjectContextObjectsDidChange)
        #expect(NSManagedObjectContext.didSaveObjectIDsNotification == .NSManagedObjectContextDidSaveObjectIDs)
        #expect(NSManagedObjectContext.didMergeChangesObjectIDsNotification == .NSManagedObjectContextDidMergeChangesObjectIDs)
        #expect(Notification.Name.NSManagedObjectContextWillSave.rawValue == "NSManagingContextWillSaveChangesNotification")
        #expect(Notification.Name.NSManagedObjectContextDidSave.rawValue == "NSManagingContextDidSaveChangesNotification")
        #expect(Notification.Name.NSManagedObjectContextObjectsDidChange.rawValue == "NSObjectsChangedInManagingContextNotification")
        #expect([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey] == ["inserted", "updated", "deleted", "refreshed"])
        #expect([NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey] == ["invalidated", "invalidatedAll"])
        let pairs: [(Key, String)] = [
            (.insertedObjects, NSInsertedObjectsKey), (.updatedObjects, NSUpdatedObjectsKey), (.deletedObjects, NSDeletedObjectsKey),
            (.refreshedObjects, NSRefreshedObjectsKey), (.invalidatedObjects, NSInvalidatedObjectsKey),
            (.invalidatedAllObjects, NSInvalidatedAllObjectsKey), (.insertedObjectIDs, NSInsertedObjectIDsKey),
            (.updatedObjectIDs, NSUpdatedObjectIDsKey), (.deletedObjectIDs, NSDeletedObjectIDsKey),
            (.refreshedObjectIDs, NSRefreshedObjectIDsKey), (.invalidatedObjectIDs, NSInvalidatedObjectIDsKey),
            (.queryGeneration, NSManagedObjectContextQueryGenerationKey),
        ]
        for (key, constant) in pairs { #expect(key.rawValue == constant) }
    }

    @Test("A save posts did-change, will-save, did-save, did-save with IDs, in this order", arguments: StoreKind.allCases)
    func oneContext(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let diary = Diary([("root", stack.context)])
        try stack.run { context in
            let object = context.make("Employee", ["name": "a"])
            try context.save()
            #expect(diary.entries == ["root didChange", "root willSave", "root didSave", "root didSaveIDs"])
            #expect(diary.note("root willSave")?.userInfo == nil)
            #expect(diary.note("root didSaveIDs")?.objectIDs(.insertedObjectIDs) == [object.objectID])
            #expect(diary.note("root didSave")?.objects(NSInsertedObjectsKey) == [object])
        }
    }

    @Test("NO12, PC02: A child's save changes the parent between its own notes; the parent's is another story", arguments: StoreKind.allCases)
    func parentAndChild(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let child = stack.newChild(of: stack.context)
        let diary = Diary([("root", stack.context), ("child", child)])
        let object = try child.run { _ in
            let object = child.make("Employee", ["name": "a"])
            try child.save()
            #expect(diary.entries == ["child didChange", "child willSave", "root didChange", "child didSave", "child didSaveIDs"])
            // NO12: no store has given an ID yet.
            let identifiers = try #require(diary.note("child didSaveIDs")).objectIDs(.insertedObjectIDs)
            #expect(identifiers == [object.objectID])
            #expect(!identifiers.contains { !$0.isTemporaryID })
            return object
        }
        diary.clear()
        try stack.run { try $0.save() }
        #expect(diary.entries == ["root willSave", "root didSave", "root didSaveIDs"])
        let permanent = try #require(diary.note("root didSaveIDs")).objectIDs(.insertedObjectIDs)
        #expect(permanent.count == 1)
        #expect(permanent.allSatisfy { !$0.isTemporaryID })
        try child.run { _ in
            // The child finds its object under the permanent ID.
            try #require(try child.existingObject(with: try #require(permanent.first)) === object)
        }
    }

    @Test("PC01: Three levels: each save moves changes one level, and the last one writes", arguments: StoreKind.allCases)
    func threeLevels(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "gone"]) }
        let middle = stack.newChild(of: stack.context)
        let leaf = stack.newChild(of: middle)
        let diary = Diary([("root", stack.context), ("middle", middle), ("leaf", leaf)])
        try leaf.run { _ in
            let department = leaf.make("Department", ["name": "Sales"])
            leaf.make("Employee", ["name": "new", "dept": department])
            leaf.delete(try leaf.named("gone", "Employee"))
            try leaf.save()
            #expect(!leaf.hasChanges)
        }
        #expect(diary.entries.contains("middle didChange"))
        #expect(!diary.entries.contains("root didChange"))
        try stack.run { try #require(!$0.hasChanges) }
        try middle.run { _ in
            #expect(middle.insertedObjects.count == 2)
            #expect(middle.deletedObjects.count == 1)
            try middle.save()
        }
        try stack.newContext().run { try #require(try $0.names("Employee") == ["gone"]) }
        try stack.run { context in
            #expect(context.insertedObjects.count == 2)
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.only("Employee").one("dept")?.text("name") == "Sales")
        }
        // What the leaf made is found by every level, under one ID, and edits travel again.
        try leaf.run { _ in
            let object = try leaf.only("Employee")
            #expect(!object.objectID.isTemporaryID)
            object.setValue("edited", forKey: "name")
            try leaf.save()
        }
        for context in [middle, stack.context] { try context.run { try $0.save() } }
        try stack.reopened().run { try #require(try $0.names("Employee") == ["edited"]) }
    }

    @Test("NO02: An object inserted and deleted in one event is in no note's inserted set", arguments: StoreKind.allCases)
    func insertedAndDeleted(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.delete(context.make("Employee", ["name": "a"]))
            try context.save()
            #expect(changes.objects(NSInsertedObjectsKey).isEmpty)
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] { #expect(saves.objects(key).isEmpty) }
        }
    }

    @Test("A refused save posts no did-save", arguments: StoreKind.allCases)
    func refusedSave(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        let diary = Diary([("root", stack.context)])
        try stack.run { context in
            context.make("Worker")
            _ = try failure { try context.save() }
            #expect(diary.entries == ["root didChange", "root willSave"])
            #expect(context.insertedObjects.count == 1)
        }
    }
}

@Suite("Properties of contexts")
struct ContextPropertyTests {
    @Test("A context's own properties have Apple's defaults and keep what they are given")
    func properties() throws {
        let context = try Stack(Models.office(), .memory).context
        #expect(context.name == nil && context.transactionAuthor == nil)
        #expect(context.stalenessInterval == -1)
        #expect(context.shouldDeleteInaccessibleFaults && context.propagatesDeletesAtEndOfEvent)
        #expect(!context.retainsRegisteredObjects && !context.automaticallyMergesChangesFromParent)
        #expect(context.userInfo.count == 0)
        #expect(context.parent == nil)
        #expect(!context.performAndWait { context.hasChanges })
        context.name = "importer"
        context.transactionAuthor = "sync"
        context.userInfo["key"] = 5
        #expect(context.name == "importer" && context.transactionAuthor == "sync")
        #expect(context.userInfo["key"] as? Int == 5)
    }

    @Test("Delete rules are followed at the event's end, or by the save", arguments: [true, false])
    func propagation(atEnd: Bool) throws {
        let stack = try Stack(Models.office(employees: .cascadeDeleteRule))
        try stack.run { context in
            context.propagatesDeletesAtEndOfEvent = atEnd
            let department = context.make("Department", ["name": "Sales"])
            let employee = context.make("Employee", ["name": "a", "dept": department])
            try context.save()
            context.delete(department)
            #expect(!employee.isDeleted)
            context.processPendingChanges()
            #expect(employee.isDeleted == atEnd)
            try context.save()
            #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) == 0)
        }
    }

    @Test("assign(_:to:) chooses the store of a new object, and of nothing else")
    func assigning() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let stores = try ["a", "b"].map { name in
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url.appendingPathComponent(name), options: nil)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            let objects = (0..<2).map { context.make("Employee", ["name": "\($0)"]) }
            for (object, store) in zip(objects, stores) { context.assign(object, to: store) }
            try context.obtainPermanentIDs(for: [objects[1]])
            try context.save()
            #expect(objects.map { $0.objectID.persistentStore } == stores)
            for (index, store) in stores.enumerated() {
                let request = context.request("Employee")
                request.affectedStores = [store]
                #expect(try context.fetch(request) == [objects[index]])
            }
        }
    }

    @Test("obtainPermanentIDs in a grandchild gives every level the same ID", arguments: StoreKind.allCases)
    func permanentIDs(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let middle = stack.newChild(of: stack.context)
        let leaf = stack.newChild(of: middle)
        let identifier = try leaf.run { _ in
            let object = leaf.make("Employee", ["name": "a"])
            let temporary = object.objectID
            #expect(temporary.isTemporaryID)
            try leaf.obtainPermanentIDs(for: [object])
            #expect(!object.objectID.isTemporaryID)
            #expect(object.objectID != temporary)
            #expect(object.isInserted)
            try leaf.save()
            return object.objectID
        }
        for context in [middle, stack.context] {
            try context.run { context in
                #expect(context.insertedObjects.map(\.objectID) == [identifier])
                try context.save()
            }
        }
        try stack.reopened().run { context in
            try #require(try context.only("Employee").objectID.uriRepresentation() == identifier.uriRepresentation())
        }
    }

    @Test("reset forgets changes and objects; the context goes on", arguments: StoreKind.allCases)
    func reset(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "a"]) }
        try stack.run { context in
            let object = try context.only("Employee")
            object.setValue("b", forKey: "name")
            context.make("Employee", ["name": "c"])
            context.reset()
            #expect(!context.hasChanges)
            #expect(context.registeredObjects.isEmpty)
            let again = try context.only("Employee")
            #expect(again !== object)
            #expect(again.text("name") == "a")
            again.setValue("d", forKey: "name")
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.names("Employee") == ["d"]) }
    }

    @Test("rollback brings back edits, insertions, deletions and relationships of both sides", arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) throws {
        let stack = try Stack(Models.office(employees: .cascadeDeleteRule), kind)
        try stack.seed { context in
            for name in ["Sales", "Ops"] { context.make("Department", ["name": name]) }
            context.make("Employee", ["name": "a", "dept": try context.named("Sales", "Department")])
        }
        try stack.run { context in
            let (sales, ops) = (try context.named("Sales", "Department"), try context.named("Ops", "Department"))
            let employee = try context.only("Employee")
            #expect(sales.many("employees").count == 1)
            employee.setValue(ops, forKey: "dept")
            context.make("Employee", ["name": "new", "dept": ops])
            context.delete(sales)
            context.processPendingChanges()
            context.delete(ops)
            context.processPendingChanges()
            #expect(employee.isDeleted)
            context.rollback()
            #expect(!context.hasChanges)
            #expect(!employee.isDeleted && !sales.isDeleted && !ops.isDeleted)
            #expect(employee.one("dept") === sales)
            #expect(sales.many("employees") == [employee])
            #expect(ops.many("employees").isEmpty)
            try #require(try context.count("Employee") == 1)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.named("Sales", "Department").texts("employees", "name") == ["a"]) }
    }
}
