import CoreData
import Testing

/// A child's new object loses a uniqueness conflict when its parent saves: what the child does with it afterwards.
@Suite("Uniqueness conflicts that a parent settles, seen from its children")
struct ChildConflictTests {
    private static func shop() -> NSManagedObjectModel {
        let product = NSEntityDescription(
            "Product", NSAttributeDescription("code", .integer64AttributeType), NSAttributeDescription("name", .stringAttributeType),
            NSAttributeDescription("stock", .integer64AttributeType))
        product.uniquenessConstraints = [["code"]]
        let order = NSEntityDescription("Order", NSAttributeDescription("name", .stringAttributeType))
        let special = NSEntityDescription("Special", NSAttributeDescription("level", .integer64AttributeType))
        product.subentities = [special]
        relate(product, .many("orders"), order, .one("product"))
        return model(product, special, order)
    }

    enum Depth: CaseIterable { case child, grandchild }

    /// The context the object is made in, and those above it but the root.
    private static func family(_ stack: Stack, _ depth: Depth) -> [NSManagedObjectContext] {
        let child = stack.newChild(of: stack.context)
        return depth == .child ? [child] : [stack.newChild(of: child), child]
    }

    private static func save(_ family: [NSManagedObjectContext], _ stack: Stack) throws {
        for context in family + [stack.context] { try context.run { try $0.save() } }
    }

    private static func products(_ stack: Stack) throws -> [String] {
        try stack.reopened().run { context in
            try context.all("Product", by: "code").map { product in
                "\(product.number("code") ?? -1) \(product.text("name") ?? "-") \(product.number("stock") ?? -1) "
                    + product.texts("orders", "name").joined(separator: ",")
            }
        }
    }

    private static let policies: [NSMergePolicyType] = [.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType]

    @Test("Its later edits reach the row that stayed", arguments: Depth.allCases, policies)
    func editedAgain(depth: Depth, policy: NSMergePolicyType) throws {
        let stack = try Stack(Self.shop())
        try stack.seed { $0.make("Product", ["code": 1, "name": "one", "stock": 1]) }
        stack.context.mergePolicy = NSMergePolicy(merge: policy)
        let family = Self.family(stack, depth)
        let new = try family[0].run { $0.make("Product", ["code": 1, "name": "new", "stock": 2]) }
        try Self.save(family, stack)
        try family[0].run { context in
            new.setValue("later", forKey: "name")
            context.make("Order", ["name": "o", "product": new])
            try context.save()
            #expect(new.managedObjectContext === context && !new.objectID.isTemporaryID && new.text("name") == "later")
            #expect(new.number("stock") == (policy == .mergeByPropertyObjectTrumpMergePolicyType ? 2 : 1))
        }
        for context in family.dropFirst() + [stack.context] { try context.run { try $0.save() } }
        let stored = try Self.products(stack)
        #expect(stored == [policy == .mergeByPropertyObjectTrumpMergePolicyType ? "1 later 2 o" : "1 later 1 o"])
    }

    @Test("Unsaved edits made meanwhile are kept", arguments: Depth.allCases)
    func editedMeanwhile(depth: Depth) throws {
        let stack = try Stack(Self.shop())
        try stack.seed { $0.make("Product", ["code": 1, "name": "one", "stock": 1]) }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let family = Self.family(stack, depth)
        let new = try family[0].run { $0.make("Product", ["code": 1, "name": "new", "stock": 2]) }
        for context in family { try context.run { try $0.save() } }
        try family[0].run { context in
            new.setValue("later", forKey: "name")
            context.make("Order", ["name": "o", "product": new])
        }
        try stack.run { try $0.save() }
        try Self.save(family, stack)
        let stored = try Self.products(stack)
        #expect(stored == ["1 later 1 o"])
    }

