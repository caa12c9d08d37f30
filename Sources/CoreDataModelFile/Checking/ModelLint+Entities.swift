import CoreDataSchema

extension ModelLint {
    /// What NSObject and NSManagedObject answer without arguments, as far as a property would hide it.
    private static let reserved: Set<String> = [
        "class", "superclass", "self", "hash", "description", "debugDescription", "zone", "isProxy", "retain", "release", "autorelease",
        "retainCount", "copy", "mutableCopy", "init", "dealloc", "finalize", "load", "initialize", "observationInfo",
        "entity", "objectID", "managedObjectContext", "isInserted", "isUpdated", "isDeleted", "isFault", "hasChanges",
        "hasPersistentChangedValues", "faultingState", "changedValues", "changedValuesForCurrentEvent", "willSave", "didSave",
        "willTurnIntoFault", "didTurnIntoFault", "awakeFromFetch", "awakeFromInsert", "prepareForDeletion", "objectWillChange",
        "fetchRequest", "inserted", "updated", "deleted", "fault",
    ]

    mutating func checkNames(_ entity: EntitySchema) {
        if !ModelLint.isIdentifier(entity.name) {
            error("badName", entity.name, "The entity “\(entity.name)” has a name that is no identifier. Use letters, digits and “_”, and begin "
                + "with a letter.")
        } else if entity.name.first?.isLowercase == true {
            warning("badName", entity.name, "The entity “\(entity.name)” begins with a lower-case letter; entities begin with an upper-case one.")
        }
        let inherited = Set(line(of: entity).dropFirst().flatMap(names))
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name) {
            let label = "\(entity.name).\(name)"
            if !ModelLint.isIdentifier(name) {
                error("badName", entity.name, name, "“\(label)” has a name that is no identifier. Use letters, digits and “_”, and begin with a "
                    + "letter.")
            } else if name.first?.isUppercase == true {
                warning("badName", entity.name, name, "“\(label)” begins with an upper-case letter; properties begin with a lower-case one.")
            }
            if ModelLint.reserved.contains(name) {
                error("reservedName", entity.name, name, "“\(label)” has the name of a method of NSManagedObject. Rename it.")
            }
            if inherited.contains(name) {
                error("duplicateProperty", entity.name, name, "“\(label)” is inherited already. Remove it here, or rename it.")
            }
        }
    }

    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    mutating func checkInheritance(_ entity: EntitySchema) {
        guard let parent = entity.superentityName else { return }
        guard entities[parent] != nil else {
            return error("unknownParent", entity.name, "The entity “\(entity.name)” names “\(parent)” as its parent, but the model has no such "
                + "entity.")
        }
        if line(of: entity).last?.superentityName != nil, isCircular(entity) {
            error("inheritanceCycle", entity.name, "The entity “\(entity.name)” is its own ancestor. Remove the circle from the parents.")
        }
    }

    private func isCircular(_ entity: EntitySchema) -> Bool {
        guard let top = line(of: entity).last, let next = top.superentityName else { return false }
        return entities[next] != nil
    }

    mutating func checkConstraints(_ entity: EntitySchema) {
        for names in entity.uniquenessConstraints {
            for name in names {
                let label = "The uniqueness constraint of “\(entity.name)” over “\(names.joined(separator: ", "))”"
                if let attribute = attribute(name, entity) {
                    if attribute.isTransient { error("badConstraint", entity.name, "\(label) names “\(name)”, which is transient.") }
                    if attribute.derivationFormat != nil { error("badConstraint", entity.name, "\(label) names “\(name)”, which is derived.") }
                } else if let relationship = relationship(name, entity) {
                    if relationship.isToMany { error("badConstraint", entity.name, "\(label) names “\(name)”, which is to-many.") }
                } else {
                    error("unknownProperty", entity.name, "\(label) names “\(name)”, which is none of its properties.")
                }
            }
            if Set(names).count < names.count {
                error("badConstraint", entity.name, "A uniqueness constraint of “\(entity.name)” names a property twice.")
            }
        }
    }

    mutating func checkIndexes(_ entity: EntitySchema) {
        for name in entity.compoundIndexes.flatMap({ $0 }) where !hasProperty(name, entity) {
            error("unknownProperty", entity.name, "A compound index of “\(entity.name)” names “\(name)”, which is none of its properties.")
        }
        var seen = Set<String>()
        for index in entity.indexes {
            let label = "The index “\(index.name)” of “\(entity.name)”"
            if !seen.insert(index.name).inserted { error("duplicateIndex", entity.name, "“\(entity.name)” has two indexes named “\(index.name)”.") }
            if index.elements.isEmpty { warning("emptyIndex", entity.name, "\(label) has no elements.") }
            for name in index.elements.compactMap(\.propertyName) {
                if let attribute = attribute(name, entity) {
                    if attribute.isTransient { error("badIndex", entity.name, "\(label) names “\(name)”, which is transient.") }
                } else if let relationship = relationship(name, entity) {
                    if relationship.isToMany { error("badIndex", entity.name, "\(label) names “\(name)”, which is to-many.") }
                } else if !["self", "entity", "objectID"].contains(name) {
                    error("unknownProperty", entity.name, "\(label) names “\(name)”, which is none of its properties.")
                }
            }
            if let format = index.partialPredicateFormat { checkPredicate(format, of: entity, label: label, line(entity.name)) }
        }
    }

    mutating func check(_ configuration: ConfigurationSchema) {
        for name in configuration.entityNames where entities[name] == nil {
            add(.error, "unknownEntity", source.configurationLines[configuration.name], "configuration “\(configuration.name)”",
                "The configuration “\(configuration.name)” lists “\(name)”, but the model has no such entity.")
        }
    }

    /// Two entities that are no relatives cannot share a class: fetching by class would not know which is meant.
    mutating func checkClasses() {
        var first: [String: EntitySchema] = [:]
        for entity in schema.entities {
            guard let name = entity.className, !name.isEmpty else { continue }
            guard let other = first[name] else { first[name] = entity; continue }
            let related = line(of: entity).contains { $0.name == other.name } || line(of: other).contains { $0.name == entity.name }
            if !related {
                warning("sharedClass", entity.name, "The entities “\(other.name)” and “\(entity.name)” share the class “\(name)”: Core Data cannot "
                    + "tell which one the class stands for.")
            }
        }
    }

    /// Two parts with one renaming identifier: inferred migration would not know which is the old one.
    mutating func checkRenaming() {
        var entities: [String: String] = [:]
        for entity in schema.entities {
            let identifier = entity.renamingIdentifier ?? entity.name
            if let other = entities[identifier] {
                warning("sharedRenamingID", entity.name, "The entities “\(other)” and “\(entity.name)” have one renaming identifier, "
                    + "“\(identifier)”: migration cannot be inferred.")
            }
            entities[identifier] = entity.name
            var properties: [String: String] = [:]
            let all = entity.attributes.map { ($0.name, $0.renamingIdentifier) } + entity.relationships.map { ($0.name, $0.renamingIdentifier) }
            for (name, renaming) in all {
                let identifier = renaming ?? name
                if let other = properties[identifier] {
                    warning("sharedRenamingID", entity.name, name, "“\(entity.name).\(other)” and “\(entity.name).\(name)” have one renaming "
                        + "identifier, “\(identifier)”: migration cannot be inferred.")
                }
                properties[identifier] = name
            }
        }
    }
}
