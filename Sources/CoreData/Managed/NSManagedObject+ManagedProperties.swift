import CoreDataSchema
import CoreDataStorage

/// Glue for the companions of `@NSManaged` classes: a property by its name. Companions are compiled without the model, so what the
/// class declares and what the model says may differ; values are then converted, as key-value coding does.
extension NSManagedObject {
    /// The property's slot, when it is of the kind the accessor is for.
    @inline(__always)
    final func managedSlot(_ name: StaticString, _ access: ManagedAccess) -> Int? {
        runtime.managedSlots.slot(ManagedSlots.word(name, access)) ?? findManagedSlot(name, access)
    }

    @inline(never)
    private final func findManagedSlot(_ name: StaticString, _ access: ManagedAccess) -> Int? {
        guard let (property, isPrimitive) = managedProperty(name.description), !isPrimitive, access.fits(property) else { return nil }
        runtime.managedSlots.keep(property.slot, for: ManagedSlots.word(name, access))
        return property.slot
    }

    /// The property a name of the class's means: its own, with either case of its first letter (`addToTags`), or what follows
    /// "primitive". nil when the model has none.
    final func managedProperty(_ name: String) -> (property: ResolvedProperty, isPrimitive: Bool)? {
        let entity = runtime.resolved
        if let exact = entity.property(named: name) { return (exact, false) }
        let swapped = name.prefix(1).uppercased() + name.dropFirst()
        if let capital = entity.property(named: swapped) { return (capital, false) }
        guard name.hasPrefix("primitive"), name.utf8.count > 9 else { return nil }
        let rest = String(name.dropFirst(9)), key = rest.prefix(1).lowercased() + rest.dropFirst()
        return (entity.property(named: key) ?? entity.property(named: rest)).map { ($0, true) }
    }

    /// Any property as an object; what the model lacks stops the program as key-value coding does.
    final func managedValue(_ name: StaticString) -> Any? {
        if KeyPathProbe.note(name.description, on: self, .other) != nil { return nil }
        guard let (property, isPrimitive) = managedProperty(name.description) else { return value(forUndefinedKey: name.description) }
        return isPrimitive ? primitiveValue(forKey: property.name) : modeledValue(of: property)
    }

    final func setManagedValue(_ value: Any?, _ name: StaticString) {
        guard let (property, isPrimitive) = managedProperty(name.description) else {
            return setValue(value, forUndefinedKey: name.description)
        }
        if isPrimitive { setPrimitiveValue(value, forKey: property.name) } else { setModeledValue(value, of: property) }
    }

    /// nil for nil; a value of another type than the class declares stops the program.
    final func cast<T>(_ value: Any?, _ name: StaticString, as type: T.Type) -> T? {
        guard let value else { return nil }
        if let value = value as? T ?? (value as AnyObject) as? T { return value }
        raise(.invalidArgument, "The property “\(name)” of the entity \(runtime.name) holds a value of type \(Swift.type(of: value)), but "
            + "the class \(Swift.type(of: self)) declares it as \(T.self).")
    }

    final func managedNumber(_ name: StaticString) -> NSNumber? {
        if KeyPathProbe.note(name.description, on: self, .number) != nil { return NSNumber(value: KeyPathProbe.sample) }
        let value = managedValue(name)
        return (value as? Date).map { NSNumber(value: $0.timeIntervalSinceReferenceDate) } ?? cast(value, name, as: NSNumber.self)
    }
}

// MARK: Attributes

extension NSManagedObject {
    public final func _managedInteger(_ name: StaticString) -> Int64 {
        if let slot = managedSlot(name, .readInteger) { return integer(slot) }
        return managedNumber(name)?.int64Value ?? 0
    }

    public final func _setManaged(_ value: Int16, _ name: StaticString) {
        if let slot = managedSlot(name, .writeInteger16) { return assign(.integer(Int64(value)), to: slot) }
        setManagedValue(value, name)
    }

    public final func _setManaged(_ value: Int32, _ name: StaticString) {
        if let slot = managedSlot(name, .writeInteger32) { return assign(.integer(Int64(value)), to: slot) }
        setManagedValue(value, name)
    }

