import CoreData
import Testing

/// Counts the calls of each method and hands on to super.
private final class Observing: NSMergePolicy, @unchecked Sendable {
    private(set) var calls: [String] = []
    private(set) var seen: [NSObject] = []

    override func resolve(mergeConflicts list: [Any]) throws {
        calls.append("merge")
        seen = list.compactMap { $0 as? NSObject }
        try super.resolve(mergeConflicts: list)
    }

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        calls.append("locking")
        try super.resolve(optimisticLockingConflicts: list)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        calls.append("constraint")
        try super.resolve(constraintConflicts: list)
    }
}

/// Runs code before and after super, or instead of it.
private final class Custom: NSMergePolicy, @unchecked Sendable {
    var before: (Any) throws -> Void = { _ in }
    var after: (Any) throws -> Void = { _ in }
    var callsSuper = true

    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        for conflict in list { try before(conflict) }
        if callsSuper { try super.resolve(optimisticLockingConflicts: list) }
        for conflict in list { try after(conflict) }
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list { try before(conflict) }
        if callsSuper { try super.resolve(constraintConflicts: list) }
        for conflict in list { try after(conflict) }
    }
}

private struct Refused: Error {}

@Suite("Subclasses of NSMergePolicy")
struct MergePolicySubclassTests {
    /// A row "old"/10, renamed "store" with salary 50 by another context after the stack's own had read it.
    private func race(_ kind: StoreKind, _ body: (Stack, NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "old", "salary": 10]) }
        try stack.run { context in
            let object = try context.only("Employee")
            _ = object.text("name")
            try stack.seed { other in
                let row = try other.only("Employee")
                row.setValue("store", forKey: "name")
                row.setValue(50, forKey: "salary")
            }
            try body(stack, context, object)
        }
    }

    private func stored(_ stack: Stack) throws -> [String] {
        try stack.reopened().run { context in
            try context.all("Employee").map { "\($0.text("name") ?? "-") \($0.number("salary") ?? -1)" }
        }
    }

    @Test("A save calls resolve(mergeConflicts:), which calls the method for the kind", arguments: StoreKind.allCases)
    func order(kind: StoreKind) throws {
        let policy = Observing(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try race(kind) { stack, context, object in
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            try #require(try stored(stack) == ["memory 50"])
        }
        #expect(policy.calls == ["merge", "locking"])
        #expect(policy.seen.allSatisfy { $0 is NSMergeConflict })
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1]) }
        let second = Observing(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        try stack.run { context in
            context.mergePolicy = second
            context.make("Product", ["code": 1, "name": "new"])
            try context.save()
        }
        #expect(second.calls == ["merge", "constraint"])
    }

    @Test("What is set before super is an edit like others", arguments: StoreKind.allCases)
    func before(kind: StoreKind) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            policy.before = { ($0 as? NSMergeConflict)?.sourceObject.setValue("policy", forKey: "name") }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            #expect(object.text("name") == "policy")
            try #require(try stored(stack) == ["policy 50"])
        }
    }

    @Test("What is set after super stands, and super's result is there to be read", arguments: StoreKind.allCases)
    func after(kind: StoreKind) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: .mergeByPropertyStoreTrumpMergePolicyType)
            policy.after = { conflict in
                guard let object = (conflict as? NSMergeConflict)?.sourceObject else { return }
                #expect(object.text("name") == "store")
                #expect(object.number("salary") == 50)
                object.setValue((object.number("salary") ?? 0) + 1, forKey: "salary")
            }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            #expect(object.number("salary") == 51)
            #expect(!context.hasChanges)
            try #require(try stored(stack) == ["store 51"])
        }
    }

    @Test("Without super the object stands as the policy leaves it, even under the error type", arguments: StoreKind.allCases, [
        NSMergePolicyType.errorMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func instead(kind: StoreKind, type: NSMergePolicyType) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: type)
            policy.callsSuper = false
            policy.before = { conflict in
                guard let conflict = conflict as? NSMergeConflict else { return }
                let theirs = conflict.cachedSnapshot?["name"] as? String ?? "?"
                conflict.sourceObject.setValue("\(theirs)+\(conflict.sourceObject.text("name") ?? "?")", forKey: "name")
            }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            #expect(!context.hasChanges)
            try #require(try stored(stack) == ["store+memory 10"])
        }
    }

    @Test("A refresh inside the policy is enough to settle a conflict", arguments: StoreKind.allCases)
    func refreshing(kind: StoreKind) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: .errorMergePolicyType)
            policy.callsSuper = false
            policy.before = { ($0 as? NSMergeConflict).map { context.refresh($0.sourceObject, mergeChanges: true) } }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            try #require(try stored(stack) == ["memory 50"])
        }
    }

    @Test("Deleting the object inside the policy deletes its row", arguments: StoreKind.allCases)
    func deleting(kind: StoreKind) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            policy.before = { ($0 as? NSMergeConflict).map { context.delete($0.sourceObject) } }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            try context.save()
            #expect(try stored(stack).isEmpty)
            #expect(object.managedObjectContext == nil)
        }
    }

    @Test("A policy's own error comes out of the save, which leaves everything pending", arguments: StoreKind.allCases)
    func refusing(kind: StoreKind) throws {
        try race(kind) { stack, context, object in
            let policy = Custom(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            policy.before = { _ in throw Refused() }
            context.mergePolicy = policy
            object.setValue("memory", forKey: "name")
            #expect(throws: Refused.self) { try context.save() }
            #expect(object.text("name") == "memory")
            #expect(context.hasChanges)
            try #require(try stored(stack) == ["store 50"])
        }
    }

    // MARK: Constraints

    private func upsert(_ kind: StoreKind, _ policy: NSMergePolicy, _ values: [String: Any]) throws -> [String] {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "old", "stock": 9]) }
        try stack.run { context in
            context.mergePolicy = policy
            context.make("Product", values)
            try context.save()
            #expect(!context.hasChanges)
        }
        return try stack.reopened().run { context in
            try context.all("Product").map { "\($0.text("name") ?? "-") \($0.number("stock") ?? -1)" }
        }
    }

    @Test("UC02: A policy may copy stored values into the new object before super", arguments: StoreKind.allCases)
    func copyingBack(kind: StoreKind) throws {
        let policy = Custom(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.before = { conflict in
            guard let conflict = conflict as? NSConstraintConflict, let stored = conflict.databaseObject else { return }
            for object in conflict.conflictingObjects where object.text("name") == nil {
                object.setValue(stored.text("name"), forKey: "name")
            }
        }
        #expect(try upsert(kind, policy, ["code": 1, "stock": 3]) == ["old 3"])
    }

    @Test("UC02: After super the database object is the one that stays, with the new values", arguments: StoreKind.allCases)
    func afterConstraint(kind: StoreKind) throws {
        let policy = Custom(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        policy.after = { conflict in
            guard let conflict = conflict as? NSConstraintConflict, let stored = conflict.databaseObject else { return }
            #expect(stored.text("name") == "new")
            #expect(conflict.databaseSnapshot?["name"] as? String == "old")
            stored.setValue(stored.text("name").map { $0 + "!" }, forKey: "name")
        }
        #expect(try upsert(kind, policy, ["code": 1, "name": "new", "stock": 3]) == ["new! 3"])
    }

    @Test("UC01: Without super, changing the values that collide is enough", arguments: StoreKind.allCases)
    func renumbering(kind: StoreKind) throws {
        let policy = Custom(merge: .errorMergePolicyType)
        policy.callsSuper = false
        policy.before = { ($0 as? NSConstraintConflict)?.conflictingObjects.first?.setValue(2, forKey: "code") }
        #expect(try upsert(kind, policy, ["code": 1, "name": "new"]) == ["new 5", "old 9"])
    }

    @Test("UC01: Without super, deleting the new object is enough", arguments: StoreKind.allCases)
    func deletingTheNew(kind: StoreKind) throws {
        let policy = Custom(merge: .errorMergePolicyType)
        policy.callsSuper = false
        policy.before = { conflict in
            for object in (conflict as? NSConstraintConflict)?.conflictingObjects ?? [] { object.managedObjectContext?.delete(object) }
        }
        #expect(try upsert(kind, policy, ["code": 1, "name": "new"]) == ["old 9"])
    }

    @Test("A policy that settles nothing ends the save with 133021, not in a loop", arguments: StoreKind.allCases)
    func idle(kind: StoreKind) throws {
        let policy = Custom(merge: .errorMergePolicyType)
        policy.callsSuper = false
        #expect(try failure { _ = try upsert(kind, policy, ["code": 1]) }.code == NSManagedObjectConstraintMergeError)
    }
}
