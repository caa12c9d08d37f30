import CoreData
import Testing

/// Sets a value of its own whenever it is saved, and counts.
final class PolicyStamping: NSManagedObject {
    private(set) var saves = 0
    private(set) var events: [NSSnapshotEventType] = []

    override func willSave() {
        super.willSave()
        saves += 1
        let stamp = "stamped " + (primitiveValue(forKey: "name") as? String ?? "")
        if !isDeleted, text("stamp") != stamp { setValue(stamp, forKey: "stamp") }
    }

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        events.append(flags)
        setValue(events.count, forKey: "cache")
    }
}

/// Also renames the object called "bystander", which nobody else touches.
private final class Renaming: NSMergePolicy, @unchecked Sendable {
    override func resolve(mergeConflicts list: [Any]) throws {
        try super.resolve(mergeConflicts: list)
        guard let context = (list.first as? NSMergeConflict)?.sourceObject.managedObjectContext else { return }
        try context.named("bystander", "Row").setValue("renamed", forKey: "name")
    }
}

@Suite("Hooks of a save whose merge policy changes objects")
struct PolicyHookTests {
    private func rows() throws -> Stack {
        let entity = NSEntityDescription(
            "Row", of: PolicyStamping.self, NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("stamp", .stringAttributeType),
            NSAttributeDescription("size", .integer64AttributeType), NSAttributeDescription("cache", .integer64AttributeType, transient: true))
        entity.uniquenessConstraints = [["size"]]
        return try Stack(model(entity))
    }

    private func race(_ policy: NSMergePolicy, _ body: (Stack, NSManagedObjectContext, PolicyStamping) throws -> Void) throws {
        let stack = try rows()
        try stack.seed { context in
            context.make("Row", ["name": "a", "size": 1])
            context.make("Row", ["name": "bystander", "size": 2])
        }
        try stack.run { context in
            context.mergePolicy = policy
            let row = try #require(try context.named("a", "Row") as? PolicyStamping)
            try stack.seed { try $0.named("a", "Row").setValue(10, forKey: "size") }
            row.setValue("b", forKey: "name")
            try body(stack, context, row)
        }
    }

    @Test("LC07: willSave is called for an object that only the merge policy changed, and what it sets is saved")
    func bystander() throws {
        try race(Renaming(merge: .mergeByPropertyObjectTrumpMergePolicyType)) { stack, context, _ in
            let bystander = try #require(try context.named("bystander", "Row") as? PolicyStamping)
            try context.save()
            // Twice: the first call changed it.
            #expect(bystander.saves == 2 && bystander.text("stamp") == "stamped renamed")
            #expect(!context.hasChanges)
            try stack.reopened().run { try #require(try $0.named("renamed", "Row").text("stamp") == "stamped renamed") }
        }
    }

    @Test("ME03 ME04 ME06: awake(fromSnapshotEvents:) tells of a settled conflict, once, and what it sets is no edit", arguments: [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType,
        .rollbackMergePolicyType,
    ])
    func snapshotEvent(type: NSMergePolicyType) throws {
        try race(NSMergePolicy(merge: type)) { _, context, row in
            try context.save()
            #expect(row.events == [.mergePolicy] && row.number("cache") == 1)
            #expect(!context.hasChanges)
        }
    }

    @Test("UC02: awake(fromSnapshotEvents:) tells the object that a uniqueness conflict changed")
    func uniqueness() throws {
        let stack = try rows()
        try stack.seed { $0.make("Row", ["name": "stored", "size": 5]) }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let stored = try #require(try context.only("Row") as? PolicyStamping)
            #expect(stored.text("name") == "stored")
            context.make("Row", ["name": "new", "size": 5])
            try context.save()
            #expect(stored.text("name") == "new" && stored.text("stamp") == "stamped new")
            #expect(stored.events == [.mergePolicy])
        }
    }
}
