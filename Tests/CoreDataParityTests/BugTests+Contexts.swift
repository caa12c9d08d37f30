import CoreData
import Testing

/// Public reports about contexts, merging, values and predicates (BUGS.md), each with what its user had a right to.
@Suite("Reported bugs: contexts")
struct ContextBugTests {
    // MARK: Values

    @Test("B01: Not equal leaves out nil rows in a store, keeps them in memory, and says so when asked for both", arguments: StoreKind.allCases)
    func notEqual(kind: StoreKind) throws {
        let article = NSEntityDescription("Article", NSAttributeDescription("author", .stringAttributeType))
        let stack = try Stack(model(article), kind)
        try stack.seed { context in
            for _ in 0..<4 { context.make("Article", ["author": "DH"]) }
            for _ in 0..<2 { context.make("Article", ["author": "X"]) }
            for _ in 0..<8 { context.make("Article") }
        }
        try stack.run { context in
            let plain = NSPredicate(format: "author != %@", "DH")
            let both = NSPredicate(format: "author != %@ OR author == nil", "DH")
            let all = try context.all("Article", by: "author")
            #expect(try context.all("Article", plain, by: "author").count == 2)
            #expect(all.count { plain.evaluate(with: $0) } == 10)
            #expect((all as NSArray).filtered(using: plain).count == 10)
            #expect(try context.all("Article", both, by: "author").count == 10)
            #expect(all.count { both.evaluate(with: $0) } == 10)
        }
    }

    @Test("B27: Decimals are what was written, to the digit, and are found by it", arguments: StoreKind.allCases)
    func decimals(kind: StoreKind) throws {
        let item = NSEntityDescription("Item", NSAttributeDescription("cost", .decimalAttributeType))
        let stack = try Stack(model(item), kind)
        let texts = ["5.1", "5.11", "0.1", "3.33", "-0.07", "1234567.89"]
        try stack.seed { context in for text in texts { context.make("Item", ["cost": NSDecimalNumber(string: text)]) } }
        try stack.reopened().run { context in
            for text in texts {
                let number = NSDecimalNumber(string: text)
                let found = try context.all("Item", NSPredicate(format: "cost == %@", number), by: "cost")
                #expect(found.map { $0.value(forKey: "cost") as? NSDecimalNumber } == [number], "\(text)")
                #expect((found.first?.value(forKey: "cost") as? NSDecimalNumber)?.description == text)
            }
            #expect(try context.all("Item", NSPredicate(format: "cost == 5.1"), by: "cost").count == 1)
        }
    }

    @Test("B34: Whole numbers never pass through Double", arguments: StoreKind.allCases)
    func wholeNumbers(kind: StoreKind) throws {
        let stack = try Stack(Models.scalars(), kind)
        try stack.seed { context in
            context.make("Sample", ["text": "a", "int64": Int64.max, "decimal": NSDecimalNumber(string: "922337203685477580")])
            context.make("Sample", ["text": "b", "int64": NSDecimalNumber(string: "922337203685477580")])
            context.make("Sample", ["text": "c", "int64": NSDecimalNumber(string: "-9223372036854775808")])
        }
        try stack.reopened().run { context in
            let samples = try context.all("Sample", by: "text")
            let numbers = samples.map { ($0.value(forKey: "int64") as? NSNumber)?.int64Value }
            #expect(numbers == [.max, 922_337_203_685_477_580, .min])
            #expect(samples.first?.value(forKey: "decimal") as? NSDecimalNumber == NSDecimalNumber(string: "922337203685477580"))
            #expect(try context.all("Sample", NSPredicate(format: "int64 == %@", NSNumber(value: Int64.max)), by: "text").count == 1)
        }
    }

    // MARK: Families of contexts

    private func family(_ kind: StoreKind) throws -> (Stack, root: NSManagedObjectContext, child: NSManagedObjectContext) {
        let stack = try Stack(Models.office(), kind)
        return (stack, stack.context, stack.newChild(of: stack.context))
    }

