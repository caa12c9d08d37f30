import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// Nodes with every shape of relationship a derivation can look through.
private enum NodeModel {
    static let sums: [(name: String, relationship: String)] = [
        ("childSum", "children"), ("friendSum", "friends"), ("tagSum", "labels"), ("noteSum", "notes"), ("rankSum", "ranking"),
    ]
    static let counts: [(name: String, relationship: String)] = [
        ("childCount", "children"), ("friendCount", "friends"), ("tagCount", "labels"), ("noteCount", "notes"), ("rankCount", "ranking"),
    ]

    static func make() -> NSManagedObjectModel {
        let node = entity("Node"), label = entity("Label"), leaf = NSEntityDescription()
        leaf.name = "Leaf"
        node.subentities = [leaf]
        let friends = relationship("friends", node, many: true)
        friends.inverseRelationship = friends
        let children = relationship("children", node, many: true), parent = relationship("parent", node)
        (children.inverseRelationship, parent.inverseRelationship) = (parent, children)
        let labels = relationship("labels", label, many: true), nodes = relationship("nodes", node, many: true)
        (labels.inverseRelationship, nodes.inverseRelationship) = (nodes, labels)
        labels.isOrdered = true
        let ranking = relationship("ranking", label, many: true), ranked = relationship("rankedIn", node)
        (ranking.inverseRelationship, ranked.inverseRelationship) = (ranked, ranking)
        ranking.isOrdered = true
        node.properties += [friends, children, parent, labels, ranking, relationship("notes", label, many: true)]
        label.properties += [nodes, ranked]
        node.properties += counts.map { derived($0.name, .integer64AttributeType, "\($0.relationship).@count") }
        node.properties += sums.map { derived($0.name, .integer64AttributeType, "\($0.relationship).number.@sum") }
        node.properties += [
            derived("parentName", .stringAttributeType, "parent.name"), derived("elder", .stringAttributeType, "canonical:(parent.parent.name)"),
            derived("echo", .integer64AttributeType, "number"),
        ]
        leaf.properties = [derived("leafCount", .integer32AttributeType, "children.@count"), derived("owner", .stringAttributeType, "parent.name")]
        label.properties += [derived("rankName", .stringAttributeType, "uppercase:(rankedIn.name)")]
        let model = NSManagedObjectModel()
        model.entities = [node, leaf, label]
        return model
    }

    private static func entity(_ name: String) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = [
            CompanyModel.attribute("name", .stringAttributeType), CompanyModel.attribute("number", .integer64AttributeType),
        ]
        return entity
    }

    private static func relationship(_ name: String, _ destination: NSEntityDescription, many: Bool = false) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.maxCount = many ? 0 : 1
        relationship.isOptional = true
        relationship.deleteRule = .nullifyDeleteRule
        return relationship
    }

    private static func derived(_ name: String, _ type: NSAttributeType, _ format: String) -> NSDerivedAttributeDescription {
        let attribute = NSDerivedAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        attribute.derivationExpression = NSExpression(format: format)
        return attribute
    }
}

@Suite struct DerivedUpkeepTests {
    /// Members still there: without an inverse nobody takes a deleted object out of a relationship in memory.
    private func related(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
        let members: [Any] = switch object.value(forKey: key) {
        case let set as NSOrderedSet: set.array
        case let set as NSSet: set.allObjects
        default: []
        }
        return members.compactMap { $0 as? NSManagedObject }.filter { (try? object.managedObjectContext?.existingObject(with: $0.objectID)) != nil }
    }

    private func sum(_ objects: [NSManagedObject]) -> Int { objects.reduce(0) { $0 + (($1.value(forKey: "number") as? Int) ?? 0) } }

