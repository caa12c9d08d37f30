/// Why a model cannot be used; `description` says what, where and what to do.
package enum ModelError: DescribedError, Equatable {
    case duplicateEntity(String)
    case duplicateProperty(entity: String, property: String)
    case unknownSuperentity(entity: String, name: String)
    case inheritanceCycle(entity: String)
    case unknownDestination(entity: String, relationship: String, destination: String)
    case unknownInverse(entity: String, relationship: String, inverse: String)
    case unknownConstraintProperty(entity: String, property: String)
    case unknownComposite(entity: String, attribute: String, composite: String)
    case unknownConfigurationEntity(configuration: String, entity: String)

    package var description: String {
        switch self {
        case .duplicateEntity(let name):
            "The model declares the entity “\(name)” more than once. Entity names must be unique: rename one of them."
        case .duplicateProperty(let entity, let property):
            "The entity “\(entity)” has more than one property named “\(property)” (its own or inherited). Rename one of them."
        case .unknownSuperentity(let entity, let name):
            "The entity “\(entity)” names “\(name)” as its parent, but the model has no such entity. Add it or correct parentEntity."
        case .inheritanceCycle(let entity):
            "The entity “\(entity)” is its own ancestor. Remove the cycle from the parent entities."
        case .unknownDestination(let entity, let relationship, let destination):
            "The relationship “\(entity).\(relationship)” leads to “\(destination)”, but the model has no such entity. Add it or correct destinationEntity."
        case .unknownInverse(let entity, let relationship, let inverse):
            "The relationship “\(entity).\(relationship)” names the inverse “\(inverse)”, which its destination does not declare. Correct inverseName."
        case .unknownConstraintProperty(let entity, let property):
            "A uniqueness constraint or index of “\(entity)” names “\(property)”, which is not one of its properties."
        case .unknownComposite(let entity, let attribute, let composite):
            "The attribute “\(entity).\(attribute)” is of the composite type “\(composite)”, which the model does not declare."
        case .unknownConfigurationEntity(let configuration, let entity):
            "The configuration “\(configuration)” lists “\(entity)”, but the model has no such entity."
        }
    }
}
