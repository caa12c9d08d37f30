import CoreData
import Testing

@Suite("Uniqueness constraints")
struct UniquenessTests {
    private func shop(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "old", "stock": 9]) }
        return stack
    }

    @Test("UC01: A duplicate is silent when inserted and fails the save with 133021", arguments: StoreKind.allCases)
    func errorPolicy(kind: StoreKind) throws {
        let stack = try shop(kind)
        try stack.run { context in
            let duplicate = context.make("Product", ["code": 1, "name": "new"])
            context.processPendingChanges()
            let error = try failure { try context.save() }
            #expect(error.isCocoa)
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
            #expect(conflicts.count == 1)
            let conflict = try #require(conflicts.first)
            #expect(conflict.constraint == ["code"])
            #expect((conflict.constraintValues["code"] as? NSNumber)?.intValue == 1)
            #expect(conflict.databaseObject?.text("name") == "old")
            #expect(conflict.conflictingObjects == [duplicate])
            #expect(error.localizedDescription.contains("code = 1"))
        }
        try stack.reopened().run { try #require(try $0.names("Product") == ["old"]) }
    }

    @Test("UC02: Object trump writes all of the new object into the stored row, which keeps its ID", arguments: StoreKind.allCases)
    func objectTrump(kind: StoreKind) throws {
        let stack = try shop(kind)
        let identifier = try stack.run { try $0.only("Product").objectID }
        let other = stack.newContext()
        try other.run { _ in
            other.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            other.make("Product", ["code": 1])
            try other.save()
        }
        let third = stack.newContext()
        try third.run { _ in
            let product = try third.only("Product")
            #expect(product.objectID == identifier)
            #expect(product.text("name") == nil)
            #expect(product.number("stock") == 5)
        }
    }

    @Test("UC03: Store trump and rollback keep the stored row and drop the duplicate", arguments: StoreKind.allCases, [
        NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType,
    ])
    func storeTrump(kind: StoreKind, policy: NSMergePolicyType) throws {
        let stack = try shop(kind)
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            context.make("Product", ["code": 1, "name": "new"])
            try context.save()
            #expect(!context.hasChanges)
            #expect(try context.names("Product") == ["old"])
        }
        try stack.reopened().run { try #require(try $0.names("Product") == ["old"]) }
    }

    @Test("UC04: Of two unsaved duplicates one row remains", arguments: StoreKind.allCases)
    func unsavedDuplicates(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            for name in ["a", "b"] { context.make("Product", ["code": 1, "name": name]) }
            try context.save()
            #expect(!context.hasChanges)
            #expect(try context.count("Product") == 1)
        }
        try stack.reopened().run { try #require(try $0.count("Product") == 1) }
    }

    @Test("UC05: Nothing is checked before the save", arguments: StoreKind.allCases)
    func pendingDuplicates(kind: StoreKind) throws {
        try Stack(Models.coded(), kind).run { context in
            for name in ["a", "b"] { context.make("Product", ["code": 1, "name": name]) }
            try #require(try context.names("Product") == ["a", "b"])
        }
    }

    @Test("UC06: A compound constraint compares all of its attributes", arguments: StoreKind.allCases)
    func compoundConstraint(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            context.make("Seat", ["row": 1, "number": 1])
            context.make("Seat", ["row": 1, "number": 2])
            context.make("Seat", ["row": 2, "number": 1])
            try context.save()
            context.make("Seat", ["row": 1, "number": 1])
            #expect(try failure { try context.save() }.code == NSManagedObjectConstraintMergeError)
        }
    }

    @Test("UC07: Nil is not a duplicate of nil", arguments: StoreKind.allCases)
    func nilValues(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            context.make("Product", ["name": "a"])
            context.make("Product", ["name": "b"])
            try context.save()
            context.make("Product", ["name": "c"])
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.count("Product") == 3) }
    }

    @Test("UC08: An entity has no constraints at first, and adding one changes its version hash")
    func versionHash() {
        let (plain, constrained) = (Models.office(), Models.office())
        #expect(plain.entitiesByName["Employee"]?.uniquenessConstraints.isEmpty == true)
        constrained.entitiesByName["Employee"]?.uniquenessConstraints = [["name"]]
        let hashes = [plain, constrained].map { $0.entityVersionHashesByName["Employee"] }
        #expect(hashes[0] != nil)
        #expect(hashes[0] != hashes[1])
    }
}
