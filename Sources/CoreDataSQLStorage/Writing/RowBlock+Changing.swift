import CoreDataSchema
import CoreDataStorage

extension RowBlock {
    /// The next version of a row: `slots` from `values`, the others copied as bytes.
    static func changing(
        _ old: RowBlock, _ slots: SlotSet, to values: ContiguousArray<AttributeValue>, readAt: Double
    ) -> RowBlock {
        let layout = old.layout
        if slots.isSubset(of: layout.fixedSlots), !old.hasObjects {
            var writer = RowWriter(changing: old, version: old.version + 1, readAt: readAt)
            slots.forEach { slot in
                writer.setNull(slot)
                writer.set(slot, values[slot])
            }
            return writer.finish()
        }
        var bytes = 0
        for slot in 0..<layout.slotCount where layout.isStored[slot] {
            guard slots.contains(slot) else {
                if isVariable(layout.kinds[slot]), !old.isNull(slot) { bytes += old.withBytes(slot) { $0.count } }
                continue
            }
            switch values[slot] {
            case .string(let text): bytes += text.utf8.count
            case .data(let data): bytes += data.count
            case .uuid: bytes += 16
            case .decimal: bytes += 64
            default: break
            }
        }
        var writer = RowWriter(layout: layout, key: old.key, version: old.version + 1, readAt: readAt, variableBytes: bytes)
        for slot in 0..<layout.slotCount where layout.isStored[slot] {
            if slots.contains(slot) {
                writer.set(slot, values[slot])
            } else if let external = old.external(slot) {
                writer.setExternal(slot, external)
            } else if let object = old.object(slot) {
                writer.setObject(slot, object)
            } else if !old.isNull(slot) {
                copy(slot, of: old, layout.kinds[slot], to: &writer)
            }
        }
        return writer.finish()
    }

    private static func isVariable(_ kind: StorageKind) -> Bool {
        switch kind {
        case .string, .uri, .decimal, .uuid, .data, .object: true
        default: false
        }
    }

    private static func copy(_ slot: Int, of old: RowBlock, _ kind: StorageKind, to writer: inout RowWriter) {
        switch kind {
        case .integer, .boolean: writer.setInteger(slot, old.integer(slot))
        case .double, .float, .date: writer.setReal(slot, old.real(slot))
        case .toOne:
            if let key = old.reference(slot) { writer.setReference(slot, primaryKey: key.primaryKey, entity: key.entity) }
        default:
            // The setter copies before it returns; the bytes belong to `old`, which outlives the call.
            old.withBytes(slot) { writer.setBytes(slot, $0) }
        }
    }
}
