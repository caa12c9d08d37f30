import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Names one object of one store, in any context and on any thread.
///
/// An unsaved object has a temporary ID; saving gives it another, permanent one, which is not equal to the first.
///
/// Unchecked Sendable: everything is set when it is made.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
    /// The row. `key.entity` is the entity's index in its model, `key.store` the coordinator's number of the store.
    package let key: RowKey
    /// The store's UUID as in its metadata; nil while no store is chosen.
    package let storeIdentifier: String?
    /// What stands behind "p" in the URI where it is not the primary key: stores written by users choose it.
    package let referenceText: String?
    private let store: StoreAnchor?

    /// The object's entity.
    open private(set) var entity: NSEntityDescription

    package init(
        key: RowKey, entity: NSEntityDescription, storeIdentifier: String?, store: NSPersistentStore?,
        referenceText: String? = nil
    ) {
        self.key = key
        self.entity = entity
        self.storeIdentifier = storeIdentifier
        self.store = store?.anchor
        self.referenceText = referenceText
        super.init()
    }

    /// The store the object is in; nil for an unsaved object that is assigned to none, and once the store is removed.
    open var persistentStore: NSPersistentStore? {
        guard let store = store?.store, store.persistentStoreCoordinator != nil else { return nil }
        return store
    }

    /// Whether the object was not saved when the ID was taken.
    open var isTemporaryID: Bool { key.isTemporary }

    /// The ID as a URL: `x-coredata://store UUID/Entity/p1`, or `x-coredata:///Entity/t…` for a temporary one. Only the
    /// first kind means anything in another run of the program.
    open func uriRepresentation() -> URL {
        ObjectURI.url(storeIdentifier: storeIdentifier, entityName: entity.name ?? "", reference: reference)
    }

    private var reference: ObjectURI.Reference {
        if isTemporaryID { return .temporary(ObjectURI.temporaryText(key.primaryKey)) }
        return referenceText.map(ObjectURI.Reference.text) ?? .primaryKey(key.primaryKey)
    }

    /// IDs are equal when they name the same row of the same store, also across coordinators.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSManagedObjectID else { return false }
        if self === other { return true }
        if let referenceText {
            return referenceText == other.referenceText && storeIdentifier == other.storeIdentifier && entity.name == other.entity.name
        }
        guard key.primaryKey == other.key.primaryKey else { return false }
        if isTemporaryID { return true }
        return storeIdentifier == other.storeIdentifier && other.referenceText == nil
            && (entity === other.entity || entity.name == other.entity.name)
    }

    open override var hash: Int { referenceText?.hashValue ?? key.primaryKey.hashValue }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override var description: String { "<\(uriRepresentation().absoluteString)>" }
}

extension NSManagedObjectID: PredicateReferent {
    package var predicateKey: RowKey { key }
    package var predicateText: String { description }
    package var predicateSubject: (any PredicateSubject)? { self }
}
