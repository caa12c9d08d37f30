import CoreDataSchema

/// What entities, properties and types are called in an XML store.
struct XMLStoreNames {
    private let model: ResolvedModel
    private var entities: [String: Int] = [:]
    private var properties: [[String: Int]] = []

    init(_ model: ResolvedModel) {
        self.model = model
        for entity in model.entities { entities[entity.name.uppercased(), default: -1] = entities[entity.name.uppercased()] == nil ? entity.index : -1 }
        properties = model.entities.map { entity in
            var slots: [String: Int] = [:]
            for property in entity.properties {
                let name = property.name.lowercased()
                slots[name] = slots[name] == nil ? property.slot : -1
            }
            return slots
        }
    }

    /// Names that differ by case alone keep theirs.
    func name(of entity: ResolvedEntity) -> String {
        let name = entity.name.uppercased()
        return XMLText.escaped(entities[name] == entity.index ? name : entity.name)
    }

    func name(of property: ResolvedProperty, in entity: ResolvedEntity) -> String {
        let name = property.name.lowercased()
        return XMLText.escaped(properties[entity.index][name] == property.slot ? name : property.name)
    }

    func entity(named name: String) -> ResolvedEntity? {
        if let exact = model.entity(named: name) { return exact }
        guard let index = entities[name.uppercased()], index >= 0 else { return nil }
        return model.entities[index]
    }

    func property(named name: String, of entity: ResolvedEntity) -> ResolvedProperty? {
        if let exact = entity.property(named: name) { return exact }
        guard let slot = properties[entity.index][name.lowercased()], slot >= 0 else { return nil }
        return entity.properties[slot]
    }

    static func typeName(_ type: AttributeType) -> String? {
        switch type {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .undefined: "undefined"
        case .objectID, .composite: nil
        }
    }
}
