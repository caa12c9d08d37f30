import CoreDataSchema
import Foundation

extension NSEntityDescription {
    /// The entity as a value. Throws `ModelDescriptionError` saying which part is not sound.
    func schema(composites: CompositeCollector) throws -> EntitySchema {
        guard let name, !name.isEmpty else { throw ModelDescriptionError.unnamedEntity }
        var schema = EntitySchema(name: name)
        schema.className = schemaClassName
        schema.superentityName = superentity?.name
        schema.isAbstract = isAbstract
        for property in ownProperties {
            guard !property.name.isEmpty else { throw ModelDescriptionError.unnamedProperty(entity: name) }
            switch property {
            case let attribute as NSAttributeDescription:
                schema.attributes.append(try attribute.schema(entity: name, composites: composites))
            case let relationship as NSRelationshipDescription:
                guard relationship.destinationEntity?.name != nil else {
                    throw ModelDescriptionError.noDestination(entity: name, relationship: relationship.name)
                }
                schema.relationships.append(relationship.schema)
            case let fetched as NSFetchedPropertyDescription:
                schema.fetchedProperties.append(try fetched.schema(entity: name))
            default: throw ModelDescriptionError.misplacedExpression(entity: name, property: property.name)
            }
        }
        schema.indexes = indexes.map(\.schema)
        schema.compoundIndexes = try compoundIndexes.map { try $0.map { try key($0) } }
        schema.uniquenessConstraints = try uniquenessConstraints.map { try $0.map { try key($0) } }
        schema.codeGeneration = codeGeneration
        schema.renamingIdentifier = schemaRenamingIdentifier
        schema.versionHashModifier = versionHashModifier
        schema.userInfo = UserInfo.texts(userInfo)
        return schema
    }

    /// Constraints and indexes name properties, or hold them.
    private func key(_ element: Any) throws -> String {
        if let name = element as? String { return name }
        if let property = element as? NSPropertyDescription { return property.name }
        throw ModelDescriptionError.unreadableKey(entity: name ?? "", key: String(describing: element))
    }

    /// The description of a declared entity, not yet linked to others.
    static func make(_ schema: EntitySchema, in model: ModelSchema, owner: NSManagedObjectModel?) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = schema.name
        entity.managedObjectClassName = schema.className
        entity.isAbstract = schema.isAbstract
        entity.properties = schema.attributes.map { NSAttributeDescription.make($0, in: model) }
            + schema.relationships.map { NSRelationshipDescription.make($0) }
            + schema.fetchedProperties.map { NSFetchedPropertyDescription.make($0, owner: owner) }
        entity.compoundIndexes = schema.compoundIndexes
        entity.uniquenessConstraints = schema.uniquenessConstraints
        entity.codeGeneration = schema.codeGeneration
        if let identifier = schema.renamingIdentifier { entity.renamingIdentifier = identifier }
        entity.versionHashModifier = schema.versionHashModifier
        entity.userInfo = schema.userInfo
        return entity
    }
}

extension NSFetchedPropertyDescription {
    func schema(entity: String) throws -> FetchedPropertySchema {
        guard let request = template?.schema(name: "fetchedPropertyFetchRequest") else {
            throw ModelDescriptionError.noFetchRequest(entity: entity, property: name)
        }
        var schema = FetchedPropertySchema(name: name, request: request)
        schema.isOptional = isOptional
        schema.renamingIdentifier = schemaRenamingIdentifier
        schema.userInfo = UserInfo.texts(userInfo)
        return schema
    }

    static func make(_ schema: FetchedPropertySchema, owner: NSManagedObjectModel?) -> NSFetchedPropertyDescription {
        let fetched = NSFetchedPropertyDescription()
        fetched.name = schema.name
        fetched.isOptional = schema.isOptional
        fetched.template = FetchTemplate(schema.request, model: owner)
        if let identifier = schema.renamingIdentifier { fetched.renamingIdentifier = identifier }
        fetched.userInfo = schema.userInfo
        return fetched
    }
}
