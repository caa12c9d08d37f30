import CoreData
import Testing

/// Item <<-> Owner (and an ordered lane), Item <<->> Tag.
private func desk() -> NSManagedObjectModel {
    func text(_ name: String) -> NSAttributeDescription { NSAttributeDescription(name, .stringAttributeType) }
    let item = NSEntityDescription("Item", text("name"), text("a"), text("b"), text("c"))
    let owner = NSEntityDescription("Owner", text("name"))
    let tag = NSEntityDescription("Tag", text("name"))
    relate(item, .one("owner"), owner, .many("items"))
    relate(item, .one("lane"), owner, .many("queue", ordered: true))
    relate(item, .many("tags"), tag, .many("items"))
    relate(owner, .one("badge"), tag, .one("bearer"))
    return model(item, owner, tag)
}

extension Stack {
    /// The object of a name as the stack's context had it before others saved: asking for it reads no row.
    fileprivate func mine(_ name: String) throws -> NSManagedObject { try #require(held.first { $0.text("name") == name }) }
}

/// Where the other save came from: another context of the coordinator, or another coordinator on the same file.
enum Rival: CaseIterable, Sendable { case context, coordinator }

enum Setting: CaseIterable, Sendable {
    case memory, sqlite, twoCoordinators
    var kind: StoreKind { self == .memory ? .memory : .sqlite }
    var rival: Rival { self == .twoCoordinators ? .coordinator : .context }
}

private let policies: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
]

extension NSMergePolicyType {
    fileprivate var localWins: Bool { self == .mergeByPropertyObjectTrumpMergePolicyType || self == .overwriteMergePolicyType }
}

/// Every object of a context by entity and name, with its attributes, and the names its relationships lead to.
private func picture(_ context: NSManagedObjectContext) throws -> [String: [String: String]] {
    var result: [String: [String: String]] = [:]
    for entity in ["Item", "Owner", "Tag"] {
        for object in try context.all(entity) {
            var values: [String: String] = [:]
            for key in object.entity.attributesByName.keys { values[key] = object.text(key) ?? "-" }
            for (key, relationship) in object.entity.relationshipsByName {
                values[key] = if !relationship.isToMany { object.one(key)?.text("name") ?? "-" }
                    else if relationship.isOrdered { object.ordered(key, "name").joined(separator: " ") }
                    else { object.texts(key, "name").joined(separator: " ") }
            }
            result["\(entity) \(object.text("name") ?? "nil")"] = values
        }
    }
    return result
}

@Suite("Merge policies by kind of change")
struct MergeMatrixTests {
    private func stack(_ setting: Setting) throws -> Stack {
        let stack = try Stack(desk(), setting.kind)
        try stack.seed { context in
            let tags = (0..<3).map { context.make("Tag", ["name": "tag\($0)"]) }
            let owners = ["W", "X", "Y"].map { context.make("Owner", ["name": $0]) }
            let item = context.make("Item", ["name": "item", "a": "old", "b": "old", "c": "old", "owner": owners[0]])
            item.setValue(NSSet(object: tags[0]), forKey: "tags")
            for name in ["p", "q"] { context.make("Item", ["name": name]) }
            owners[0].setValue(NSOrderedSet(array: try ["p", "q"].map { try context.named($0, "Item") }), forKey: "queue")
        }
        // Everything is known to the context before the others save.
        try stack.run { context in
            stack.held = try ["Item", "Owner", "Tag"].flatMap { try context.all($0) }
            _ = try picture(context)
        }
        return stack
    }

    private func rivalSaves(_ stack: Stack, _ setting: Setting, _ edit: (NSManagedObjectContext) throws -> Void) throws {
        switch setting.rival {
        case .context: try stack.seed(edit)
        case .coordinator: try stack.reopened().seed(edit)
        }
    }

