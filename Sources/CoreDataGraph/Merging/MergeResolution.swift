import CoreDataSchema
import CoreDataStorage

/// Settles an optimistic-locking conflict of one row.
package enum MergeResolution {
    /// The row to go on with, on top of `stored`; nil under the error policy. `base` is the snapshot the edits started from
    /// (nil when there is none: then every edit counts as made against a changed property), `local` one value a slot,
    /// `changed` the slots edited since.
    package static func resolve(
        policy: MergePolicyKind, base: RowBlock?, local: ContiguousArray<AttributeValue>, changed: SlotSet, stored: RowBlock
    ) -> MergedRow? {
        if policy == .error { return nil }
        var merged = MergedRow(values: local, changedSlots: SlotSet(), baseVersion: stored.version)
        let layout = stored.layout
        for slot in local.indices where slot < layout.slotCount && layout.isStored[slot] {
            let storedValue = stored.unreadValue(slot)
            if keepsLocal(policy, slot, isChanged: changed.contains(slot), base: base, stored: storedValue) {
                if local[slot] != storedValue { merged.changedSlots.insert(slot) }
            } else {
                merged.values[slot] = storedValue
            }
        }
        return merged
    }

    private static func keepsLocal(
        _ policy: MergePolicyKind, _ slot: Int, isChanged: Bool, base: RowBlock?, stored: AttributeValue
    ) -> Bool {
        switch policy {
        case .error, .overwrite: true
        case .rollback: false
        case .objectTrump: isChanged
        case .storeTrump: isChanged && base.map { $0.unreadValue(slot) == stored } ?? false
        }
    }
}
