import CoreDataSchema
import CoreDataStorage
import Foundation

/// A store the program writes itself: subclass it, register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`, and add a store of that type.
///
/// The coordinator calls one method at a time, on the queue of the context that asks.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    /// The UUID for a store that does not exist yet. Default a random one.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Answers a fetch, or carries out a save; must be overridden.
    ///
    /// A fetch gives `[NSManagedObject]` (made with `context.object(with:)`), `[NSManagedObjectID]`, `[[String: Any]]` or a
    /// count (`NSNumber`, or an array of one), as the request's result type says; a save gives an empty array. A save
    /// request with empty sets asks for the metadata to be written. What it throws comes out of `fetch(_:)` or `save()`.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        throw missing("execute(_:with:)")
    }

    /// The values of a record; must be overridden. Throw 133000 (`NSManagedObjectReferentialIntegrityError`) for one that does
    /// not exist.
    open func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws -> NSIncrementalStoreNode {
        throw missing("newValuesForObject(with:with:)")
    }

    /// The destination of a to-one (`NSManagedObjectID`, or `NSNull`), or those of a to-many (`[NSManagedObjectID]`, in order
    /// when it is ordered); must be overridden by stores whose entities have relationships.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw missing("newValue(forRelationship:forObjectWith:with:)")
    }

    /// Permanent IDs for objects about to be saved, in their order; must be overridden by stores that can be written to.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw missing("obtainPermanentIDs(for:)")
    }

    /// Told when contexts take objects of this store into use.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Told when contexts no longer use objects of this store.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// The ID of a record: the same entity and reference (a string, a number, or what prints unmistakably) give the same ID.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        guard let index = rows.runtime.resolved.indexByName[entity.name ?? ""] else {
            raise(.invalidArgument, "The store’s model has no entity “\(entity.name ?? "")”.")
        }
        return rows.objectID(for: rows.references.key(for: data, entity: index))
    }

    /// The reference an ID of this store was made with.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        guard let key = localKey(of: objectID), let reference = rows.references.reference(of: key.primaryKey) else {
            raise(.invalidArgument, "The object ID \(objectID.uriRepresentation()) is not one of this store’s.")
        }
        return reference
    }

    // MARK: For the engine

    /// What every store of the program's own is behind the contract.
    final var rows: IncrementalRowStore {
        guard let rows = rowStore as? IncrementalRowStore else {
            preconditionFailure("an incremental store was made with another store's rows")
        }
        return rows
    }

    override var archivesObjects: Bool { false }
    override var namesItsObjects: Bool { true }

    override func referenceText(of key: RowKey) -> String? { rows.references.text(of: key.primaryKey) }

    override func key(forReferenceText text: String, entity: Int) -> RowKey? {
        RowKey(primaryKey: rows.references.key(forText: text, entity: entity), entity: Int32(entity), store: rows.number)
    }

    override func reserveKeys(for objects: [NSManagedObject]) throws -> [RowKey] {
        let ids = try obtainPermanentIDs(for: objects)
        let keys = ids.compactMap { localKey(of: $0) }
        guard keys.count == objects.count else {
            throw StoreError.invalidRequest("The store \(Swift.type(of: self)) gave \(keys.count) permanent IDs of its own for "
                + "\(objects.count) objects. obtainPermanentIDs(for:) must give one for each, made with newObjectID(for:referenceObject:).")
        }
        return keys
    }

    private func localKey(of objectID: NSManagedObjectID) -> RowKey? {
        guard !objectID.isTemporaryID, objectID.storeIdentifier == identifier, let text = objectID.referenceText,
              let index = rows.runtime.resolved.indexByName[objectID.entity.name ?? ""]
        else { return nil }
        return key(forReferenceText: text, entity: index)
    }

    private func missing(_ method: String) -> NSError {
        ErrorTranslation.error(StoreError.unsupported("The store class \(Swift.type(of: self)) does not override \(method)."))
    }
}
