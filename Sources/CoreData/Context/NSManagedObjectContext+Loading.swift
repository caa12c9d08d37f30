import CoreDataSchema
import CoreDataStorage

/// Loads for many objects at once what each would ask for by itself when it is touched. Nothing fires: faults stay faults,
/// with their row at hand. What cannot be read is left for whoever touches the object to find out.
extension NSManagedObjectContext {
    /// Brings the rows of faults into reach: one trip for those the row cache does not have.
    func loadRows(of objects: [NSManagedObject]) {
        let faults = objects.filter { $0.isUnfired && !$0.key.isTemporary && !showsCurrentRow($0) }
        guard !faults.isEmpty, let rows = try? rows(for: faults.map(\.key)) else { return }
        for row in rows {
            guard let object = registered(row.key), object.isUnfired else { continue }
            object.row = row
        }
    }

    /// Loads a to-many relationship of many owners, where it is not loaded yet, in one trip.
    func loadMembers(of objects: [NSManagedObject], at slot: Int) {
        var seen = Set<RowKey>()
        let owners = objects.filter { owner in
            (parentStorage != nil || !owner.key.isTemporary) && owner.toManyMembers(at: slot) == nil
                && owner.state.isDisjoint(with: [.inaccessible, .unborn]) && seen.insert(owner.key).inserted
        }
        guard let property = owners.first?.runtime.resolved.properties[slot] else { return }
        let reference = PropertyReference(entity: property.declaringEntity, slot: slot)
        guard let members = storedMembers(of: owners.map(\.key), through: reference) else { return }
        for (owner, members) in zip(owners, members) { owner.takeStoredMembers(members, at: slot) }
    }

    /// Members as the parent or the stores have them, parallel to the owners; nil when they cannot be read.
    private func storedMembers(of owners: [RowKey], through relationship: PropertyReference) -> [[RowKey]]? {
        if let parent = parentStorage {
            return parent.runAndWait {
                defer { noteHeardKeys() }
                return parent.membersForChild(owners, relationship.slot)
            }
        }
        guard let coordinator = coordinatorStorage else { return nil }
        return try? coordinator.asked(by: self) { try coordinator.relatedKeys(of: owners, through: relationship) }
    }

    // MARK: Prefetching

    /// Makes the objects at the end of each path, and the memberships on the way, loaded.
    func prefetch(_ paths: [[String]], from objects: [NSManagedObject], _ collected: PrefetchCollector) {
        for part in collected.take() {
            for (owner, members) in zip(part.owners, part.members) {
                let owner = object(for: owner)
                if owner.toManyMembers(at: part.relationship.slot) == nil {
                    owner.takeStoredMembers(members, at: part.relationship.slot)
                }
            }
        }
        // Stores of the program's own are asked for nothing that nobody touched.
        if persistentStoreCoordinator?.hasIncrementalStores == true { return }
        for path in paths {
            var owners = objects
            for name in path {
                owners = follow(name, from: owners)
                if owners.isEmpty { break }
            }
        }
    }

    /// The objects behind one relationship, loaded.
    private func follow(_ name: String, from owners: [NSManagedObject]) -> [NSManagedObject] {
        var targets: [RowKey] = []
        var seen = Set<RowKey>()
        loadRows(of: owners)
        for (_, owners) in Dictionary(grouping: owners, by: \.runtime.index) {
            guard let property = owners[0].runtime.resolved.property(named: name), property.relationship != nil else { continue }
            if property.storage == .toMany { loadMembers(of: owners, at: property.slot) }
            for key in owners.flatMap({ $0.relatedKeysAtHand(at: property.slot) }) where seen.insert(key).inserted { targets.append(key) }
        }
        let found = self.objects(for: targets)
        loadRows(of: found)
        return found
    }

    // MARK: Deleting

    /// Loads what following the delete rules will look at, level by level: some trips a level, however many objects.
    func loadForDeletion(_ roots: [NSManagedObject]) {
        var seen: Set<RowKey>?
        var level = roots
        while !level.isEmpty {
            loadRows(of: level)
            var doomed: [RowKey] = []
            for (_, objects) in Dictionary(grouping: level, by: \.runtime.index) {
                for property in objects[0].runtime.resolved.properties { load(property, of: objects, doomed: &doomed) }
            }
            if doomed.isEmpty { return }
            var known = seen ?? Set(roots.map { $0.key })
            level = self.objects(for: doomed.filter { known.insert($0).inserted }).filter { !$0.state.contains(.deleted) }
            seen = known
        }
    }

    /// Loads the relationships of objects whose deletion is about to be saved: undo brings them back when no row says any more
    /// what they had.
    func loadForUndo(_ deleted: [NSManagedObject]) {
        if undoStorage == nil { return }
        for (_, objects) in Dictionary(grouping: deleted, by: \.runtime.index) {
            for slot in objects[0].runtime.toManySlots { loadMembers(of: objects, at: slot) }
        }
    }

    private func load(_ property: ResolvedProperty, of objects: [NSManagedObject], doomed: inout [RowKey]) {
        guard let relationship = property.relationship, relationship.schema.deleteRule != .noAction else { return }
        if property.storage == .toMany { loadMembers(of: objects, at: property.slot) }
        let targets = objects.flatMap { $0.relatedKeysAtHand(at: property.slot) }
        if relationship.schema.deleteRule == .cascade { doomed += targets }
        guard relationship.schema.deleteRule != .deny, let inverse = relationship.inverse, !targets.isEmpty else { return }
        // The other side will be told: its row, and an ordered to-many with it, must be there.
        let touched = self.objects(for: targets)
        loadRows(of: touched)
        if touched[0].runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot].relationship?.isOrdered == true {
            loadMembers(of: touched, at: inverse.slot)
        }
    }

    // MARK: Newer rows

    /// Takes newer rows under the edits of objects that show values, in one trip.
    func rebase(_ objects: [NSManagedObject]) {
        guard !objects.isEmpty, let rows = try? rows(for: objects.map(\.key)) else { return }
        for row in rows {
            if let object = registered(row.key), !object.isUnfired { object.rebase(on: row) }
        }
    }
}

extension NSManagedObject {
    /// Members of a to-many if they are loaded; fires nothing.
    final func toManyMembers(at slot: Int) -> KeyMembers? {
        if state.contains(.inserted), row == nil { return toManyState(at: slot).members }
        return toMany?[slot]?.members
    }

    /// What a store says of a to-many, before anybody asked.
    final func takeStoredMembers(_ keys: [RowKey], at slot: Int) { stateForLoading(at: slot).load(keys) }

    private final func stateForLoading(at slot: Int) -> ToManyState {
        if let existing = toMany?[slot] { return existing }
        let made = ToManyState(isOrdered: runtime.resolved.properties[slot].relationship?.isOrdered ?? false)
        if toMany == nil { toMany = [:] }
        toMany?[slot] = made
        return made
    }

    /// Targets of a relationship as far as they are loaded; fires nothing.
    final func relatedKeysAtHand(at slot: Int) -> [RowKey] {
        if runtime.resolved.properties[slot].storage == .toMany { return toManyMembers(at: slot)?.keys ?? [] }
        let value: AttributeValue = if state.contains(.fault) { row?.value(slot) ?? .null } else { edits?[slot] ?? row?.value(slot) ?? .null }
        if case .reference(let key) = value { return [key] }
        return []
    }
}
