import CoreData
import Testing

@Suite("Optimistic locking and merge policies")
struct MergeTests {
    /// One employee, Alice with salary 10, realised in two contexts; `first` then saved its edit.
    private struct Race {
        let stack: Stack
        let context: NSManagedObjectContext
        let object: NSManagedObject

        init(_ kind: StoreKind, first edit: (NSManagedObject) -> Void) throws {
            stack = try Stack(Models.office(), kind)
            try stack.seed { $0.make("Employee", ["name": "Alice", "salary": 10]) }
            let other = stack.newContext()
            context = stack.context
            object = try stack.run { context in
                let object = try context.only("Employee")
                _ = object.text("name")
                return object
            }
            try other.run { _ in
                edit(try other.only("Employee"))
                try other.save()
            }
        }

        /// The row as a new context reads it.
        func stored() throws -> (name: String?, salary: Int?) {
            try stack.reopened().run { context in
                let object = try context.only("Employee")
                return (object.text("name"), object.number("salary"))
            }
        }
    }

    @Test("ME01: A fresh context has the error policy")
    func defaultPolicy() throws {
        let policy = try #require(try Stack(Models.office(), .memory).context.mergePolicy as? NSMergePolicy)
        #expect(policy.mergeType == .errorMergePolicyType)
    }

    @Test("ME02: A row that moved fails the save with 133020 and one conflict", arguments: StoreKind.allCases)
    func errorPolicy(kind: StoreKind) throws {
        let race = try Race(kind) { $0.setValue("C1", forKey: "name") }
        try race.context.run { _ in
            race.object.setValue("C2", forKey: "name")
            let error = try failure { try race.context.save() }
            #expect(error.isCocoa)
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
            #expect(conflicts.count == 1)
            let conflict = try #require(conflicts.first)
            #expect(conflict.sourceObject === race.object)
            #expect(conflict.objectSnapshot?["name"] as? String == "Alice")
            #expect(conflict.cachedSnapshot?["name"] as? String == "C1")
            #expect(conflict.persistedSnapshot == nil)
            #expect(conflict.newVersionNumber > conflict.oldVersionNumber)
            #expect(race.object.text("name") == "C2")
            #expect(race.context.hasChanges)
        }
        #expect(try race.stored().name == "C1")
    }

    @Test("ME03: Store trump: the store's value wins, other edits stay", arguments: StoreKind.allCases)
    func storeTrump(kind: StoreKind) throws {
        let race = try Race(kind) { $0.setValue("C1", forKey: "name") }
        try race.context.run { _ in
            race.context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
            race.object.setValue("C2", forKey: "name")
            race.object.setValue(99, forKey: "salary")
            try race.context.save()
            #expect(race.object.text("name") == "C1")
            #expect(race.object.number("salary") == 99)
        }
        #expect(try race.stored() == ("C1", 99))
    }

    @Test("ME04: Object trump: the object's edit wins, other stored values stay", arguments: StoreKind.allCases)
    func objectTrump(kind: StoreKind) throws {
        let race = try Race(kind) { object in
            object.setValue("C1", forKey: "name")
            object.setValue(50, forKey: "salary")
        }
        try race.context.run { _ in
            race.context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            race.object.setValue("C2", forKey: "name")
            try race.context.save()
            #expect(race.object.text("name") == "C2")
            #expect(race.object.number("salary") == 50)
        }
        #expect(try race.stored() == ("C2", 50))
    }

    @Test("ME05: Overwrite: the whole object is written, stale values too", arguments: StoreKind.allCases)
    func overwrite(kind: StoreKind) throws {
        let race = try Race(kind) { object in
            object.setValue("C1", forKey: "name")
            object.setValue(77, forKey: "salary")
        }
        try race.context.run { _ in
            race.context.mergePolicy = NSMergePolicy(merge: .overwriteMergePolicyType)
            race.object.setValue("C2", forKey: "name")
            try race.context.save()
        }
        #expect(try race.stored() == ("C2", 10))
    }

    @Test("ME06: Rollback: the object takes the stored values", arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) throws {
        let race = try Race(kind) { object in
            object.setValue("C1", forKey: "name")
            object.setValue(77, forKey: "salary")
        }
        try race.context.run { _ in
            race.context.mergePolicy = NSMergePolicy(merge: .rollbackMergePolicyType)
            race.object.setValue("C2", forKey: "name")
            try race.context.save()
            #expect(race.object.text("name") == "C1")
            #expect(race.object.number("salary") == 77)
            #expect(race.object.changedValues().isEmpty)
            #expect(!race.context.hasChanges)
        }
        #expect(try race.stored() == ("C1", 77))
    }

