import CoreData
import Testing

@Suite("Keys in families of contexts")
struct ChildKeyTests {
    @Test("Two new objects that a child made and its grandparent saved are themselves afterwards, and name each other")
    func savedAbove() throws {
        let stack = try GraphStack(), root = stack.context()
        let middle = stack.context(below: root), child = stack.context(below: middle)
        let (alpha, beta) = try child.performAndWait {
            let alpha = child.insert(.alpha, number: 1), beta = child.insert(.beta, number: 2)
            beta.setValue(alpha, forKey: "mateOf")
            alpha.setValue([beta] as Set, forKey: "tags")
            try child.save()
            return (alpha, beta)
        }
        child.performAndWait {
            child.refreshAllObjects()
            #expect(alpha.numbers("tags") == [2])
            #expect(beta.numbers("mateOf") == [1])
        }
        try middle.performAndWait { try middle.save() }
        try root.performAndWait { try root.save() }
        let identifiers = root.performAndWait { Set(root.registeredObjects.map(\.objectID)) }
        try child.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Beta")
            let found = try child.fetch(request)
            #expect(found == [beta])
            #expect(beta.value(forKey: "mateOf") as? NSManagedObject === alpha)
            #expect((alpha.value(forKey: "tags") as? Set<NSManagedObject>) == [beta])
            #expect(!beta.objectID.isTemporaryID)
            #expect(identifiers.isEmpty || identifiers.contains(beta.objectID))
            #expect(child.object(with: alpha.objectID) === alpha)
        }
    }

    @Test("A new object that names a saved one shows it to a child")
    func unsavedNamesSaved() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root)
        try root.performAndWait {
            let alpha = root.insert(.alpha, number: 1)
            try root.save()
            root.insert(.beta, number: 2).setValue(alpha, forKey: "boss")
        }
        try child.performAndWait {
            let beta = try #require(child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beta")).first)
            let alpha = try #require(child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first)
            #expect(beta.value(forKey: "boss") as? NSManagedObject === alpha)
        }
    }

    @Test("A child that merges takes over what its parent added to an object they both knew before the first save")
    func newInBoth() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root, merges: true)
        let beta = try child.performAndWait {
            let beta = child.insert(.beta, number: 1)
            try child.save()
            return beta
        }
        try root.performAndWait {
            root.insertedObjects.first?.setValue(2, forKey: "count")
            try root.save()
        }
        child.performAndWait {}
        child.performAndWait { #expect(beta.value(forKey: "count") as? Int == 2) }
    }

    @Test("A parent hears nothing of what its child has not saved, whatever the child reads")
    func unsavedBelow() throws {
        let stack = try GraphStack(), root = stack.context()
        let child = stack.context(below: root, merges: true), other = stack.context(below: root)
        let beta = child.performAndWait { child.insert(.beta, number: 1) }
        try other.performAndWait {
            _ = other.insert(.beta, number: 2)
            try other.save()
        }
        child.performAndWait {}
        child.performAndWait { #expect(beta.numbers("friends") == []) }
        root.performAndWait {
            #expect(root.deletedObjects.isEmpty)
            #expect(root.insertedObjects.count == 1)
        }
    }

    @Test("Deleting an object whose permanent ID the parent has just got clears its inverses")
    func deletedUnderNewKey() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root)
        let (alpha, beta) = try child.performAndWait {
            let alpha = child.insert(.alpha, number: 1)
            try child.save()
            let beta = child.insert(.beta, number: 2)
            beta.setValue(NSOrderedSet(array: [alpha]), forKey: "right")
            return (alpha, beta)
        }
        try root.performAndWait { try root.obtainPermanentIDs(for: Array(root.insertedObjects)) }
        child.performAndWait {
            child.delete(alpha)
            child.processPendingChanges()
            #expect(beta.numbers("right") == [])
        }
    }

    @Test("Deleting an unsaved object that has a permanent ID leaves a parent alone that never heard of it")
    func deletedUnsavedUnderPermanentID() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root, undo: true, merges: true)
        let alpha = try child.performAndWait {
            let alpha = child.insert(.alphaLeaf, number: 1)
            child.processPendingChanges()
            try child.obtainPermanentIDs(for: [alpha])
            child.delete(alpha)
            child.undo()
            return alpha
        }
        try root.performAndWait {
            #expect(root.registeredObjects.isEmpty)
            #expect(!root.hasChanges)
            try root.save()
        }
        child.performAndWait {}
        child.performAndWait { #expect(child.insertedObjects == [alpha]) }
    }

    @Test("A child's save without changes leaves its parent's event open")
    func emptySave() throws {
        let stack = try GraphStack(), root = stack.context(undo: true), child = stack.context(below: root)
        root.performAndWait { _ = root.insert(.beta, number: 1) }
        try child.performAndWait {
            child.delete(child.insert(.beta, number: 2))
            try child.save()
        }
        root.performAndWait {
            _ = root.insert(.beta, number: 3)
            root.undo()
            #expect(!root.hasChanges)
        }
    }

    @Test("A child edits an object it made, after the parent saved it and its faults were dropped")
    func editedAfterSave() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root)
        try child.performAndWait {
            let beta = child.insert(.beta, number: 1)
            try child.save()
            beta.mutableSetValue(forKey: "ranked").intersect([])
            try root.performAndWait {
                try root.save()
                // Nobody holds the root's own object any more.
                #expect(root.registeredObjects.isEmpty)
            }
            child.refresh(beta, mergeChanges: false)
            beta.setValue(3, forKey: "count")
            #expect(child.updatedObjects == [beta])
            try child.save()
            root.performAndWait { #expect(root.updatedObjects.count == 1) }
        }
    }

    @Test("What a child took away from an object before deleting it does not go with it in the parent")
    func takenFromDeleted() throws {
        let stack = try GraphStack(), root = stack.context(), child = stack.context(below: root)
        try root.performAndWait {
            let gamma = root.insert(.gamma, number: 1), shadow = root.insert(.gamma, number: 2)
            gamma.setValue(shadow, forKey: "shadow")
            gamma.setValue(NSOrderedSet(object: root.insert(.gamma, number: 3)), forKey: "children")
            try root.save()
        }
        try child.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Gamma")
            request.predicate = NSPredicate(format: "number == 1")
            let gamma = try #require(child.fetch(request).first)
            gamma.setValue(nil, forKey: "shadow")
            gamma.setValue(NSOrderedSet(), forKey: "children")
            child.delete(gamma)
            try child.save()
        }
        try root.performAndWait {
            try root.save()
            #expect(try root.count(for: NSFetchRequest<NSManagedObject>(entityName: "Gamma")) == 2)
        }
    }
}
