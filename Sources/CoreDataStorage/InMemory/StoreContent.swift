import CoreDataSchema

/// Everything a store in memory holds, as a value to write down or to begin with.
package struct StoreContent: Sendable {
    let schema: InMemorySchema
    let state: InMemoryState

    package var model: ResolvedModel { schema.model }

    /// Rows of an entity, without its subentities, in primary-key order.
    package func forEachRow(of entity: Int, _ body: (RowBlock) throws -> Void) rethrows {
        try state.tables[schema.roots[entity]].forEach(in: Int32(entity)...Int32(entity), body)
    }

    package func row(_ key: RowKey) -> RowBlock? { state.row(key, schema) }

    /// Members of a to-many of a row, in order when it is ordered and by primary key otherwise.
    package func members(of owner: RowKey, through relationship: PropertyReference) -> [RowKey] {
        state.related(to: owner, through: relationship, schema)
    }

    /// The key the next row of an entity gets.
    package func nextKey(of entity: Int) -> Int64 { state.nextKey(root: schema.roots[entity]) }

    var allRows: [RowBlock] {
        var rows: [RowBlock] = []
        for entity in schema.model.entities where entity.rootIndex == entity.index {
            state.tables[entity.index].forEach(in: Int32(entity.index)...Int32(entity.lastDescendant)) { rows.append($0) }
        }
        return rows
    }
}

/// Puts a store's content together from rows in any order.
///
/// Invariant: what comes out is sound whatever was given: a link that one side names is known to both.
package struct StoreContentBuilder {
    private let schema: InMemorySchema
    private let store: Int32
    private var state: InMemoryState
    private var rows: [RowKey: (version: Int64, values: ContiguousArray<AttributeValue>)] = [:]
    private var order: [RowKey] = []
    private var links: [(owner: RowKey, relationship: PropertyReference, members: [RowKey])] = []

    /// With `sharesKeys` no two rows have one key, of whatever entities they are.
    package init(model: ResolvedModel, store: Int32, sharesKeys: Bool) {
        schema = InMemorySchema(model)
        self.store = store
        state = InMemoryState(schema, sharesKeys: sharesKeys)
    }

    /// Content to add rows to, or to replace some of.
    package init(_ content: StoreContent, store: Int32) {
        schema = content.schema
        state = content.state
        self.store = store
    }

    /// One value a slot; references need not be there yet. False when there is a row of that key already.
    package mutating func add(_ key: RowKey, version: Int64, values: ContiguousArray<AttributeValue>) -> Bool {
        guard rows.updateValue((version, values), forKey: key) == nil else { return false }
        order.append(key)
        return true
    }

    /// The members of a to-many, in their order.
    package mutating func link(_ owner: RowKey, _ relationship: PropertyReference, _ members: [RowKey]) {
        if !members.isEmpty { links.append((owner, relationship, members)) }
    }

    /// Hands out no key of the entity below this one.
    package mutating func claim(_ nextKey: Int64, entity: Int) { state.claim(nextKey - 1, root: schema.roots[entity]) }

    package mutating func finish() -> StoreContent {
        for link in links {
            guard let inverse = schema.property(link.relationship).relationship?.inverse, schema.property(inverse).storage == .toOne else { continue }
            // The to-one side is the one that is kept; members that name nobody belong to whoever names them.
            for member in link.members where rows[member]?.values[inverse.slot].isNull == true {
                rows[member]?.values[inverse.slot] = .reference(link.owner)
            }
        }
        for key in order {
            guard let (version, values) = rows[key] else { continue }
            state.put(RowBlock.make(layout: schema.layouts[Int(key.entity)], key: key, version: version, values: values), schema)
            state.claim(key.primaryKey, root: schema.root(of: key))
        }
        for link in links {
            let relationship = schema.property(link.relationship).relationship
            let isShownByToOne = relationship?.inverse.map { schema.property($0).storage == .toOne } ?? false
            if isShownByToOne, relationship?.isOrdered != true { continue }
            state.apply(LinkChange(
                owner: link.owner, relationship: link.relationship, added: isShownByToOne ? [] : link.members, removed: [],
                order: relationship?.isOrdered == true ? link.members : nil), schema)
        }
        return StoreContent(schema: schema, state: state)
    }
}
