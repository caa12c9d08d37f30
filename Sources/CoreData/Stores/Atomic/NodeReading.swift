import CoreDataSchema
import CoreDataStorage

/// Makes rows of the nodes an atomic store of the program's own added.
struct NodeReading {
    let store: NSAtomicStore
    let runtime: ModelRuntime

    func content(of nodes: [NSAtomicStoreCacheNode], addedTo content: StoreContent) throws -> StoreContent {
        var builder = StoreContentBuilder(content, store: store.rows.number)
        for node in nodes {
            guard let key = store.key(of: node.objectID) else { continue }
            let entity = runtime.entities[Int(key.entity)]
            if entity.resolved.isAbstract {
                throw StoreError.invalidRequest("The store gave a record of the entity “\(entity.name)”, which is abstract.")
            }
            var values = ContiguousArray(repeating: AttributeValue.null, count: entity.layout.slotCount)
            for property in entity.resolved.properties where !property.isTransient {
                switch property.storage {
                case .none, .fetched: break
                case .toOne: values[property.slot] = self.keys(node.value(forKey: property.name)).first.map(AttributeValue.reference) ?? .null
                case .toMany:
                    builder.link(
                        key, PropertyReference(entity: property.declaringEntity, slot: property.slot), self.keys(node.value(forKey: property.name)))
                default: values[property.slot] = try attribute(node, property, entity)
                }
            }
            // The same node added twice is one record.
            _ = builder.add(key, version: (content.row(key)?.version ?? 0) + 1, values: values)
        }
        return builder.finish()
    }

    private func attribute(_ node: NSAtomicStoreCacheNode, _ property: ResolvedProperty, _ entity: EntityRuntime) throws -> AttributeValue {
        let given = node.value(forKey: property.name)
        if let value = ValueBridging.value(from: given, for: property, of: entity.entity) { return value }
        throw StoreError.invalidRequest("The store gave a \(given.map { "\(type(of: $0))" } ?? "nil") for “\(entity.name).\(property.name)” of "
            + "\(node.objectID.uriRepresentation()); a \(ValueBridging.desiredType(of: property)) is needed.")
    }

    /// Nodes, or the IDs of nodes, of one or of many.
    private func keys(_ value: Any?) -> [RowKey] {
        switch value {
        case nil: []
        case let node as NSAtomicStoreCacheNode: store.key(of: node.objectID).map { [$0] } ?? []
        case let id as NSManagedObjectID: store.key(of: id).map { [$0] } ?? []
        case let members as NSOrderedSet: members.array.flatMap { keys($0) }
        case let members as NSSet: members.allObjects.flatMap { keys($0) }
        case let members as [Any]: members.flatMap { keys($0) }
        case let members as Set<NSAtomicStoreCacheNode>: members.flatMap { keys($0) }
        default: []
        }
    }
}
