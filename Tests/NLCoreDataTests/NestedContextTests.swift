import NLCoreData
import Testing

@Suite struct NestedContextTests {
    @Test("NL10: background → main → store → coordinator; made once, each on its queue")
    func family() throws {
        try withOffice { stack in
            #expect(stack.backgroundContext.parent === stack.mainContext)
            #expect(stack.mainContext.parent === stack.storeContext)
            #expect(stack.storeContext.parent == nil)
            #expect(stack.storeContext.persistentStoreCoordinator === stack.storeCoordinator)
            #expect(stack.backgroundContext === NSManagedObjectContext.backgroundContext)
            #expect(stack.mainContext === NSManagedObjectContext.mainContext)
            #expect(stack.storeContext === NSManagedObjectContext.storeContext)
            // §1.3, issue 8: copy and paste once made all three main-queue contexts.
            #expect(stack.storeContext.concurrencyType == .privateQueueConcurrencyType)
            #expect(stack.mainContext.concurrencyType == .mainQueueConcurrencyType)
            #expect(stack.backgroundContext.concurrencyType == .privateQueueConcurrencyType)
        }
    }

    @Test("NL11: a save goes one level up, saveNested() to the store", arguments: StoreKind.allCases)
    func levels(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            let background = stack.backgroundContext
            try await background.perform {
                try Person.insert(in: background)
                try background.save()
            }
            try onMain(stack) {
                let count = try Person.count(in: stack.mainContext)
                #expect(count == 1 && stack.mainContext.hasChanges)
            }
            #expect(try await stack.performBackgroundTask { try Person.count(in: $0) } == 0)
            try await background.saveNested(timeout: 60)
            #expect(try await stack.performBackgroundTask { try Person.count(in: $0) } == 1, "climbs though the receiver had no changes")
        }
    }

    @Test("NL11: a failure on the way is thrown, and what is above stays unsaved")
    func failure() async throws {
        try await withOffice { stack in
            let background = stack.backgroundContext
            try onMain(stack) { _ = try Department.insert(in: stack.mainContext) }
            try await background.perform { _ = try Person.insert(in: background) }
            await #expect(throws: (any Error).self) { try await background.saveNested(timeout: 60) }
            #expect(try await stack.performBackgroundTask { try Person.count(in: $0) } == 0)
        }
    }

    @Test("NL12, §1.3: the callback comes exactly once, true after the last ancestor")
    func callback() async throws {
        try await withOffice { stack in
            let background = stack.backgroundContext, calls = Calls<Bool>()
            try await background.perform {
                try Person.insert(in: background)
                background.saveNested { success in calls.note(success) }
            }
            await waitUntil { !calls.all.isEmpty }
            #expect(calls.all == [true])
            #expect(try await stack.performBackgroundTask { try Person.count(in: $0) } == 1)
            try await Task.sleep(for: .milliseconds(50))
            #expect(calls.all == [true])
        }
    }

    @Test("NL12, §1.3: on a failure in a parent the callback comes once, with false, and the error is reported")
    func failedCallback() async throws {
        try await withOffice { stack in
            let reported = Reported(of: stack)
            let background = stack.backgroundContext, calls = Calls<Bool>()
            try onMain(stack) { _ = try Department.insert(in: stack.mainContext) }
            try await background.perform {
                try Person.insert(in: background)
                background.saveNestedAsynchronous { success in calls.note(success) }
            }
            await waitUntil { !calls.all.isEmpty }
            try await Task.sleep(for: .milliseconds(50))
            #expect(calls.all == [false])
            #expect(reported.errors.count == 1)
        }
    }

    @Test("§1.3: saveNested() while main waits ends with an error, not a deadlock, and nothing is saved")
    func blockedMain() throws {
        try withOffice { stack in
            let background = stack.backgroundContext
            let outcome = Calls<NLCoreDataError?>()
            try onMain(stack) {
                background.perform {
                    do {
                        try Person.insert(in: background)
                        try background.saveNested(timeout: 0.2)
                        outcome.note(nil)
                    } catch { outcome.note(error as? NLCoreDataError) }
                }
                #expect(outcome.wait(), "main waits here")
            }
            #expect(outcome.all == [.threadDoesNotAnswer(name: "main thread", seconds: 0.2)])
            #expect(try Person.count() == 0)
        }
    }

    @Test("On main, a private context's block may save through the main context: main does not wait for itself")
    func throughMain() throws {
        try withOffice { stack in
            try onMain(stack) {
                let background = stack.backgroundContext
                try background.performAndWait {
                    try Person.insert(in: background)
                    try background.saveNested(timeout: 60)
                }
                try stack.newContext().performOn { context in
                    #expect(current() === stack.contextForThread(.main), "it is main's block still")
                    let count = try Person.count(in: context)
                    #expect(count == 1)
                }
            }
        }
    }

    @Test("Rebuilding gives new contexts of both families on the same coordinator")
    func rebuild() throws {
        try withOffice { stack in
            // §1.3: with nothing made yet it once went through a null pointer.
            stack.rebuildAllContexts()
            let old = [stack.storeContext, stack.mainContext, stack.backgroundContext, current()]
            let coordinator = stack.storeCoordinator
            NSManagedObjectContext.rebuildAllContexts()
            let new = [stack.storeContext, stack.mainContext, stack.backgroundContext, current()]
            for (old, new) in zip(old, new) { #expect(old !== new) }
            #expect(stack.storeCoordinator === coordinator)
        }
    }

    @Test("§1.3, issue 25: the merge policy of the contexts can be chosen")
    func mergePolicy() throws {
        try withOffice { stack in
            #expect((current().mergePolicy as? NSMergePolicy)?.mergeType == .errorMergePolicyType)
            stack.mergePolicy = .mergeByPropertyObjectTrump
            stack.rebuildAllContexts()
            for context in [stack.storeContext, stack.mainContext, stack.backgroundContext, current(), stack.newContext()] {
                #expect((context.mergePolicy as? NSMergePolicy)?.mergeType == .mergeByPropertyObjectTrumpMergePolicyType)
            }
        }
    }

    @Test("NL17: undo on makes an undo manager, off takes it")
    func undo() throws {
        try withOffice { stack in
            let context = stack.newContext()
            #expect(!context.isUndoEnabled)
            context.isUndoEnabled = true
            let manager = context.undoManager
            #expect(manager != nil)
            context.isUndoEnabled = true
            #expect(context.undoManager === manager)
            context.isUndoEnabled = false
            #expect(context.undoManager == nil)
        }
    }
}

/// Lets others work until the condition holds, five seconds at most.
func waitUntil(_ condition: () -> Bool) async {
    for _ in 0..<500 where !condition() { try? await Task.sleep(for: .milliseconds(10)) }
}