    /// Saves, and expects that memory, store and a fresh reader agree and that nothing is left over.
    private func save(_ stack: Stack, _ policy: NSMergePolicyType, _ location: SourceLocation = #_sourceLocation) throws {
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            try context.save()
            #expect(!context.hasChanges, sourceLocation: location)
            let memory = try picture(context)
            try stack.reopened().run { try #require(try picture($0) == memory, sourceLocation: location) }
            // The next save starts from what this one wrote.
            try stack.mine("item").setValue("later", forKey: "c")
            try context.save()
            try stack.reopened().run { try #require(try $0.named("item", "Item").text("c") == "later", sourceLocation: location) }
        }
    }

    @Test("ME03–ME06: Attributes, each changed by both, by one, by the other", arguments: Setting.allCases, policies)
    func attributes(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            let item = try context.named("item", "Item")
            for key in ["a", "b"] { item.setValue("store", forKey: key) }
        }
        try stack.run { context in
            let item = try stack.mine("item")
            for key in ["a", "c"] { item.setValue("memory", forKey: key) }
            context.mergePolicy = NSMergePolicy(merge: policy)
            try context.save()
            let expected = switch policy {
            case .mergeByPropertyStoreTrumpMergePolicyType: ["store", "store", "memory"]
            case .mergeByPropertyObjectTrumpMergePolicyType: ["memory", "store", "memory"]
            case .overwriteMergePolicyType: ["memory", "old", "memory"]
            default: ["store", "store", "old"]
            }
            #expect(["a", "b", "c"].map { item.text($0) } == expected)
            #expect(item.changedValues().isEmpty)
            #expect(!context.hasChanges)
            try stack.reopened().run { other in
                let stored = try other.named("item", "Item")
                #expect(["a", "b", "c"].map { stored.text($0) } == expected)
            }
        }
        try save(stack, policy)
    }

    @Test("ME03–ME06: A to-one set on both sides, with the inverse of every owner", arguments: Setting.allCases, policies)
    func toOne(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { try $0.named("item", "Item").setValue(try $0.named("X", "Owner"), forKey: "owner") }
        try stack.run { context in
            try stack.mine("item").setValue(try stack.mine("Y"), forKey: "owner")
        }
        try save(stack, policy)
        try stack.run { context in
            let winner = policy.localWins ? "Y" : "X"
            try #require(try stack.mine("item").one("owner")?.text("name") == winner)
            for name in ["W", "X", "Y"] {
                #expect(try stack.mine(name).texts("items", "name") == (name == winner ? ["item"] : []), "\(name)")
            }
        }
    }

    @Test("ME03–ME06: A many-to-many changed on both sides keeps both changes; rollback keeps the store's", arguments: Setting.allCases, policies)
    func manyToMany(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            try context.named("item", "Item").mutableSetValue(forKey: "tags").add(try context.named("tag1", "Tag"))
            try context.named("item", "Item").setValue("store", forKey: "a")
        }
        try stack.run { context in
            let tags = try stack.mine("item").mutableSetValue(forKey: "tags")
            tags.add(try stack.mine("tag2"))
            tags.remove(try stack.mine("tag0"))
        }
        try save(stack, policy)
        let expected = policy == .rollbackMergePolicyType ? ["tag0", "tag1"] : ["tag1", "tag2"]
        try stack.run { try #require(try $0.named("item", "Item").texts("tags", "name") == expected) }
    }

    @Test("DD01: An ordered to-many changed on both sides keeps both additions, in the local order", arguments: Setting.allCases, [
        NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType,
    ])
    func ordered(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            try context.named("W", "Owner").mutableOrderedSetValue(forKey: "queue").add(context.make("Item", ["name": "r"]))
        }
        try stack.run { context in
            let (p, q) = (try stack.mine("p"), try stack.mine("q"))
            let s = context.make("Item", ["name": "s"])
            try stack.mine("W").setValue(NSOrderedSet(array: [s, q, p]), forKey: "queue")
        }
        try save(stack, policy)
        try stack.run { try #require(try $0.named("W", "Owner").ordered("queue", "name") == ["s", "q", "p", "r"]) }
    }

