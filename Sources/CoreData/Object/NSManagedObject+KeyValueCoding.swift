import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    final func modeledValue(forKey key: String) -> Any? {
        guard let property = runtime.resolved.property(named: key) else { return value(forUndefinedKey: key) }
        switch property.storage {
        case .toOne: return related(at: property.slot)
        case .toMany:
            return property.relationship?.isOrdered == true
                ? orderedSet(at: property.slot) : NSSet(array: members(at: property.slot))
        case .fetched: return fetchedObjects(at: property.slot)
        default: return ValueBridging.object(from: value(at: property.slot), of: property, in: self)
        }
    }

    final func setModeledValue(_ value: Any?, forKey key: String) {
        guard let property = runtime.resolved.property(named: key) else { return setValue(value, forUndefinedKey: key) }
        switch property.storage {
        case .toOne:
            if let value, !(value is NSNull) {
                guard let object = value as? NSManagedObject else { refuse(value, for: property) }
                setRelated(object, at: property.slot)
            } else {
                setRelated(nil, at: property.slot)
            }
        case .toMany: setMembers(objects(in: value, for: property), at: property.slot)
        case .fetched:
            raise(.invalidArgument, "The fetched property “\(runtime.name).\(key)” cannot be set.")
        default: assign(ValueBridging.require(value, for: property, of: runtime), to: property.slot)
        }
    }

    /// The managed objects in a set, ordered set or array; anything else stops the program.
    private final func objects(in value: Any?, for property: ResolvedProperty) -> [NSManagedObject] {
        switch value {
        case nil: return []
        case is NSNull: return []
        case let list as [NSManagedObject]: return list
        case let set as Set<NSManagedObject>: return Array(set)
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
        case let list as NSArray: return list.compactMap { $0 as? NSManagedObject }
        case .some(let other): refuse(other, for: property)
        }
    }

    final func refuse(_ value: Any, for property: ResolvedProperty) -> Never {
        let kind = property.storage == .toMany ? "to-many relationship" : "to-one relationship"
        raise(.invalidArgument, "Unacceptable type of value for \(kind): property = \"\(property.name)\"; desired type = "
            + "\(ValueBridging.desiredType(of: property)); given type = \(type(of: value)); value = \(value). (entity \(runtime.name))")
    }

    /// Reads along a dotted path; a to-many on the way gives an array of the values behind it.
    public final func value(forKeyPath keyPath: String) -> Any? {
        KeyPathCoding.value(of: self, along: keyPath.split(separator: ".").map(String.init)[...])
    }

    public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return setValue(value, forKey: keyPath) }
        let owner = self.value(forKeyPath: String(keyPath[..<dot])) as? NSManagedObject
        owner?.setValue(value, forKey: String(keyPath[keyPath.index(after: dot)...]))
    }

    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }

    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        var result: [String: Any] = [:]
        for key in keys { result[key] = value(forKey: key) ?? NSNull() }
        return result
    }

    // MARK: Primitive access

    /// The stored value without hooks and change tracking.
    public final func primitiveValue(forKey key: String) -> Any? { modeledValue(forKey: key) }

    /// Sets without change tracking: pair it with `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
    public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
        guard let property = runtime.resolved.property(named: key) else { return setValue(value, forUndefinedKey: key) }
        switch property.storage {
        case .toOne, .toMany, .fetched: setModeledValue(value, forKey: key)
        default:
            let value = ValueBridging.require(value, for: property, of: runtime)
            prepareForReading()
            (edits ?? makeEdits()).values[property.slot] = value
        }
    }

    final func noteWillChange(_ key: String) { if !state.isDisjoint(with: .slow) { prepareForReading() } }

    final func noteDidChange(_ key: String) {
        guard let slot = runtime.resolved.slotByName[key], runtime.resolved.properties[slot].storage != .toMany else { return }
        let edits = editable()
        if !state.contains(.awakening) { edits.changed.insert(slot) }
    }
}

/// Key paths over managed objects, dictionaries and collections, with `@count` and its kin.
enum KeyPathCoding {
    static func value(of object: Any?, along path: ArraySlice<String>) -> Any? {
        guard let key = path.first else { return object }
        let rest = path.dropFirst()
        if let elements = elements(of: object) {
            if key.hasPrefix("@") { return aggregate(key, of: elements, along: rest) }
            return elements.compactMap { value(of: $0, along: path) }
        }
        switch object {
        case let object as NSManagedObject: return value(of: object.value(forKey: key), along: rest)
        case let dictionary as [String: Any]: return value(of: dictionary[key], along: rest)
        default: return nil
        }
    }

    private static func elements(of object: Any?) -> [Any]? {
        switch object {
        case let set as NSOrderedSet: set.array
        case let set as NSSet: set.allObjects
        case let list as [Any]: list
        default: nil
        }
    }

    private static func aggregate(_ name: String, of elements: [Any], along path: ArraySlice<String>) -> Any? {
        if name == "@count" { return NSNumber(value: elements.count) }
        let values = elements.compactMap { value(of: $0, along: path) }
        let numbers = values.compactMap { ($0 as? NSNumber)?.doubleValue }
        switch name {
        case "@sum": return NSNumber(value: numbers.reduce(0, +))
        case "@avg": return numbers.isEmpty ? nil : NSNumber(value: numbers.reduce(0, +) / Double(numbers.count))
        case "@min": return values.min(by: precedes)
        case "@max": return values.max(by: precedes)
        case "@unionOfObjects": return values
        case "@distinctUnionOfObjects": return NSOrderedSet(array: values).array
        default: raise(.unknownKey, "\(name) is not a collection operator.")
        }
    }

    private static func precedes(_ left: Any, _ right: Any) -> Bool {
        switch (left, right) {
        case (let a as NSNumber, let b as NSNumber): a.compare(b) == .orderedAscending
        case (let a as Date, let b as Date): a < b
        case (let a as String, let b as String): a < b
        default: false
        }
    }
}