    /// Each derived value beside what the relationships of the same context say.
    private func check(_ context: NSManagedObjectContext, _ step: String) throws {
        for node in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node")) {
            for (name, relationship) in NodeModel.counts {
                #expect(node.value(forKey: name) as? Int == related(node, relationship).count, "\(name) \(step)")
            }
            for (name, relationship) in NodeModel.sums {
                #expect(node.value(forKey: name) as? Int == sum(related(node, relationship)), "\(name) \(step)")
            }
            let parent = node.value(forKey: "parent") as? NSManagedObject
            #expect(node.value(forKey: "parentName") as? String == parent?.value(forKey: "name") as? String, "parentName \(step)")
            let elder = (parent?.value(forKey: "parent") as? NSManagedObject)?.value(forKey: "name") as? String
            #expect(node.value(forKey: "elder") as? String == elder?.lowercased(), "elder \(step)")
            #expect(node.value(forKey: "echo") as? Int == node.value(forKey: "number") as? Int, "echo \(step)")
            guard node.entity.name == "Leaf" else { continue }
            #expect(node.value(forKey: "leafCount") as? Int == related(node, "children").count, "leafCount \(step)")
            #expect(node.value(forKey: "owner") as? String == parent?.value(forKey: "name") as? String, "owner \(step)")
        }
        for label in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")) {
            let name = (label.value(forKey: "rankedIn") as? NSManagedObject)?.value(forKey: "name") as? String
            #expect(label.value(forKey: "rankName") as? String == name?.uppercased(), "rankName \(step)")
        }
    }

    private func edit(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        let nodes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Node"))
        let labels = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label"))
        let entity = ["Node", "Leaf", "Label"].randomElement(using: &random) ?? "Node"
        guard Int.random(in: 0..<4, using: &random) > 0, let node = nodes.randomElement(using: &random) else {
            let made = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            made.setValue("N\(Int.random(in: 0..<100, using: &random))", forKey: "name")
            made.setValue(Int.random(in: 0..<100, using: &random), forKey: "number")
            return
        }
        let other = nodes.randomElement(using: &random), label = labels.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: node.setValue(other === node ? nil : other, forKey: "parent")
        case 1: if let other { node.mutableSetValue(forKey: "friends").add(other) }
        case 2: if let label { node.mutableOrderedSetValue(forKey: "labels").add(label) }
        case 3: if let label { node.mutableOrderedSetValue(forKey: "ranking").insert(label, at: 0) }
        case 4:
            // Without an inverse the member's row has room for one owner: the format's limit, not the derivation's.
            if let label, !nodes.contains(where: { related($0, "notes").contains(label) }) { node.mutableSetValue(forKey: "notes").add(label) }
        case 5: node.setValue(Int.random(in: 0..<100, using: &random), forKey: "number")
        case 6: (label ?? node).setValue("M\(Int.random(in: 0..<100, using: &random))", forKey: "name")
        case 7: label?.setValue(Bool.random(using: &random) ? nil : 7, forKey: "number")
        case 8: for key in ["friends", "notes"] { node.mutableSetValue(forKey: key).removeAllObjects() }
        default: context.delete(Bool.random(using: &random) ? node : label ?? node)
        }
    }

    @Test("Derived values agree with the relationships after every save, in the saving context and in a new one", arguments: 1...4)
    func upkeep(seed: UInt64) throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType, model: NodeModel.make())
        let context = stack.context()
        try context.performAndWait {
            var random = SeededGenerator(seed)
            for step in 0..<30 {
                for _ in 0..<Int.random(in: 1...5, using: &random) { try edit(context, &random) }
                try context.save()
                try check(context, "seed \(seed) step \(step)")
                if step % 8 == 0 {
                    let fresh = stack.context()
                    try fresh.performAndWait { try check(fresh, "fresh, seed \(seed) step \(step)") }
                }
            }
        }
    }

    @Test("A save tells of the objects whose derived values it changed: refreshed here, merged elsewhere")
    func notes() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType, model: NodeModel.make())
        let (context, second) = (stack.context(), stack.context())
        let owner = try context.performAndWait {
            let owner = NSEntityDescription.insertNewObject(forEntityName: "Node", into: context)
            let label = NSEntityDescription.insertNewObject(forEntityName: "Label", into: context)
            owner.mutableSetValue(forKey: "notes").add(label)
            try context.save()
            return owner
        }
        second.automaticallyMergesChangesFromParent = true
        let mirror = second.performAndWait {
            let mirror = second.object(with: owner.objectID)
            #expect(mirror.value(forKey: "noteSum") as? Int == 0)
            return mirror
        }
        try context.performAndWait {
            let label = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Label")).first)
            label.setValue(5, forKey: "number")
            try context.save()
            #expect(owner.value(forKey: "noteSum") as? Int == 5)
            #expect(!owner.hasChanges)
        }
        second.performAndWait { #expect(mirror.value(forKey: "noteSum") as? Int == 5) }
    }

    @Test("A SQLite store at /dev/null keeps derived attributes")
    func withoutFile() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NodeModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let (parent, child) = (NSEntityDescription.insertNewObject(forEntityName: "Node", into: context), NSEntityDescription.insertNewObject(forEntityName: "Node", into: context))
            child.setValue(parent, forKey: "parent")
            try context.save()
            #expect(parent.value(forKey: "childCount") as? Int == 1)
        }
    }
}