    @Test("ME07: Different rows do not conflict", arguments: StoreKind.allCases)
    func differentRows(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in for name in ["a", "b"] { context.make("Employee", ["name": name]) } }
        let other = stack.newContext()
        try stack.run { context in
            let mine = try context.named("a", "Employee")
            try other.run { _ in
                try other.named("b", "Employee").setValue(1, forKey: "salary")
                try other.save()
            }
            mine.setValue(2, forKey: "salary")
            try context.save()
        }
    }

    @Test("ME08: An unfired fault has no snapshot that could be stale", arguments: StoreKind.allCases)
    func unfiredFault(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        try stack.run { context in
            let object = context.object(with: identifier)
            try stack.seed { try $0.only("Employee").setValue("C1", forKey: "name") }
            #expect(object.isFault)
            #expect(object.text("name") == "C1")
            object.setValue("C2", forKey: "name")
            try context.save()
        }
    }

    @Test("ME09: A context does not conflict with its own saves", arguments: StoreKind.allCases)
    func ownSaves(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let object = context.make("Employee", ["name": "0"])
            for number in 0..<3 {
                object.setValue("\(number)", forKey: "name")
                try context.save()
            }
        }
        try stack.reopened().run { try #require(try $0.only("Employee").text("name") == "2") }
    }

    @Test("ME10: Editing a row that is deleted elsewhere fails with 133020", arguments: StoreKind.allCases)
    func deletedElsewhere(kind: StoreKind) throws {
        let race = try Race(kind) { $0.managedObjectContext?.delete($0) }
        try race.context.run { _ in
            race.object.setValue("C2", forKey: "name")
            let error = try failure { try race.context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.first?.newVersionNumber == 0)
        }
    }

    @Test("ME11: Store trump leaves such a row deleted", arguments: StoreKind.allCases)
    func deletedElsewhereStoreTrump(kind: StoreKind) throws {
        let race = try Race(kind) { $0.managedObjectContext?.delete($0) }
        try race.context.run { _ in
            race.context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
            race.object.setValue("C2", forKey: "name")
            try race.context.save()
            #expect(!race.context.hasChanges)
        }
        try race.stack.reopened().run { try #require(try $0.count("Employee") == 0) }
    }

    @Test("ME12: Deleting a row that was edited elsewhere fails, and goes through with object trump", arguments: StoreKind.allCases)
    func deletingAnEditedRow(kind: StoreKind) throws {
        let race = try Race(kind) { $0.setValue("C1", forKey: "name") }
        try race.context.run { _ in
            race.context.delete(race.object)
            #expect(try failure { try race.context.save() }.code == NSManagedObjectMergeError)
            race.context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try race.context.save()
        }
        try race.stack.reopened().run { try #require(try $0.count("Employee") == 0) }
    }

    @Test("ME13: Snapshots hold attributes and to-ones as IDs, no to-manys", arguments: StoreKind.allCases)
    func snapshots(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Alice", "dept": context.make("Department", ["name": "Sales"])])
        }
        try stack.run { context in
            let (employee, department) = (try context.only("Employee"), try context.only("Department"))
            _ = (employee.text("name"), department.text("name"))
            try stack.seed { other in
                for object in [try other.only("Employee"), try other.only("Department")] { object.setValue("C1", forKey: "name") }
            }
            for object in [employee, department] { object.setValue("C2", forKey: "name") }
            let error = try failure { try context.save() }
            let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
            #expect(conflicts.count == 2)
            for conflict in conflicts {
                #expect(conflict.persistedSnapshot == nil)
                let snapshot = try #require(conflict.objectSnapshot)
                #expect(snapshot["employees"] == nil)
                if conflict.sourceObject === employee { #expect(snapshot["dept"] as? NSManagedObjectID == department.objectID) }
            }
        }
    }

    @Test("ME14: Two coordinators on a file: the conflict is between cache and store")
    func twoCoordinators() throws {
        let stack = try Stack(Models.office())
        try stack.seed { $0.make("Employee", ["name": "Alice"]) }
        try stack.run { context in
            let object = try context.only("Employee")
            _ = object.text("name")
            try stack.reopened().seed { try $0.only("Employee").setValue("C1", forKey: "name") }
            object.setValue("C2", forKey: "name")
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            let conflict = try #require(conflicts?.first)
            #expect(conflict.cachedSnapshot?["name"] as? String == "Alice")
            #expect(conflict.persistedSnapshot?["name"] as? String == "C1")
        }
    }

    @Test("ME15: A failed save lists the IDs of the objects in conflict", arguments: StoreKind.allCases)
    func conflictingIDs(kind: StoreKind) throws {
        let race = try Race(kind) { $0.setValue("C1", forKey: "name") }
        try race.context.run { _ in
            race.object.setValue("C2", forKey: "name")
            let error = try failure { try race.context.save() }
            let listed: [Any] = [NSInsertedObjectsKey, NSUpdatedObjectsKey].flatMap { key -> [Any] in
                switch error.userInfo[key] {
                case let list as [Any]: list
                case let set as NSSet: set.allObjects
                default: []
                }
            }
            #expect(listed.contains { $0 as? NSManagedObjectID == race.object.objectID })
        }
    }

    @Test("ME16: The merge codes have Apple's numbers")
    func codes() {
        #expect(NSManagedObjectMergeError == 133_020)
        #expect(NSManagedObjectConstraintMergeError == 133_021)
        #expect(NSManagedObjectConstraintValidationError == 1551)
        #expect(NSManagedObjectReferentialIntegrityError == 133_000)
    }

    @Test("ME17: A child's push meets no conflict, whatever its policy; the root's policy decides at the root's save", arguments: StoreKind.allCases, [
        NSMergePolicyType.errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .rollbackMergePolicyType,
    ])
    func childPush(kind: StoreKind, policy: NSMergePolicyType) throws {
        let race = try Race(kind) { $0.setValue("C1", forKey: "name") }
        let child = race.stack.newChild(of: race.context)
        try child.run { _ in
            // Not asked: it is the other way round at the root.
            child.mergePolicy = policy == .rollbackMergePolicyType ? NSMergePolicy.overwrite : .rollback
            try child.only("Employee").setValue("C2", forKey: "name")
            try child.save()
        }
        try race.context.run { _ in
            #expect(race.object.text("name") == "C2")
            race.context.mergePolicy = NSMergePolicy(merge: policy)
            if policy == .errorMergePolicyType {
                try #require(try failure { try race.context.save() }.code == NSManagedObjectMergeError)
            } else {
                try race.context.save()
            }
        }
        #expect(try race.stored().name == (policy == .mergeByPropertyObjectTrumpMergePolicyType ? "C2" : "C1"))
    }
}
