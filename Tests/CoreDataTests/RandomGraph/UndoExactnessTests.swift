import CoreData
import Testing

@Suite("Undo is exact")
struct UndoExactnessTests {
    @Test("What was inserted and deleted in one event stays away through undo and redo")
    func insertedAndDeletedAtOnce() throws {
        let context = try GraphStack().context(undo: true)
        context.performAndWait {
            context.delete(context.insert(.beta))
            context.processPendingChanges()
            context.undo()
            context.redo()
            #expect(context.insertedObjects.isEmpty)
            #expect(!context.hasChanges)
        }
    }

    @Test("Deleting an object that is a fault is undone")
    func deletedFault() throws {
        let stack = try GraphStack(), context = stack.context(undo: true)
        try context.performAndWait {
            let beta = context.insert(.beta, number: 1)
            try context.save()
            context.refresh(beta, mergeChanges: false)
            context.undoManager?.removeAllActions()
            context.delete(beta)
            context.undo()
            #expect(!beta.isDeleted)
            #expect(beta.value(forKey: "number") as? Int == 1)
            #expect(context.deletedObjects.isEmpty)
        }
    }

    @Test("An object whose saved deletion is undone is found by everything that named it before")
    func savedDeletion() throws {
        let stack = try GraphStack(), context = stack.context(undo: true)
        try context.performAndWait {
            let alpha = context.insert(.alpha, number: 1), beta = context.insert(.beta, number: 2)
            context.processPendingChanges()
            beta.setValue(alpha, forKey: "boss")
            context.processPendingChanges()
            beta.setValue(nil, forKey: "boss")
            try context.save()
            context.delete(alpha)
            try context.save()
            context.undo()
            // Back before `boss` was set to nil, which named an object that has been away since.
            context.undo()
            #expect(beta.numbers("boss") == [1])
            #expect(alpha.numbers("helpers") == [2])
            try context.save()
            let reader = stack.context()
            try reader.performAndWait {
                let stored = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beta"))
                #expect(stored.first?.numbers("boss") == [1])
            }
        }
    }

    @Test("Redo of an insertion keeps the permanent ID the object had been given")
    func permanentID() throws {
        let context = try GraphStack().context(undo: true)
        try context.performAndWait {
            let gamma = context.insert(.gamma, number: 1)
            gamma.setValue(NSOrderedSet(array: [gamma]), forKey: "circle")
            try context.obtainPermanentIDs(for: [gamma])
            let identifier = gamma.objectID
            context.undo()
            context.redo()
            #expect(gamma.objectID == identifier)
            #expect(gamma.numbers("circle") == [1])
            #expect(context.deletedObjects.isEmpty)
        }
    }

    @Test("Permanent IDs given in the middle of an event are the ones undo goes back to")
    func permanentIDInEvent() throws {
        let stack = try GraphStack(), context = stack.context(undo: true)
        try context.performAndWait {
            let gamma = context.insert(.gamma, number: 1), beta = context.insert(.beta, number: 2)
            gamma.setValue(gamma, forKey: "shadow")
            gamma.setValue(Set([beta]), forKey: "wild")
            context.processPendingChanges()
            gamma.setValue(nil, forKey: "shadow")
            gamma.setValue(Set<NSManagedObject>(), forKey: "wild")
            try context.obtainPermanentIDs(for: [gamma, beta])
            context.undo()
            #expect(gamma.numbers("shadow") == [1])
            #expect(gamma.numbers("shadowOf") == [1])
            #expect(gamma.numbers("wild") == [2])
            #expect(context.deletedObjects.isEmpty)
            try context.save()
            context.redo()
            #expect(gamma.numbers("shadow") == [])
            #expect(gamma.numbers("wild") == [])
        }
    }

    @Test("Getting a permanent ID is no change of the current event")
    func permanentIDChangesNothing() throws {
        let context = try GraphStack().context()
        try context.performAndWait {
            let gamma = context.insert(.gamma, number: 1)
            gamma.setValue(gamma, forKey: "shadow")
            context.processPendingChanges()
            gamma.setValue("title", forKey: "title")
            try context.obtainPermanentIDs(for: [gamma])
            #expect(Array(gamma.changedValuesForCurrentEvent().keys) == ["title"])
        }
    }

