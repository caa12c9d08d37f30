import CoreDataSchema
import CoreDataStorage

/// One row's state after a conflict was settled.
///
/// Invariant: `changedSlots` are the stored slots in which `values` differs from the row of `baseVersion`: what a commit
/// on top of that row must write. Unstored slots keep the object's values.
package struct MergedRow: Sendable {
    package var values: ContiguousArray<AttributeValue>
    package var changedSlots: SlotSet
    package var baseVersion: Int64

    package init(values: ContiguousArray<AttributeValue>, changedSlots: SlotSet, baseVersion: Int64) {
        self.values = values
        self.changedSlots = changedSlots
        self.baseVersion = baseVersion
    }
}
