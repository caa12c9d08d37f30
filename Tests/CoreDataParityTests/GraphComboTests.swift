import CoreData
import Testing

@Suite("Objects that move, come back and go in one event")
struct GraphComboTests {
    @Test("DR02: A pet that moves to another owner in the event in which its owner is deleted survives, whichever came first", arguments: [true, false])
    func moved(movesFirst: Bool) throws {
        let stack = try Stack(Models.household())
        try stack.seed { context in
            let old = context.make("Person", ["name": "old"])
            context.make("Person", ["name": "new"])
            context.make("Pet", ["name": "rex", "owner": old])
            context.make("Pet", ["name": "tom", "owner": old])
        }
        try stack.run { context in
            let old = try context.named("old", "Person"), new = try context.named("new", "Person"), rex = try context.named("rex", "Pet")
            if movesFirst { rex.setValue(new, forKey: "owner") }
            context.delete(old)
            if !movesFirst { new.mutableSetValue(forKey: "pets").add(rex) }
            try context.save()
        }
        try stack.reopened().run { context in
            let pets = try context.names("Pet"), owner = try context.only("Person")
            #expect(pets == ["rex"] && owner.texts("pets", "name") == ["rex"])
        }
    }

    @Test("FA15: Key paths through a to-many with operators, saved and unsaved members together")
    func operators() throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            for (name, salary) in [("a", 1), ("b", 2), ("b", 3)] { context.make("Employee", ["name": name, "salary": salary, "dept": department]) }
        }
        try stack.run { context in
            let department = try context.only("Department")
            context.make("Employee", ["name": "c", "salary": 4, "dept": department])
            context.make("Employee", ["dept": department])
            func number(_ path: String) -> Double? { (department.value(forKeyPath: path) as? NSNumber)?.doubleValue }
            #expect(number("employees.@count") == 5 && number("employees.@sum.salary") == 10)
            #expect(number("employees.@max.salary") == 4 && number("employees.@min.salary") == 1)
            let names = department.value(forKeyPath: "employees.name") as? NSSet
            #expect(names?.contains("a") == true && names?.contains("c") == true)
            let distinct = department.value(forKeyPath: "employees.@distinctUnionOfObjects.name") as? NSSet
            #expect(distinct?.count == 3)
            #expect(department.value(forKeyPath: "employees.dept.name") as? Set<String> == ["d"])
        }
    }

    @Test("PC10: Undo in a child takes back what it saved to its parent; the next save tells the parent")
    func childUndo() throws {
        let stack = try Stack(Models.office())
        let child = stack.newChild(of: stack.context)
        try child.run { context in
            context.undoManager = UndoManager()
            let department = context.make("Department", ["name": "d"])
            context.make("Employee", ["name": "a", "dept": department])
            try context.save()
            context.undo()
            #expect(context.deletedObjects.count == 2)
            try context.save()
        }
        try stack.run { context in
            #expect(context.insertedObjects.isEmpty)
            try context.save()
        }
        try child.run { context in
            context.redo()
            try context.save()
        }
        try stack.run { try $0.save() }
        try stack.reopened().run { context in
            let person = try context.only("Employee")
            #expect(person.one("dept")?.text("name") == "d")
        }
    }

    @Test("ID03: Permanent IDs a child obtained are those the root saves", arguments: StoreKind.allCases)
    func obtained(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind), child = stack.newChild(of: stack.context), grandchild = stack.newChild(of: child)
        let (person, identifier) = try grandchild.run { context in
            let person = context.make("Employee", ["name": "a", "dept": context.make("Department", ["name": "d"])])
            try context.obtainPermanentIDs(for: [person])
            #expect(!person.objectID.isTemporaryID)
            return (person, person.objectID)
        }
        for context in [grandchild, child, stack.context] { try context.run { try $0.save() } }
        try grandchild.run { context in
            #expect(person.objectID == identifier)
            person.setValue("b", forKey: "name")
            try context.save()
        }
        for context in [child, stack.context] { try context.run { try $0.save() } }
        try stack.reopened().run { context in
            let found = try context.only("Employee")
            #expect(found.objectID.uriRepresentation().lastPathComponent == identifier.uriRepresentation().lastPathComponent && found.text("name") == "b")
            #expect(found.one("dept")?.text("name") == "d")
        }
    }

    @Test("LC14: A parent's rollback takes objects away that a child knows: the child reads nil, its edits are a conflict, its own objects go on")
    func rolledBackParent() throws {
        let stack = try Stack(Models.office()), child = stack.newChild(of: stack.context)
        try stack.run { $0.make("Employee", ["name": "a"]) }
        let person = try child.run { context in
            let person = try context.only("Employee")
            #expect(person.text("name") == "a")
            return person
        }
        try stack.run { $0.rollback() }
        try child.run { context in
            person.setValue("b", forKey: "name")
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            context.rollback()
            context.refresh(person, mergeChanges: false)
            #expect(person.text("name") == nil)
            context.make("Employee", ["name": "own"])
            try context.save()
        }
        try stack.run { try $0.save() }
        let names = try stack.reopened().run { try $0.names("Employee") }
        #expect(names == ["own"])
    }

    @Test("NO06: A merged deletion leaves the other context's loaded relationships without the object")
    func mergedDeletion() throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            for name in ["a", "b"] { context.make("Employee", ["name": name, "dept": department]) }
        }
        let department = try stack.run { context in
            context.automaticallyMergesChangesFromParent = true
            let department = try context.only("Department")
            #expect(department.texts("employees", "name") == ["a", "b"])
            return department
        }
        try stack.seed { try $0.delete($0.named("a", "Employee")) }
        try stack.run { context in
            #expect(department.texts("employees", "name") == ["b"])
            #expect(!department.hasPersistentChangedValues)
            try context.save()
        }
    }

    @Test("LC18: changedValues of relationships are objects, sets, and NSNull for nil; committedValues what they were")
    func changedRelationships() throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            for name in ["a", "b"] { context.make("Employee", ["name": name, "dept": department]) }
        }
        try stack.run { context in
            let department = try context.only("Department"), person = try context.named("a", "Employee")
            person.setValue(nil, forKey: "dept")
            #expect(person.changedValues()["dept"] is NSNull)
            #expect(person.committedValues(forKeys: ["dept"])["dept"] as? NSManagedObject === department)
            let members = department.changedValues()["employees"] as? NSSet
            #expect(members?.count == 1)
            #expect((department.committedValues(forKeys: ["employees"])["employees"] as? NSSet)?.count == 2)
            person.setValue(department, forKey: "dept")
            #expect(person.changedValues().isEmpty && department.changedValues().isEmpty)
        }
    }

    @Test("RE12: Every edit of an ordered to-many is undone and redone in order")
    func orderedUndo() throws {
        let stack = try Stack(Models.ordered())
        try stack.seed { context in
            let songs = ["a", "b", "c", "d"].map { context.make("Song", ["name": $0]) }
            context.make("Playlist", ["name": "p"]).setValue(NSOrderedSet(array: songs), forKey: "songs")
        }
        try stack.run { context in
            context.undoManager = UndoManager()
            let playlist = try context.only("Playlist"), songs = playlist.mutableOrderedSetValue(forKey: "songs")
            var states = [playlist.ordered("songs", "name")]
            let edits: [() -> Void] = [
                { songs.moveObjects(at: [3], to: 0) }, { songs.removeObject(at: 1) }, { songs.insert(context.make("Song", ["name": "e"]), at: 2) },
                { songs.exchangeObject(at: 0, withObjectAt: 2) }, { songs.replaceObject(at: 0, with: context.make("Song", ["name": "f"])) },
                { songs.removeAllObjects() },
            ]
            for edit in edits {
                edit()
                context.processPendingChanges()
                states.append(playlist.ordered("songs", "name"))
            }
            #expect(Set(states).count == states.count)
            for state in states.dropLast().reversed() {
                context.undo()
                #expect(playlist.ordered("songs", "name") == state)
            }
            for state in states.dropFirst() {
                context.redo()
                #expect(playlist.ordered("songs", "name") == state)
            }
            context.undo()
            try context.save()
        }
        let order = try stack.reopened().run { try $0.only("Playlist").ordered("songs", "name") }
        #expect(order.count == 4)
    }

    @Test("LC07: Objects that willSave inserts, edits and deletes are part of the save; what didSave changes is the next one's")
    func hooks() throws {
        let model = Models.household(person: SavingHelper.self)
        let stack = try Stack(model)
        try stack.run { context in
            let person = context.make("Person", ["name": "p"]), old = context.make("Pet", ["name": "old"])
            (person as? SavingHelper)?.onSave = { [unowned context] in
                if old.isDeleted { return }
                context.delete(old)
                context.make("Pet", ["name": "made", "owner": person])
            }
            (person as? SavingHelper)?.afterSave = { person.setValue("next", forKey: "nickname") }
            try context.save()
            #expect(context.hasChanges && context.updatedObjects == [person])
            let pets = try context.names("Pet")
            #expect(pets == ["made"] && person.texts("pets", "name") == ["made"])
        }
        try stack.reopened().run { context in
            let person = try context.only("Person")
            #expect(person.texts("pets", "name") == ["made"] && person.text("nickname") == "buddy")
        }
    }

    @Test("NO01: An object inserted and deleted in one event is in no note; deleted in a later event, in the deleted set of that one")
    func shortLived() throws {
        let stack = try Stack(Models.office())
        try stack.run { context in
            let notes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let first = context.make("Employee")
            context.delete(first)
            context.processPendingChanges()
            #expect(notes.objects(NSInsertedObjectsKey).isEmpty && notes.objects(NSDeletedObjectsKey).subtracting([first]).isEmpty)
            let second = context.make("Employee")
            context.processPendingChanges()
            #expect(notes.objects(NSInsertedObjectsKey).contains(second))
            notes.clear()
            context.delete(second)
            context.processPendingChanges()
            #expect(notes.objects(NSDeletedObjectsKey) == [second] && !context.hasChanges)
            try context.save()
        }
    }

    @Test("FA19: After reset() held objects have no context; realised values stay, the rows are fetched anew as other objects")
    func reset() throws {
        let stack = try Stack(Models.office())
        try stack.seed { $0.make("Employee", ["name": "a"]) }
        try stack.run { context in
            let person = try context.only("Employee")
            #expect(person.text("name") == "a")
            context.reset()
            #expect(person.managedObjectContext == nil && person.text("name") == "a" && context.registeredObject(for: person.objectID) == nil)
            let again = try context.only("Employee")
            #expect(again !== person && again.objectID == person.objectID)
            person.setValue("lost", forKey: "name")
            #expect(!context.hasChanges && again.text("name") == "a")
            let other = context.make("Department", ["name": "d"])
            #expect(other.many("employees").isEmpty)
            context.refresh(person, mergeChanges: true)
            context.delete(person)
            #expect(context.deletedObjects.isEmpty)
        }
    }

    @Test("VA04: Failures of several objects and of their own hooks come flat, each with its object")
    func flatErrors() throws {
        let stack = try Stack(Models.rules())
        try stack.run { context in
            let first = context.make("Worker", ["salary": -1]), second = context.make("Bounds", ["number": 11, "text": "a", "digits": "x"])
            let contract = context.make("Contract")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMultipleErrorsError)
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(details.count == 6 && details.allSatisfy { $0.userInfo[NSDetailedErrorsKey] == nil })
            let objects = details.compactMap { $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject }
            #expect(Set(objects) == [first, second, contract])
            #expect(details.allSatisfy { !$0.localizedDescription.isEmpty && $0.userInfo[NSValidationKeyErrorKey] is String })
        }
    }
}

final class SavingHelper: NSManagedObject {
    var onSave: (() -> Void)?
    var afterSave: (() -> Void)?

    override func willSave() {
        super.willSave()
        onSave?()
    }

    override func didSave() {
        super.didSave()
        let action = afterSave
        afterSave = nil
        action?()
    }
}
