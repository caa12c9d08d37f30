import CoreData
import Testing

/// Product with a unique code, sold in orders; labelled by tags; each order may point to a product without being known to it.
private func warehouse() -> NSManagedObjectModel {
    let product = NSEntityDescription(
        "Product", NSAttributeDescription("code", .integer64AttributeType), NSAttributeDescription("name", .stringAttributeType),
        NSAttributeDescription("stock", .integer64AttributeType))
    product.uniquenessConstraints = [["code"]]
    let order = NSEntityDescription("Order", NSAttributeDescription("name", .stringAttributeType))
    let tag = NSEntityDescription("Tag", NSAttributeDescription("name", .stringAttributeType))
    relate(product, .many("orders", .cascadeDeleteRule), order, .one("product", optional: false))
    relate(product, .many("tags"), tag, .many("products"))
    order.properties += [End.one("hint").property(to: product)]
    return model(product, order, tag)
}

private let policies: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
]

extension NSMergePolicyType {
    fileprivate var localWins: Bool { self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType }
}

@Suite("Uniqueness constraints by policy and kind of change")
struct ConstraintMatrixTests {
    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(warehouse(), kind)
        try stack.seed { context in
            let one = context.make("Product", ["code": 1, "name": "one", "stock": 1])
            context.make("Product", ["code": 2, "name": "two", "stock": 2])
            context.make("Order", ["name": "first", "product": one])
            one.setValue(NSSet(object: context.make("Tag", ["name": "red"])), forKey: "tags")
        }
        return stack
    }

    private func products(_ context: NSManagedObjectContext) throws -> [String] {
        try context.all("Product", by: "code").map { object in
            "\(object.number("code") ?? -1) \(object.text("name") ?? "-") \(object.number("stock") ?? -1)"
        }
    }

    /// Saves; memory and a fresh reader must agree.
    private func saved(_ stack: Stack, _ policy: NSMergePolicyType, _ edit: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            try edit(context)
            try context.save()
            #expect(!context.hasChanges)
            let memory = try products(context)
            try stack.reopened().run { other in
                try #require(try products(other) == memory)
                for entity in ["Order", "Tag"] {
                    let names = { (object: NSManagedObject) in
                        ["product", "hint"].filter { object.entity.relationshipsByName[$0] != nil }.map { object.one($0)?.text("name") ?? "-" }
                            + (object.entity.relationshipsByName["products"] == nil ? [] : object.texts("products", "name"))
                    }
                    #expect(try other.all(entity).map(names) == context.all(entity).map(names), "\(entity)")
                }
                for product in try other.all("Product") {
                    let twin = try context.named(product.text("name") ?? "", "Product")
                    #expect(product.texts("orders", "name") == twin.texts("orders", "name"))
                    #expect(product.texts("tags", "name") == twin.texts("tags", "name"))
                }
            }
            return memory
        }
    }

    @Test("UC02 UC03: A new object against a stored one", arguments: StoreKind.allCases, policies)
    func insert(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { $0.make("Product", ["code": 1, "name": "new"]) }
        #expect(result == [policy.localWins ? "1 new -1" : "1 one 1", "2 two 2"])
    }

    @Test("UC02 UC03: The same when the stored one is in use in the context", arguments: StoreKind.allCases, policies)
    func insertBesideAHeldObject(kind: StoreKind, policy: NSMergePolicyType) throws {
        let stack = try stack(kind)
        var held: NSManagedObject?, new: NSManagedObject?
        let changes = Recorder(.NSManagedObjectContextDidSave, of: stack.context)
        _ = try saved(stack, policy) { context in
            held = try context.named("one", "Product")
            new = context.make("Product", ["code": 1, "name": "new"])
        }
        let (one, other) = (try #require(held), try #require(new))
        try stack.run { context in
            #expect(one.managedObjectContext === context)
            #expect(one.text("name") == (policy.localWins ? "new" : "one"))
            #expect(other.managedObjectContext == nil)
            #expect(changes.objects(NSInsertedObjectsKey).isEmpty)
            #expect(changes.objects(NSUpdatedObjectsKey) == (policy.localWins ? [one] : []))
            #expect(other.objectID == one.objectID)
            try #require(try context.existingObject(with: other.objectID) === one)
        }
    }

    @Test("UC02 UC03: What belonged to the object that goes belongs to the one that stays", arguments: StoreKind.allCases, policies)
    func relationships(kind: StoreKind, policy: NSMergePolicyType) throws {
        let stack = try stack(kind)
        _ = try saved(stack, policy) { context in
            let new = context.make("Product", ["code": 1, "name": "new"])
            context.make("Order", ["name": "second", "product": new, "hint": new])
            new.setValue(NSSet(object: context.make("Tag", ["name": "blue"])), forKey: "tags")
        }
        try stack.reopened().run { context in
            let product = try context.only("Product", where: "code == 1")
            #expect(product.texts("orders", "name") == ["first", "second"])
            #expect(product.texts("tags", "name") == ["blue", "red"])
            #expect(try context.named("second", "Order").one("hint") == product)
        }
    }

    @Test("UC01: A saved object that takes another's value", arguments: StoreKind.allCases, policies)
    func update(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { context in
            let two = try context.named("two", "Product")
            two.setValue(1, forKey: "code")
            two.setValue(22, forKey: "stock")
        }
        switch policy {
        case .mergeByPropertyStoreTrumpMergePolicyType: #expect(result == ["1 one 1", "2 two 22"])
        case .rollbackMergePolicyType: #expect(result == ["1 one 1", "2 two 2"])
        default: #expect(result == ["1 two 22"])
        }
    }

    @Test("UC01: The same fails under the error policy, with the objects named", arguments: StoreKind.allCases)
    func updateError(kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.run { context in
            let two = try context.named("two", "Product")
            two.setValue(1, forKey: "code")
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectConstraintMergeError)
            let conflict = try #require((error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])?.first)
            #expect(conflict.conflictingObjects == [two])
            #expect(conflict.databaseObject === (try context.named("one", "Product")))
            #expect((conflict.databaseSnapshot?["stock"] as? NSNumber)?.intValue == 1)
            // As last fetched.
            #expect((conflict.conflictingSnapshots.first?["code"] as? NSNumber)?.intValue == 2)
            #expect((conflict.constraintValues["code"] as? NSNumber)?.intValue == 1)
            #expect(two.number("code") == 1)
        }
    }

    @Test("UC04: New objects that collide among themselves", arguments: StoreKind.allCases, policies)
    func amongNew(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { context in
            for name in ["a", "b", "c"] { context.make("Product", ["code": 7, "name": name]) }
        }
        #expect(result == ["1 one 1", "2 two 2", policy.localWins ? "7 c -1" : "7 a -1"])
    }

    @Test("B32: New objects that collide with one another and with a stored one", arguments: StoreKind.allCases, policies)
    func amongNewAndStored(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { context in
            for name in ["a", "b"] { context.make("Product", ["code": 1, "name": name]) }
        }
        #expect(result == [policy.localWins ? "1 b -1" : "1 one 1", "2 two 2"])
    }

    @Test("UC04: A saved and a new object that take the same new value", arguments: StoreKind.allCases, policies)
    func savedAndNew(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { context in
            try context.named("two", "Product").setValue(5, forKey: "code")
            context.make("Product", ["code": 5, "name": "new", "stock": 5])
        }
        switch policy {
        case .mergeByPropertyStoreTrumpMergePolicyType: #expect(result == ["1 one 1", "5 two 2"])
        case .rollbackMergePolicyType: #expect(result == ["1 one 1", "2 two 2", "5 new 5"])
        default: #expect(result == ["1 one 1", "5 new 5"])
        }
    }

    @Test("UC04: Two saved objects that take the same value keep their rows", arguments: StoreKind.allCases, policies)
    func twoSaved(kind: StoreKind, policy: NSMergePolicyType) throws {
        let result = try saved(try stack(kind), policy) { context in
            for name in ["one", "two"] { try context.named(name, "Product").setValue(9, forKey: "code") }
        }
        #expect(result.count == 2)
        #expect(result.filter { $0.hasPrefix("9 ") }.count == (policy == .rollbackMergePolicyType ? 0 : 1))
    }

    @Test("An object that moved and takes a value that is taken: both conflicts are settled in one save", arguments: StoreKind.allCases)
    func bothKinds(kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.run { _ = try $0.named("two", "Product").text("name") }
        let result = try saved(stack, .mergeByPropertyObjectTrumpMergePolicyType) { context in
            let two = try context.named("two", "Product")
            two.setValue("mine", forKey: "name")
            try stack.seed { try $0.named("two", "Product").setValue(20, forKey: "stock") }
            context.make("Product", ["code": 1, "name": "new"])
        }
        #expect(result == ["1 new -1", "2 mine 20"])
    }
}

extension NSManagedObjectContext {
    fileprivate func only(_ entity: String, where format: String) throws -> NSManagedObject {
        let found = try fetch(request(entity, NSPredicate(format: format)))
        #expect(found.count == 1)
        return try #require(found.first)
    }
}
