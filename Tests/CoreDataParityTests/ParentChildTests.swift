import CoreData
import Testing

@Suite("Parent and child contexts")
struct ParentChildTests {
    private func office(_ kind: StoreKind, _ names: String...) throws -> (Stack, child: NSManagedObjectContext) {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in for name in names { context.make("Employee", ["name": name, "salary": 10]) } }
        return (stack, stack.newChild(of: stack.context))
    }

    @Test("PC01: A child's save moves changes one level up, not to the store", arguments: StoreKind.allCases)
    func oneLevelUp(kind: StoreKind) throws {
        let (stack, child) = try office(kind)
        try child.run { _ in
            let department = child.make("Department", ["name": "Sales"])
            child.make("Employee", ["name": "Alice", "dept": department])
            try child.save()
            #expect(!child.hasChanges)
        }
        try stack.newContext().count("Employee", is: 0)
        try stack.run { context in
            #expect(context.hasChanges)
            #expect(try context.only("Employee").one("dept")?.text("name") == "Sales")
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Employee").one("dept")?.text("name") == "Sales") }
    }

    @Test("PC02: The parent announces each save of a child, and its own save with the totals", arguments: StoreKind.allCases)
    func announcements(kind: StoreKind) throws {
        let (stack, child) = try office(kind, "updated", "deleted")
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: stack.context)
        let saves = Recorder(.NSManagedObjectContextDidSave, of: stack.context)
        func expectOne(_ key: String, _ count: Int, _ location: SourceLocation = #_sourceLocation) {
            #expect(changes.notes.count == 1, sourceLocation: location)
            #expect(changes.objects(key).count == count, sourceLocation: location)
            changes.clear()
        }
        try child.run { _ in
            for name in ["a", "b"] { child.make("Employee", ["name": name]) }
            try child.save()
            expectOne(NSInsertedObjectsKey, 2)
            try child.named("updated", "Employee").setValue(1, forKey: "salary")
            try child.save()
            expectOne(NSUpdatedObjectsKey, 1)
            child.delete(try child.named("deleted", "Employee"))
            try child.save()
            expectOne(NSDeletedObjectsKey, 1)
        }
        try stack.run { context in try context.save() }
        #expect(saves.notes.count == 1)
        #expect([NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { saves.objects($0).count } == [2, 1, 1])
    }

    @Test("PC03: A child fetches the parent's unsaved state", arguments: StoreKind.allCases)
    func unsavedParent(kind: StoreKind) throws {
        let (stack, child) = try office(kind, "Alice", "Bob")
        try stack.run { context in
            try context.named("Alice", "Employee").setValue("Alicia", forKey: "name")
            context.delete(try context.named("Bob", "Employee"))
            context.make("Employee", ["name": "Carol"])
        }
        try child.run { _ in
            try #require(try child.names("Employee") == ["Alicia", "Carol"])
            try #require(try child.names("Employee", NSPredicate(format: "name == 'Alicia'")) == ["Alicia"])
            #expect(!child.hasChanges)
        }
    }

    @Test("PC04: A child keeps the values it realised until it is refreshed", arguments: StoreKind.allCases)
    func realisedValues(kind: StoreKind) throws {
        let (stack, child) = try office(kind, "Alice")
        let inner = try child.run { _ in
            let object = try child.only("Employee")
            #expect(object.text("name") == "Alice")
            return object
        }
        try stack.run { try $0.only("Employee").setValue("Alicia", forKey: "name") }
        child.performAndWait {
            #expect(inner.text("name") == "Alice")
            child.refresh(inner, mergeChanges: false)
            #expect(inner.text("name") == "Alicia")
        }
    }

    @Test("PC05: With automatic merging a child follows the parent's saves, without it does not", arguments: StoreKind.allCases, [true, false])
    func automaticMerging(kind: StoreKind, isAutomatic: Bool) throws {
        let (stack, child) = try office(kind, "Alice")
        child.automaticallyMergesChangesFromParent = isAutomatic
        let inner = try child.run { _ in
            let object = try child.only("Employee")
            #expect(object.text("name") == "Alice")
            return object
        }
        try stack.run { context in
            try context.only("Employee").setValue("Alicia", forKey: "name")
            try context.save()
        }
        if isAutomatic {
            #expect(eventually { child.performAndWait { inner.text("name") } == "Alicia" })
        } else {
            #expect(child.performAndWait { inner.text("name") } == "Alice")
        }
    }

    @Test("PC06: A transient value is pushed to the parent; a child that fetches the object again sees the default", arguments: StoreKind.allCases)
    func transientValue(kind: StoreKind) throws {
        let (stack, child) = try office(kind)
        var object: NSManagedObject?
        try child.run { _ in
            object = child.make("Employee", ["name": "Alice", "scratch": 50])
            try child.save()
            #expect(object?.number("scratch") == 50)
            object?.setValue(20, forKey: "scratch")
        }
        let outer = try stack.run { context in
            let outer = try context.only("Employee")
            #expect(outer.number("scratch") == 50)
            return outer
        }
        try child.run { _ in
            #expect(child.registeredObjects.count == 1)
            #expect(object?.number("scratch") == 20)
            try child.save()
        }
        object = nil
        try stack.run { _ in #expect(outer.number("scratch") == 20) }
        try child.run { _ in
            #expect(child.registeredObjects.isEmpty)
            try #require(try child.only("Employee").number("scratch") == 0)
        }
    }

    @Test("PC07: A child's deletion is pending in the parent, whose rollback brings the row back", arguments: StoreKind.allCases)
    func deletionInAChild(kind: StoreKind) throws {
        let (stack, child) = try office(kind, "Alice")
        let outer = try stack.run { try $0.only("Employee") }
        try child.run { _ in
            child.delete(try child.only("Employee"))
            try child.save()
        }
        #expect(try stack.run { _ in outer.isDeleted })
        try stack.newContext().count("Employee", is: 1)
        try stack.run { context in
            context.rollback()
            #expect(!outer.isDeleted)
            try #require(try context.only("Employee") === outer)
        }
    }

    @Test("PC08: A save that fails in the child leaves the parent untouched", arguments: StoreKind.allCases)
    func invalidChild(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        let child = stack.newChild(of: stack.context)
        try child.run { _ in
            child.make("Worker")
            child.make("Worker", ["name": "Bob"])
            try #require(try failure { try child.save() }.code == NSValidationMissingMandatoryPropertyError)
            #expect(child.insertedObjects.count == 2)
        }
        #expect(try !stack.run { $0.hasChanges || !$0.registeredObjects.isEmpty })
    }

    @Test("PC09: A batch size changes nothing in a child's results", arguments: StoreKind.allCases)
    func batchSize(kind: StoreKind) throws {
        let (stack, child) = try office(kind)
        try stack.seed { context in for number in 10..<35 { context.make("Employee", ["name": "\(number)"]) } }
        try child.run { _ in
            let request = child.request("Employee", by: "name")
            request.fetchBatchSize = 10
            try #require(try child.fetch(request).map { $0.text("name") } == (10..<35).map { "\($0)" })
        }
    }

    @Test("PC10: A child's rollback drops the child's changes only", arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) throws {
        let (stack, child) = try office(kind, "Alice")
        try stack.run { try $0.only("Employee").setValue("Alicia", forKey: "name") }
        try child.run { _ in
            let object = try child.only("Employee")
            object.setValue("child", forKey: "name")
            child.make("Employee", ["name": "new"])
            child.rollback()
            #expect(object.text("name") == "Alicia")
            #expect(!child.hasChanges)
        }
        try stack.run { try #require(try $0.only("Employee").text("name") == "Alicia") }
    }

    @Test("PC12: A dictionary fetch in a child never shows the child's pending edits", arguments: StoreKind.allCases)
    func dictionaries(kind: StoreKind) throws {
        let (_, child) = try office(kind, "Alice")
        try child.run { _ in
            try child.only("Employee").setValue("child", forKey: "name")
            let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name"]
            #expect(try child.fetch(request).map { $0["name"] as? String } == ["Alice"])
        }
    }
}

extension NSManagedObjectContext {
    /// Expects a number of saved objects, on the context's queue.
    fileprivate func count(_ entity: String, is expected: Int, _ location: SourceLocation = #_sourceLocation) throws {
        try run { try #require(try $0.count(entity) == expected, sourceLocation: location) }
    }
}
