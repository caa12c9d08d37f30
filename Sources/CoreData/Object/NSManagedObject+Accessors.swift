import CoreDataSchema
import CoreDataStorage

/// Glue for generated classes: a property by its slot. A value that was never set reads nil, or 0 as a plain number.
extension NSManagedObject {
    @inline(__always)
    private final func prepare() { if !state.isDisjoint(with: .slow) { prepareForReading() } }

    public final func _optionalInt64(at slot: Int) -> Int64? { optionalInteger(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func optionalInteger(_ slot: Int) -> Int64? {
        prepare()
        if let edits {
            if case .integer(let value) = edits[slot] { return value }
            return nil
        }
        return row?.optionalInteger(slot)
    }

    public final func _int64(at slot: Int) -> Int64 { integer(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func integer(_ slot: Int) -> Int64 {
        prepare()
        if let edits {
            if case .integer(let value) = edits[slot] { return value }
            return 0
        }
        return row?.integer(slot) ?? 0
    }

    public final func _setInt64(_ value: Int64?, at slot: Int) { set(value.map(AttributeValue.integer), at: slot) }

    public final func _bool(at slot: Int) -> Bool { _int64(at: slot) != 0 }
    public final func _optionalBool(at slot: Int) -> Bool? { _optionalInt64(at: slot).map { $0 != 0 } }
    public final func _setBool(_ value: Bool?, at slot: Int) { set(value.map { .integer($0 ? 1 : 0) }, at: slot) }

    public final func _optionalDouble(at slot: Int) -> Double? { optionalReal(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func optionalReal(_ slot: Int) -> Double? {
        prepare()
        if let edits {
            if case .real(let value) = edits[slot] { return value }
            return nil
        }
        return row?.optionalReal(slot)
    }

    public final func _double(at slot: Int) -> Double { real(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func real(_ slot: Int) -> Double {
        prepare()
        if let edits {
            if case .real(let value) = edits[slot] { return value }
            return 0
        }
        return row?.real(slot) ?? 0
    }

    public final func _setDouble(_ value: Double?, at slot: Int) { set(value.map(AttributeValue.real), at: slot) }

    public final func _date(at slot: Int) -> Date? { _optionalDouble(at: slot).map(Date.init(timeIntervalSinceReferenceDate:)) }
    public final func _setDate(_ value: Date?, at slot: Int) {
        set(value.map { .real($0.timeIntervalSinceReferenceDate) }, at: slot)
    }

    public final func _string(at slot: Int) -> String? { string(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func string(_ slot: Int) -> String? {
        prepare()
        if let edits {
            if case .string(let value) = edits[slot] { return value }
            return nil
        }
        return row?.string(slot)
    }

    public final func _setString(_ value: String?, at slot: Int) { set(value.map(AttributeValue.string), at: slot) }

    public final func _url(at slot: Int) -> URL? { _string(at: slot).flatMap(URL.init(string:)) }
    public final func _setURL(_ value: URL?, at slot: Int) { set(value.map { .string($0.absoluteString) }, at: slot) }

    public final func _data(at slot: Int) -> Data? { data(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func data(_ slot: Int) -> Data? {
        prepare()
        if let edits {
            if case .data(let value) = edits[slot] { return value }
            guard case .object(let box) = edits[slot], let external = box.value as? ExternalData else { return nil }
            return data(of: external, at: slot)
        }
        if let data = row?.data(slot) { return data }
        return row?.external(slot).flatMap { data(of: $0, at: slot) }
    }

    public final func _setData(_ value: Data?, at slot: Int) { set(value.map(AttributeValue.data), at: slot) }

    public final func _uuid(at slot: Int) -> UUID? { uuid(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func uuid(_ slot: Int) -> UUID? {
        prepare()
        if let edits {
            if case .uuid(let value) = edits[slot] { return value }
            return nil
        }
        return row?.uuid(slot)
    }

    public final func _setUUID(_ value: UUID?, at slot: Int) { set(value.map(AttributeValue.uuid), at: slot) }

    public final func _decimal(at slot: Int) -> Decimal? { decimal(runtime.slot(slot)) }

    /// The entity's slot.
    @inline(__always)
    final func decimal(_ slot: Int) -> Decimal? {
        prepare()
        if let edits {
            if case .decimal(let value) = edits[slot] { return value }
            return nil
        }
        return row?.decimal(slot)
    }

    public final func _setDecimal(_ value: Decimal?, at slot: Int) { set(value.map(AttributeValue.decimal), at: slot) }

    /// Transformable, object ID and undefined attributes; nil too when the value is of another type.
    public final func _object<T>(at slot: Int, as type: T.Type) -> T? {
        let property = runtime.resolved.properties[runtime.slot(slot)]
        // Without the guard a nil would pass for a value when T is Any.
        guard let object = attributeObject(of: property) else { return nil }
        return object as? T
    }

    public final func _setObject(_ value: Any?, at slot: Int) {
        let property = runtime.resolved.properties[runtime.slot(slot)]
        assign(accepted(value, for: property), to: property.slot)
    }

    public final func _composite(at slot: Int) -> [String: Any]? { _object(at: slot, as: [String: Any].self) }
    public final func _setComposite(_ value: [String: Any]?, at slot: Int) { _setObject(value, at: slot) }

    private final func set(_ value: AttributeValue?, at slot: Int) { assign(value ?? .null, to: runtime.slot(slot)) }
}

extension NSManagedObject {
    /// Any slot's current value, firing the fault. To-many slots answer null.
    package final func value(at slot: Int) -> AttributeValue {
        if !state.isDisjoint(with: .slow) { prepareForReading() }
        let value = edits?[slot] ?? row?.value(slot) ?? .null
        guard case .object(let box) = value, let external = box.value as? ExternalData else { return value }
        return data(of: external, at: slot).map(AttributeValue.data) ?? .null
    }

    package final func isNull(at slot: Int) -> Bool {
        if !state.isDisjoint(with: .slow) { prepareForReading() }
        if let edits { return edits[slot].isNull }
        return row?.isNull(slot) ?? true
    }

    final func prepareForReading() {
        checkQueue()
        if state.contains(.unborn) {
            _ = makeEdits()
            state.remove(.unborn)
        }
        if state.contains(.fault) { fire() }
    }

    /// Sets an attribute's slot, notes the change and tells observers. Relationships go through `setRelated`.
    package final func assign(_ value: AttributeValue, to slot: Int) {
        if !state.isDisjoint(with: .slowToWrite) {
            prepareForReading()
            noting(slot, .setting) { put(value, into: slot) }
        } else {
            put(value, into: slot)
        }
    }

    /// Sets a slot and notes the change, without telling anybody.
    @inline(__always)
    final func put(_ value: AttributeValue, into slot: Int) {
        let edits = editable()
        edits[slot] = value
        if !state.contains(.awakening) { edits.changed.insert(slot) }
    }

    /// The buffer to write into, with the object marked as changed unless it is awakening or detached.
    @inline(__always)
    final func editable() -> EditBuffer {
        if !state.isDisjoint(with: .slow) { prepareForReading() }
        if state.isDisjoint(with: .awakening), !state.contains(.inEvent) || !state.contains(.touched) || state.isDisjoint(with: .pending) {
            noteChange()
        }
        if let edits { return edits }
        return makeEdits()
    }

    final func makeEdits() -> EditBuffer {
        let made = row.map(EditBuffer.init(over:)) ?? EditBuffer(values: runtime.defaults)
        if row != nil {
            for slot in runtime.defaultedTransientSlots where made[slot] == .null { made[slot] = runtime.defaults[slot] }
        }
        edits = made
        return made
    }
}
