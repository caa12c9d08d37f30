import CoreDataSchema

/// Where each slot of an entity's rows lies in a `RowBlock`.
///
/// Invariant: null bits first, then one 8-byte word a slot (unstored slots too: an index needs no look-up), then one word
/// for each to-one whose destination has subentities, then the variable bytes.
package final class RowLayout: Sendable {
    package let entity: Int
    package let kinds: ContiguousArray<StorageKind>
    /// Whether the store keeps the slot.
    package let isStored: ContiguousArray<Bool>
    /// Destination entity of a to-one slot, or -1.
    package let destinations: ContiguousArray<Int32>
    /// Word that holds the concrete entity of a polymorphic to-one, or -1.
    package let entityWords: ContiguousArray<Int32>
    /// Slots that triggers write without moving the row's version.
    package let derivedSlots: [Int]
    package let toOneSlots: [Int]
    /// Stored slots whose value is in their word.
    package let fixedSlots: SlotSet
    package let nullWords: Int
    package let fixedWords: Int

    package var slotCount: Int { kinds.count }

    package init(_ entity: ResolvedEntity, in model: ResolvedModel) {
        self.entity = entity.index
        kinds = ContiguousArray(entity.properties.map(\.storage))
        isStored = ContiguousArray(entity.properties.map(\.isStored))
        derivedSlots = entity.properties.filter(\.isDerived).map(\.slot)
        toOneSlots = entity.properties.filter { $0.storage == .toOne }.map(\.slot)
        var fixed = SlotSet()
        for property in entity.properties where property.isStored {
            switch property.storage {
            case .integer, .boolean, .double, .float, .date, .toOne: fixed.insert(property.slot)
            default: break
            }
        }
        fixedSlots = fixed
        nullWords = (entity.properties.count + 63) / 64
        var next = nullWords + entity.properties.count
        var destinations = ContiguousArray<Int32>()
        var words = ContiguousArray<Int32>()
        for property in entity.properties {
            guard property.storage == .toOne, let destination = property.relationship?.destination else {
                destinations.append(-1)
                words.append(-1)
                continue
            }
            destinations.append(Int32(destination))
            if model.entities[destination].hasSubentities {
                words.append(Int32(next))
                next += 1
            } else {
                words.append(-1)
            }
        }
        self.destinations = destinations
        entityWords = words
        fixedWords = next
    }
}
