import CoreData
import Foundation
import Testing

@Suite("API surface: contexts and objects")
struct ContextSurfaceTests {
    private func insert(_ name: String, in context: NSManagedObjectContext) -> SurfacePerson {
        let person = SurfacePerson(context: context)
        person.name = name
        return person
    }

    @Test("Objects are made, changed, asked, saved, refreshed and deleted")
    func objects() throws {
        let container = try SurfaceModel.container(), context = container.newBackgroundContext()
        defer { try? SurfaceModel.remove(container) }
        try context.performAndWait {
            let person = insert("Ada", in: context), entity = NSEntityDescription.entity(forEntityName: "SurfaceTag", in: context)!
            let tag = NSManagedObject(entity: entity, insertInto: context)
            tag.setValue("t", forKey: "name")
            let other = NSEntityDescription.insertNewObject(forEntityName: "SurfacePerson", into: context)
            #expect(other.entity.name == "SurfacePerson" && SurfacePerson.entity().name == "SurfacePerson" && person.managedObjectContext === context)
            person.mutableSetValue(forKey: "tags").add(tag)
            person.mutableOrderedSetValue(forKey: "staff").add(other)
            person.setValue(other, forKey: "boss")
            person.setValue(nil, forKey: "boss")
            #expect(person.isInserted && !person.isUpdated && !person.isDeleted && !person.isFault && person.objectID.isTemporaryID)
            #expect(context.hasChanges && context.insertedObjects.count == 3 && context.registeredObjects.contains(person))
            try context.obtainPermanentIDs(for: [person])
            #expect(!person.objectID.isTemporaryID && person.changedValues()["name"] as? String == "Ada")
            try context.save()
            #expect(person.log.contains("willSave") && (person.value(forKey: "tags") as? NSSet)?.count == 1 && (person.value(forKey: "staff") as? NSOrderedSet)?.count == 1)
            #expect(person.committedValues(forKeys: ["name"])["name"] as? String == "Ada" && person.value(forKeyPath: "tags.name") is NSSet)
            person.name = "Bob"
            #expect(person.hasPersistentChangedValues && context.updatedObjects == [person])
            context.refresh(person, mergeChanges: false)
            #expect(person.isFault && person.name == "Ada")
            let uri = person.objectID.uriRepresentation()
            #expect(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) == person.objectID)
            #expect(person.objectID.persistentStore === container.persistentStoreCoordinator.persistentStores.first)
            #expect(try context.existingObject(with: person.objectID) === person && context.object(with: person.objectID) === person)
            #expect(context.registeredObject(for: person.objectID) === person)
            context.refreshAllObjects()
            context.delete(person)
            context.processPendingChanges()
            #expect(context.deletedObjects.contains(person) && person.log.contains("prepareForDeletion"))
            context.rollback()
            context.reset()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test("Contexts have parents, names, undo, policies; work is performed in all forms")
    func contexts() async throws {
        let container = try SurfaceModel.container()
        defer { try? SurfaceModel.remove(container) }
        let context = container.newBackgroundContext()
        context.name = "work"
        context.transactionAuthor = "surface"
        context.automaticallyMergesChangesFromParent = true
        context.shouldDeleteInaccessibleFaults = true
        context.retainsRegisteredObjects = false
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.undoManager = UndoManager()
        #expect(context.concurrencyType == .privateQueueConcurrencyType && container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        try await child.perform {
            _ = self.insert("Child", in: child)
            try child.save()
        }
        let count = try await context.perform(schedule: .enqueued) {
            context.userInfo["key"] = "value"
            context.undo()
            context.redo()
            try context.save()
            return try context.count(for: NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson"))
        }
        #expect(count == 1)
        let background = try await container.performBackgroundTask { try $0.count(for: NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")) }
        #expect(background == 1)
        await withCheckedContinuation { continuation in context.perform { continuation.resume() } }
        await withCheckedContinuation { continuation in container.performBackgroundTask { _ in continuation.resume() } }
        let value: Int = context.performAndWait { context.registeredObjects.count }
        #expect(value >= 0)
    }

    @Test("Notifications, their keys, and merging them")
    func notifications() throws {
        let container = try SurfaceModel.container(), context = container.newBackgroundContext(), other = container.newBackgroundContext()
        defer { try? SurfaceModel.remove(container) }
        nonisolated(unsafe) var keys: Set<String> = []
        let center = NotificationCenter.default
        let tokens = [
            Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
            NSManagedObjectContext.didSaveObjectsNotification, NSManagedObjectContext.didMergeChangesObjectIDsNotification,
        ].map { name in
            center.addObserver(forName: name, object: context, queue: nil) { note in
                for (key, value) in note.userInfo ?? [:] where value is NSSet || value is Set<NSManagedObject> { keys.insert("\(key)") }
                if note.name == .NSManagedObjectContextDidSave { other.performAndWait { other.mergeChanges(fromContextDidSave: note) } }
            }
        }
        defer { for token in tokens { center.removeObserver(token) } }
        try context.performAndWait {
            let person = insert("Ada", in: context)
            try context.save()
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: [person.objectID]], into: [other])
        }
        #expect(keys.contains(NSInsertedObjectsKey))
        let known = [NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey, NSInvalidatedAllObjectsKey]
        #expect(Set(known).count == 5 && NSAddedPersistentStoresKey != NSRemovedPersistentStoresKey)
        let names: [Notification.Name] = [
            .NSPersistentStoreRemoteChange, .NSPersistentStoreCoordinatorStoresDidChange, .NSPersistentStoreCoordinatorStoresWillChange,
            .NSPersistentStoreCoordinatorWillRemoveStore,
        ]
        #expect(Set(names).count == 4)
    }

    @Test("Errors of validation and of conflicts are read as public code reads them")
    func errors() throws {
        let container = try SurfaceModel.container(), context = container.newBackgroundContext()
        defer { try? SurfaceModel.remove(container) }
        context.performAndWait {
            let person = insert("", in: context)
            do {
                try context.save()
                Issue.record("saved")
            } catch let error as NSError {
                #expect(error.code == NSManagedObjectValidationError && error.userInfo[NSValidationObjectErrorKey] as? SurfacePerson === person)
                #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name" && error.userInfo[NSDetailedErrorsKey] == nil)
            }
            do { try person.validateForInsert() } catch let error as CocoaError { #expect(error.code.rawValue == NSManagedObjectValidationError) } catch {}
        }
        let codes = [
            NSValidationMultipleErrorsError, NSValidationMissingMandatoryPropertyError, NSValidationNumberTooLargeError, NSValidationNumberTooSmallError,
            NSManagedObjectMergeError, NSPersistentStoreIncompatibleVersionHashError, NSMigrationMissingSourceModelError, NSPersistentHistoryTokenExpiredError,
        ]
        #expect(codes == [1560, 1570, 1610, 1620, 133020, 134100, 134130, 134301])
        #expect(NSValidationPredicateErrorKey != NSPersistentStoreSaveConflictsErrorKey)
        final class Policy: NSMergePolicy, @unchecked Sendable {
            override func resolve(mergeConflicts list: [Any]) throws { try super.resolve(mergeConflicts: list) }
            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws { try super.resolve(optimisticLockingConflicts: list) }
            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws { try super.resolve(constraintConflicts: list) }
        }
        #expect(Policy(merge: .errorMergePolicyType).mergeType == .errorMergePolicyType)
        let types: [NSMergePolicyType] = [.mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType, .rollbackMergePolicyType]
        #expect(types.count == 3 && (NSOverwriteMergePolicy as AnyObject) !== (NSMergeByPropertyStoreTrumpMergePolicy as AnyObject))
    }
}
