import CoreData
import Testing

/// A child edits what its parent deletes.
@Suite("Edits to objects a parent deleted")
struct LostEditTests {
    private static func family(deleting: (Stack) throws -> Void) throws -> (stack: Stack, child: NSManagedObjectContext, object: NSManagedObject) {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            context.make("Employee", ["name": "a", "dept": department])
        }
        let child = stack.newChild(of: stack.context)
        let object = try child.run { try $0.only("Employee") }
        child.performAndWait { object.setValue("mine", forKey: "name") }
        try deleting(stack)
        return (stack, child, object)
    }

    /// In the parent, not saved; saved by the parent; saved beside it, unknown to the parent.
    enum Place: CaseIterable { case parent, savedParent, beside }

    private static func delete(_ place: Place) -> (Stack) throws -> Void {
        { stack in
            if place == .beside { return try stack.seed { try $0.delete($0.only("Employee")) } }
            try stack.run { context in
                try context.delete(context.only("Employee"))
                if place == .savedParent { try context.save() } else { context.processPendingChanges() }
            }
        }
    }

    @Test("Every policy but the store's refuses the save, and nothing changes",
          arguments: Place.allCases, [NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
    func refused(place: Place, policy: NSMergePolicyType) throws {
        let (stack, child, object) = try Self.family(deleting: Self.delete(place))
        try child.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            context.make("Employee", ["name": "new"])
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == NSManagedObjectMergeError)
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.map(\.sourceObject) == [object] && conflicts?.first?.newVersionNumber == 0)
            #expect(object.text("name") == "mine" && object.hasChanges && context.insertedObjects.count == 1)
        }
        try stack.run { context in
            let count = try context.count("Employee")
            #expect(count == 0)
        }
    }

    @Test("The store's policies give the edit up and save the rest",
          arguments: Place.allCases, [NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType])
    func givenUp(place: Place, policy: NSMergePolicyType) throws {
        let (stack, child, object) = try Self.family(deleting: Self.delete(place))
        try child.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            context.make("Employee", ["name": "new"])
            try context.save()
            #expect(object.managedObjectContext == nil && !context.hasChanges)
            let names = try context.names("Employee")
            #expect(names == ["new"])
        }
        try stack.run { try $0.save() }
        try stack.reopened().run { context in
            let names = try context.names("Employee")
            #expect(names == ["new"])
        }
    }

    @Test("A department whose employees only changed from their side is no conflict")
    func inverse() throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            context.make("Employee", ["name": "a", "dept": department])
        }
        let child = stack.newChild(of: stack.context)
        try child.run { context in
            let person = try context.only("Employee")
            _ = person.one("dept")?.many("employees")
            person.setValue(nil, forKey: "dept")
        }
        try stack.run { context in
            try context.delete(context.only("Department"))
            context.processPendingChanges()
        }
        try child.run { try $0.save() }
        try stack.run { try $0.save() }
        try stack.reopened().run { context in
            let person = try context.only("Employee"), departments = try context.count("Department")
            #expect(person.one("dept") == nil && departments == 0)
        }
    }

    enum Unlinking: CaseIterable { case deletion, otherSide, itself }

    @Test("An employee that only lost a department here is no conflict, whoever deleted the employee", arguments: Place.allCases, Unlinking.allCases)
    func unlinked(place: Place, unlinking: Unlinking) throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            context.make("Employee", ["name": "a", "dept": department])
            context.make("Employee", ["name": "b", "dept": department])
        }
        // The department’s version moves when a member goes: a conflict of the parent’s own.
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = stack.newChild(of: stack.context)
        let person = try child.run { context in
            let person = try context.named("a", "Employee"), department = try #require(person.one("dept"))
            #expect(department.texts("employees", "name") == ["a", "b"])
            switch unlinking {
            case .deletion: context.delete(department)
            case .otherSide: department.mutableSetValue(forKey: "employees").remove(person)
            case .itself: person.setValue(nil, forKey: "dept")
            }
            return person
        }
        let remove = { (context: NSManagedObjectContext) in try context.delete(context.named("a", "Employee")) }
        if place == .beside {
            try stack.seed(remove)
        } else {
            try stack.run { context in
                try remove(context)
                if place == .savedParent { try context.save() } else { context.processPendingChanges() }
            }
        }
        try child.run { context in
            try context.save()
            #expect(!context.hasChanges)
            context.refreshAllObjects()
            #expect(person.text("name") == nil)
        }
        try stack.run { try $0.save() }
        try stack.reopened().run { context in
            let departments = try context.names("Department"), people = try context.all("Employee")
            #expect(departments == (unlinking == .deletion ? [] : ["d"]) && people.map { $0.text("name") } == ["b"])
            #expect(people[0].one("dept")?.text("name") == departments.first)
        }
    }

    @Test("One that was moved to another department is", arguments: Place.allCases)
    func moved(place: Place) throws {
        let stack = try Stack(Models.office())
        try stack.seed { context in
            context.make("Department", ["name": "e"])
            context.make("Employee", ["name": "a", "dept": context.make("Department", ["name": "d"])])
        }
        let other = stack.newChild(of: stack.context)
        try other.run { try $0.only("Employee").setValue($0.named("e", "Department"), forKey: "dept") }
        try Self.delete(place)(stack)
        try other.run { context in
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
        }
    }

    @Test("Committed values of all properties have relationships that are not loaded, and leave them so", arguments: StoreKind.allCases)
    func committed(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            for name in ["a", "b"] { context.make("Employee", ["name": name, "dept": department]) }
        }
        try stack.run { context in
            let department = try context.only("Department"), people = try context.all("Employee")
            #expect(department.text("name") == "d")
            #expect((department.committedValues(forKeys: nil)["employees"] as? NSSet).map { Set($0.allObjects.compactMap { $0 as? NSManagedObject }) } == Set(people))
            #expect(department.hasFault(forRelationshipNamed: "employees"))
            people[0].setValue(nil, forKey: "dept")
            #expect((department.committedValues(forKeys: ["employees"])["employees"] as? NSSet)?.count == 2)
            #expect(department.texts("employees", "name") == ["b"])
            #expect((department.committedValues(forKeys: nil)["employees"] as? NSSet)?.count == 2)
        }
    }

    @Test("A confined context cannot fetch asynchronously, and says so")
    func confined() throws {
        let stack = try Stack(Models.office(), .memory), context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        let error = try failure {
            try context.execute(NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Employee")))
        }
        #expect(error.code == NSPersistentStoreUnsupportedRequestTypeError && error.localizedDescription.contains("confined"))
    }
}
