import CoreData

/// Models built in code, as applications build them.
enum ModelSamples {
    static func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true, default value: Any? = nil) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = optional
        attribute.defaultValue = value
        return attribute
    }

    static func relationship(_ name: String, to entity: NSEntityDescription, max: Int, rule: NSDeleteRule = .nullifyDeleteRule) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = name
        relationship.destinationEntity = entity
        relationship.maxCount = max
        relationship.deleteRule = rule
        return relationship
    }

    static func entity(_ name: String, className: String? = nil, _ properties: [NSPropertyDescription] = []) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.managedObjectClassName = className
        entity.properties = properties
        return entity
    }

    /// Party (abstract) ← Person, Firm; Person.employer ⇄ Firm.staff.
    static func firms() -> NSManagedObjectModel {
        let party = entity("Party", [attribute("name", .stringAttributeType, optional: false, default: "")])
        party.isAbstract = true
        let person = entity("Person", className: "Person", [attribute("age", .integer16AttributeType, default: 7)])
        let firm = entity("Firm", className: "Firm", [attribute("founded", .dateAttributeType)])
        party.subentities = [person, firm]
        let employer = relationship("employer", to: firm, max: 1)
        let staff = relationship("staff", to: person, max: 0, rule: .cascadeDeleteRule)
        staff.isOrdered = true
        staff.minCount = 2
        employer.inverseRelationship = staff
        person.properties.append(employer)
        firm.properties.append(staff)
        firm.uniquenessConstraints = [["name"]]
        firm.indexes = [
            NSFetchIndexDescription(name: "byFounded", elements: [
                NSFetchIndexElementDescription(property: firm.attributesByName["founded"]!, collationType: .binary)
            ])
        ]
        let model = NSManagedObjectModel()
        model.entities = [party, person, firm]
        model.setEntities([firm], forConfigurationName: "Firms")
        return model
    }
}
