import CoreDataSchema

/// Keeps both sides of a relationship telling the same story.
package enum InverseMaintenance {
    /// What must change on other objects when `owner`'s relationship loses `removing` and gains `adding`. The owner's own
    /// side is the caller's: no edit touches it. `current` answers the value of a to-one of another object.
    ///
    /// Members in both lists stay and need nothing. The edits are in an order that may be applied one after the other.
    package static func plan(
        owner: RowKey, relationship: ResolvedProperty, removing: [RowKey], adding: [RowKey], model: ResolvedModel,
        current: (RowKey, Int) throws -> RowKey?
    ) rethrows -> [RelationshipEdit] {
        guard let inverse = relationship.relationship?.inverse,
              let other = model.entities[inverse.entity].properties[inverse.slot].relationship
        else { return [] }
        // Left alone: the owner's own side (a relationship that is its own inverse and leads from an object to itself), and
        // objects of entities that do not have the inverse.
        let holder = model.entities[inverse.entity]
        let hasInverse = { (member: RowKey) in
            holder.includes(Int(member.entity)) && !(member == owner && inverse.slot == relationship.slot)
        }
        let (lost, gained) = difference(removing, adding)
        var edits: [RelationshipEdit] = []
        for member in lost where hasInverse(member) {
            if other.isToMany {
                edits.append(RelationshipEdit(object: member, slot: inverse.slot, change: .remove(owner)))
            } else if try current(member, inverse.slot) == owner {
                edits.append(RelationshipEdit(object: member, slot: inverse.slot, change: .set(nil)))
            }
        }
        for member in gained where hasInverse(member) {
            if other.isToMany {
                edits.append(RelationshipEdit(object: member, slot: inverse.slot, change: .add(owner)))
                continue
            }
            let previous = try current(member, inverse.slot)
            if previous == owner { continue }
            if let previous, let edit = try leaving(previous, member, relationship, model, current) { edits.append(edit) }
            edits.append(RelationshipEdit(object: member, slot: inverse.slot, change: .set(owner)))
        }
        return edits
    }

    /// The edit by which `previous` loses a member that moves to another owner.
    private static func leaving(
        _ previous: RowKey, _ member: RowKey, _ relationship: ResolvedProperty, _ model: ResolvedModel,
        _ current: (RowKey, Int) throws -> RowKey?
    ) rethrows -> RelationshipEdit? {
        guard model.entities[relationship.declaringEntity].includes(Int(previous.entity)) else { return nil }
        if relationship.storage == .toMany {
            return RelationshipEdit(object: previous, slot: relationship.slot, change: .remove(member))
        }
        guard try current(previous, relationship.slot) == member else { return nil }
        return RelationshipEdit(object: previous, slot: relationship.slot, change: .set(nil))
    }

    private static func difference(_ removing: [RowKey], _ adding: [RowKey]) -> (lost: [RowKey], gained: [RowKey]) {
        if removing.count + adding.count <= 1 { return (removing, adding) }
        let (removed, added) = (Set(removing), Set(adding))
        var seen = Set<RowKey>()
        let lost = removing.filter { !added.contains($0) && seen.insert($0).inserted }
        let gained = adding.filter { !removed.contains($0) && seen.insert($0).inserted }
        return (lost, gained)
    }
}
