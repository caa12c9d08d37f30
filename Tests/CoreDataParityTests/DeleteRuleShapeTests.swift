import CoreData
import Testing

/// Delete rules over other shapes, levels and contexts.
@Suite("Delete rules, shapes")
struct DeleteRuleShapeTests {
    private func ends(_ left: End, _ right: End) -> NSManagedObjectModel {
        let a = NSEntityDescription("A", NSAttributeDescription("name", .stringAttributeType))
        let b = NSEntityDescription("B", NSAttributeDescription("name", .stringAttributeType))
        relate(a, left, b, right)
        return model(a, b)
    }

    @Test("DR02: Cascade over an ordered to-many, a to-one and a many-to-many", arguments: StoreKind.allCases, ["ordered", "one", "many"])
    func cascades(kind: StoreKind, shape: String) throws {
        let model = switch shape {
        case "ordered": ends(.many("bs", .cascadeDeleteRule, ordered: true), .one("as"))
        case "one": ends(.one("bs", .cascadeDeleteRule), .one("as"))
        default: ends(.many("bs", .cascadeDeleteRule), .many("as"))
        }
        let stack = try Stack(model, kind)
        try stack.seed { context in
            let b = context.make("B", ["name": "b"])
            context.make("B", ["name": "other"])
            let a = context.make("A", ["name": "a"])
            switch shape {
            case "ordered": a.setValue(NSOrderedSet(object: b), forKey: "bs")
            case "one": a.setValue(b, forKey: "bs")
            default:
                a.setValue(NSSet(object: b), forKey: "bs")
                context.make("A", ["name": "keeps", "bs": NSSet(object: b)])
            }
        }
        let second = try stack.reopened()
        try second.run { context in
            context.delete(try context.named("a", "A"))
            try context.save()
            #expect(try context.names("B") == ["other"])
            if shape == "many" { #expect(try context.named("keeps", "A").many("bs").isEmpty) }
        }
        try second.reopened().run { try #require(try $0.names("B") == ["other"]) }
    }

    @Test("DR01: Nullify over a many-to-many and an ordered inverse", arguments: StoreKind.allCases, [true, false])
    func nullify(kind: StoreKind, isOrdered: Bool) throws {
        let stack = try Stack(ends(.many("bs"), .many("as", ordered: isOrdered)), kind)
        try stack.seed { context in
            let many = ["a1", "a2", "a3"].map { context.make("A", ["name": $0]) }
            context.make("B", ["name": "b", "as": isOrdered ? NSOrderedSet(array: many) as Any : NSSet(array: many) as Any])
        }
        let second = try stack.reopened()
        try second.run { context in
            context.delete(try context.named("a2", "A"))
            try context.save()
            let b = try context.only("B")
            #expect(b.texts("as", "name") == ["a1", "a3"])
        }
        try second.reopened().run { context in
            let b = try context.only("B")
            try #require(isOrdered ? b.ordered("as", "name") == ["a1", "a3"] : b.texts("as", "name") == ["a1", "a3"])
        }
    }

    @Test("DR05: Deny over a to-one and a many-to-many; emptied or moved away it lets go", arguments: StoreKind.allCases, [true, false])
    func deny(kind: StoreKind, isToMany: Bool) throws {
        let stack = try Stack(isToMany ? ends(.many("bs", .denyDeleteRule), .many("as")) : ends(.one("bs", .denyDeleteRule), .one("as")), kind)
        try stack.seed { context in
            let b = context.make("B", ["name": "b"])
            context.make("A", ["name": "a", "bs": isToMany ? NSSet(object: b) as Any : b as Any])
        }
        try stack.run { try denied($0, isToMany: isToMany) }
        try stack.reopened().run { context in
            try #require(try [context.count("A"), context.count("B")] == [0, 1])
        }
    }

    private func denied(_ context: NSManagedObjectContext, isToMany: Bool) throws {
        let a = try context.only("A")
        let b = try context.only("B")
        // Not deleted yet: the rule speaks all the same.
        let early = try failure { try a.validateForDelete() }
        #expect(early.code == NSValidationRelationshipDeniedDeleteError)
        context.delete(a)
        let error = try failure { try context.save() }
        #expect(error.code == NSValidationRelationshipDeniedDeleteError && error.key == "bs" && error.object === a)
        context.rollback()
        #expect(!a.isDeleted)
        #expect(isToMany ? b.many("as") == [a] : b.one("as") === a)
        if isToMany { a.setValue(NSSet(), forKey: "bs") } else { a.setValue(nil, forKey: "bs") }
        try a.validateForDelete()
        context.delete(a)
        try context.save()
    }

    @Test("DR08: A nullified to-many below its minimum refuses the deletion with 1580", arguments: StoreKind.allCases)
    func belowMinimum(kind: StoreKind) throws {
        let stack = try Stack(ends(.many("bs", optional: false, minimum: 1), .one("as")), kind)
        try stack.seed { context in context.make("A", ["name": "a", "bs": NSSet(object: context.make("B", ["name": "b"]))]) }
        try stack.run { context in
            context.delete(try context.only("B"))
            context.processPendingChanges()
            let a = try context.only("A")
            #expect(a.isUpdated)
            #expect(a.many("bs").isEmpty)
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationRelationshipLacksMinimumCountError && error.key == "bs" && error.object === a)
        }
        try stack.reopened().run { try #require(try $0.count("B") == 1) }
    }

    @Test("DR08: A required to-one goes with a cascade: the child deleted with its parent is not missed", arguments: StoreKind.allCases)
    func requiredCascade(kind: StoreKind) throws {
        let stack = try Stack(ends(.many("bs", .cascadeDeleteRule), .one("as", optional: false)), kind)
        try stack.seed { context in
            let a = context.make("A", ["name": "a"])
            for _ in 0..<3 { context.make("B", ["name": "b", "as": a]) }
        }
        try stack.run { context in
            context.delete(try context.only("A"))
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.count("B") == 0) }
    }

    @Test("DR04: Rings through several entities and self-references end", arguments: StoreKind.allCases)
    func rings(kind: StoreKind) throws {
        let a = NSEntityDescription("A", NSAttributeDescription("name", .stringAttributeType))
        let b = NSEntityDescription("B", NSAttributeDescription("name", .stringAttributeType))
        relate(a, .many("bs", .cascadeDeleteRule), b, .many("as", .cascadeDeleteRule))
        relate(a, .many("children", .cascadeDeleteRule), a, .one("parent", .cascadeDeleteRule))
        let stack = try Stack(model(a, b), kind)
        try stack.seed { context in
            let many = (0..<4).map { context.make("A", ["name": "a\($0)"]) }
            for (index, a) in many.enumerated() {
                a.setValue(many[(index + 1) % 4], forKey: "parent")
                context.make("B", ["name": "b\(index)", "as": NSSet(array: [a, many[(index + 2) % 4]])])
            }
            let alone = context.make("A", ["name": "self"])
            alone.setValue(alone, forKey: "parent")
        }
        try stack.run { context in
            context.delete(try context.named("self", "A"))
            try context.save()
            #expect(try context.count("A") == 4)
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.delete(try context.named("a2", "A"))
            try context.save()
            #expect(saves.objects(NSDeletedObjectsKey).count == 8)
        }
        try stack.reopened().run { try #require(try [$0.count("A"), $0.count("B")] == [0, 0]) }
    }

    @Test("DR11: Cascades through saved and unsaved objects mixed, both ways", arguments: StoreKind.allCases)
    func mixed(kind: StoreKind) throws {
        let stack = try Stack(Models.chain(), kind)
        try stack.seed { context in context.make("B", ["name": "b saved", "a": context.make("A", ["name": "a"])]) }
        try stack.run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            let a = try context.only("A")
            let unsaved = context.make("B", ["name": "b unsaved", "a": a])
            context.make("C", ["name": "c1", "b": unsaved])
            context.make("C", ["name": "c2", "b": try context.named("b saved", "B")])
            context.processPendingChanges()
            context.delete(a)
            try context.save()
            #expect(saves.objects(NSDeletedObjectsKey).count == 2)
            #expect(saves.objects(NSInsertedObjectsKey).isEmpty)
            #expect(!context.hasChanges && context.registeredObjects.allSatisfy { !$0.hasChanges })
        }
        try stack.reopened().run { try #require(try [$0.count("A"), $0.count("B"), $0.count("C")] == [0, 0, 0]) }
    }

    @Test("DR03: A child's deletion cascades there and goes up; the parent's save writes it", arguments: StoreKind.allCases)
    func nested(kind: StoreKind) throws {
        let stack = try Stack(Models.chain(), kind)
        try stack.seed { context in
            context.make("C", ["name": "c", "b": context.make("B", ["name": "b", "a": context.make("A", ["name": "a"])])])
        }
        let child = stack.newChild(of: stack.context)
        try stack.run { context in _ = try context.all("C").first?.text("name") }
        try child.run { context in
            context.delete(try context.only("A"))
            try context.save()
            #expect(try context.count("C") == 0)
        }
        try stack.reopened().run { context in try #require(try context.count("C") == 1) }
        try stack.run { context in
            #expect(context.deletedObjects.count == 3)
            #expect(try context.count("B") == 0)
            try context.save()
        }
        try stack.reopened().run { try #require(try [$0.count("A"), $0.count("B"), $0.count("C")] == [0, 0, 0]) }
    }

    @Test("DR02: A rule of a superentity holds for its subentities, and for theirs at the other end", arguments: StoreKind.allCases)
    func subentities(kind: StoreKind) throws {
        let a = NSEntityDescription("A", NSAttributeDescription("name", .stringAttributeType)), a2 = NSEntityDescription("A2")
        let b = NSEntityDescription("B", NSAttributeDescription("name", .stringAttributeType)), b2 = NSEntityDescription("B2")
        a.subentities = [a2]
        b.subentities = [b2]
        let c = NSEntityDescription("C", NSAttributeDescription("name", .stringAttributeType))
        relate(a, .many("bs", .cascadeDeleteRule), b, .one("a"))
        relate(b2, .many("cs", .cascadeDeleteRule), c, .one("b"))
        let stack = try Stack(model(a, a2, b, b2, c), kind)
        try stack.seed { context in
            let owner = context.make("A2", ["name": "a"])
            context.make("B", ["name": "b", "a": owner])
            context.make("C", ["name": "c", "b": context.make("B2", ["name": "b2", "a": owner])])
        }
        try stack.run { context in
            context.delete(try context.only("A"))
            try context.save()
        }
        try stack.reopened().run { try #require(try [$0.count("A"), $0.count("B"), $0.count("C")] == [0, 0, 0]) }
    }

    @Test("DR09: No action over a to-many and a many-to-many leaves others alone and saves", arguments: StoreKind.allCases)
    func noAction(kind: StoreKind) throws {
        let stack = try Stack(ends(.many("bs", .noActionDeleteRule), .many("as", .noActionDeleteRule)), kind)
        try stack.seed { context in context.make("A", ["name": "a", "bs": NSSet(object: context.make("B", ["name": "b"]))]) }
        try stack.run { context in
            context.delete(try context.only("A"))
            try context.save()
        }
        try stack.reopened().run { context in
            let b = try context.only("B")
            for ghost in b.many("as") { #expect(ghost.value(forKey: "name") == nil) }
            b.setValue("still", forKey: "name")
            try context.save()
        }
    }
}
