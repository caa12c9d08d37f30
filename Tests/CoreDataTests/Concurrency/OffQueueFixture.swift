import CoreData
import Testing

/// A saved, loaded employee, held by a thread that is not in its context's queue.
struct OffQueueFixture {
    let context: NSManagedObjectContext
    let employee: NSManagedObject
    let department: NSManagedObject

    init() throws {
        let context = try RuntimeStack().context()
        (employee, department) = try context.performAndWait {
            let employee = context.hire("Ada")
            let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
            employee.setValue(department, forKey: "dept")
            try context.save()
            return (employee, department)
        }
        self.context = context
    }

    func touch(_ member: OffQueueMember) {
        let employee = employee
        switch member {
        case .value: _ = employee.value(forKey: "name")
        case .toOne: _ = employee.value(forKey: "dept")
        case .setValue: employee.setValue("Eve", forKey: "name")
        case .setToOne: employee.setValue(nil, forKey: "dept")
        case .primitiveValue: _ = employee.primitiveValue(forKey: "name")
        case .setPrimitiveValue: employee.setPrimitiveValue("Eve", forKey: "name")
        case .keyPath: _ = employee.value(forKeyPath: "dept.name")
        case .setKeyPath: employee.setValue("Sales", forKeyPath: "dept.name")
        case .setValues: employee.setValuesForKeys(["name": "Eve"])
        case .dictionary: _ = employee.dictionaryWithValues(forKeys: ["name"])
        case .willAccess: employee.willAccessValue(forKey: "name")
        case .didAccess: employee.didAccessValue(forKey: "name")
        case .willChange: employee.willChangeValue(forKey: "name")
        case .didChange: employee.didChangeValue(forKey: "name")
        case .changedValues: _ = employee.changedValues()
        case .committedValues: _ = employee.committedValues(forKeys: nil)
        case .eventValues: _ = employee.changedValuesForCurrentEvent()
        case .isInserted: _ = employee.isInserted
        case .isUpdated: _ = employee.isUpdated
        case .isDeleted: _ = employee.isDeleted
        case .hasChanges: _ = employee.hasChanges
        case .hasPersistentChanges: _ = employee.hasPersistentChangedValues
        case .hasFault: _ = employee.hasFault(forRelationshipNamed: "dept")
        case .objectIDs: _ = employee.objectIDs(forRelationshipNamed: "dept")
        case .validateInsert: try? employee.validateForInsert()
        case .validateUpdate: try? employee.validateForUpdate()
        case .validateDelete: try? employee.validateForDelete()
        case .validateValue: try? employee.validateValue("Eve", forKey: "name")
        case .generatedString: _ = employee._string(at: 0)
        case .generatedSetter: employee._setString("Eve", at: 0)
        case .generatedToOne: _ = employee._toOne(at: 3, as: NSManagedObject.self)
        }
    }

    func touch(_ member: OffQueueContextMember) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        switch member {
        case .insert: NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
        case .initialise:
            _ = NSManagedObject(entity: employee.entity, insertInto: context)
        case .delete: context.delete(employee)
        case .save: try context.save()
        case .fetch: _ = try context.fetch(request)
        case .count: _ = try context.count(for: request)
        case .execute: try context.execute(NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: nil))
        case .refresh: context.refresh(employee, mergeChanges: true)
        case .refreshAll: context.refreshAllObjects()
        case .reset: context.reset()
        case .rollback: context.rollback()
        case .undo: context.undo()
        case .redo: context.redo()
        case .process: context.processPendingChanges()
        case .hasChanges: _ = context.hasChanges
        case .inserted: _ = context.insertedObjects
        case .updated: _ = context.updatedObjects
        case .deleted: _ = context.deletedObjects
        case .registered: _ = context.registeredObjects
        case .objectWith: _ = context.object(with: employee.objectID)
        case .existing: _ = try context.existingObject(with: employee.objectID)
        case .registeredFor: _ = context.registeredObject(for: employee.objectID)
        case .obtain: try context.obtainPermanentIDs(for: [])
        case .merge:
            context.mergeChanges(fromContextDidSave: Notification(name: .NSManagedObjectContextDidSave))
        case .controller:
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            try NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil).performFetch()
        case .toMany: _ = department.value(forKey: "employees")
        case .mutableSet: _ = department.mutableSetValue(forKey: "employees")
        }
    }
}

enum OffQueueMember: String, CaseIterable, Codable {
    case value, toOne, setValue, setToOne, primitiveValue, setPrimitiveValue, keyPath, setKeyPath, setValues, dictionary, willAccess,
         didAccess, willChange, didChange, changedValues, committedValues, eventValues, isInserted, isUpdated, isDeleted, hasChanges,
         hasPersistentChanges, hasFault, objectIDs, validateInsert, validateUpdate, validateDelete, validateValue, generatedString,
         generatedSetter, generatedToOne
}

enum OffQueueContextMember: String, CaseIterable, Codable {
    case insert, initialise, delete, save, fetch, count, execute, refresh, refreshAll, reset, rollback, undo, redo, process, hasChanges,
         inserted, updated, deleted, registered, objectWith, existing, registeredFor, obtain, merge, controller, toMany, mutableSet
}
