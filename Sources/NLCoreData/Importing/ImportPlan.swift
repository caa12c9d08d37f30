/// Where an entity's properties stand in rows of data from elsewhere, as the model's user info says.
///
/// A property's `jsonKey` is its dotted key there, empty for one that never comes; without one it goes by its own name. `jsonTransformer`
/// names a value transformer. An entity's `identityAttribute`, or its only uniqueness constraint of one attribute, tells its rows
/// apart. What Groot, Sync and MagicalRecord wrote in its place means the same.
struct ImportPlan {
    struct Attribute {
        let description: NSAttributeDescription
        let path: [String]
        let transformer: ValueTransformer?
    }

    struct Relationship {
        let description: NSRelationshipDescription
        let path: [String]
    }

    let entity: NSEntityDescription
    let attributes: [Attribute]
    let relationships: [Relationship]
    /// nil when rows cannot be told apart.
    let identity: Attribute?

    private static let keyNames = ["jsonKey", "jsonKeyPath", "JSONKeyPath", "sync.remoteKey", "mappedKeyName"]
    private static let transformerNames = ["jsonTransformer", "JSONTransformerName", "sync.valueTransformer"]
    private static let identityNames = ["identityAttribute", "relatedByAttribute"]

    /// `identity` names another attribute than the model does. Throws `unknownAttribute` for one the entity lacks.
    init(_ entity: NSEntityDescription, identity name: String? = nil) throws {
        self.entity = entity
        attributes = entity.attributesByName.sorted { $0.key < $1.key }.compactMap { name, attribute in
            Self.path(of: attribute).map { Attribute(description: attribute, path: $0, transformer: Self.transformer(of: attribute)) }
        }
        relationships = entity.relationshipsByName.sorted { $0.key < $1.key }.compactMap { name, relationship in
            Self.path(of: relationship).map { Relationship(description: relationship, path: $0) }
        }
        guard let key = name ?? Self.identity(of: entity) else {
            identity = nil
            return
        }
        guard let attribute = attributes.first(where: { $0.description.name == key }) else {
            throw NLCoreDataError.unknownAttribute(entity: entity.name ?? "", attribute: key)
        }
        identity = attribute
    }

    private static func text(_ property: NSPropertyDescription, _ names: [String]) -> String? {
        names.lazy.compactMap { property.userInfo?[$0] as? String }.first
    }

    private static func path(of property: NSPropertyDescription) -> [String]? {
        let key = text(property, keyNames) ?? property.name
        return key.isEmpty ? nil : key.split(separator: ".").map(String.init)
    }

    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        text(attribute, transformerNames).flatMap { ValueTransformer(forName: NSValueTransformerName(rawValue: $0)) }
    }

    private static func identity(of entity: NSEntityDescription) -> String? {
        if let said = identityNames.lazy.compactMap({ entity.userInfo?[$0] as? String }).first { return said }
        let marked = entity.attributesByName.values.filter { ["YES", "TRUE"].contains(text($0, ["sync.isPrimaryKey"])?.uppercased()) }
        if let name = marked.map(\.name).min() { return name }
        var current: NSEntityDescription? = entity
        while let one = current {
            let single = one.uniquenessConstraints.filter { $0.count == 1 }.compactMap { $0[0] as? String ?? ($0[0] as? NSAttributeDescription)?.name }
            if let name = single.first, entity.attributesByName[name] != nil { return name }
            current = one.superentity
        }
        return nil
    }
}

extension ImportPlan.Attribute {
    /// What a row says: nil when it says nothing, `NSNull` for null.
    func value(in row: [String: Any]) -> Any? { ImportPlan.value(at: path, in: row) }

    /// The value as the attribute holds it. Throws `unacceptableValue` for one it cannot hold.
    func fitted(_ value: Any) throws -> Any? {
        if value is NSNull { return nil }
        let transformed = if let transformer { transformer.transformedValue(value) } else { Optional(value) }
        guard let transformed else { return nil }
        if let fitting = AttributeFitting.value(transformed, for: description, converting: true) { return fitting }
        throw NLCoreDataError.unacceptableValue(entity: description.entity.name ?? "", attribute: description.name, value: "\(value)")
    }
}

extension ImportPlan.Relationship {
    func value(in row: [String: Any]) -> Any? { ImportPlan.value(at: path, in: row) }
}

extension ImportPlan {
    fileprivate static func value(at path: [String], in row: [String: Any]) -> Any? {
        var current: Any? = row
        for key in path { current = (current as? [String: Any])?[key] }
        return current
    }

    /// A row that says no more than which object is meant.
    func row(identifiedBy value: Any) -> [String: Any]? {
        identity.map { identity in
            var result = value
            for key in identity.path.reversed() { result = [key: result] }
            return result as? [String: Any] ?? [:]
        }
    }
}
