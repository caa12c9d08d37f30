import CoreDataSchema
import Synchronization

/// Objects made without a context that were connected with one another: who can be reached from whom, by key.
///
/// Objects refer to one another by key, and no context resolves the keys of these. A family holds its members, so that a
/// graph lives as long as anybody holds one object of it. The ends of those nobody holds are noticed when the number of
/// members has doubled.
///
/// Unchecked Sendable: everything is under `lock`, the families too. Objects are let go of outside of it.
final class OrphanFamilies: @unchecked Sendable {
    static let shared = OrphanFamilies()

    private final class Family {
        var members: [Int64: NSManagedObject] = [:]
        /// Members that joined a context while others, which may refer to them, did not.
        var joined: [Int64: NSManagedObject] = [:]
    }

    private let lock = NSLock()
    private var families: [Int64: Family] = [:]
    private var sweepAt = 256

    /// Both become members of one family; both have temporary keys.
    func connect(_ one: NSManagedObject, _ other: NSManagedObject) {
        let released: [Family] = lock.withLock {
            let (first, second) = (family(of: one), family(of: other))
            if first !== second { unite(first, second) }
            return families.count > sweepAt ? sweep() : []
        }
        _ = consume released
    }

    private func family(of object: NSManagedObject) -> Family {
        if let known = families[object.key.primaryKey] { return known }
        let made = Family()
        made.members[object.key.primaryKey] = object
        families[object.key.primaryKey] = made
        return made
    }

    private func unite(_ first: Family, _ second: Family) {
        let (smaller, larger) = first.members.count < second.members.count ? (first, second) : (second, first)
        for key in smaller.members.keys { families[key] = larger }
        larger.members.merge(smaller.members) { $1 }
        larger.joined.merge(smaller.joined) { $1 }
    }

    /// The object of a key in another one's family.
    func member(_ key: RowKey, knownTo object: NSManagedObject) -> NSManagedObject? {
        guard key.isTemporary else { return nil }
        return lock.withLock {
            let family = families[object.key.primaryKey]
            return family?.members[key.primaryKey] ?? family?.joined[key.primaryKey]
        }
    }

    /// The object joins a context.
    func leave(_ object: NSManagedObject) {
        let released: Family? = lock.withLock {
            guard let family = families.removeValue(forKey: object.key.primaryKey) else { return nil }
            family.members[object.key.primaryKey] = nil
            if family.members.isEmpty { return family }
            family.joined[object.key.primaryKey] = object
            return nil
        }
        _ = consume released
    }

    /// Takes out the families of which nobody else holds a member. Members are only handed out under the lock, so whoever
    /// comes by one later holds another now.
    private func sweep() -> [Family] {
        var seen = Set<ObjectIdentifier>()
        var released: [Family] = []
        for family in Array(families.values) where seen.insert(ObjectIdentifier(family)).inserted && !isHeld(family) {
            for key in family.members.keys { families[key] = nil }
            released.append(family)
        }
        sweepAt = max(256, families.count * 2)
        return released
    }

    private func isHeld(_ family: Family) -> Bool {
        var index = family.members.startIndex
        while index != family.members.endIndex {
            if !isKnownUniquelyReferenced(&family.members.values[index]) { return true }
            family.members.formIndex(after: &index)
        }
        return false
    }
}
