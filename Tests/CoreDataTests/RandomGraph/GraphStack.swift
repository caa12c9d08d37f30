import CoreData
import Foundation

/// A coordinator in memory over the random test's model, for the small tests of what it found.
struct GraphStack {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RandomModel.make())

    init() throws {
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
    }

    /// A context on the coordinator, or below another.
    func context(below parent: NSManagedObjectContext? = nil, undo: Bool = false, merges: Bool = false) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        if let parent { context.parent = parent } else { context.persistentStoreCoordinator = coordinator }
        context.automaticallyMergesChangesFromParent = merges
        if undo { context.performAndWait { context.undoManager = UndoManager() } }
        return context
    }
}

extension NSManagedObjectContext {
    func insert(_ kind: Kind, number: Int = 0) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: kind.name, into: self)
        object.setValue(number, forKey: "number")
        return object
    }
}

extension NSManagedObject {
    func numbers(_ relationship: String) -> [Int] {
        let members: [Any] = switch value(forKey: relationship) {
        case let ordered as NSOrderedSet: ordered.array
        case let set as NSSet: set.allObjects
        case let one?: [one]
        case nil: []
        }
        return members.compactMap { ($0 as? NSManagedObject)?.value(forKey: "number") as? Int }
    }
}
