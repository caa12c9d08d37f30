import CoreDataSchema

/// Why descriptions built in code do not make a model; `description` says what, where and what to do.
package enum ModelDescriptionError: DescribedError, Equatable {
    case unnamedEntity
    case unnamedProperty(entity: String)
    case noDestination(entity: String, relationship: String)
    case misplacedExpression(entity: String, property: String)
    case unreadableKey(entity: String, key: String)
    case unacceptableDefault(entity: String, attribute: String, type: String, value: String)
    case notACompositeDescription(entity: String, attribute: String)
    case noFetchRequest(entity: String, property: String)
    case noEntityInTemplate(String)
    case conflictingEntities(name: String)
    case conflictingTemplates(name: String)

    package var description: String {
        switch self {
        case .unnamedEntity: "The model has an entity without a name. Set NSEntityDescription.name."
        case .unnamedProperty(let entity): "The entity “\(entity)” has a property without a name. Set its name."
        case .noDestination(let entity, let relationship):
            "The relationship “\(entity).\(relationship)” has no destination entity, or the entity is gone. Set destinationEntity, and put that entity into the model."
        case .misplacedExpression(let entity, let property):
            "“\(entity).\(property)” is an NSExpressionDescription or a bare NSPropertyDescription, which cannot be a property of an entity. Use an attribute, a relationship or a fetched property."
        case .unreadableKey(let entity, let key):
            "A uniqueness constraint or compound index of “\(entity)” has the element \(key), which is neither a property's name nor a property."
        case .unacceptableDefault(let entity, let attribute, let type, let value):
            "Unacceptable type of value for attribute: property = “\(entity).\(attribute)”; the default value \(value) is not of the type \(type). Set a default that fits, or another attributeType."
        case .notACompositeDescription(let entity, let attribute):
            "The attribute “\(entity).\(attribute)” is of the composite type but not an NSCompositeAttributeDescription. Use that class and set its elements."
        case .noFetchRequest(let entity, let property):
            "The fetched property “\(entity).\(property)” has no fetch request with an entity. Set fetchRequest."
        case .noEntityInTemplate(let name): "The fetch request template “\(name)” names no entity."
        case .conflictingEntities(let name):
            "The models cannot be merged: more than one declares the entity “\(name)”, and not in the same way."
        case .conflictingTemplates(let name):
            "The models cannot be merged: more than one declares the fetch request template “\(name)”, and not in the same way."
        }
    }
}
