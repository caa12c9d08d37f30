import CoreData
import Testing

/// One context links or unlinks two objects while another one changes an unrelated attribute of one of them.
@Suite("Many-to-many edits under conflicts")
struct ManyToManyConflictTests {
    private static let policies: [NSMergePolicyType] = [
        .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType,
    ]

    private struct Case {
        let kind: StoreKind
        let unlinks: Bool, fromItem: Bool, rivalIsItem: Bool, isLoaded: Bool
    }

    private static let cases = StoreKind.allCases.flatMap { kind in
        (0..<16).map { bits in
            Case(kind: kind, unlinks: bits & 1 != 0, fromItem: bits & 2 != 0, rivalIsItem: bits & 4 != 0, isLoaded: bits & 8 != 0)
        }
    }

    @Test("What one context links or unlinks is written, and memory says what the store says, whichever side the conflict is on",
          arguments: policies)
    func conflict(policy: NSMergePolicyType) throws {
        for trial in Self.cases {
            let stack = try Stack(Models.tagged(), trial.kind)
            try stack.seed { context in
                let item = context.make("Item", ["name": "item"]), tag = context.make("Tag", ["name": "tag"])
                if trial.unlinks { item.mutableSetValue(forKey: "tags").add(tag) }
            }
            try stack.run { context in
                context.mergePolicy = NSMergePolicy(merge: policy)
                let item = try context.only("Item"), tag = try context.only("Tag")
                stack.held = [item, tag]
                // Both are compared with the rows as they were.
                _ = (item.text("name"), tag.text("name"))
                if trial.isLoaded { _ = (item.mutableSetValue(forKey: "tags").count, tag.mutableSetValue(forKey: "items").count) }
            }
            try stack.seed { try $0.only(trial.rivalIsItem ? "Item" : "Tag").setValue("rival", forKey: "name") }
            try stack.run { context in
                let item = try #require(stack.held.first), tag = try #require(stack.held.last)
                let set = trial.fromItem ? item.mutableSetValue(forKey: "tags") : tag.mutableSetValue(forKey: "items")
                if trial.unlinks { set.removeAllObjects() } else { set.add(trial.fromItem ? tag : item) }
                try context.save()
                let expected = trial.unlinks ? 0 : 1
                for round in ["after the save", "read again"] {
                    #expect(item.mutableSetValue(forKey: "tags").count == expected, "\(trial), \(round)")
                    #expect(tag.mutableSetValue(forKey: "items").count == expected, "\(trial), \(round)")
                    context.refreshAllObjects()
                }
            }
            try stack.reopened().run { context in
                let linked = try context.count(for: context.request("Item", NSPredicate(format: "tags.@count == 1")))
                #expect(linked == (trial.unlinks ? 0 : 1), "\(trial)")
            }
        }
    }
}
