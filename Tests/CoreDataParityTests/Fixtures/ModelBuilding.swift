import CoreData

// Short forms to build models in code; nothing here is more than Apple's properties set one after the other.

extension NSAttributeDescription {
    convenience init(
        _ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil, transient: Bool = false
    ) {
        self.init()
        self.name = name
        attributeType = type
        isOptional = optional
        isTransient = transient
        defaultValue = value
    }

    /// The attribute with predicates a value must satisfy, each with its warning (a text or an error code).
    func validated(_ rules: (format: String, warning: Any)...) -> NSAttributeDescription {
        setValidationPredicates(rules.map { NSPredicate(format: $0.format) }, withValidationWarnings: rules.map(\.warning))
        return self
    }
}

extension NSEntityDescription {
    convenience init(_ name: String, of objectClass: AnyClass? = nil, _ attributes: NSAttributeDescription...) {
        self.init()
        self.name = name
        if let objectClass { managedObjectClassName = NSStringFromClass(objectClass) }
        properties = attributes
    }
}

/// One end of a relationship: the property's name and what is special about it.
struct End {
    var name: String
    var isToMany = false
    var rule = NSDeleteRule.nullifyDeleteRule
    var isOptional = true
    var isOrdered = false
    var minimum = 0
    var maximum = 0

    static func one(_ name: String, _ rule: NSDeleteRule = .nullifyDeleteRule, optional: Bool = true) -> End {
        End(name: name, rule: rule, isOptional: optional, maximum: 1)
    }

    static func many(
        _ name: String, _ rule: NSDeleteRule = .nullifyDeleteRule, optional: Bool = true, ordered: Bool = false,
        minimum: Int = 0, maximum: Int = 0
    ) -> End {
        End(name: name, isToMany: true, rule: rule, isOptional: optional, isOrdered: ordered, minimum: minimum, maximum: maximum)
    }

    func property(to destination: NSEntityDescription) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = destination
        relationship.deleteRule = rule
        relationship.isOptional = isOptional
        relationship.isOrdered = isOrdered
        relationship.minCount = minimum
        relationship.maxCount = maximum
        return relationship
    }
}

/// Gives `left` a relationship to `right` and back, each the other's inverse.
func relate(_ left: NSEntityDescription, _ leftEnd: End, _ right: NSEntityDescription, _ rightEnd: End) {
    let there = leftEnd.property(to: right)
    let back = rightEnd.property(to: left)
    there.inverseRelationship = back
    back.inverseRelationship = there
    left.properties += [there]
    right.properties += [back]
}

func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = entities
    return model
}