    public final func _setManaged(_ value: Int64, _ name: StaticString) {
        if let slot = managedSlot(name, .writeInteger64) { return assign(.integer(value), to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedBool(_ name: StaticString) -> Bool {
        if let slot = managedSlot(name, .readInteger) { return integer(slot) != 0 }
        if KeyPathProbe.note(name.description, on: self, .flag) != nil { return true }
        return (managedNumber(name)?.int64Value ?? 0) != 0
    }

    public final func _setManaged(_ value: Bool, _ name: StaticString) {
        if let slot = managedSlot(name, .boolean) { return assign(.integer(value ? 1 : 0), to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedDouble(_ name: StaticString) -> Double {
        if let slot = managedSlot(name, .readReal) { return real(slot) }
        return managedNumber(name)?.doubleValue ?? 0
    }

    public final func _setManaged(_ value: Double, _ name: StaticString) {
        if let slot = managedSlot(name, .writeDouble) { return assign(.real(value), to: slot) }
        // Seconds since 2001, as scalars of dates are; only the primitive form comes here.
        let isDate = managedProperty(name.description)?.property.storage == .date
        setManagedValue(isDate ? Date(timeIntervalSinceReferenceDate: value) as Any : value, name)
    }

    public final func _setManaged(_ value: Float, _ name: StaticString) {
        if let slot = managedSlot(name, .writeFloat) { return assign(.real(Double(value)), to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedString(_ name: StaticString) -> String? {
        if let slot = managedSlot(name, .string) { return string(slot) }
        if KeyPathProbe.note(name.description, on: self, .text) != nil { return KeyPathProbe.text }
        return cast(managedValue(name), name, as: String.self)
    }

    public final func _setManaged(_ value: String?, _ name: StaticString) {
        if let slot = managedSlot(name, .string) { return assign(value.map(AttributeValue.string) ?? .null, to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedDate(_ name: StaticString) -> Date? {
        if let slot = managedSlot(name, .date) { return optionalReal(slot).map(Date.init(timeIntervalSinceReferenceDate:)) }
        if KeyPathProbe.note(name.description, on: self, .date) != nil { return KeyPathProbe.date }
        return cast(managedValue(name), name, as: Date.self)
    }

    public final func _setManaged(_ value: Date?, _ name: StaticString) {
        if let slot = managedSlot(name, .date) { return assign(value.map { .real($0.timeIntervalSinceReferenceDate) } ?? .null, to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedURL(_ name: StaticString) -> URL? {
        if let slot = managedSlot(name, .uri) { return string(slot).flatMap(URL.init(string:)) }
        if KeyPathProbe.note(name.description, on: self, .url) != nil { return KeyPathProbe.url }
        return cast(managedValue(name), name, as: URL.self)
    }

    public final func _managedData(_ name: StaticString) -> Data? {
        if let slot = managedSlot(name, .data) { return data(slot) }
        return cast(managedValue(name), name, as: Data.self)
    }

    public final func _setManaged(_ value: Data?, _ name: StaticString) {
        if let slot = managedSlot(name, .data) { return assign(value.map(AttributeValue.data) ?? .null, to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedUUID(_ name: StaticString) -> UUID? {
        if let slot = managedSlot(name, .uuid) { return uuid(slot) }
        return cast(managedValue(name), name, as: UUID.self)
    }

    public final func _setManaged(_ value: UUID?, _ name: StaticString) {
        if let slot = managedSlot(name, .uuid) { return assign(value.map(AttributeValue.uuid) ?? .null, to: slot) }
        setManagedValue(value, name)
    }

    public final func _managedDecimal(_ name: StaticString) -> Decimal? {
        if let slot = managedSlot(name, .decimal) { return decimal(slot) }
        return managedNumber(name)?.decimalValue
    }

    /// Any other type that the companion can name.
    public final func _managed<T>(_ name: StaticString, as type: T.Type) -> T? { cast(managedValue(name), name, as: type) }
    public final func _setManaged<T>(any value: T?, _ name: StaticString) { setManagedValue(value, name) }

    /// An enumeration kept by its raw value. A number or text it has no case for, and nil, read nil.
    public final func _managed<T: RawRepresentable & CaseIterable>(_ name: StaticString, rawOf type: T.Type) -> T? {
        if KeyPathProbe.isProbe(self) {
            _ = managedValue(name)
            return T.allCases.first
        }
        guard let value = managedValue(name) else { return nil }
        let raw: T.RawValue? = value as? T.RawValue
        return raw.flatMap(T.init(rawValue:))
    }

    public final func _setManaged<T: RawRepresentable>(rawOf value: T?, _ name: StaticString) { setManagedValue(value?.rawValue, name) }

    /// What a property that is not optional, of a type without an empty value, is when it was never set.
    public final func _managedRequired<T>(_ value: T?, _ name: StaticString) -> T {
        if let value { return value }
        raise(.invalidArgument, "The property “\(name)” of the entity \(runtime.name) is nil, but the class \(type(of: self)) declares it "
            + "as \(T.self). Set it, or declare it optional.")
    }
}
