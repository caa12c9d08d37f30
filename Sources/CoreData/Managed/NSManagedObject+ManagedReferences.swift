import CoreDataSchema
import CoreDataStorage

/// Glue for the companions of `@NSManaged` classes: properties that are one reference in memory, relationships above all.
extension NSManagedObject {
    /// A property whose type is a class.
    public final func _managedObject(_ name: StaticString, _ type: _ManagedType, isOptional: Bool) -> AnyObject? {
        let value: AnyObject?
        if let slot = managedSlot(name, .toOne) { value = related(at: slot) } else { value = managedAnyObject(name, type) }
        guard let value else {
            if isOptional || KeyPathProbe.isProbe(self) { return nil }
            _ = _managedRequired(AnyObject?.none, name)
            return nil
        }
        if let declared = type.object, !ClassInheritance.leads(from: Swift.type(of: value), to: declared) { refuse(value, name, declared) }
        return value
    }

    private final func managedAnyObject(_ name: StaticString, _ type: _ManagedType) -> AnyObject? {
        if KeyPathProbe.isProbe(self) { return KeyPathProbe.reference(name.description, on: self, type.object) }
        // A date becomes an NSDate, a text an NSString.
        return managedValue(name).map { $0 as AnyObject }
    }

    private final func refuse(_ value: AnyObject, _ name: StaticString, _ declared: Any.Type) -> Never {
        raise(.invalidArgument, "The property “\(name)” of the entity \(runtime.name) holds an object of the class \(Swift.type(of: value)), "
            + "but the class \(Swift.type(of: self)) declares it as \(declared). Correct representedClassName in the model, or the declaration.")
    }

    public final func _setManaged(object value: AnyObject?, _ name: StaticString) {
        if let slot = managedSlot(name, .toOne) {
            if let value, !(value is NSManagedObject) { return setManagedValue(value, name) }
            return setRelated(value as? NSManagedObject, at: slot)
        }
        setManagedValue(value, name)
    }

    /// A set, array or dictionary with an element type of the program's own, as the reference it is.
    public final func _managedCollection(_ name: StaticString, _ type: _ManagedType, isOptional: Bool) -> AnyObject? {
        if let objects = type.objects {
            func make<T: ManagedCollection>(_ type: T.Type) -> AnyObject { unsafeBitCast(T(of: managedObjects(name)), to: AnyObject.self) }
            return make(objects)
        }
        guard let declared = type.type else { return nil }
        func make<T>(_ type: T.Type) -> AnyObject? {
            guard MemoryLayout<T>.size == MemoryLayout<AnyObject>.size else { return nil }
            return _managed(name, as: T.self).map { unsafeBitCast($0, to: AnyObject.self) }
        }
        if let value = make(declared) { return value }
        if !isOptional, !KeyPathProbe.isProbe(self) { _ = _managedRequired(AnyObject?.none, name) }
        return nil
    }

    final func managedObjects(_ name: StaticString) -> [NSManagedObject] {
        if let slot = managedSlot(name, .toMany) { return members(at: slot) }
        switch managedValue(name) {
        case nil: return []
        case let list as [NSManagedObject]: return list
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
        case .some(let other): return cast(other, name, as: [NSManagedObject].self) ?? []
        }
    }

    public final func _setManaged(collection value: AnyObject?, _ name: StaticString, _ type: _ManagedType) {
        if type.objects != nil { return setManagedObjects(value.map { Self.objects(in: $0, type) } ?? [], name) }
        guard let value, let declared = type.type else { return setManagedValue(nil, name) }
        // The reference is a collection of the declared type: nothing else can have been passed.
        func set<T>(_ type: T.Type) { setManagedValue(unsafeBitCast(value, to: T.self), name) }
        set(declared)
    }

    final func setManagedObjects(_ objects: [NSManagedObject], _ name: StaticString) {
        if let slot = managedSlot(name, .toMany) { setMembers(objects, at: slot) } else { setManagedValue(objects, name) }
    }

    /// The managed objects of a collection passed as the reference it is, or as Foundation's.
    private static func objects(in value: AnyObject, _ type: _ManagedType) -> [NSManagedObject] {
        if let declared = type.objects {
            func list<T: ManagedCollection>(_ type: T.Type) -> [NSManagedObject] { unsafeBitCast(value, to: T.self).objects }
            return list(declared)
        }
        switch value {
        case let object as NSManagedObject: return [object]
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: return set.allObjects.compactMap { $0 as? NSManagedObject }
        case let list as NSArray: return list.compactMap { $0 as? NSManagedObject }
        default: return []
        }
    }
}

// MARK: addToTags(_:) and its kin

extension NSManagedObject {
    final func toManySlot(_ name: StaticString) -> Int {
        if let slot = managedSlot(name, .toMany) { return slot }
        guard let (property, _) = managedProperty(name.description) else {
            _ = value(forUndefinedKey: name.description)
            raise(.unknownKey, "the entity \(runtime.name) is not key value coding-compliant for the key “\(name)”.")
        }
        raise(.invalidArgument, "The property “\(property.name)” of the entity \(runtime.name) is no to-many relationship: nothing can be "
            + "added to it or removed from it.")
    }

    public final func _managedAdd(_ value: AnyObject, _ type: _ManagedType, to name: StaticString) {
        add(Self.objects(in: value, type), toMany: toManySlot(name))
    }

    public final func _managedRemove(_ value: AnyObject, _ type: _ManagedType, from name: StaticString) {
        remove(Self.objects(in: value, type), fromMany: toManySlot(name))
    }

    public final func _managedInsert(_ value: AnyObject, _ type: _ManagedType, at indexes: IndexSet, in name: StaticString) {
        insert(Self.objects(in: value, type), at: indexes, inOrdered: toManySlot(name))
    }

    public final func _managedRemove(at indexes: IndexSet, from name: StaticString) {
        remove(at: indexes, fromOrdered: toManySlot(name))
    }

    public final func _managedReplace(at indexes: IndexSet, with value: AnyObject, _ type: _ManagedType, in name: StaticString) {
        replace(at: indexes, with: Self.objects(in: value, type), inOrdered: toManySlot(name))
    }
}