    @Test("Where the child has the row's object too, that one takes the edits over, and the other has no context any more",
          arguments: Depth.allCases, policies)
    func bothKnown(depth: Depth, policy: NSMergePolicyType) throws {
        let stack = try Stack(Self.shop())
        try stack.seed { context in
            let one = context.make("Product", ["code": 1, "name": "one", "stock": 1])
            context.make("Order", ["name": "first", "product": one])
        }
        stack.context.mergePolicy = NSMergePolicy(merge: policy)
        let family = Self.family(stack, depth)
        let (stored, new) = try family[0].run { context in
            let stored = try context.only("Product")
            #expect(stored.texts("orders", "name") == ["first"])
            return (stored, context.make("Product", ["code": 1, "name": "new", "stock": 2]))
        }
        for context in family { try context.run { try $0.save() } }
        let late = try family[0].run { context in
            new.setValue("later", forKey: "name")
            return context.make("Order", ["name": "late", "product": new])
        }
        try stack.run { try $0.save() }
        try family[0].run { context in
            try context.save()
            #expect(new.managedObjectContext == nil && new.objectID == stored.objectID)
            #expect(stored.text("name") == "later" && late.one("product") === stored)
            #expect(stored.number("stock") == (policy == .mergeByPropertyObjectTrumpMergePolicyType ? 2 : 1))
            #expect(stored.texts("orders", "name") == ["first", "late"])
        }
        for context in family.dropFirst() + [stack.context] { try context.run { try $0.save() } }
        let rows = try Self.products(stack)
        #expect(rows == [policy == .mergeByPropertyObjectTrumpMergePolicyType ? "1 later 2 first,late" : "1 later 1 first,late"])
    }

    @Test("Objects of one child that collide among themselves", arguments: Depth.allCases)
    func amongNew(depth: Depth) throws {
        let stack = try Stack(Self.shop())
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let family = Self.family(stack, depth)
        let new = try family[0].run { context in
            ["a", "b", "c"].map { context.make("Product", ["code": 7, "name": $0]) }
        }
        try Self.save(family, stack)
        try family[0].run { context in
            new[0].setValue(5, forKey: "stock")
            for object in new { context.make("Order", ["name": "\(object.text("name") ?? "-")!", "product": object]) }
            try context.save()
            let known = try context.only("Product")
            #expect(new.filter { $0.managedObjectContext != nil } == [known])
            #expect(Set(new.map(\.objectID)) == [known.objectID])
        }
        for context in family.dropFirst() + [stack.context] { try context.run { try $0.save() } }
        let rows = try Self.products(stack)
        #expect(rows == ["7 c 5 a!,b!,c!"])
    }

    @Test("Related to another object, it stands for the one that stayed", arguments: Depth.allCases + [nil])
    func related(depth: Depth?) throws {
        let stack = try Stack(Self.shop())
        try stack.seed { $0.make("Product", ["code": 1, "name": "one"]) }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let family = depth.map { Self.family(stack, $0) } ?? []
        let context = family.first ?? stack.context
        let (stored, new) = try context.run { try ($0.only("Product"), $0.make("Product", ["code": 1, "name": "new"])) }
        try Self.save(family, stack)
        try context.run { context in
            let order = context.make("Order", ["name": "a", "product": new])
            let other = context.make("Order", ["name": "b"])
            #expect(new.managedObjectContext == nil && order.one("product") === stored)
            other.setPrimitiveValue(new, forKey: "product")
            #expect(other.one("product") === stored)
            stored.mutableSetValue(forKey: "orders").add(other)
            #expect(context.registeredObjects.filter { $0.entity.name == "Product" } == [stored])
        }
        try Self.save(family, stack)
        let rows = try Self.products(stack)
        #expect(rows == ["1 one -1 a,b"])
    }

    @Test("A row of a subentity that stayed: the child's object of the superentity gives way to one of the subentity")
    func subentity() throws {
        let stack = try Stack(Self.shop())
        try stack.seed { $0.make("Special", ["code": 1, "name": "one", "stock": 1, "level": 3]) }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let family = Self.family(stack, .child)
        let new = try family[0].run { $0.make("Product", ["code": 1, "name": "new"]) }
        try Self.save(family, stack)
        try family[0].run { context in
            new.setValue("later", forKey: "name")
            try context.save()
            let special = try context.only("Product")
            #expect(special.entity.name == "Special" && special.text("name") == "later" && special.number("level") == 3)
            #expect(new.managedObjectContext == nil && new.objectID == special.objectID)
        }
        try Self.save(family, stack)
        let rows = try Self.products(stack)
        #expect(rows == ["1 later -1 "])
    }

    @Test("Deleting it deletes the row that stayed, in whose place it stands")
    func deleted() throws {
        let stack = try Stack(Self.shop())
        try stack.seed { $0.make("Product", ["code": 1, "name": "one"]) }
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let family = Self.family(stack, .child)
        let new = try family[0].run { $0.make("Product", ["code": 1, "name": "new"]) }
        try Self.save(family, stack)
        try family[0].run { context in
            context.delete(new)
            try context.save()
        }
        try Self.save(family, stack)
        let rows = try Self.products(stack)
        #expect(rows.isEmpty)
    }
}
