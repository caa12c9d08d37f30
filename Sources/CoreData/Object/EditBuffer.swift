import CoreDataSchema
import CoreDataStorage

/// An object's own values, one a slot: all of them for an object without a row, the row's with edits over it otherwise.
///
/// Invariant: `changed` are the slots set since the snapshot (to the same value too). Transient slots live here only.
package final class EditBuffer {
    // Unchecked exclusivity, as in `NSManagedObject`: one element is read or written at a time.
    @exclusivity(unchecked) package var values: ContiguousArray<AttributeValue>
    @exclusivity(unchecked) package var changed = SlotSet()
    /// What the bytes of transformables were turned into, by slot; nil until one was read. Good while the slot has those bytes.
    @exclusivity(unchecked) var unarchived: [Int: (data: Data, object: Any)]?

    package init(values: ContiguousArray<AttributeValue>) { self.values = values }
}
