import CoreDataGraph
import CoreDataSchema

// Objects made without a context: they hold values and relationships among themselves until they are inserted.

extension NSManagedObject {
    /// Whether the object was made without a context, and never had one.
    final var isOutside: Bool { anchor == nil && row == nil && state.isDisjoint(with: [.inaccessible, .takenUp]) }

    /// The object of a key that this one refers to: in its context, or among those it was connected to without one.
    @inline(__always)
    final func peer(_ key: RowKey) -> NSManagedObject? {
        if let anchor { return anchor.context?.object(for: key) }
        return state.contains(.outsider) ? OrphanFamilies.shared.member(key, knownTo: self) : nil
    }

    final func peers(_ keys: [RowKey]) -> [NSManagedObject] {
        if let anchor { return anchor.context?.objects(for: keys) ?? [] }
        return keys.compactMap { peer($0) }
    }

    /// The key under which others name an object made without a context; it keeps it when it is inserted.
    final func takeTemporaryKey() {
        guard anchor == nil, !state.contains(.outsider) else { return }
        if key.primaryKey == 0 { rename(to: RowKey(primaryKey: TemporaryKeys.next(), entity: key.entity)) }
        state.insert(.outsider)
    }

    final func leaveOrphans() {
        OrphanFamilies.shared.leave(self)
        state.remove(.outsider)
    }

    /// Two objects without a context may refer to one another from here on.
    final func meet(_ other: NSManagedObject) {
        guard isOutside, other.isOutside else { return }
        takeTemporaryKey()
        other.takeTemporaryKey()
        OrphanFamilies.shared.connect(self, other)
    }

    /// Keeps the other sides of a relationship between objects without a context.
    final func maintainInverseOutside(of property: ResolvedProperty, removing: [RowKey], adding: [RowKey]) {
        guard state.contains(.outsider), anchor == nil else { return }
        let edits = InverseMaintenance.plan(
            owner: key, relationship: property, removing: removing, adding: adding, model: runtime.resolvedModel
        ) { key, slot in
            if case .reference(let target) = self.peer(key)?.value(at: slot) { return target }
            return nil
        }
        for edit in edits { peer(edit.object)?.apply(edit) }
    }

    /// This object and those without a context that can be reached from it.
    final func reachableOutsiders() -> [NSManagedObject] {
        var found = [self]
        var seen: Set<RowKey> = [key]
        var next = 0
        while next < found.count {
            let object = found[next]
            next += 1
            for slot in object.runtime.relationshipSlots {
                for key in object.relatedKeysAtHand(at: slot) where seen.insert(key).inserted {
                    if let peer = peer(key), peer.isOutside { found.append(peer) }
                }
            }
        }
        return found
    }

    /// Takes out what leads to none of those that are inserted together; gives what it led to, as far as the context knows it.
    final func cutLinks(leaving party: Set<RowKey>, into context: NSManagedObjectContext) -> [LinkToRestore] {
        var links: [LinkToRestore] = []
        for slot in runtime.relationshipSlots {
            let keys = relatedKeysAtHand(at: slot)
            if keys.allSatisfy(party.contains), row == nil { continue }
            let inside = keys.filter(party.contains)
            if runtime.resolved.properties[slot].storage == .toMany {
                let many = ToManyState(isOrdered: runtime.resolved.properties[slot].relationship?.isOrdered ?? false, members: [])
                for key in inside { many.add(key) }
                toMany?[slot] = many
            } else if inside.isEmpty {
                edits?[slot] = .null
            }
            let targets = keys.compactMap { party.contains($0) ? peer($0) : context.known($0) ?? peer($0) }
            if targets.contains(where: { !$0.isOutside }) {
                links.append(LinkToRestore(owner: self, slot: slot, targets: targets))
            }
        }
        return links
    }
}

/// A relationship that is set again once its owner is in the context.
struct LinkToRestore {
    let owner: NSManagedObject
    let slot: Int
    let targets: [NSManagedObject]

    func restore() {
        if owner.runtime.resolved.properties[slot].storage == .toMany {
            owner.setMembers(targets, at: slot)
        } else {
            owner.setRelated(targets.first, at: slot)
        }
    }
}

extension NSManagedObjectContext {
    /// The object of a key that an object which comes from elsewhere refers to, if it is one of this context or its stores.
    fileprivate func known(_ key: RowKey) -> NSManagedObject? {
        if let object = registered(key) { return object }
        return !key.isTemporary && persistentStoreCoordinator?.store(number: key.store) != nil ? object(for: key) : nil
    }

    /// Inserts an object made without a context, together with those it is connected to.
    func insertConnected(_ object: NSManagedObject) {
        let party = object.reachableOutsiders()
        let keys = Set(party.map(\.key))
        for member in party { member.prepareForReading() }
        let links = party.flatMap { member in
            if member.edits == nil { _ = member.makeEdits() }
            return member.cutLinks(leaving: keys, into: self)
        }
        for member in party { adopt(member) }
        for link in links { link.restore() }
        for member in party where member.anchor === anchor { member.awakeFromInsert() }
    }
}
