import CoreData
import Testing

@Suite("Insert, delete, change tracking, hooks")
struct LifeCycleTests {
    private func household(_ kind: StoreKind, person: AnyClass = Counting.self, names: String...) throws -> Stack {
        let stack = try Stack(Models.household(person: person), kind)
        try stack.seed { context in for name in names { context.make("Person", ["name": name]) } }
        return stack
    }

    // MARK: Hooks

    @Test("LC01: awakeFromInsert runs once, and the defaults are there already", arguments: StoreKind.allCases)
    func awakeFromInsert(kind: StoreKind) throws {
        try household(kind).run { context in
            let person = try #require(context.make("Person") as? Counting)
            #expect(person.count(.insert) == 1)
            #expect(person.count(.fetch) == 0)
            #expect(person.nicknameAtBirth == "buddy")
            #expect(person.text("nickname") == "buddy")
        }
    }

    @Test("LC02: awakeFromFetch runs once, when the fault fires", arguments: StoreKind.allCases)
    func awakeFromFetch(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try #require(try context.only("Person") as? Counting)
            #expect(person.count(.fetch) == 0)
            #expect(person.text("name") == "Alice")
            #expect(person.text("nickname") == "buddy")
            #expect(person.count(.fetch) == 1)
            #expect(person.count(.insert) == 0)
        }
    }

    @Test("LC03: Setting an attribute in awakeFromFetch makes nothing dirty", arguments: StoreKind.allCases)
    func settingWhileAwaking(kind: StoreKind) throws {
        try household(kind, person: Waking.self, names: "Alice").run { context in
            let person = try context.only("Person")
            #expect(person.text("name") == "Alice")
            #expect(person.text("nickname") == "awake")
            #expect(!person.hasChanges)
            #expect(!context.hasChanges)
        }
    }

    @Test("LC03: A relationship set in awakeFromFetch gets no inverse and makes nothing dirty", arguments: StoreKind.allCases, [true, false])
    func relatingWhileAwaking(kind: StoreKind, isToOne: Bool) throws {
        let model = isToOne ? Models.household(person: Counting.self, pet: Adopting.self) : Models.household(person: Gathering.self)
        let stack = try Stack(model, kind)
        try stack.seed { context in
            context.make("Person", ["name": "Alice"])
            context.make("Pet", ["name": "Rex"])
        }
        try stack.run { context in
            let (person, pet) = (try context.only("Person"), try context.only("Pet"))
            if isToOne {
                #expect(pet.text("name") == "Rex")
                #expect(pet.one("owner") === person)
                #expect(person.many("pets").isEmpty)
            } else {
                #expect(person.text("name") == "Alice")
                #expect(person.many("pets") == [pet])
                #expect(pet.one("owner") == nil)
            }
            #expect(!person.hasChanges && !pet.hasChanges && !context.hasChanges)
        }
    }

    @Test("LC04: Redo does not run awakeFromInsert again", arguments: StoreKind.allCases)
    func redoOfAnInsert(kind: StoreKind) throws {
        try household(kind).run { context in
            context.undoManager = UndoManager()
            let person = try #require(context.make("Person", ["name": "Alice"]) as? Counting)
            context.processPendingChanges()
            context.undo()
            #expect(context.insertedObjects.isEmpty)
            context.redo()
            #expect(context.insertedObjects == [person])
            #expect(person.count(.insert) == 1)
        }
    }

    @Test("LC05: awakeFromInsert runs in the child and again in the parent it saves to", arguments: StoreKind.allCases)
    func awakeInParent(kind: StoreKind) throws {
        let stack = try household(kind)
        let child = stack.newChild(of: stack.context)
        let inner = try child.run { _ in
            let person = child.make("Person", ["name": "Alice"])
            try child.save()
            return try #require(person as? Counting)
        }
        #expect(inner.count(.insert) == 1)
        try stack.run { context in
            let outer = try #require(context.insertedObjects.first as? Counting)
            #expect(outer !== inner)
            #expect(outer.count(.insert) == 1)
            #expect(outer.text("name") == "Alice")
        }
    }

    @Test("LC06: A save runs willSave and didSave once each", arguments: StoreKind.allCases)
    func saveHooks(kind: StoreKind) throws {
        try household(kind).run { context in
            let person = try #require(context.make("Person", ["name": "Alice"]) as? Counting)
            try context.save()
            #expect(person.count(.willSave) == 1)
            #expect(person.count(.didSave) == 1)
        }
    }

    @Test("LC07: A change made in willSave is written, and willSave runs again", arguments: StoreKind.allCases)
    func changeInWillSave(kind: StoreKind) throws {
        let stack = try household(kind, person: Stamping.self)
        try stack.run { context in
            let person = try #require(context.make("Person", ["name": "Alice"]) as? Stamping)
            try context.save()
            #expect(person.stamps == 1)
            #expect(person.count(.willSave) == 2)
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { try #require(try $0.only("Person").number("updatedAt") == 1) }
    }

    @Test("LC08: A guarded stamp is set once for each save, and store and memory agree", arguments: StoreKind.allCases)
    func oneStampASave(kind: StoreKind) throws {
        let stack = try household(kind, person: Stamping.self, names: "Alice")
        try stack.run { context in
            let person = try #require(try context.only("Person") as? Stamping)
            for name in ["Bob", "Carol"] {
                person.setValue(name, forKey: "name")
                try context.save()
            }
            #expect(person.stamps == 2)
            #expect(person.number("updatedAt") == 3)
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { try #require(try $0.only("Person").number("updatedAt") == 3) }
    }

    // MARK: Deletion

    @Test("LC09: prepareForDeletion runs at once, with every call of delete", arguments: StoreKind.allCases)
    func prepareForDeletion(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try #require(try context.only("Person") as? Counting)
            context.delete(person)
            #expect(person.count(.prepare) == 1)
            context.delete(person)
            #expect(person.count(.prepare) == 2)
            #expect(person.isDeleted)
        }
    }

    @Test("LC10: prepareForDeletion still reaches the children of a cascade", arguments: StoreKind.allCases)
    func childrenInPrepareForDeletion(kind: StoreKind) throws {
        let stack = try household(kind, person: Farewell.self)
        try stack.seed { context in
            let person = context.make("Person", ["name": "Alice"])
            context.make("Pet", ["name": "Rex", "owner": person])
            context.make("Pet", ["name": "Tom", "owner": person])
        }
        try stack.run { context in
            let person = try #require(try context.only("Person") as? Farewell)
            context.delete(person)
            #expect(person.reachablePets == ["Rex", "Tom"])
            try context.save()
            #expect(try context.count("Pet") == 0)
        }
    }

    @Test("LC11: isDeleted is true until the deletion is saved, then false", arguments: StoreKind.allCases)
    func isDeleted(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try context.only("Person")
            context.delete(person)
            #expect(person.isDeleted)
            try context.save()
            #expect(!person.isDeleted)
        }
    }

    @Test("LC12: A saved deletion leaves the object without context", arguments: StoreKind.allCases)
    func contextAfterDeletion(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try context.only("Person")
            context.delete(person)
            #expect(person.managedObjectContext === context)
            try context.save()
            #expect(person.managedObjectContext == nil)
        }
    }

    @Test("LC13: An object inserted and deleted before the save leaves no trace", arguments: StoreKind.allCases)
    func insertThenDelete(kind: StoreKind) throws {
        let stack = try household(kind)
        try stack.run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            let person = context.make("Person", ["name": "Alice"])
            context.delete(person)
            try context.save()
            #expect(saves.objects(NSDeletedObjectsKey).isEmpty)
            #expect(saves.objects(NSInsertedObjectsKey).isEmpty)
            #expect(!context.hasChanges)
            #expect(try context.count("Person") == 0)
        }
        try stack.reopened().run { try #require(try $0.count("Person") == 0) }
    }

    // MARK: Rollback and undo

    @Test("LC14: rollback drops edits, inserts and deletions", arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try context.only("Person")
            person.setValue("Alicia", forKey: "name")
            let added = context.make("Person", ["name": "Bob"])
            context.delete(person)
            context.rollback()
            #expect(context.insertedObjects.isEmpty)
            #expect(context.updatedObjects.isEmpty)
            #expect(context.deletedObjects.isEmpty)
            #expect(!context.hasChanges)
            #expect(person.text("name") == "Alice")
            #expect(!person.isDeleted)
            #expect(!context.registeredObjects.contains(added))
            #expect(try context.names("Person") == ["Alice"])
        }
    }

    @Test("LC15: Without an undo manager undo does nothing, rollback still works", arguments: StoreKind.allCases)
    func undoWithoutManager(kind: StoreKind) throws {
        try household(kind).run { context in
            #expect(context.undoManager == nil)
            context.make("Person", ["name": "Alice"])
            context.undo()
            #expect(context.insertedObjects.count == 1)
            context.rollback()
            #expect(context.insertedObjects.isEmpty)
        }
    }

    @Test("LC16: Undo and redo take a block of inserts back and forth; rollback empties both stacks", arguments: StoreKind.allCases)
    func undoAndRedo(kind: StoreKind) throws {
        try household(kind).run { context in
            context.undoManager = UndoManager()
            for number in 0..<10 { context.make("Person", ["name": "\(number)"]) }
            context.undo()
            #expect(context.insertedObjects.isEmpty)
            context.redo()
            #expect(context.insertedObjects.count == 10)
            #expect(Set(context.insertedObjects.compactMap { $0.text("name") }).count == 10)
            context.rollback()
            #expect(context.insertedObjects.isEmpty)
            context.redo()
            #expect(context.insertedObjects.isEmpty)
        }
    }

    @Test("LC17: What happens while undo registration is off is not undone", arguments: StoreKind.allCases)
    func undoRegistrationOff(kind: StoreKind) throws {
        try household(kind).run { context in
            let manager = UndoManager()
            context.undoManager = manager
            context.processPendingChanges()
            manager.disableUndoRegistration()
            context.make("Person", ["name": "Alice"])
            context.processPendingChanges()
            manager.enableUndoRegistration()
            context.undo()
            #expect(context.insertedObjects.count == 1)
        }
    }

    // MARK: Change tracking

    @Test("LC18: A new object has changed values and no committed ones", arguments: StoreKind.allCases)
    func valuesOfANewObject(kind: StoreKind) throws {
        try household(kind).run { context in
            let person = context.make("Person", ["name": "1"])
            #expect(person.changedValues()["name"] as? String == "1")
            #expect(person.committedValues(forKeys: ["name"])["name"] as? String == nil)
            try context.save()
            #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "1")
        }
    }

    @Test("LC19: Changed values hold the last edit, committed ones the last save", arguments: StoreKind.allCases)
    func valuesOfAnEditedObject(kind: StoreKind) throws {
        try household(kind, names: "123456").run { context in
            let person = try context.only("Person")
            person.setValue("101", forKey: "name")
            person.setValue("202", forKey: "name")
            #expect(person.changedValues().count == 1)
            #expect(person.changedValues()["name"] as? String == "202")
            #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "123456")
            try context.save()
            #expect(person.changedValues().isEmpty)
            #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "202")
        }
    }

    @Test("LC20: Setting the value an attribute has makes the object dirty but changes nothing", arguments: StoreKind.allCases)
    func settingTheSameValue(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let person = try context.only("Person")
            person.setValue("Alice", forKey: "name")
            #expect(person.isUpdated)
            #expect(person.hasChanges)
            #expect(person.changedValues().isEmpty)
            #expect(!person.hasPersistentChangedValues)
        }
    }

    @Test("LC21: A transient edit is a change, not a persistent one", arguments: StoreKind.allCases)
    func transientEdit(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice"]) }
        try stack.run { context in
            let employee = try context.only("Employee")
            employee.setValue(50, forKey: "scratch")
            #expect(employee.hasChanges)
            #expect(!employee.hasPersistentChangedValues)
            #expect(context.hasChanges)
        }
    }

    @Test("LC22: hasChanges is isInserted, isDeleted or isUpdated", arguments: StoreKind.allCases)
    func hasChanges(kind: StoreKind) throws {
        try household(kind, names: "clean", "edited", "deleted").run { context in
            context.make("Person", ["name": "inserted"])
            try context.named("edited", "Person").setValue("x", forKey: "nickname")
            context.delete(try context.named("deleted", "Person"))
            var dirty = 0
            for object in context.registeredObjects {
                #expect(object.hasChanges == (object.isInserted || object.isDeleted || object.isUpdated))
                if object.hasChanges { dirty += 1 }
            }
            #expect(dirty == 3)
        }
    }

    @Test("LC23: A failed save keeps everything pending; once repaired it succeeds", arguments: StoreKind.allCases)
    func repairedSave(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.run { context in
            let worker = context.make("Worker")
            let good = context.make("Worker", ["name": "Bob"])
            #expect(try failure { try context.save() }.code == NSValidationMissingMandatoryPropertyError)
            #expect(context.insertedObjects == [worker, good])
            worker.setValue("Alice", forKey: "name")
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { try #require(try $0.names("Worker") == ["Alice", "Bob"]) }
    }

    @Test("LC24: Saving without changes succeeds", arguments: StoreKind.allCases)
    func emptySave(kind: StoreKind) throws {
        try household(kind, names: "Alice").run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            try context.save()
            #expect(saves.notes.count == 1)
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] { #expect(saves.objects(key).isEmpty) }
        }
    }

    @Test("LC24: A save after merging foreign changes has nothing to write and says so", arguments: StoreKind.allCases)
    func saveAfterMerge(kind: StoreKind) throws {
        let stack = try household(kind, names: "Alice")
        let other = stack.newContext()
        let foreign = Recorder(.NSManagedObjectContextDidSave, of: other)
        try stack.run { context in
            let person = try context.only("Person")
            #expect(person.text("name") == "Alice")
            try other.run { other in
                try other.only("Person").setValue("Alicia", forKey: "name")
                try other.save()
            }
            context.mergeChanges(fromContextDidSave: try #require(foreign.notes.first))
            #expect(person.text("name") == "Alicia")
            #expect(!context.hasChanges)
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            try context.save()
            #expect(saves.notes.count == 1)
            for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey] { #expect(saves.objects(key).isEmpty) }
        }
    }

    // MARK: Misuse

    @Test("LC25: A model in use cannot be changed")
    func frozenModel() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = Models.office()
            let stack = try Stack(model)
            model.entitiesByName["Employee"]?.attributesByName["name"]?.isTransient = true
            _ = stack
        }
        #expect(exit != nil)
        #expect(!exit.raised("Caught error"))
    }

    @Test("LC26: An object of another context can be neither deleted nor related")
    func foreignObjects() async {
        let deletion = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Models.office())
            let other = stack.newContext()
            try stack.run { context in other.delete(context.make("Employee")) }
        }
        #expect(deletion.raised("NSInvalidArgumentException"))
        #expect(deletion.raised("cannot delete objects in other contexts"))
        let relation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Models.office())
            let other = stack.newContext()
            try stack.run { context in
                context.make("Employee").setValue(other.performAndWait { other.make("Department") }, forKey: "dept")
            }
        }
        #expect(relation.raised("NSInvalidArgumentException"))
        #expect(relation.raised("Illegal attempt to establish a relationship"))
        #expect(relation.raised("between objects in different contexts"))
    }

    @Test("LC27: A value of the wrong type is refused when it is set")
    func wrongAttributeType() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Employee").setValue(42, forKey: "name") }
        }
        #expect(exit.raised("NSInvalidArgumentException"))
        #expect(exit.raised("Unacceptable type of value for attribute"))
        for part in ["property = \"name\"", "desired type = NSString", "given type = "] { #expect(exit.raised(part), "\(part)") }
    }

    @Test("LC28: A to-one takes its entity's objects, subentities' included")
    func toOneOfASubentity() throws {
        let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
        let manager = NSEntityDescription("Manager")
        person.subentities = [manager]
        let project = NSEntityDescription("Project")
        relate(project, .one("lead"), person, .many("projects"))
        try Stack(model(person, manager, project)).run { context in
            let lead = context.make("Manager", ["name": "Max"])
            let project = context.make("Project", ["lead": lead])
            try context.save()
            #expect(project.one("lead") === lead)
            #expect(lead.many("projects") == [project])
        }
    }

    @Test("LC28: A to-one refuses an object of another entity")
    func wrongEntity() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { context in
                context.make("Employee").setValue(context.make("Employee"), forKey: "dept")
            }
        }
        #expect(exit.raised("NSInvalidArgumentException"))
        #expect(exit.raised("Unacceptable type of value for to-one relationship"))
    }

    @Test("LC29: An unknown key stops the program")
    func unknownKey() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { _ = $0.make("Employee").value(forKey: "nope") }
        }
        #expect(exit.raised("NSUnknownKeyException"))
        let setting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Employee").setValue(1, forKey: "nope") }
        }
        #expect(setting.raised("NSUnknownKeyException"))
    }

    #if os(Linux)
    // Apple raises an Objective-C exception, which Swift cannot catch; here the throwing function throws.
    @Test("LC31: A request for an unknown entity fails and names the entity", arguments: StoreKind.allCases)
    func unknownEntity(kind: StoreKind) throws {
        try household(kind).run { context in
            let error = try failure { _ = try context.all("NoSuch") }
            #expect(error.localizedDescription.contains("NoSuch"))
        }
    }
    #endif

    @Test("LC32: An executed request knows its entity", arguments: StoreKind.allCases)
    func entityOfARequest(kind: StoreKind) throws {
        try household(kind).run { context in
            let request = context.request("Person")
            #if os(Linux)
            #expect(request.entity == nil)
            #endif
            _ = try context.fetch(request)
            #expect(request.entity?.name == "Person")
            #expect(request.entityName == "Person")
        }
    }
}
