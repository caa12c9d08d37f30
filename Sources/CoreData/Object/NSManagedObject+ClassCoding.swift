import CoreDataPredicate
import CoreDataSchema

// Key-value coding through the accessors of the object's class.

extension NSManagedObject {
    final var classCoding: ClassCoding {
        type(of: self) == runtime.objectClass ? runtime.coding : ClassCoding.of(type(of: self))
    }

    /// What the class's accessor answers for a property of the model, as key-value coding hands it out; nil when there is no
    /// accessor to ask.
    final func accessedValue(of property: ResolvedProperty, through coding: ClassCoding) -> Any?? {
        guard let path = coding.paths[property.name] else { return nil }
        let entry = CodingInProgress.Entry(object: ObjectIdentifier(self), key: property.name, isWriting: false)
        return CodingInProgress.run(entry) { self.object(from: self[keyPath: path], of: property) }
    }

    private final func object(from value: Any?, of property: ResolvedProperty) -> Any? {
        guard let value = unwrapped(value) else { return nil }
        switch property.storage {
        case .toOne: return value as? NSManagedObject
        case .toMany:
            if type(of: value) is NSObject.Type { return value }
            let objects = (value as? Set<NSManagedObject>).map(Array.init) ?? value as? [NSManagedObject] ?? []
            return property.relationship?.isOrdered == true ? NSOrderedSet(array: objects) : NSSet(array: objects)
        case .fetched: return value
        case .date where value is Double: return plain((value as? Double).map(Date.init(timeIntervalSinceReferenceDate:)), property)
        default: return plain(value, property)
        }
    }

    /// An attribute's value in the form of its type. A property that cannot be nil answers zero or empty for a value that was
    /// never set: that is nil.
    private final func plain(_ value: Any?, _ property: ResolvedProperty) -> Any? {
        guard let slotValue = ValueBridging.value(from: value, for: property, of: entity) else { return value }
        if slotValue.isEmpty, isNull(at: property.slot) { return nil }
        return ValueBridging.object(from: slotValue, of: property, in: self)
    }

    /// Sets a property through the class's accessor; false when there is none that takes the value.
    final func access(_ value: Any?, _ property: ResolvedProperty, through coding: ClassCoding) -> Bool {
        guard let path = coding.paths[property.name] else { return false }
        let forms = self.forms(of: value, for: property)
        let entry = CodingInProgress.Entry(object: ObjectIdentifier(self), key: property.name, isWriting: true)
        return CodingInProgress.run(entry) { KeyPathWriting.set(forms, of: self, at: path) } ?? false
    }

    /// A checked value in all forms in which a Swift property may want it.
    private final func forms(of value: Any?, for property: ResolvedProperty) -> [Any] {
        switch property.storage {
        case .toOne: return [destination(value, for: property) as Any]
        case .toMany:
            let objects = objects(in: value, for: property)
            return [Set(objects), objects, NSOrderedSet(array: objects), NSSet(array: objects)]
        case .fetched: return []
        default:
            let slotValue = accepted(value, for: property)
            guard let object = ValueBridging.object(from: slotValue, of: property, in: self) else { return [NSNull?.none as Any] }
            var forms: [Any] = [object]
            if case .integer(let number) = slotValue { forms += [number, number != 0, Int(number)] }
            if case .real(let number) = slotValue { forms += [number] }
            if case .decimal(let number) = slotValue { forms += [number] }
            return forms
        }
    }

    /// What a property the model does not have answers, when the class names it or key-value coding knows it.
    final func unmodeledValue(forKey key: String) -> Any?? {
        classValue(forKey: key) ?? ownValue(forKey: key)
    }

    /// What a property only the class has answers, numbers as `NSNumber`; nil when the class does not name it.
    final func classValue(forKey key: String) -> Any?? {
        guard let path = classCoding.paths[key] else { return nil }
        guard let value = unwrapped(self[keyPath: path]) else { return .some(nil) }
        return .some(type(of: value) is NSObject.Type ? value : value as? NSNumber ?? value)
    }

    final func setUnmodeled(_ value: Any?, forKey key: String) -> Bool {
        guard let path = classCoding.paths[key] else { return false }
        let tells = type(of: self).automaticallyNotifiesObservers(forKey: key)
        if tells { willChangeValue(forKey: key) }
        defer { if tells { didChangeValue(forKey: key) } }
        if let value { return KeyPathWriting.set([value], of: self, at: path) }
        if KeyPathWriting.set([NSNull?.none as Any], of: self, at: path) { return true }
        setNilValueForKey(key)
        return true
    }

    /// The properties every managed object has; nil for another key.
    final func ownValue(forKey key: String) -> Any?? {
        switch key {
        case "self": .some(self)
        case "objectID": .some(objectID)
        case "entity": .some(entity)
        case "managedObjectContext": .some(managedObjectContext)
        case "hasChanges": .some(NSNumber(value: hasChanges))
        case "hasPersistentChangedValues": .some(NSNumber(value: hasPersistentChangedValues))
        case "isInserted", "inserted": .some(NSNumber(value: isInserted))
        case "isUpdated", "updated": .some(NSNumber(value: isUpdated))
        case "isDeleted", "deleted": .some(NSNumber(value: isDeleted))
        case "isFault", "fault": .some(NSNumber(value: isFault))
        case "faultingState": .some(NSNumber(value: faultingState))
        case "changedValues": .some(changedValues())
        case "changedValuesForCurrentEvent": .some(changedValuesForCurrentEvent())
        case "description": .some(description)
        case "debugDescription": .some(debugDescription)
        case "hash": .some(NSNumber(value: hash))
        default: nil
        }
    }

    /// The keys `ownValue(forKey:)` answers.
    static let ownKeys: Set<String> = [
        "self", "objectID", "entity", "managedObjectContext", "hasChanges", "hasPersistentChangedValues", "isInserted", "inserted",
        "isUpdated", "updated", "isDeleted", "deleted", "isFault", "fault", "faultingState", "changedValues",
        "changedValuesForCurrentEvent", "description", "debugDescription", "hash",
    ]
}

/// Writes through a key path whose types are only known at run time.
enum KeyPathWriting {
    /// Sets the first of the forms that is of the property's type; false when none is, or the property cannot be set.
    static func set(_ forms: [Any], of object: NSManagedObject, at path: AnyKeyPath) -> Bool {
        func withRoot<Root>(_ root: Root.Type) -> Bool {
            func withValue<Value>(_ value: Value.Type) -> Bool {
                guard let path = path as? ReferenceWritableKeyPath<Root, Value>, let object = object as? Root else { return false }
                for form in forms {
                    // A nil goes into optionals only; into Any it would go as a value.
                    guard let value = form as? Value else { continue }
                    object[keyPath: path] = value
                    return true
                }
                return false
            }
            return _openExistential(type(of: path).valueType, do: withValue)
        }
        return _openExistential(type(of: path).rootType, do: withRoot)
    }
}

private protocol OptionalForm {
    var content: Any? { get }
}

extension Optional: OptionalForm {
    fileprivate var content: Any? { map { $0 } }
}

/// The value inside of any number of optionals.
private func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    guard let optional = value as? any OptionalForm else { return value }
    return unwrapped(optional.content)
}

extension AttributeValue {
    /// Whether a generated property that cannot be nil answers this for a value that is.
    fileprivate var isEmpty: Bool {
        switch self {
        case .integer(let number): number == 0
        case .real(let number): number == 0
        case .decimal(let number): number == 0
        case .string(let text): text.isEmpty
        case .data(let data): data.isEmpty
        case .uuid(let identifier): identifier == UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        default: false
        }
    }
}
