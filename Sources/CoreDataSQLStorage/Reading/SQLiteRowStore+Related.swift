import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    package func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
        try serialised(.relationship) { connection in
            guard let property = toMany(relationship), let link = schema.links[relationship],
                  let destination = property.relationship?.destination
            else {
                throw StoreError.invalidRequest("The store has no to-many relationship \(describe(relationship)).")
            }
            var result = [[RowKey]](repeating: [], count: owners.count)
            // An owner may be asked for twice.
            var places: [Int64: [Int]] = [:]
            for (index, owner) in owners.enumerated() where !owner.isTemporary { places[owner.primaryKey, default: []].append(index) }
            let keys = Array(places.keys)
            var start = 0
            while start < keys.count {
                let part = keys[start..<min(start + 500, keys.count)]
                start += part.count
                let size = SQLiteRowStore.listSize(for: part.count)
                let sql = relatedSQL(link, destination: destination, size: size)
                try connection.withStatement(sql) { statement in
                    for index in 0..<size { try statement.bind(Int32(index + 1), part[part.startIndex + min(index, part.count - 1)]) }
                    while try statement.step() {
                        let entity = schema.concreteEntity(number: statement.integer(2), declared: destination) ?? destination
                        let key = RowKey(primaryKey: statement.integer(1), entity: Int32(entity), store: number)
                        guard key.primaryKey > 0 else { throw ImpossibleKey(number: key.primaryKey) }
                        for place in places[statement.integer(0)] ?? [] { result[place].append(key) }
                    }
                }
            }
            return result
        }
    }

    func toMany(_ reference: PropertyReference) -> ResolvedProperty? {
        guard model.entities.indices.contains(reference.entity) else { return nil }
        let properties = model.entities[reference.entity].properties
        guard properties.indices.contains(reference.slot), properties[reference.slot].storage == .toMany else { return nil }
        return properties[reference.slot]
    }

    func describe(_ reference: PropertyReference) -> String {
        guard model.entities.indices.contains(reference.entity) else { return "of entity number \(reference.entity)" }
        let entity = model.entities[reference.entity]
        let name = entity.properties.indices.contains(reference.slot) ? entity.properties[reference.slot].name : "slot \(reference.slot)"
        return "“\(entity.name).\(name)”"
    }

    /// Owner, member, member's `Z_ENT`; members of an owner in order.
    private func relatedSQL(_ link: LinkStorage, destination: Int, size: Int) -> String {
        let list = SQLiteRowStore.placeholders(size)
        switch link {
        case .column(let table, let name, let order, _):
            return "SELECT \(name), Z_PK, Z_ENT FROM \(table) WHERE \(name) IN (\(list)) ORDER BY \(name), \(order.map { "\($0), " } ?? "")Z_PK"
        case .join(let side):
            let table = schema.table(of: destination)?.name ?? ""
            let order = side.orderColumn.map { "j.\($0), " } ?? ""
            return "SELECT j.\(side.ownerColumn), d.Z_PK, d.Z_ENT FROM \(side.table) j JOIN \(table) d ON d.Z_PK = j.\(side.memberColumn) WHERE j.\(side.ownerColumn) IN (\(list)) ORDER BY j.\(side.ownerColumn), \(order)d.Z_PK"
        }
    }
}
