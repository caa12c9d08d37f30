import CoreData
import Testing

/// Objects that are inserted and deleted without a save between.
@Suite("Deletions of unsaved objects")
struct UnsavedDeletionTests {
    @Test("Deleted in a later event, the object leaves the context when the event is over", arguments: StoreKind.allCases)
    func laterEvent(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let person = context.make("Employee", ["name": "a"])
            context.processPendingChanges()
            context.delete(person)
            #expect(person.isDeleted && person.managedObjectContext === context)
            context.processPendingChanges()
            #expect(changes.objects(NSDeletedObjectsKey) == [person])
            #expect(!person.isInserted && !person.isDeleted && !person.hasChanges)
            #expect(person.managedObjectContext == nil && !context.registeredObjects.contains(person))
            #expect(!context.hasChanges && context.registeredObject(for: person.objectID) == nil)
            // Whoever holds it can still read it.
            #expect(person.text("name") == "a")
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.count("Employee") == 0) }
    }

    @Test("Inserted and deleted in one event, nobody hears of it", arguments: StoreKind.allCases)
    func oneEvent(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let person = context.make("Employee", ["name": "a"])
            context.delete(person)
            context.processPendingChanges()
            #expect(changes.notes.isEmpty)
            #expect(person.managedObjectContext == nil && !person.isInserted && !context.hasChanges)
        }
    }

    @Test("Undo brings it back with values and relationships, redo takes it away again", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            context.undoManager = UndoManager()
            let person = context.make("Employee", ["name": "a"]), department = context.make("Department", ["name": "d"])
            person.setValue(department, forKey: "dept")
            context.processPendingChanges()
            context.delete(person)
            context.processPendingChanges()
            #expect(person.managedObjectContext == nil && department.many("employees").isEmpty)
            context.undo()
            #expect(person.managedObjectContext === context && person.isInserted && person.text("name") == "a")
            #expect(person.one("dept") === department && department.many("employees") == [person])
            context.redo()
            #expect(person.managedObjectContext == nil && department.many("employees").isEmpty)
            context.undo()
            try context.save()
            context.undoManager = nil
        }
        try stack.reopened().run { context in
            let department = try context.only("Department")
            #expect(department.texts("employees", "name") == ["a"])
        }
    }

    @Test("Objects that a cascade takes along leave too", arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) throws {
        let (owner, pet) = (NSEntityDescription("Owner", NSAttributeDescription("name", .stringAttributeType)),
                            NSEntityDescription("Pet", NSAttributeDescription("name", .stringAttributeType)))
        relate(owner, .many("pets", .cascadeDeleteRule), pet, .one("owner"))
        try Stack(model(owner, pet), kind).run { context in
            let owner = context.make("Owner", ["name": "o"])
            let pets = ["a", "b"].map { context.make("Pet", ["name": $0, "owner": owner]) }
            context.processPendingChanges()
            context.delete(owner)
            context.processPendingChanges()
            #expect((pets + [owner]).allSatisfy { $0.managedObjectContext == nil && !$0.isInserted })
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
        }
    }

    @Test("A reference to it that no inverse keeps is dangling, in a context and in its child", arguments: [false, true])
    func dangling(inChild: Bool) throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [End.one("page").property(to: page)]
        let stack = try Stack(model(note, page))
        let context = inChild ? stack.newChild(of: stack.context) : stack.context
        try context.run { context in
            let page = context.make("Page", ["name": "one"]), kept = context.make("Page", ["name": "two"])
            let note = context.make("Note", ["page": page])
            context.make("Note", ["page": kept])
            context.processPendingChanges()
            context.delete(page)
            context.processPendingChanges()
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectValidationError && error.key == "page" && error.object === note)
        }
    }

    @Test("A child's reference to an object its parent has not saved is none; once the parent dropped it, it is")
    func parents() throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [End.one("page").property(to: page)]
        let stack = try Stack(model(note, page))
        let page1 = try stack.run { $0.make("Page", ["name": "one"]).objectID }
        let child = stack.newChild(of: stack.context)
        try child.run { context in
            context.make("Note", ["page": context.object(with: page1)])
            try context.save()
            context.make("Note", ["page": context.object(with: page1)])
        }
        try stack.run { context in
            context.delete(context.object(with: page1))
            context.processPendingChanges()
        }
        try child.run { context in
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectValidationError)
        }
    }

    @Test("A child may delete what its parent has not saved, and save what still names it: that is the parent's to refuse")
    func deletedInChild() throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [NSAttributeDescription("text", .stringAttributeType, optional: true), End.one("page").property(to: page)]
        let stack = try Stack(model(note, page))
        let (note1, page1) = try stack.run { context in
            let page = context.make("Page", ["name": "one"])
            return (context.make("Note", ["page": page]).objectID, page.objectID)
        }
        try stack.newChild(of: stack.context).run { context in
            context.object(with: note1).setValue("edited", forKey: "text")
            context.delete(context.object(with: page1))
            context.processPendingChanges()
            try context.save()
        }
        try stack.run { context in
            #expect(context.object(with: note1).text("text") == "edited")
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectValidationError)
            context.object(with: note1).setValue(nil, forKey: "page")
            try context.save()
            #expect(try context.count("Page") == 0)
        }
    }

    @Test("An unsaved member that is deleted does not deny the deletion of its owner, whatever its ID", arguments: StoreKind.allCases, [false, true])
    func deletedWithItsOwner(kind: StoreKind, hasPermanentID: Bool) throws {
        let stack = try Stack(Models.office(employees: .denyDeleteRule), kind)
        try stack.seed { $0.make("Department", ["name": "sales"]) }
        try stack.run { context in
            let department = try context.only("Department")
            let person = context.make("Employee", ["name": "new", "dept": department])
            if hasPermanentID { try context.obtainPermanentIDs(for: [person]) }
            context.processPendingChanges()
            context.delete(department)
            context.delete(person)
            try context.save()
            #expect(try context.count("Department") == 0)
        }
        try stack.reopened().run { context in
            let left = try context.count("Department") + context.count("Employee")
            #expect(left == 0)
        }
    }

    @Test("A child's deletion reaches what only the parent knows to be related", arguments: StoreKind.allCases)
    func ownMembersOfTheParent(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Department", ["name": "sales"]) }
        try stack.run { context in
            let department = try context.only("Department")
            try stack.newChild(of: context).run { child in
                let person = context.make("Employee", ["name": "new", "dept": department])
                child.delete(try child.only("Department"))
                try child.save()
                #expect(department.isDeleted && person.one("dept") == nil)
            }
            try context.save()
        }
        try stack.reopened().run { context in
            let person = try context.only("Employee")
            #expect(person.one("dept") == nil)
        }
    }

    @Test("An object deleted and inserted again in one event is no deleted one")
    func resurrected() throws {
        let stack = try Stack(Models.office(), .memory)
        try stack.seed { $0.make("Employee", ["name": "a"]) }
        try stack.run { context in
            let person = try context.only("Employee")
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            context.delete(person)
            context.insert(person)
            context.processPendingChanges()
            #expect(changes.objects(NSDeletedObjectsKey).isEmpty && !person.isDeleted)
        }
    }
}
