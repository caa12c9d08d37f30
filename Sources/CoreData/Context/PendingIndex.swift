import CoreDataSchema
import CoreDataStorage

/// Unsaved objects by the value of one property, so that a fetch by key need not look at each of them.
///
/// Made by the first fetch that asks for it, and brought up to date by each later one: with objects that were listed since, and
/// with those whose buffer was written to (`EditBuffer.index`). Places are those in the lists of `PendingChanges`, which only grow
/// while an index of them lives. Invariant: an object is among those a look-up finds if its value hashes to what was asked
/// for; others may be too. Used on the context's queue only.
final class PendingIndex {
    /// A place in the list of inserted objects, or, turned about, of updated ones.
    struct Place: Comparable {
        let number: Int32
        init(inserted index: Int) { number = Int32(truncatingIfNeeded: index) }
        init(updated index: Int) { number = ~Int32(truncatingIfNeeded: index) }
        var isUpdated: Bool { number < 0 }
        var index: Int { Int(number < 0 ? ~number : number) }

        /// Updated ones first, each list in its order.
        static func < (left: Place, right: Place) -> Bool {
            left.isUpdated == right.isUpdated ? left.index < right.index : left.isUpdated
        }
    }

    private var tables: [Table] = []
    private var written: [Place] = []
    private static let mostTables = 8

    /// A buffer of that place is about to be written to, or let go.
    func note(_ place: Place) { written.append(place) }

    /// Places of the objects of an entity, or of one that inherits from it, that may have the value asked for, in the lists' order.
    func places(of equality: KeyEquality, _ entity: ResolvedEntity, in pending: PendingChanges) -> [Place] {
        takeInWritten(pending)
        let number = tables.firstIndex { $0.slot == equality.slot && $0.entity === entity } ?? addTable(equality.slot, entity)
        tables[number].takeIn(pending, self)
        return tables[number].places(hashedTo: equality.hash)
    }

    private func addTable(_ slot: Int, _ entity: ResolvedEntity) -> Int {
        if tables.count >= Self.mostTables { tables.removeFirst() }
        tables.append(Table(slot: slot, entity: entity))
        return tables.count - 1
    }

    private func takeInWritten(_ pending: PendingChanges) {
        if written.isEmpty { return }
        for place in written {
            let object = pending.object(at: place)
            object.edits?.follow(self, place)
            for number in tables.indices { tables[number].takeInAgain(object, place) }
        }
        written.removeAll(keepingCapacity: true)
    }
}

extension PendingIndex {
    /// Places by the hash of one slot's value.
    private struct Table {
        let slot: Int
        let entity: ResolvedEntity
        /// Of each hash the entry made last.
        private var last = KeyTable<Int32>()
        private var entries: [(place: Place, before: Int32)] = []
        /// Objects whose values are not looked at.
        private var loose: [Place] = []
        private var inserted = 0, updated = 0

        init(slot: Int, entity: ResolvedEntity) { (self.slot, self.entity) = (slot, entity) }

        /// Takes in what was listed since.
        mutating func takeIn(_ pending: PendingChanges, _ index: PendingIndex) {
            // Entries that are no longer true are left behind; with too many of them it is time to begin again.
            if entries.count + loose.count > 64 + 4 * (inserted + updated) { self = Table(slot: slot, entity: entity) }
            while inserted < pending.inserted.count {
                takeIn(pending.inserted[inserted], Place(inserted: inserted), index)
                inserted += 1
            }
            while updated < pending.updated.count {
                takeIn(pending.updated[updated], Place(updated: updated), index)
                updated += 1
            }
        }

        private mutating func takeIn(_ object: NSManagedObject, _ place: Place, _ index: PendingIndex) {
            guard entity.includes(object.runtime.index) else { return }
            object.edits?.follow(index, place)
            enter(object, place)
        }

        /// An object that was written to since it was taken in, if it was.
        mutating func takeInAgain(_ object: NSManagedObject, _ place: Place) {
            guard place.index < (place.isUpdated ? updated : inserted), entity.includes(object.runtime.index) else { return }
            enter(object, place)
        }

        private mutating func enter(_ object: NSManagedObject, _ place: Place) {
            guard object.classCoding.isPlain, object.state.isDisjoint(with: [.fault, .unborn]), let edits = object.edits else {
                loose.append(place)
                return
            }
            let value = edits[slot]
            // No value equals nil.
            if case .null = value { return }
            guard let hash = value.equalityHash else {
                loose.append(place)
                return
            }
            entries.append((place, last[hash.tableKey] ?? -1))
            last.insert(Int32(entries.count - 1), for: hash.tableKey)
        }

        func places(hashedTo hash: Int64) -> [Place] {
            var found = loose
            var entry = last[hash.tableKey] ?? -1
            while entry >= 0 {
                found.append(entries[Int(entry)].place)
                entry = entries[Int(entry)].before
            }
            if found.count < 2 { return found }
            found.sort()
            var last = 0
            for index in 1..<found.count where found[index] != found[last] {
                last += 1
                found[last] = found[index]
            }
            return Array(found.prefix(last + 1))
        }
    }
}

extension Int64 {
    /// `KeyTable` has no key 0.
    fileprivate var tableKey: Int64 { self == 0 ? .min : self }
}
