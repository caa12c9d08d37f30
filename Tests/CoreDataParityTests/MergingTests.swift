import CoreData
import Testing

/// How the context that merges holds the row.
enum Holding: CaseIterable, Sendable { case unregistered, fault, realised, edited, deleted }

@Suite("Merging into every state of the receiver")
struct MergingTests {
    private func office(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "old", "salary": 10]) }
        return stack
    }

    /// The row in the wanted state; the object unless nobody holds it.
    private func hold(_ stack: Stack, _ holding: Holding) throws -> NSManagedObject? {
        try stack.run { context in
            guard holding != .unregistered else { return nil }
            let object = try context.only("Employee")
            guard holding != .fault else { return object }
            _ = object.text("name")
            if holding == .edited { object.setValue("mine", forKey: "name") }
            if holding == .deleted { context.delete(object) }
            context.processPendingChanges()
            return object
        }
    }

    private func didSave(_ stack: Stack, _ name: Notification.Name, _ edit: (NSManagedObjectContext) throws -> Void) throws -> Notification {
        let other = stack.newContext()
        let saves = Recorder(name, of: other)
        try other.run { _ in
            try edit(other)
            try other.save()
        }
        return try #require(saves.notes.first)
    }

    /// Merges by the way under test.
    enum Way: CaseIterable, Sendable { case objects, identifiers, remoteArray, remoteSet, remoteURIs, automatic }

    private func merge(
        _ stack: Stack, _ way: Way, _ key: String, _ edit: (NSManagedObjectContext) throws -> Void
    ) throws -> [Notification] {
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: stack.context)
        if way == .automatic {
            stack.context.automaticallyMergesChangesFromParent = true
            defer { stack.context.automaticallyMergesChangesFromParent = false }
            try stack.seed(edit)
            // Behind the merge in the queue.
            let merged = DispatchSemaphore(value: 0)
            stack.context.perform { merged.signal() }
            merged.wait()
            return changes.notes
        }
        let name: Notification.Name = way == .identifiers ? .NSManagedObjectContextDidSaveObjectIDs : .NSManagedObjectContextDidSave
        let note = try didSave(stack, name, edit)
        let identifiers = Array(note.objects(key)).map(\.objectID)
        try stack.run { context in
            switch way {
            case .objects, .identifiers: context.mergeChanges(fromContextDidSave: note)
            case .remoteArray: NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: identifiers], into: [context])
            case .remoteSet: NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: Set(identifiers)], into: [context])
            default:
                let uris = identifiers.map { $0.uriRepresentation() }
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: uris], into: [context])
            }
        }
        return changes.notes
    }

    @Test("NO03 NO04 NO08: An update", arguments: Way.allCases, Holding.allCases)
    func update(way: Way, holding: Holding) throws {
        for kind in StoreKind.allCases {
            let stack = try office(kind)
            let object = try hold(stack, holding)
            let notes = try merge(stack, way, NSUpdatedObjectsKey) { context in
                let row = try context.only("Employee")
                row.setValue("theirs", forKey: "name")
                row.setValue(50, forKey: "salary")
            }
            try stack.run { context in
                let refreshed = notes.flatMap { $0.objects(NSRefreshedObjectsKey) }
                #expect(notes.allSatisfy { $0.objects(NSUpdatedObjectsKey).isEmpty && $0.objects(NSInsertedObjectsKey).isEmpty })
                switch holding {
                case .unregistered: #expect(notes.isEmpty)
                case .fault:
                    #expect(refreshed.isEmpty)
                    #expect(object?.isFault == true)
                case .realised: #expect(refreshed == [object].compactMap { $0 })
                case .edited:
                    #expect(object?.text("name") == "mine")
                    #expect(object?.number("salary") == 50)
                    #expect(object?.changedValues().keys.sorted() == ["name"])
                    #expect(object?.committedValues(forKeys: ["name"])["name"] as? String == "theirs")
                case .deleted: #expect(object?.isDeleted == true)
                }
                if holding != .deleted, holding != .edited {
                    #expect(!context.hasChanges)
                    try #require(try context.only("Employee").text("name") == "theirs")
                }
                // No conflict is left.
                try context.save()
            }
            try stack.reopened().run { context in
                let names = try context.all("Employee").map { "\($0.text("name") ?? "") \($0.number("salary") ?? 0)" }
                #expect(names == (holding == .deleted ? [] : [holding == .edited ? "mine 50" : "theirs 50"]))
            }
        }
    }

    @Test("NO06 NO07: A deletion", arguments: Way.allCases, Holding.allCases)
    func deletion(way: Way, holding: Holding) throws {
        for kind in StoreKind.allCases {
            let stack = try office(kind)
            let object = try hold(stack, holding)
            let notes = try merge(stack, way, NSDeletedObjectsKey) { $0.delete(try $0.only("Employee")) }
            try stack.run { context in
                let deleted = notes.flatMap { $0.objects(NSDeletedObjectsKey) }
                switch holding {
                case .unregistered: #expect(notes.isEmpty)
                case .deleted: #expect(deleted.isEmpty)
                default: #expect(deleted == [object].compactMap { $0 })
                }
                #expect(object?.isDeleted != false)
                if holding == .realised { #expect(object?.text("name") == "old") }
                if holding == .edited { #expect(object?.text("name") == "mine") }
                try #require(try context.count("Employee") == 0)
                #expect(try context.all("Employee").isEmpty)
                try context.save()
                #expect(!context.hasChanges)
            }
            try stack.reopened().run { try #require(try $0.count("Employee") == 0) }
        }
    }

    @Test("NO05: An insertion", arguments: Way.allCases)
    func insertion(way: Way) throws {
        for kind in StoreKind.allCases {
            let stack = try office(kind)
            let notes = try merge(stack, way, NSInsertedObjectsKey) { $0.make("Employee", ["name": "new"]) }
            try stack.run { context in
                let inserted = notes.flatMap { $0.objects(NSInsertedObjectsKey) }
                #expect(inserted.count == 1)
                #expect(inserted.first?.managedObjectContext === context)
                #expect(inserted.first?.isInserted == false)
                #expect(inserted.first?.text("name") == "new")
                #expect(!context.hasChanges)
            }
        }
    }

    @Test("A context's own note changes and announces nothing", arguments: StoreKind.allCases)
    func ownNote(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.make("Employee", ["name": "new"])
            try context.named("old", "Employee").setValue(11, forKey: "salary")
            try context.save()
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: try #require(saves.notes.first))
            context.processPendingChanges()
            #expect(changes.notes.isEmpty)
            #expect(!context.hasChanges)
        }
    }

    @Test("A save through another coordinator on the file is merged past the row cache")
    func anotherCoordinator() throws {
        let stack = try office(.sqlite)
        let other = try stack.reopened()
        let object = try #require(try hold(stack, .realised))
        let note = try didSave(other, .NSManagedObjectContextDidSave) { context in
            try context.only("Employee").setValue("theirs", forKey: "name")
            context.make("Employee", ["name": "new"])
        }
        try stack.run { context in
            context.mergeChanges(fromContextDidSave: note)
            #expect(object.text("name") == "theirs")
            object.setValue(1, forKey: "salary")
            try context.save()
            try #require(try context.names("Employee") == ["new", "theirs"])
        }
    }

    @Test("The note of a child's save, whose IDs are temporary, means nothing to contexts elsewhere", arguments: StoreKind.allCases)
    func temporaryIDs(kind: StoreKind) throws {
        let stack = try office(kind)
        let child = stack.newChild(of: stack.newContext())
        let saves = Recorder(.NSManagedObjectContextDidSave, of: child)
        try child.run { _ in
            child.make("Employee", ["name": "new"])
            try child.save()
        }
        let note = try #require(saves.notes.first)
        try stack.run { context in
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.mergeChanges(fromContextDidSave: note)
            #expect(changes.objects(NSInsertedObjectsKey).isEmpty)
            try #require(try context.names("Employee") == ["old"])
        }
    }

    @Test("Remote changes reach parents before their children, whatever their order", arguments: StoreKind.allCases)
    func nestedContexts(kind: StoreKind) throws {
        let stack = try office(kind)
        let child = stack.newChild(of: stack.context)
        let grandchild = stack.newChild(of: child)
        let objects = try [stack.context, child, grandchild].map { context in
            try context.run { context in
                let object = try context.only("Employee")
                _ = object.text("name")
                return object
            }
        }
        let identifier = try stack.run { _ in objects[0].objectID }
        try stack.seed { try $0.only("Employee").setValue("theirs", forKey: "name") }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [identifier]], into: [grandchild, child, stack.context])
        for (context, object) in zip([stack.context, child, grandchild], objects) {
            try context.run { _ in try #require(object.text("name") == "theirs") }
        }
    }

    @Test("didMergeChangesObjectIDsNotification names what was merged, by ID", arguments: StoreKind.allCases)
    func mergeNote(kind: StoreKind) throws {
        let stack = try office(kind)
        let object = try #require(try hold(stack, .realised))
        let merges = Recorder(NSManagedObjectContext.didMergeChangesObjectIDsNotification, of: stack.context)
        let note = try didSave(stack, .NSManagedObjectContextDidSave) { context in
            try context.only("Employee").setValue("theirs", forKey: "name")
            context.make("Employee", ["name": "new"])
        }
        try stack.run { context in
            context.mergeChanges(fromContextDidSave: note)
            #expect(merges.notes.count == 1)
            let merge = try #require(merges.notes.first)
            #expect(merge.objectIDs(.updatedObjectIDs) == [object.objectID])
            #expect(merge.objectIDs(.insertedObjectIDs) == Set(note.objects(NSInsertedObjectsKey).map(\.objectID)))
            #expect(merge.objectIDs(.deletedObjectIDs).isEmpty)
        }
    }

    @Test("NSInvalidatedObjectsKey and NSRefreshedObjectsKey refresh; NSInvalidatedAllObjectsKey refreshes all", arguments: StoreKind.allCases)
    func otherKeys(kind: StoreKind) throws {
        for key in [NSInvalidatedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedAllObjectsKey] {
            let stack = try office(kind)
            let object = try #require(try hold(stack, .realised))
            try stack.seed { try $0.only("Employee").setValue("theirs", forKey: "name") }
            try stack.run { context in
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: [object.objectID]], into: [context])
                #expect(object.text("name") == "theirs", "\(key)")
            }
        }
    }

    @Test("Automatic merging follows the store in main-queue and private contexts, and the parent in children", arguments: StoreKind.allCases)
    func automatic(kind: StoreKind) throws {
        let stack = try office(kind)
        let contexts = [stack.newContext(), stack.newChild(of: stack.context)]
        let objects = try contexts.map { context in
            context.automaticallyMergesChangesFromParent = true
            #expect(context.automaticallyMergesChangesFromParent)
            return try context.run { context in
                let object = try context.only("Employee")
                _ = object.text("name")
                return object
            }
        }
        try stack.run { context in
            try context.only("Employee").setValue("theirs", forKey: "name")
            try context.save()
        }
        for (context, object) in zip(contexts, objects) {
            #expect(eventually { context.performAndWait { object.text("name") } == "theirs" })
        }
    }

    @Test("Automatic merging is refused by a confinement context")
    func confinement() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSManagedObjectContext(concurrencyType: .confinementConcurrencyType).automaticallyMergesChangesFromParent = true
        }
        #if os(Linux)
        #expect(exit.raised("NSInvalidArgumentException"))
        #else
        #expect(exit != nil)
        #endif
    }
}
