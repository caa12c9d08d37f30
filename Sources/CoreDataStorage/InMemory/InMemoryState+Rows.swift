import CoreDataSchema

/// Writes that keep the indexes true.
extension InMemoryState {
    mutating func put(_ row: RowBlock, _ schema: InMemorySchema) {
        let root = schema.root(of: row.key)
        let old = tables[root][row.key.primaryKey]
        tables[root][row.key.primaryKey] = row
        let entity = Int(row.key.entity)
        for indexed in schema.indexedReferences[entity] {
            move(row.key, indexed.reference, from: old?.reference(indexed.slot), to: row.reference(indexed.slot))
        }
        if schema.constraints[entity].isEmpty { return }
        if let old { release(old, schema) }
        for constraint in schema.constraints[entity] {
            if let values = row.uniqueValues(constraint.slots) { holders[constraint.properties, default: [:]][values] = row.key }
        }
    }

    mutating func remove(_ key: RowKey, _ schema: InMemorySchema) {
        let root = schema.root(of: key)
        guard let old = tables[root][key.primaryKey] else { return }
        tables[root][key.primaryKey] = nil
        for indexed in schema.indexedReferences[Int(key.entity)] {
            move(key, indexed.reference, from: old.reference(indexed.slot), to: nil)
        }
        release(old, schema)
        for property in schema.model.entities[Int(key.entity)].properties where property.storage == .toMany {
            members[PropertyReference(entity: property.declaringEntity, slot: property.slot)]?[key] = nil
        }
    }

    /// Gives up the unique values of a stored row that is about to change.
    mutating func release(_ key: RowKey, _ schema: InMemorySchema) {
        if schema.constraints[Int(key.entity)].isEmpty { return }
        if let row = row(key, schema) { release(row, schema) }
    }

    /// Every row of the plan's entities, in primary-key order.
    func rows(of plan: FetchPlan, _ schema: InMemorySchema) -> [RowBlock] {
        let entity = schema.model.entities[plan.entity]
        let last = plan.includesSubentities ? entity.lastDescendant : entity.index
        var rows: [RowBlock] = []
        tables[entity.rootIndex].forEach(in: Int32(entity.index)...Int32(last)) { rows.append($0) }
        return rows
    }

    private mutating func move(_ key: RowKey, _ reference: PropertyReference, from old: RowKey?, to new: RowKey?) {
        if old == new { return }
        if let old { referrers[reference]?[old]?.remove(key) }
        if let new { referrers[reference, default: [:]][new, default: []].insert(key) }
    }

    /// Gives up the row's constraint values, unless another row has taken them already.
    private mutating func release(_ row: RowBlock, _ schema: InMemorySchema) {
        for constraint in schema.constraints[Int(row.key.entity)] {
            guard let values = row.uniqueValues(constraint.slots), holders[constraint.properties]?[values] == row.key else { continue }
            holders[constraint.properties]?[values] = nil
        }
    }

    mutating func apply(_ link: LinkChange, _ schema: InMemorySchema) {
        let removed = Set(link.removed)
        let inverse = schema.property(link.relationship).relationship?.inverse
        let isShownByToOne = inverse.map { schema.property($0).storage == .toOne } ?? false
        change(link.owner, link.relationship) {
            $0.remove(removed)
            for key in link.added { $0.append(key) }
            if isShownByToOne { for key in link.order ?? [] { $0.append(key) } }
            if let order = link.order { $0.arrange(order) }
        }
        guard let inverse, !isShownByToOne else { return }
        for key in link.removed { change(key, inverse) { $0.remove([link.owner]) } }
        for key in link.added { change(key, inverse) { $0.append(link.owner) } }
    }

    private mutating func change(_ owner: RowKey, _ reference: PropertyReference, _ body: (inout MemberList) -> Void) {
        body(&members[reference, default: [:]][owner, default: MemberList()])
    }
}

extension RowBlock {
    /// The values of a uniqueness constraint; nil when one is null, for nulls are distinct.
    func uniqueValues(_ slots: [Int]) -> [AttributeValue]? {
        var values: [AttributeValue] = []
        for slot in slots {
            let value = value(slot)
            if value.isNull { return nil }
            values.append(value)
        }
        return values
    }
}