    @Test("B07: A root that saves its child's edits again and again never conflicts with itself", arguments: StoreKind.allCases)
    func repeatedSaves(kind: StoreKind) throws {
        let (stack, root, child) = try family(kind)
        try stack.seed { $0.make("Employee", ["name": "0"]) }
        let object = try child.run { try $0.only("Employee") }
        for round in 1...4 {
            try child.run { _ in
                object.setValue("\(round)", forKey: "name")
                try child.save()
            }
            try root.run { try $0.save() }
        }
        try stack.reopened().run { try #require(try $0.names("Employee") == ["4"]) }
    }

    @Test("B09: An object with a permanent ID and no row is one instance in its parent, with a sibling's edit; elsewhere 133000", arguments: StoreKind.allCases)
    func earlyPermanentIDs(kind: StoreKind) throws {
        let (stack, main, first) = try family(kind)
        let second = stack.newChild(of: main)
        try first.run { _ in
            first.make("Employee", ["name": "A"])
            try first.save()
        }
        let (object, identifier) = try main.run { _ in
            let object = try main.only("Employee")
            try main.obtainPermanentIDs(for: [object])
            return (object, object.objectID)
        }
        #expect(!identifier.isTemporaryID)
        try second.run { _ in
            let twin = try second.only("Employee")
            #expect(twin.objectID == identifier)
            twin.setValue("edited", forKey: "name")
            try second.save()
        }
        try main.run { _ in
            try #require(try main.existingObject(with: identifier) === object)
            #expect(object.text("name") == "edited")
            #expect(try main.count("Employee") == 1)
        }
        let other = stack.newContext()
        try other.run { _ in
            try #require(try failure { _ = try other.existingObject(with: identifier) }.code == NSManagedObjectReferentialIntegrityError)
        }
        try main.run { try $0.save() }
        try other.run { _ in try #require(try other.existingObject(with: identifier).text("name") == "edited") }
    }

    @Test("B24: What a worker saves is in the file when every ancestor has saved too, and not before", arguments: [false, true])
    func workerSaves(savesAncestors: Bool) throws {
        let (stack, root, main) = try family(.sqlite)
        let worker = stack.newChild(of: main)
        let objects = try worker.run { _ in
            let objects = (0..<3).map { worker.make("Employee", ["name": "\($0)"]) }
            try worker.save()
            #expect(!objects.contains { !$0.objectID.isTemporaryID })
            return objects
        }
        if savesAncestors { for context in [main, root] { try context.run { try $0.save() } } }
        try stack.reopened().run { try #require(try $0.count("Employee") == (savesAncestors ? 3 : 0)) }
        _ = objects
    }

    @Test("B25: An object nobody saved yet cannot be looked up in a sibling; after the save the edit lands", arguments: StoreKind.allCases)
    func unsavedLookUp(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let worker = stack.newContext()
        let object = try stack.run { $0.make("Employee", ["name": "R"]) }
        let temporary = try stack.run { _ in object.objectID }
        try worker.run { _ in
            try #require(try failure { _ = try worker.existingObject(with: temporary) }.code == NSManagedObjectReferentialIntegrityError)
            #expect(!worker.hasChanges)
        }
        let identifier = try stack.run { context in
            try context.save()
            return object.objectID
        }
        try worker.run { _ in
            try worker.existingObject(with: identifier).setValue("edited", forKey: "name")
            try worker.save()
        }
        try stack.reopened().run { try #require(try $0.names("Employee") == ["edited"]) }
    }

    // MARK: Unique values

    @Test("B32: A second and a third pending object with a stored unique value: one row, or 133021 with all of them", arguments: StoreKind.allCases)
    func pendingDuplicates(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "first"]) }
        try stack.run { context in
            let pending = ["second", "third"].map { context.make("Product", ["code": 1, "name": $0]) }
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
            #expect(Set(conflicts.flatMap(\.conflictingObjects)) == Set(pending))
            #expect(conflicts.compactMap(\.databaseObject).first?.text("name") == "first")
            #expect(context.insertedObjects == Set(pending))
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { try #require(try $0.names("Product") == ["third"]) }
    }
}
