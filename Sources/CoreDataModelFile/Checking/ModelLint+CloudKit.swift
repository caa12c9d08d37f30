import CoreDataSchema

/// What a model said to be used with CloudKit may not have: Apple documents it beside mirroring.
extension ModelLint {
    mutating func checkCloudKit() {
        if source.isUsedWithCloudKit {
            checkCloudKit(schema.entities.map(\.name), in: "the model")
        } else {
            for configuration in schema.configurations where source.cloudKitConfigurations.contains(configuration.name) {
                checkCloudKit(configuration.entityNames, in: "the configuration “\(configuration.name)”")
            }
        }
    }

    private mutating func checkCloudKit(_ names: [String], in scope: String) {
        let members = Set(names)
        for name in names {
            guard let entity = entities[name] else { continue }
            if !entity.uniquenessConstraints.isEmpty {
                error("cloudKit", name, "“\(name)” has uniqueness constraints, which CloudKit cannot keep. Remove them, or do not use "
                    + "\(scope) with CloudKit.")
            }
            for attribute in entity.attributes { checkCloudKit(attribute, of: entity) }
            for relationship in entity.relationships { checkCloudKit(relationship, of: entity, members, in: scope) }
        }
    }

    private mutating func checkCloudKit(_ attribute: AttributeSchema, of entity: EntitySchema) {
        guard !attribute.isTransient else { return }
        let label = "\(entity.name).\(attribute.name)"
        if !attribute.isOptional, attribute.defaultValue.isNull, attribute.derivationFormat == nil {
            error("cloudKit", entity.name, attribute.name, "“\(label)” is required and has no default, but records arrive from CloudKit in parts. "
                + "Make it optional, or give it a default.")
        }
        if [.undefined, .objectID].contains(attribute.type) {
            error("cloudKit", entity.name, attribute.name, "“\(label)” is of a type CloudKit cannot store. Make it transient, or give it another type.")
        }
    }

    private mutating func checkCloudKit(
        _ relationship: RelationshipSchema, of entity: EntitySchema, _ members: Set<String>, in scope: String
    ) {
        guard !relationship.isTransient else { return }
        let label = "\(entity.name).\(relationship.name)"
        func refuse(_ reason: String) { error("cloudKit", entity.name, relationship.name, "“\(label)” \(reason)") }
        if !relationship.isOptional { refuse("is required, but records arrive from CloudKit one by one. Make it optional.") }
        if relationship.inverseName == nil { refuse("has no inverse, which CloudKit needs. Give it one.") }
        if relationship.isOrdered { refuse("is ordered, which CloudKit cannot keep. Order by an attribute instead.") }
        if relationship.deleteRule == .deny { refuse("has the delete rule Deny, which CloudKit does not know. Choose another.") }
        if entities[relationship.destinationName] != nil, !members.contains(relationship.destinationName) {
            refuse("leads to “\(relationship.destinationName)”, which \(scope) does not hold.")
        }
    }
}