    @Test("ME03–ME06: A one-to-one set on both sides leaves one bearer", arguments: Setting.allCases, policies)
    func oneToOne(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { try $0.named("W", "Owner").setValue(try $0.named("tag1", "Tag"), forKey: "badge") }
        try stack.run { try $0.named("W", "Owner").setValue(try $0.named("tag2", "Tag"), forKey: "badge") }
        try save(stack, policy)
        try stack.run { context in
            try #require(try stack.mine("W").one("badge")?.text("name") == (policy.localWins ? "tag2" : "tag1"))
        }
    }

    @Test("DD12, ME11: Edited here, deleted there: written again under its ID, or gone with the store's policies", arguments: Setting.allCases, policies)
    func updateOfADeletedRow(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { $0.delete(try $0.named("item", "Item")) }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let item = try stack.mine("item")
            let identifier = item.objectID
            item.setValue("memory", forKey: "a")
            try context.save()
            #expect(!context.hasChanges)
            let memory = try picture(context)
            try stack.reopened().run { other in
                try #require(try picture(other) == memory)
                let found = try other.all("Item", NSPredicate(format: "name == 'item'"))
                #expect(found.count == (policy.localWins ? 1 : 0))
                guard let written = found.first else { return }
                #expect(written.objectID.uriRepresentation() == identifier.uriRepresentation())
                #expect(["a", "b", "c"].map { written.text($0) } == ["memory", "old", "old"])
                #expect(written.one("owner")?.text("name") == "W")
            }
            guard policy.localWins else { return }
            item.setValue("later", forKey: "a")
            try context.save()
        }
    }

    @Test("ME12: Deleted here, edited there: deleted, or back with the store's policies", arguments: Setting.allCases, policies)
    func deletionOfAnEditedRow(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { try $0.named("item", "Item").setValue("store", forKey: "a") }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            let item = try stack.mine("item")
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.delete(item)
            try context.save()
            #expect(!context.hasChanges)
            #expect(saves.objects(NSDeletedObjectsKey) == (policy.localWins ? [item] : []))
            let memory = try picture(context)
            try stack.reopened().run { other in
                try #require(try picture(other) == memory)
                #expect(try other.all("Item", NSPredicate(format: "name == 'item'")).map { $0.text("a") } == (policy.localWins ? [] : ["store"]))
                if !policy.localWins { #expect(try other.named("item", "Item").one("owner")?.text("name") == "W") }
            }
            guard !policy.localWins else { return }
            #expect(!item.isDeleted)
            #expect(item.managedObjectContext === context)
            #expect(item.text("a") == "store")
        }
    }

    @Test("Deleted on both sides: the error policy refuses, the others agree", arguments: Setting.allCases, policies)
    func deletedTwice(setting: Setting, policy: NSMergePolicyType) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { $0.delete(try $0.named("item", "Item")) }
        try stack.run { context in
            context.delete(try stack.mine("item"))
            context.mergePolicy = NSMergePolicy(merge: policy)
            try context.save()
            #expect(!context.hasChanges)
            let memory = try picture(context)
            try stack.reopened().run { try #require(try picture($0) == memory) }
        }
    }

    @Test("ME02: A refresh after a refused save takes the newer row under the edit, and the next save goes through", arguments: Setting.allCases)
    func refreshAndRetry(setting: Setting) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            let item = try context.named("item", "Item")
            for key in ["a", "b"] { item.setValue("store", forKey: key) }
        }
        try stack.run { context in
            let item = try stack.mine("item")
            item.setValue("memory", forKey: "a")
            #expect(try failure { try context.save() }.code == NSManagedObjectMergeError)
            #expect(item.text("a") == "memory")
            #expect(item.text("b") == "old")
            context.refresh(item, mergeChanges: true)
            #expect(item.text("b") == "store")
            try context.save()
        }
        try stack.reopened().run { context in
            let item = try context.named("item", "Item")
            #expect(["a", "b"].map { item.text($0) } == ["memory", "store"])
        }
    }

    @Test("A merge is announced: objects that took values of the store are refreshed, and told so", arguments: Setting.allCases)
    func announcement(setting: Setting) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { try $0.named("item", "Item").setValue("store", forKey: "a") }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy.rollback
            let item = try stack.mine("item")
            item.setValue("memory", forKey: "c")
            context.processPendingChanges()
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            try context.save()
            #expect(changes.objects(NSRefreshedObjectsKey) == [item])
            #expect(saves.objects(NSUpdatedObjectsKey).isEmpty)
        }
    }

    // MARK: The conflict itself

    private func conflict(_ error: NSError) throws -> NSMergeConflict {
        let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
        #expect(list.count == 1)
        return try #require(list.first)
    }

    @Test("ME13: Snapshots and versions of an edit over an edit", arguments: Setting.allCases)
    func snapshotsOfEdits(setting: Setting) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            let item = try context.named("item", "Item")
            item.setValue("store", forKey: "a")
            item.setValue(try context.named("X", "Owner"), forKey: "owner")
        }
        try stack.run { context in
            let item = try stack.mine("item")
            item.setValue("memory", forKey: "a")
            let conflict = try conflict(try failure { try context.save() })
            #expect(conflict.sourceObject === item)
            #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
            let old = setting.rival == .context ? conflict.objectSnapshot : conflict.cachedSnapshot
            let new = setting.rival == .context ? conflict.cachedSnapshot : conflict.persistedSnapshot
            #expect((setting.rival == .context ? conflict.persistedSnapshot : conflict.objectSnapshot) == nil)
            #expect(old?["a"] as? String == "old")
            #expect(new?["a"] as? String == "store")
            #expect((old?["owner"] as? NSManagedObjectID) == (try stack.mine("W").objectID))
            #expect((new?["owner"] as? NSManagedObjectID) == (try stack.mine("X").objectID))
            for snapshot in [old, new] {
                #expect(snapshot?["tags"] == nil)
                #expect(snapshot?["lane"] is NSNull)
            }
        }
    }

    @Test("ME10: Version 0 and no newer snapshot for a deleted row", arguments: Setting.allCases)
    func snapshotsOfDeletions(setting: Setting) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { $0.delete(try $0.named("item", "Item")) }
        try stack.run { context in
            let item = try stack.mine("item")
            item.setValue("memory", forKey: "a")
            let conflict = try conflict(try failure { try context.save() })
            #expect(conflict.newVersionNumber == 0)
            #expect(conflict.oldVersionNumber > 0)
            #expect(conflict.persistedSnapshot == nil)
            let old = setting.rival == .context ? conflict.objectSnapshot : conflict.cachedSnapshot
            #expect(old?["a"] as? String == "old")
            #expect((setting.rival == .context ? conflict.cachedSnapshot : conflict.objectSnapshot) == nil)
        }
    }

    @Test("All rows in conflict are reported by one save", arguments: Setting.allCases)
    func severalRows(setting: Setting) throws {
        let stack = try stack(setting)
        try rivalSaves(stack, setting) { context in
            for name in ["p", "q"] { try context.named(name, "Item").setValue("store", forKey: "a") }
            context.delete(try context.named("tag2", "Tag"))
        }
        try stack.run { context in
            for name in ["p", "q", "item"] { try stack.mine(name).setValue("memory", forKey: "a") }
            try stack.mine("tag2").setValue("renamed", forKey: "name")
            let error = try failure { try context.save() }
            let list = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
            #expect(Set(list.compactMap { $0.sourceObject.text("name") }) == ["p", "q", "renamed"])
            #expect(context.updatedObjects.count == 4)
        }
        try stack.reopened().run { try #require(try $0.named("item", "Item").text("a") == "old") }
    }
}