    @Test("An object that is back after a saved deletion is not deleted by a context that tells of the deletion late")
    func lateDeletion() throws {
        let context = try GraphStack().context(undo: true)
        try context.performAndWait {
            let beta = context.insert(.beta, number: 1)
            try context.save()
            context.delete(beta)
            try context.save()
            context.undo()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: [beta.objectID]], into: [context])
            #expect(context.insertedObjects == [beta])
            #expect(context.deletedObjects.isEmpty)
            #expect(beta.value(forKey: "number") as? Int == 1)
        }
    }

    @Test("A step that finds nothing to change is a step: the one before it is not undone in its place")
    func emptyStep() throws {
        let context = try GraphStack().context(undo: true)
        try context.performAndWait {
            let alpha = context.insert(.alpha)
            try context.save()
            context.delete(alpha)
            context.processPendingChanges()
            context.delete(context.insert(.gamma))
            context.processPendingChanges()
            context.undo()
            context.redo()
            context.undo()
            #expect(alpha.isDeleted)
        }
    }

    @Test("A relationship that was never read is put back from its other side, after a save too")
    func unreadRelationship() throws {
        let context = try GraphStack().context(undo: true)
        try context.performAndWait {
            let alpha = context.insert(.alpha, number: 1), beta = context.insert(.beta, number: 2)
            try context.save()
            context.refresh(alpha, mergeChanges: false)
            beta.setValue(alpha, forKey: "boss")
            try context.save()
            context.undo()
            #expect(beta.numbers("boss") == [])
            #expect(alpha.numbers("helpers") == [])
            context.redo()
            #expect(alpha.numbers("helpers") == [2])
        }
    }

    @Test("Undo leaves alone what a merge brought")
    func mergedMeanwhile() throws {
        let stack = try GraphStack(), here = stack.context(undo: true, merges: true), elsewhere = stack.context()
        let alpha = try here.performAndWait {
            let alpha = here.insert(.alpha, number: 1)
            try here.save()
            alpha.setValue("mine", forKey: "title")
            alpha.setValue(Set([here.insert(.beta, number: 2)]), forKey: "helpers")
            try here.save()
            return alpha
        }
        try elsewhere.performAndWait {
            let other = try #require(elsewhere.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first)
            other.setValue(5, forKey: "count")
            elsewhere.insert(.beta, number: 3).setValue(other, forKey: "boss")
            try elsewhere.save()
        }
        here.performAndWait {}
        here.performAndWait {
            here.undo()
            #expect(alpha.value(forKey: "title") == nil)
            #expect(alpha.value(forKey: "count") as? Int == 5)
            #expect(alpha.numbers("helpers") == [3])
        }
    }

    @Test("An insertion undone after its save can be saved: nothing counts as its member any more")
    func savedInsertion() throws {
        let context = try GraphStack().context(undo: true)
        try context.performAndWait {
            let beta = context.insert(.beta, number: 1)
            try context.save()
            context.undoManager?.removeAllActions()
            context.insert(.gamma, number: 2).setValue(Set([beta]), forKey: "guards")
            try context.save()
            context.undo()
            #expect(beta.numbers("guarded") == [])
            try context.save()
            context.redo()
            #expect(beta.numbers("guarded") == [2])
        }
    }

    @Test("A saved deletion that is undone brings relationships back that were faults when it was saved")
    func savedDeletionOfFaults() throws {
        let stack = try GraphStack(), context = stack.context(undo: true)
        try context.performAndWait {
            let alpha = context.insert(.alpha, number: 1), beta = context.insert(.beta, number: 2)
            let gamma = context.insert(.gamma, number: 3)
            alpha.setValue(Set([beta]), forKey: "tags")
            alpha.setValue(NSOrderedSet(array: [gamma]), forKey: "sorted")
            beta.setValue(Set([beta]), forKey: "friends")
            try context.save()
            context.delete(alpha)
            context.delete(beta)
            context.processPendingChanges()
            context.refreshAllObjects()
            try context.save()
            context.undo()
            #expect(alpha.numbers("tags") == [2])
            #expect(alpha.numbers("sorted") == [3])
            #expect(beta.numbers("friends") == [2])
            #expect(beta.numbers("tagged") == [1])
            try context.save()
            let reader = stack.context()
            try reader.performAndWait {
                let stored = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first
                #expect(stored?.numbers("tags") == [2])
                #expect(stored?.numbers("sorted") == [3])
            }
        }
    }
}
