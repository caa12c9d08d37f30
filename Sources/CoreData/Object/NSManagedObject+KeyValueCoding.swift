import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// What `value(forKey:)` answers: the class's own accessor is asked where there may be one, the slot is read otherwise.
    final func codedValue(forKey key: String) -> Any? {
        guard let property = runtime.resolved.property(named: key) else {
            return unmodeledValue(forKey: key) ?? value(forUndefinedKey: key)
        }
        let coding = classCoding
        if !coding.isPlain, let value = accessedValue(of: property, through: coding) { return value }
        return modeledValue(of: property)
    }

    final func modeledValue(of property: ResolvedProperty) -> Any? {
        switch property.storage {
        case .toOne: return related(at: property.slot)
        case .toMany:
            return property.relationship?.isOrdered == true
                ? orderedSet(at: property.slot) : NSSet(array: members(at: property.slot))
        case .fetched: return fetchedObjects(at: property.slot)
        default: return attributeObject(of: property)
        }
    }

    /// What `setValue(_:forKey:)` does: through the class's own accessor where there may be one.
    final func setCodedValue(_ value: Any?, forKey key: String) {
        guard let property = runtime.resolved.property(named: key) else {
            if !setUnmodeled(value, forKey: key) { setValue(value, forUndefinedKey: key) }
            return
        }
        let coding = classCoding
        if !coding.isPlain, access(value, property, through: coding) { return }
        if value == nil || value is NSNull, property.attribute != nil, !coding.isPlain, coding.paths[key] != nil {
            // The accessor's type has no nil.
            return setNilValueForKey(key)
        }
        setModeledValue(value, of: property)
    }

    final func setModeledValue(_ value: Any?, of property: ResolvedProperty) {
        switch property.storage {
        case .toOne: setRelated(destination(value, for: property), at: property.slot)
        case .toMany: setMembers(objects(in: value, for: property), at: property.slot)
        case .fetched:
            raise(.invalidArgument, "The fetched property “\(runtime.name).\(property.name)” cannot be set.")
        default: assign(accepted(value, for: property), to: property.slot)
        }
    }

    final func setNilModeledValue(forKey key: String) {
        guard let property = runtime.resolved.property(named: key) else {
            raise(.invalidArgument, "could not set nil as the value for the key “\(key)” of \(runtime.name): it cannot be nil.")
        }
        setModeledValue(nil, of: property)
    }

    /// The managed object a to-one is given, nil for nil; anything else stops the program.
    final func destination(_ value: Any?, for property: ResolvedProperty) -> NSManagedObject? {
        guard let value, !(value is NSNull) else { return nil }
        guard let object = value as? NSManagedObject else { refuse(value, for: property) }
        return object
    }

    /// The managed objects in a set, or in an ordered set for an ordered relationship; anything else stops the program.
    final func objects(in value: Any?, for property: ResolvedProperty) -> [NSManagedObject] {
        let isOrdered = property.relationship?.isOrdered == true
        switch value {
        case nil: return []
        case is NSNull: return []
        case let set as NSOrderedSet where isOrdered: return set.array.map { member($0, of: property) }
        case let set as NSSet where !isOrdered: return set.allObjects.map { member($0, of: property) }
        case let set as Set<NSManagedObject> where !isOrdered: return Array(set)
        case let set as Set<AnyHashable> where !isOrdered: return set.map { member($0.base, of: property) }
        case .some(let other): refuse(other, for: property)
        }
    }

    final func refuse(_ value: Any, for property: ResolvedProperty) -> Never {
        refuse(value, for: property, wanting: ValueBridging.desiredType(of: property))
    }

    /// Of an object that a to-many cannot have among its members, or a to-one for its object.
    final func refuse(member: Any, of property: ResolvedProperty) -> Never {
        refuse(member, for: property, wanting: property.relationship?.schema.destinationName ?? "NSManagedObject")
    }

    private final func refuse(_ value: Any, for property: ResolvedProperty, wanting desired: String) -> Never {
        let kind = property.storage == .toMany
            ? property.relationship?.isOrdered == true ? "ordered to-many relationship" : "to-many relationship" : "to-one relationship"
        let given = (value as? NSManagedObject).map { $0.runtime.name } ?? "\(type(of: value))"
        raise(.invalidArgument, "Unacceptable type of value for \(kind): property = \"\(property.name)\"; desired type = "
            + "\(desired); given type = \(given); value = \(value). (entity \(runtime.name))")
    }

    @available(*, unavailable, message: "A to-many of a managed object is a set: use mutableSetValue(forKey:) or mutableOrderedSetValue(forKey:).")
    public final func mutableArrayValue(forKey key: String) -> NSMutableArray { raise(.generic, "unavailable") }

    // MARK: Primitive access

    final func storedObject(forKey key: String) -> Any? {
        guard let property = runtime.resolved.property(named: key) else { return value(forUndefinedKey: key) }
        checkQueue()
        if state.contains(.fault) { return nil }
        if property.storage == .toMany { return primitiveCollection(of: property) }
        return modeledValue(of: property)
    }

    final func setStoredObject(_ value: Any?, forKey key: String) {
        guard let property = runtime.resolved.property(named: key) else { return setValue(value, forUndefinedKey: key) }
        switch property.storage {
        case .fetched: setModeledValue(value, of: property)
        case .toMany: putPrimitive(objects(in: value, for: property), at: property.slot)
        case .toOne:
            let object = destination(value, for: property).map(present)
            if let object { admit(object, to: property) }
            putPrimitive(object.map { .reference($0.key) } ?? .null, at: property.slot)
        default: putPrimitive(accepted(value, for: property), at: property.slot)
        }
    }

    private final func putPrimitive(_ value: AttributeValue, at slot: Int) {
        prepareForReading()
        let edits = edits ?? makeEdits()
        edits[slot] = value
        // It makes nothing dirty; but whatever saves the object saves this too, as it differs from the snapshot.
        if !state.contains(.awakening) { edits.changed.insert(slot) }
    }
}
