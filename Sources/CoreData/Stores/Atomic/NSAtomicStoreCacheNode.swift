import Foundation

/// One record of an atomic store of the program's own: attribute values, and relationships as other nodes.
open class NSAtomicStoreCacheNode: NSObject {
    open private(set) var objectID: NSManagedObjectID

    /// Values by property name: attributes as objects, a to-one as a node, a to-many as a set of nodes (an ordered one as an ordered
    /// set or array). nil until the first value is set.
    open var propertyCache: NSMutableDictionary?

    public init(objectID moid: NSManagedObjectID) { objectID = moid }

    /// A value by property name; nil when there is none. A name the entity does not have stops the program.
    open func value(forKey key: String) -> Any? {
        checkName(key)
        guard let value = propertyCache?[key], !(value is NSNull) else { return nil }
        return value
    }

    open func setValue(_ value: Any?, forKey key: String) {
        checkName(key)
        let cache = propertyCache ?? NSMutableDictionary()
        if let value { cache[key] = value } else { cache.removeObject(forKey: key) }
        propertyCache = cache
    }

    private func checkName(_ key: String) {
        guard objectID.entity.propertiesByName[key] == nil else { return }
        raise(.unknownKey, "the entity \(objectID.entity.name ?? "") has no property “\(key)”.")
    }
}
