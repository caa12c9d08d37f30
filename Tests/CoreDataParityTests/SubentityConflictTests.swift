import CoreData
import Testing

@Suite("Unique values taken across subentities")
struct SubentityConflictTests {
    /// Person > Manager and Person > Guest, unique by code; a person has notes.
    private static func people() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", NSAttributeDescription("code", .integer64AttributeType), NSAttributeDescription("name", .stringAttributeType))
        person.uniquenessConstraints = [["code"]]
        let manager = NSEntityDescription("Manager", NSAttributeDescription("level", .integer64AttributeType))
        let guest = NSEntityDescription("Guest", NSAttributeDescription("badge", .stringAttributeType))
        person.subentities = [manager, guest]
        let note = NSEntityDescription("Note", NSAttributeDescription("name", .stringAttributeType))
        relate(person, .many("notes"), note, .one("person"))
        return model(person, manager, guest, note)
    }

    @Test("What only the new object's entity has is kept, and what referred to the stored row refers to it",
          arguments: ["Person", "Guest"], [NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType])
    func kept(stored: String, policy: NSMergePolicyType) throws {
        let stack = try Stack(Self.people())
        try stack.seed { context in
            let person = context.make(stored, ["code": 1, "name": "old"])
            context.make("Note", ["name": "n", "person": person])
        }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let manager = context.make("Manager", ["code": 1, "name": "new", "level": 7])
            try context.save()
            #expect(!manager.objectID.isTemporaryID && manager.number("level") == 7 && manager.texts("notes", "name") == ["n"])
        }
        try stack.reopened().run { context in
            let manager = try context.only("Person")
            #expect(manager.entity.name == "Manager" && manager.number("level") == 7 && manager.text("name") == "new")
            #expect(manager.texts("notes", "name") == ["n"])
        }
    }

    @Test("The store's policies keep the row; a row of the new object's kind is taken over with its ID")
    func others() throws {
        let stack = try Stack(Self.people())
        let identifier = try stack.seed { context in
            let manager = context.make("Manager", ["code": 1, "name": "old", "level": 3])
            try context.obtainPermanentIDs(for: [manager])
            return manager.objectID
        }
        for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump] {
            try stack.newContext().run { context in
                context.mergePolicy = policy
                context.make("Person", ["code": 1, "name": "new"])
                try context.save()
                let manager = try context.only("Person")
                #expect(manager.objectID == identifier && manager.number("level") == 3)
                #expect(manager.text("name") == (policy === NSMergePolicy.mergeByPropertyStoreTrump ? "old" : "new"))
            }
        }
    }
}
