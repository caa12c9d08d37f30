import CoreData
import Testing

@Suite("Notifications and merging between contexts")
struct NotificationTests {
    private let sets = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey]

    /// Only the given set of a note has the object; the others are empty or absent.
    private func expect(
        _ note: Notification?, only key: String, _ objects: Set<NSManagedObject>, location: SourceLocation = #_sourceLocation
    ) {
        for other in sets { #expect(note?.objects(other) == (other == key ? objects : []), "\(other)", sourceLocation: location) }
    }

    private func office(_ kind: StoreKind, _ names: String...) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in for name in names { context.make("Employee", ["name": name, "salary": 10]) } }
        return stack
    }

    /// Runs an edit in a context of its own and returns the note of its save.
    private func save(_ stack: Stack, _ edit: (NSManagedObjectContext) throws -> Void) throws -> Notification {
        let other = stack.newContext()
        let saves = Recorder(.NSManagedObjectContextDidSave, of: other)
        try other.run { _ in
            try edit(other)
            try other.save()
        }
        #expect(saves.notes.count == 1)
        return try #require(saves.notes.first)
    }

    @Test("NO01: The did-save note has the object as inserted, then updated, then deleted", arguments: StoreKind.allCases)
    func didSave(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            let object = context.make("Employee", ["name": "Alice"])
            try context.save()
            object.setValue("Bob", forKey: "name")
            try context.save()
            context.delete(object)
            try context.save()
            #expect(saves.notes.count == 3)
            for (note, key) in zip(saves.notes, ["inserted", "updated", "deleted"]) { expect(note, only: key, [object]) }
        }
    }

    @Test("NO02: Processing pending changes announces the event's changes and saves nothing", arguments: StoreKind.allCases)
    func objectsDidChange(kind: StoreKind) throws {
        let stack = try office(kind, "Alice", "Bob")
        try stack.run { context in
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let (edited, deleted) = (try context.named("Alice", "Employee"), try context.named("Bob", "Employee"))
            let inserted = context.make("Employee", ["name": "Carol"])
            edited.setValue("Alicia", forKey: "name")
            context.delete(deleted)
            context.processPendingChanges()
            #expect(changes.notes.count == 1)
            #expect(changes.notes.first?.objects(NSInsertedObjectsKey) == [inserted])
            #expect(changes.notes.first?.objects(NSUpdatedObjectsKey) == [edited])
            #expect(changes.notes.first?.objects(NSDeletedObjectsKey) == [deleted])
            changes.clear()
            edited.setValue("Alina", forKey: "name")
            context.processPendingChanges()
            #expect(changes.notes.count == 1)
            expect(changes.notes.first, only: NSUpdatedObjectsKey, [edited])
            context.processPendingChanges()
            #expect(changes.notes.count == 1)
        }
        try stack.reopened().run { try #require(try $0.names("Employee") == ["Alice", "Bob"]) }
    }

    @Test("NO03: Merging an update shows it in the realised object, announced as refreshed", arguments: StoreKind.allCases)
    func mergingAnUpdate(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            #expect(object.text("name") == "Alice")
            let note = try save(stack) { try $0.only("Employee").setValue("C1", forKey: "name") }
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            context.processPendingChanges()
            #expect(object.text("name") == "C1")
            #expect(changes.notes.count == 1)
            expect(changes.notes.first, only: NSRefreshedObjectsKey, [object])
            #expect(!context.hasChanges)
        }
    }

    @Test("NO04: Merging an update of a fault loads and announces nothing", arguments: StoreKind.allCases)
    func mergingIntoAFault(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            let note = try save(stack) { try $0.only("Employee").setValue("C1", forKey: "name") }
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            context.processPendingChanges()
            #expect(object.isFault)
            #expect(changes.objects(NSRefreshedObjectsKey).isEmpty)
            #expect(object.text("name") == "C1")
        }
    }

    @Test("NO05: Merging an insert registers the object, announced as inserted", arguments: StoreKind.allCases)
    func mergingAnInsert(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let note = try save(stack) { $0.make("Employee", ["name": "Alice"]) }
            let identifier = try #require(note.objects(NSInsertedObjectsKey).first?.objectID)
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            let object = context.registeredObject(for: identifier)
            #expect(object != nil)
            context.processPendingChanges()
            #expect(changes.objects(NSInsertedObjectsKey).map(\.objectID) == [identifier])
            #expect(context.insertedObjects.isEmpty)
            #expect(!context.hasChanges)
            #expect(object?.text("name") == "Alice")
        }
    }

    @Test("NO06: Merging a deletion leaves a held object readable and deleted", arguments: StoreKind.allCases)
    func mergingADeletion(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            #expect(object.text("name") == "Alice")
            let note = try save(stack) { $0.delete(try $0.only("Employee")) }
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            context.processPendingChanges()
            #expect(context.registeredObject(for: object.objectID) === object)
            #expect(!object.isFault)
            #expect(object.isDeleted)
            #expect(object.text("name") == "Alice")
            #expect(context.deletedObjects == [object])
            #expect(changes.objects(NSDeletedObjectsKey) == [object])
            #expect(try context.count("Employee") == 0)
            #expect(try context.all("Employee").isEmpty)
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test("NO07: Merging the deletion of an object nobody holds announces nothing", arguments: StoreKind.allCases)
    func mergingAnUnknownDeletion(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let note = try save(stack) { $0.delete(try $0.only("Employee")) }
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            context.processPendingChanges()
            #expect(changes.notes.isEmpty)
        }
    }

    @Test("NO08: Merging keeps the context's own unsaved edit and takes the rest", arguments: StoreKind.allCases)
    func mergingIntoAnEdit(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            object.setValue("mine", forKey: "name")
            let note = try save(stack) { other in
                try other.only("Employee").setValue("C1", forKey: "name")
                try other.only("Employee").setValue(50, forKey: "salary")
            }
            context.mergeChanges(fromContextDidSave: note)
            #expect(object.text("name") == "mine")
            #expect(object.number("salary") == 50)
            #expect(context.hasChanges)
            // The merge also moved the snapshot: there is no conflict left.
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.only("Employee").text("name") == "mine")
            try #require(try context.only("Employee").number("salary") == 50)
        }
    }

    @Test("NO09: automaticallyMergesChangesFromParent follows a sibling's saves", arguments: StoreKind.allCases)
    func automaticMerge(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        stack.context.automaticallyMergesChangesFromParent = true
        let object = try stack.run { context in
            let object = try context.only("Employee")
            #expect(object.text("name") == "Alice")
            return object
        }
        try stack.seed { try $0.only("Employee").setValue("C1", forKey: "name") }
        #expect(try eventually { try stack.run { _ in object.text("name") } == "C1" })
    }

    @Test("NO10: refreshAllObjects announces every registered object as refreshed", arguments: StoreKind.allCases)
    func refreshAllObjects(kind: StoreKind) throws {
        let stack = try office(kind, "a", "b", "c")
        try stack.run { context in
            let objects = Set(try context.all("Employee"))
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(changes.notes.count == 1)
            expect(changes.notes.first, only: NSRefreshedObjectsKey, objects)
        }
    }

    @Test("NO11: An edit made by a will-save observer is part of the save", arguments: StoreKind.allCases)
    func willSaveObserver(kind: StoreKind) throws {
        let stack = try office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            object.setValue(1, forKey: "salary")
            let edit = OnWillSave(context) { object.setValue("observed", forKey: "name") }
            try context.save()
            #expect(edit.count == 1)
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { try #require(try $0.only("Employee").text("name") == "observed") }
    }

    @Test("NO13: Remote deletions reach a context and its fetched results by IDs", arguments: StoreKind.allCases)
    func remoteChanges(kind: StoreKind) throws {
        let stack = try office(kind, "a", "b", "c")
        try stack.run { context in
            let controller = NSFetchedResultsController(
                fetchRequest: context.request("Employee", by: "name"), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let events = Events()
            controller.delegate = events
            try controller.performFetch()
            let objects = controller.fetchedObjects ?? []
            #expect(objects.map { $0.text("name") } == ["a", "b", "c"])
            let doomed = objects.filter { $0.text("name") != "b" }
            let identifiers = doomed.map(\.objectID)
            try stack.seed { other in for identifier in identifiers { other.delete(try other.existingObject(with: identifier)) } }
            #expect(events.list.isEmpty)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: identifiers], into: [context])
            #expect(events.list.sorted() == ["delete a", "delete c"])
            #expect(controller.fetchedObjects?.map { $0.text("name") } == ["b"])
            #expect(try context.names("Employee") == ["b"])
            for object in doomed { #expect(object.isDeleted || object.managedObjectContext == nil) }
        }
    }

    /// What a delegate was told, as "delete name".
    private final class Events: NSObject, NSFetchedResultsControllerDelegate {
        private(set) var list: [String] = []

        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            list.append("\(type == .delete ? "delete" : "other") \((anObject as? NSManagedObject)?.text("name") ?? "?")")
        }
    }
}

/// Runs a block whenever a context is about to save.
///
/// Unchecked Sendable: the notification comes on the queue of the context, where the test made it.
private final class OnWillSave: @unchecked Sendable {
    private(set) var count = 0
    private var token: (any NSObjectProtocol)?
    private let block: () -> Void

    init(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        self.block = block
        token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextWillSave, object: context, queue: nil) { [weak self] _ in
            self?.run()
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    private func run() {
        count += 1
        block()
    }
}
