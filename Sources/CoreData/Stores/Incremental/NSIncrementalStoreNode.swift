import CoreDataSchema
import CoreDataStorage
import Foundation

/// One record as a store of the program's own hands it out: attribute values, and to-one destinations as object IDs.
open class NSIncrementalStoreNode: NSObject {
    open private(set) var objectID: NSManagedObjectID
    /// Counts the record's changes: a save that started from an older version is a conflict for the store to find.
    open private(set) var version: UInt64
    private var values: [String: Any]

    /// `values` by property name. `NSNull` and a missing attribute are nil; a to-one that is missing is asked for with
    /// `newValue(forRelationship:forObjectWith:with:)`.
    public init(objectID: NSManagedObjectID, withValues values: [String: Any], version: UInt64) {
        self.objectID = objectID
        self.values = values
        self.version = version
    }

    /// Replaces the values named, and the version.
    open func update(withValues values: [String: Any], version: UInt64) {
        self.values.merge(values) { $1 }
        self.version = version
    }

    /// The value of a property: nil when it is not known, `NSNull` when it is known to be nil.
    open func value(for property: NSPropertyDescription) -> Any? { values[property.name] }

    /// The value by name, for the engine.
    final func value(named name: String) -> Any? { values[name] }
}
