import CoreDataSchema
import CoreDataStorage

/// An object's own values, one a slot: all of them for an object without a row, the row's with edits over it otherwise.
///
/// Invariant: `changed` are the slots set since the snapshot (to the same value too). Transient slots live here only. A slot of
/// the row is turned into a value when somebody asks for it: until then `unread` has it.
package final class EditBuffer {
    // Unchecked exclusivity, as in `NSManagedObject`: one element is read or written at a time.
    @exclusivity(unchecked) private var known: ContiguousArray<AttributeValue>
    @exclusivity(unchecked) private var unread = SlotSet()
    @exclusivity(unchecked) private var source: RowBlock?
    @exclusivity(unchecked) package var changed = SlotSet()
    /// What the bytes of transformables were turned into, by slot; nil until one was read. Good while the slot has those bytes.
    @exclusivity(unchecked) var unarchived: [Int: (data: Data, object: Any)]?

    /// Who finds the object by its values, and under which place; told once, with the next write.
    @exclusivity(unchecked) private var index: PendingIndex?
    @exclusivity(unchecked) private var place = PendingIndex.Place(inserted: 0)

    package init(values: ContiguousArray<AttributeValue>) { known = values }

    /// The row's values.
    init(over row: RowBlock) {
        let count = row.layout.slotCount
        // Repeating a value copies it for each slot, three times as slowly as writing it.
        known = ContiguousArray(unsafeUninitializedCapacity: count) { slots, written in
            for slot in 0..<count { slots.initializeElement(at: slot, to: .null) }
            written = count
        }
        unread = SlotSet(below: count)
        source = row
    }

    package subscript(slot: Int) -> AttributeValue {
        @inline(__always) get {
            if source != nil, unread.contains(slot) { read(slot) }
            return known[slot]
        }
        @inline(__always) set {
            if source != nil { unread.remove(slot) }
            known[slot] = newValue
            if index != nil { leaveIndex() }
        }
    }

    func follow(_ index: PendingIndex, _ place: PendingIndex.Place) { (self.index, self.place) = (index, place) }

    /// The values change, or are about to be another buffer's.
    func leaveIndex() {
        index?.note(place)
        index = nil
    }

    /// Whether one of these is nil.
    func lacks(_ slots: [Int]) -> Bool {
        for slot in slots {
            if let source, unread.contains(slot) {
                if source.isNull(slot) { return true }
            } else if case .null = known[slot] {
                return true
            }
        }
        return false
    }

    var indices: Range<Int> { known.indices }

    /// Every slot's value.
    var values: ContiguousArray<AttributeValue> {
        if source != nil {
            unread.forEach { slot in if let source { known[slot] = source.unreadValue(slot) } }
            unread.removeAll()
            source = nil
        }
        return known
    }

    /// A row to update, with no more values than are known.
    func update(of key: RowKey, expecting version: Int64, changing slots: SlotSet) -> UpdatedRow {
        UpdatedRow(key: key, expectedVersion: version, changedSlots: slots, known: known, unread: unread, of: source)
    }

    private func read(_ slot: Int) {
        guard let source else { return }
        known[slot] = source.unreadValue(slot)
        unread.remove(slot)
    }
}
