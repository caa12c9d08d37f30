import CoreDataSchema

/// Glue for generated code that reaches relationships by name: in extensions of handwritten classes, which have no table of slots.
extension NSManagedObject {
    public final func _managedToOne<T: NSManagedObject>(_ name: StaticString, as type: T.Type) -> T? {
        if let slot = managedSlot(name, .toOne) { return related(at: slot) as? T }
        if KeyPathProbe.isProbe(self) { return KeyPathProbe.reference(name.description, on: self, type) as? T }
        return cast(managedValue(name), name, as: type)
    }

    public final func _managedToMany<T: NSManagedObject>(_ name: StaticString, as type: T.Type) -> Set<T> {
        ObjectArray.set(managedObjects(name), of: T.self)
    }

    public final func _managedOrdered<T: NSManagedObject>(_ name: StaticString, as type: T.Type) -> [T] {
        ObjectArray.objects(managedObjects(name), of: T.self)
    }

    public final func _managedFetched<T: NSManagedObject>(_ name: StaticString, as type: T.Type) -> [T] {
        (managedValue(name) as? [Any] ?? []).compactMap { $0 as? T }
    }

    public final func _setManaged<T: NSManagedObject>(set objects: Set<T>, _ name: StaticString) { setManagedObjects(Array(objects), name) }
    public final func _setManaged(list objects: [NSManagedObject], _ name: StaticString) { setManagedObjects(objects, name) }

    public final func _managedAdd(_ objects: [NSManagedObject], to name: StaticString) { add(objects, toMany: toManySlot(name)) }
    public final func _managedRemove(_ objects: [NSManagedObject], from name: StaticString) { remove(objects, fromMany: toManySlot(name)) }

    public final func _managedInsert(_ objects: [NSManagedObject], at indexes: IndexSet, in name: StaticString) {
        insert(objects, at: indexes, inOrdered: toManySlot(name))
    }

    public final func _managedReplace(at indexes: IndexSet, with objects: [NSManagedObject], in name: StaticString) {
        replace(at: indexes, with: objects, inOrdered: toManySlot(name))
    }
}

/// Glue for properties of a type of the program's own, kept by its raw value.
extension NSManagedObject {
    public final func _case<T: RawRepresentable>(_ raw: Int64?, as type: T.Type) -> T? where T.RawValue: FixedWidthInteger {
        raw.flatMap(T.RawValue.init(exactly:)).flatMap(T.init(rawValue:))
    }

    public final func _case<T: RawRepresentable>(_ raw: Double?, as type: T.Type) -> T? where T.RawValue: BinaryFloatingPoint {
        raw.map { T.RawValue($0) }.flatMap(T.init(rawValue:))
    }

    public final func _case<T: RawRepresentable>(_ raw: String?, as type: T.Type) -> T? where T.RawValue == String {
        raw.flatMap(T.init(rawValue:))
    }

    /// A required value: what is stored, else the default. Stops the program when the type knows neither.
    public final func _requiredCase<T>(_ value: T?, else other: @autoclosure () -> T?, of name: StaticString) -> T {
        if let value = value ?? other() { return value }
        raise(.invalidArgument, "The property “\(name)” of the entity \(runtime.name) holds what is no value of \(T.self), and neither is its "
            + "default. Make the attribute optional, or give it a default that is one.")
    }
}
