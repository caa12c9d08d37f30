import CoreData
import Testing

/// What a validation error says, and who is asked.
@Suite("Validation errors")
struct ValidationErrorTests {
    @Test("VA03 VA04 VA06: Texts name the property as Apple's do", arguments: StoreKind.allCases)
    func texts(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker")
            #expect(try failure { try worker.validateForInsert() }.localizedDescription == "name is a required value.")
            worker.setValue(-1, forKey: "salary")
            let both = try failure { try worker.validateForInsert() }
            #expect(both.localizedDescription == "Multiple validation errors occurred.")
            #expect(Set(both.details.map(\.localizedDescription)) == ["name is a required value.", "Salary must not be negative"])
            let bounds = context.make("Bounds", ["text": "abcde"])
            #expect(try failure { try bounds.validateForInsert() }.localizedDescription.hasPrefix("text is too long"))
            bounds.setValue("a", forKey: "text")
            #expect(try failure { try bounds.validateForInsert() }.localizedDescription.hasPrefix("text is too short"))
            bounds.setValue(nil, forKey: "text")
            bounds.setValue(11, forKey: "number")
            let large = try failure { try bounds.validateForInsert() }
            #expect(large.localizedDescription.hasPrefix("number is too large"))
            #expect((large.userInfo[NSValidationValueErrorKey] as? NSNumber)?.intValue == 11)
            #expect(large.userInfo[NSValidationPredicateErrorKey] is NSPredicate)
        }
    }

    @Test("VA14 VA15 VA16: Errors of relationships have object, key and what the relationship holds", arguments: StoreKind.allCases)
    func relationships(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let contract = context.make("Contract")
            let missing = try failure { try contract.validateForInsert() }
            #expect(missing.object === contract && missing.key == "signer" && missing.userInfo[NSValidationValueErrorKey] == nil)
            let team = context.make("Team", ["starters": NSSet(object: context.make("Player"))])
            let players = NSSet(array: (0..<3).map { _ in context.make("Player") })
            team.setValue(players, forKey: "pair")
            let many = try failure { try team.validateForInsert() }
            #expect(many.code == NSValidationRelationshipExceedsMaximumCountError)
            #expect(many.object === team)
            #expect(many.userInfo[NSValidationValueErrorKey] as? NSSet == players)
        }
    }

    @Test("DR05: A denied deletion has the objects in the way as its value", arguments: StoreKind.allCases)
    func denied(kind: StoreKind) throws {
        let stack = try Stack(Models.office(employees: .denyDeleteRule), kind)
        try stack.run { context in
            let department = context.make("Department")
            let employee = context.make("Employee", ["dept": department])
            try context.save()
            context.delete(department)
            let error = try failure { try context.save() }
            #expect(error.userInfo[NSValidationValueErrorKey] as? NSSet == NSSet(object: employee))
            #expect(error.localizedDescription.contains("employees"))
        }
    }

    @Test("VA19: validateValue checks relationships and required values", arguments: StoreKind.allCases)
    func oneValue(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let contract = context.make("Contract"), worker = context.make("Worker", ["name": "Alice"]), team = context.make("Team")
            func code(_ object: NSManagedObject, _ value: AnyObject?, _ key: String) -> Int? {
                var value = value
                do { try object.validateValue(&value, forKey: key) } catch { return (error as NSError).code }
                return nil
            }
            #expect(code(worker, nil, "name") == 1570 && code(worker, "x" as NSString, "name") == nil)
            #expect(code(contract, nil, "signer") == 1570 && code(contract, worker, "signer") == nil)
            let players = (0..<3).map { _ in context.make("Player") }
            #expect(code(team, NSSet(), "starters") == 1580 && code(team, NSSet(object: players[0]), "starters") == nil)
            #expect(code(team, NSSet(array: players), "pair") == 1590 && code(team, NSSet(), "pair") == nil)
            #expect(code(team, NSSet(object: players[0]), "duo") == 1580 && code(team, NSSet(), "duo") == nil)
            // Only asked, nothing set.
            #expect(contract.one("signer") == nil && team.many("starters").isEmpty)
        }
    }

    @Test("VA24: A row that broke a rule made later is left alone until it is edited itself")
    func stricterModel() throws {
        func model(isStrict: Bool) -> NSManagedObjectModel {
            let name = NSAttributeDescription("name", .stringAttributeType)
            return CoreDataParityTests.model(NSEntityDescription(
                "Item", isStrict ? name.validated(("length >= 3", NSNumber(value: NSValidationStringTooShortError))) : name))
        }
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Rules.sqlite")
        func open(_ model: NSManagedObjectModel) throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        try open(model(isStrict: false)).run { context in
            context.make("Item", ["name": "y"])
            context.make("Item", ["name": "long enough"])
            try context.save()
        }
        try open(model(isStrict: true)).run { context in
            let bad = try context.named("y", "Item")
            try context.named("long enough", "Item").setValue("longer", forKey: "name")
            try context.save()
            bad.setValue("z", forKey: "name")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationStringTooShortError && error.object === bad)
        }
    }

    @Test("VA26: A to-many without inverse that holds an object inserted and deleted again is refused", arguments: StoreKind.allCases, [true, false])
    func danglingMember(kind: StoreKind, isOrdered: Bool) throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [End.many("pages", ordered: isOrdered).property(to: page)]
        let stack = try Stack(model(note, page), kind)
        try stack.run { context in
            let kept = context.make("Page", ["name": "kept"]), lost = context.make("Page", ["name": "lost"])
            let note = context.make("Note")
            note.setValue(isOrdered ? NSOrderedSet(array: [kept, lost]) as Any : NSSet(array: [kept, lost]) as Any, forKey: "pages")
            context.delete(lost)
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectValidationError)
            #expect(error.key == "pages" && error.object === note)
            if isOrdered {
                note.mutableOrderedSetValue(forKey: "pages").remove(lost)
            } else {
                note.mutableSetValue(forKey: "pages").remove(lost)
            }
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Note").texts("pages", "name") == ["kept"]) }
    }

    @Test("VA23: A refused save leaves hooks, IDs and changes as they were; a child validates too", arguments: StoreKind.allCases)
    func childSave(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        let child = stack.newChild(of: stack.context)
        try child.run { context in
            let bad = context.make("Worker"), good = context.make("Worker", ["name": "Bob"])
            #expect(try failure { try context.save() }.code == NSValidationMissingMandatoryPropertyError)
            #expect(context.insertedObjects == [bad, good])
            context.delete(bad)
            try context.save()
        }
        try stack.run { context in
            #expect(context.insertedObjects.count == 1)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.names("Worker") == ["Bob"]) }
    }

    @Test("VA05: All failures of all kinds of change come together", arguments: StoreKind.allCases)
    func everythingAtOnce(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.seed { $0.make("Worker", ["name": "Alice"]) }
        try stack.run { context in
            let edited = try context.only("Worker")
            edited.setValue(nil, forKey: "name")
            let fresh = context.make("Worker", ["salary": -1]), team = context.make("Team")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMultipleErrorsError)
            #expect(error.details.allSatisfy { $0.code != NSValidationMultipleErrorsError })
            let found = Set(error.details.map { "\($0.object?.entity.name ?? "").\($0.key ?? "") \($0.code)" })
            #expect(found == ["Worker.name 1570", "Worker.salary 1550", "Team.starters 1580"])
            #expect(error.details.count == 4)
            #expect(Set(error.details.compactMap(\.object)) == [edited, fresh, team])
        }
    }
}
