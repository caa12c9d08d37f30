import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// What a batch may write of an entity, by name.
///
/// Invariant: every property in it is stored and takes a value of its own; the store whose rows are written is fixed.
final class BatchColumns {
    let runtime: EntityRuntime
    let store: NSPersistentStore
    /// Slots that must not be null (BA11). Relationships are not asked for, as at Apple's.
    let required: [Int]
    private let archives: Bool
    private var slots = BatchKeys()
    private let kinds: ContiguousArray<StorageKind>
    private let types: ContiguousArray<AttributeType>

    init(_ runtime: EntityRuntime, store: NSPersistentStore) {
        self.runtime = runtime
        self.store = store
        archives = store.archivesObjects
        kinds = ContiguousArray(runtime.resolved.properties.map(\.storage))
        types = ContiguousArray(runtime.resolved.properties.map { $0.attribute?.type ?? .undefined })
        required = runtime.resolved.properties.filter { property in
            property.isStored && !property.isOptional && property.storage != .toOne && !property.isDerived
        }.map(\.slot)
    }

    var entityName: String { runtime.name }

    /// The slot of a name. Throws for names the entity does not have and for what a batch cannot write.
    func slot(named key: String, row: Int?) throws -> Int {
        if let known = slots.slot(of: key) { return known }
        guard let property = runtime.resolved.property(named: key) else {
            throw BatchError.unknownKey(
                entity: entityName, key: key, row: row,
                advice: NearestName.advice(key, among: runtime.resolved.properties.map(\.name)))
        }
        if let reason = refusal(of: property) { throw BatchError.unwritable(entity: entityName, key: key, reason: reason) }
        slots.add(key, property.slot)
        return property.slot
    }

    private func refusal(of property: ResolvedProperty) -> String? {
        switch property.storage {
        case .toMany: return "it is a to-many relationship. Set the to-one at its other end, or change objects and save."
        case .fetched: return "it is a fetched property."
        case .toOne:
            guard let inverse = property.relationship?.inverse,
                  runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot].storage == .toOne
            else { break }
            return "it is one end of a one-to-one relationship, and both ends would have to change. Change objects and save."
        default: break
        }
        if property.isDerived { return "it is derived: the store works it out." }
        return property.isStored ? nil : "it is transient, so the store does not keep it."
    }

    // MARK: Values

    /// What the store keeps of a value given by the application; nil and `NSNull` are null.
    func value(of object: Any, at slot: Int, row: Int?) throws -> AttributeValue {
        if let value = BatchScalar.value(object, kinds[slot], types[slot]) { return value }
        let property = runtime.resolved.properties[slot]
        if property.storage == .toOne { return try reference(to: object, property, row) }
        guard let value = ValueBridging.value(from: object, for: property, of: runtime.entity) else {
            throw wrongType(object, property, row)
        }
        return try archived(value, property)
    }

    /// A transformable's object as the bytes of a store that archives.
    func archived(_ value: AttributeValue, _ property: ResolvedProperty) throws -> AttributeValue {
        guard archives, case .object(let box) = value, property.storage == .object else { return value }
        return try Transformation.data(from: box.value, of: property, entity: entityName).map(AttributeValue.data) ?? .null
    }

    private func reference(to object: Any, _ property: ResolvedProperty, _ row: Int?) throws -> AttributeValue {
        if ValueBridging.isNull(object) { return .null }
        let identifier = (object as? NSManagedObjectID) ?? (object as? NSManagedObject)?.objectID
        guard let identifier, let index = identifier.entity.name.flatMap({ runtime.resolvedModel.indexByName[$0] }),
              let destination = property.relationship?.destination, runtime.resolvedModel.entities[destination].includes(index)
        else { throw wrongType(object, property, row) }
        let key = RowKey(primaryKey: identifier.key.primaryKey, entity: Int32(index), store: store.rowStore.number)
        try check(key, identifier.isTemporaryID || identifier.storeIdentifier != store.identifier, property)
        return .reference(key)
    }

    /// References of an object that a handler filled.
    func checkReference(_ value: AttributeValue, _ property: ResolvedProperty) throws {
        guard case .reference(let key) = value else { return }
        if let reason = refusal(of: property) { throw BatchError.unwritable(entity: entityName, key: property.name, reason: reason) }
        try check(key, key.isTemporary || key.store != store.rowStore.number, property)
    }

    private func check(_ key: RowKey, _ isElsewhere: Bool, _ property: ResolvedProperty) throws {
        guard isElsewhere else { return }
        throw BatchError.unwritable(
            entity: entityName, key: property.name,
            reason: key.isTemporary ? "the object is not saved yet. Save it first." : "the object is in another store.")
    }

    private func wrongType(_ object: Any, _ property: ResolvedProperty, _ row: Int?) -> BatchError {
        .wrongType(
            entity: entityName, key: property.name, expected: ValueBridging.desiredType(of: property),
            given: "\(PredicateBridging.value(ofProperty: object).kind) (\(String(describing: object).prefix(80)))", row: row)
    }

    /// Throws when a row lacks what it must have.
    func checkRequired(_ row: BatchRow) throws {
        for slot in required where row.values[slot].isNull {
            throw BatchError.missingValue(entity: entityName, key: runtime.resolved.properties[slot].name, row: row.number)
        }
    }
}

/// The commonest Swift types, each known by its exact type: dynamic casts would cost more than writing the value.
enum BatchScalar {
    /// nil when the value is of another type or does not fit: the careful way then decides.
    @inline(__always)
    static func value(_ object: Any, _ kind: StorageKind, _ type: AttributeType) -> AttributeValue? {
        func convert<Value>(_ value: Value) -> AttributeValue? { BatchScalar.convert(value, kind, type) }
        return _openExistential(object, do: convert)
    }

    private static func convert<Value>(_ value: Value, _ kind: StorageKind, _ type: AttributeType) -> AttributeValue? {
        // The bit casts are from a type to itself: each follows the comparison that says so.
        switch kind {
        case .string where Value.self == String.self: .string(unsafeBitCast(value, to: String.self))
        case .integer where Value.self == Int.self: whole(Int64(unsafeBitCast(value, to: Int.self)), type)
        case .integer where Value.self == Int64.self: whole(unsafeBitCast(value, to: Int64.self), type)
        case .integer where Value.self == Int32.self: whole(Int64(unsafeBitCast(value, to: Int32.self)), type)
        case .integer where Value.self == Int16.self: whole(Int64(unsafeBitCast(value, to: Int16.self)), type)
        case .double where Value.self == Double.self: .real(unsafeBitCast(value, to: Double.self))
        case .boolean where Value.self == Bool.self: .integer(unsafeBitCast(value, to: Bool.self) ? 1 : 0)
        case .date where Value.self == Date.self: .real(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
        case .uuid where Value.self == UUID.self: .uuid(unsafeBitCast(value, to: UUID.self))
        case .data where Value.self == Data.self: .data(unsafeBitCast(value, to: Data.self))
        default: nil
        }
    }

    private static func whole(_ number: Int64, _ type: AttributeType) -> AttributeValue? {
        switch type {
        case .integer16: Int16(exactly: number).map { .integer(Int64($0)) }
        case .integer32: Int32(exactly: number).map { .integer(Int64($0)) }
        default: .integer(number)
        }
    }
}
