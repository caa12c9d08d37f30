import CoreData
import Testing

@Suite("Merging along chains of contexts")
struct MergeChainTests {
    /// A stack whose context merges by itself, with a child and a grandchild that do.
    private static func chain(_ kind: StoreKind) throws -> (stack: Stack, contexts: [NSManagedObjectContext]) {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "old"]) }
        let child = stack.newChild(of: stack.context), grandchild = stack.newChild(of: child)
        let contexts = [stack.context, child, grandchild]
        for context in contexts { context.automaticallyMergesChangesFromParent = true }
        return (stack, contexts)
    }

    @Test("A save of another context reaches a child of a child when each context above it merges", arguments: StoreKind.allCases)
    func automatic(kind: StoreKind) throws {
        let (stack, contexts) = try Self.chain(kind)
        for context in contexts { try context.run { stack.held += try $0.all("Employee").map { _ = $0.text("name"); return $0 } } }
        try stack.seed { context in
            try context.only("Employee").setValue("new", forKey: "name")
            context.make("Employee", ["name": "second"])
        }
        for (context, object) in zip(contexts, stack.held) {
            let arrived = eventually { context.performAndWait { object.text("name") == "new" } }
            #expect(arrived)
            try context.run { #expect(!$0.hasChanges) }
        }
        try contexts[2].run { context in
            let names = try context.names("Employee")
            #expect(names == ["new", "second"])
        }
        try stack.seed { context in try context.all("Employee").filter { $0.text("name") == "new" }.forEach(context.delete) }
        for (context, object) in zip(contexts, stack.held) {
            let isGone = eventually { context.performAndWait { object.isDeleted || object.managedObjectContext == nil } }
            #expect(isGone)
        }
    }

    @Test("What a parent merges by hand reaches its child once; a child that does not merge stays as it was")
    func byHand() throws {
        let (stack, contexts) = try Self.chain(.sqlite)
        contexts[0].automaticallyMergesChangesFromParent = false
        contexts[2].automaticallyMergesChangesFromParent = false
        for context in contexts { try context.run { stack.held += try $0.all("Employee").map { _ = $0.text("name"); return $0 } } }
        let notes = Recorder(.NSManagedObjectContextObjectsDidChange, of: contexts[1])
        let other = stack.newContext()
        let identifier = try other.run { context in
            let person = try context.only("Employee")
            person.setValue("new", forKey: "name")
            try context.save()
            return person.objectID
        }
        try stack.run { _ in #expect(stack.held[0].text("name") == "old") }
        // Parent and child both named: the child is told once.
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [identifier]], into: [contexts[1], contexts[0]])
        contexts[1].performAndWait { #expect(stack.held[1].text("name") == "new") }
        Thread.sleep(forTimeInterval: 0.05)
        contexts[1].performAndWait { #expect(notes.notes.count == 1) }
        contexts[2].performAndWait { #expect(stack.held[2].text("name") == "old") }
        try other.run { context in
            try context.only("Employee").setValue("newer", forKey: "name")
            try context.save()
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [identifier]], into: [contexts[0]])
        let arrived = eventually { contexts[1].performAndWait { stack.held[1].text("name") == "newer" } }
        #expect(arrived)
    }

    @Test("All objects invalidated elsewhere: each shows the store's newest values, under its own changes", arguments: StoreKind.allCases, [false, true])
    func invalidated(kind: StoreKind, asNote: Bool) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { for name in ["a", "b"] { $0.make("Employee", ["name": name]) } }
        try stack.run { context in
            let a = try context.named("a", "Employee"), b = try context.named("b", "Employee")
            b.setValue("mine", forKey: "name")
            let update = NSBatchUpdateRequest(entityName: "Employee")
            update.propertiesToUpdate = ["name": "theirs"]
            try context.execute(update)
            if asNote {
                context.mergeChanges(fromContextDidSave: Notification(
                    name: .NSManagedObjectContextObjectsDidChange, object: nil, userInfo: [NSInvalidatedAllObjectsKey: [a.objectID]]))
            } else {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInvalidatedAllObjectsKey: [Any]()], into: [context])
            }
            #expect(a.text("name") == "theirs" && b.text("name") == "mine")
            context.refresh(b, mergeChanges: false)
            #expect(b.text("name") == "theirs")
        }
    }
}
