import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// Attributes and to-ones that were set and differ from the snapshot.
    final func forEachChangedValue(_ body: (Int) -> Void) {
        guard !isUnfired, let edits else { return }
        guard let row else { return edits.changed.forEach(body) }
        edits.changed.forEach { if edits[$0] != storedValue($0, in: row) { body($0) } }
    }

    /// Slots whose current value differs from the snapshot's.
    package final func changedSlots() -> [Int] {
        guard !isUnfired else { return [] }
        var slots: [Int] = []
        forEachChangedValue { slots.append($0) }
        for (slot, many) in toMany ?? [:] where many.isChanged { slots.append(slot) }
        return slots.sorted()
    }

    /// The snapshot's value, with archived objects unarchived so that they compare with the object's own.
    final func storedValue(_ slot: Int, in row: RowBlock) -> AttributeValue {
        if runtime.plainSlots.contains(slot) { return storedPlainValue(slot, in: row) }
        let value = row.value(slot)
        let property = runtime.resolved.properties[slot]
        if property.isTransient, value == .null { return runtime.defaults[slot] }
        if case .data = value, property.storage == .object,
           let object = ValueBridging.object(from: value, of: property, in: self) {
            return .object(OpaqueObject(object as AnyObject))
        }
        return value
    }

    /// A value in a file is compared without reading it where both sides name one.
    private final func storedPlainValue(_ slot: Int, in row: RowBlock) -> AttributeValue {
        if let edits, case .object = edits[slot] { return row.unreadValue(slot) }
        return row.value(slot)
    }

    final func newValues() -> [String: Any] {
        checkQueue()
        var result: [String: Any] = [:]
        for property in changedSlots().lazy.map({ self.runtime.resolved.properties[$0] }) where !property.isTransient {
            result[property.name] = modeledValue(of: property) ?? NSNull()
        }
        return result
    }

    final func snapshotValues(_ keys: [String]?) -> [String: Any] {
        prepareForReading()
        guard let row else { return [:] }
        var result: [String: Any] = [:]
        for property in runtime.resolved.properties where !property.isTransient && keys?.contains(property.name) ?? true {
            switch property.storage {
            case .toMany:
                result[property.name] = committedMembers(of: property)
            case .fetched: continue
            case .toOne:
                result[property.name] = row.reference(property.slot).flatMap { peer($0) } ?? NSNull()
            default:
                result[property.name] = ValueBridging.object(from: row.value(property.slot), of: property, in: self) ?? NSNull()
            }
        }
        return result
    }

    private final func committedMembers(of property: ResolvedProperty) -> Any {
        let many = toManyState(at: property.slot)
        var keys = many.storedKeys
        if many.members == nil {
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            keys = anchor?.context?.storedMembers(of: self, through: reference) ?? []
        }
        let objects = peers(keys)
        return many.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    final func valuesBeforeEvent() -> [String: Any] {
        checkQueue()
        guard let before = anchor?.context?.eventSnapshot(of: self) else { return [:] }
        var result: [String: Any] = [:]
        for property in runtime.resolved.properties 
        where property.storage != .toMany && property.storage != .fetched && !property.isTransient {
            let old = before.indices.contains(property.slot) ? before[property.slot] : .null
            guard value(at: property.slot) != old else { continue }
            if case .reference(let key) = old {
                result[property.name] = peer(key) ?? NSNull()
            } else {
                result[property.name] = ValueBridging.object(from: old, of: property, in: self) ?? NSNull()
            }
        }
        for (slot, many) in toMany ?? [:] where many.isChangedInEvent && !runtime.resolved.properties[slot].isTransient {
            let before = loadedMembers(at: slot).keysBeforeEvent
            guard many.isOrdered ? before != memberKeys(at: slot) : Set(before) != many.members?.set else { continue }
            let objects = peers(before)
            result[runtime.resolved.properties[slot].name] = many.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
        }
        return result
    }

    /// The event is over and announced.
    final func forgetEvent() {
        if let toMany { for many in toMany.values { many.endEvent() } }
    }

    /// Every slot's value as it stands, for the store and for a parent context.
    package final var currentValues: ContiguousArray<AttributeValue> {
        prepareForReading()
        return edits?.values ?? row?.values ?? runtime.defaults
    }
}
