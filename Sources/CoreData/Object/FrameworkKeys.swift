import CoreDataPredicate
import CoreDataSchema

/// A class of the framework whose properties key-value coding reads, from a managed object on: `entity.name`,
/// `managedObjectContext.name`, `objectID.persistentStore.metadata`. (There is no Objective-C runtime that would find them.)
package protocol FrameworkKeys: PredicateSubject {
    /// nil for a key the class does not have.
    func answer(forKey key: String) -> Any??
}

extension FrameworkKeys {
    package func predicateValue(forKey key: String) throws -> PredicateValue {
        if key == "self" { return predicateSelf }
        guard let value = answer(forKey: key) else {
            throw CocoaError(.keyValueValidation, userInfo: [
                NSLocalizedDescriptionKey: "keypath \(key) not found in \(type(of: self))",
            ])
        }
        return PredicateBridging.value(ofProperty: value)
    }
}

extension FrameworkKeys where Self: AnyObject {
    package var predicateSelf: PredicateValue { .object(OpaqueObject(self)) }
}

extension NSEntityDescription: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "name": .some(name)
        case "managedObjectClassName": .some(managedObjectClassName)
        case "managedObjectModel": .some(managedObjectModel)
        case "isAbstract", "abstract": .some(NSNumber(value: isAbstract))
        case "superentity": .some(superentity)
        case "subentities": .some(subentities)
        case "subentitiesByName": .some(subentitiesByName)
        case "properties": .some(properties)
        case "propertiesByName": .some(propertiesByName)
        case "attributesByName": .some(attributesByName)
        case "relationshipsByName": .some(relationshipsByName)
        case "uniquenessConstraints": .some(uniquenessConstraints)
        case "userInfo": .some(userInfo)
        case "renamingIdentifier": .some(renamingIdentifier)
        case "versionHash": .some(versionHash)
        case "versionHashModifier": .some(versionHashModifier)
        default: nil
        }
    }
}

extension NSPropertyDescription: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "name": .some(name)
        case "entity": .some(entity)
        case "isOptional", "optional": .some(NSNumber(value: isOptional))
        case "isTransient", "transient": .some(NSNumber(value: isTransient))
        case "userInfo": .some(userInfo)
        case "renamingIdentifier": .some(renamingIdentifier)
        case "versionHash": .some(versionHash)
        case "versionHashModifier": .some(versionHashModifier)
        case "validationPredicates": .some(validationPredicates)
        default: kindAnswer(forKey: key)
        }
    }

    private func kindAnswer(forKey key: String) -> Any?? {
        switch (self, key) {
        case (let attribute as NSAttributeDescription, "attributeType"): .some(NSNumber(value: attribute.attributeType.rawValue))
        case (let attribute as NSAttributeDescription, "attributeValueClassName"): .some(attribute.attributeValueClassName)
        case (let attribute as NSAttributeDescription, "defaultValue"): .some(attribute.defaultValue)
        case (let attribute as NSAttributeDescription, "valueTransformerName"): .some(attribute.valueTransformerName)
        case (let relationship as NSRelationshipDescription, "destinationEntity"): .some(relationship.destinationEntity)
        case (let relationship as NSRelationshipDescription, "inverseRelationship"): .some(relationship.inverseRelationship)
        case (let relationship as NSRelationshipDescription, "minCount"): .some(NSNumber(value: relationship.minCount))
        case (let relationship as NSRelationshipDescription, "maxCount"): .some(NSNumber(value: relationship.maxCount))
        case (let relationship as NSRelationshipDescription, "deleteRule"): .some(NSNumber(value: relationship.deleteRule.rawValue))
        case (let relationship as NSRelationshipDescription, "isToMany"), (let relationship as NSRelationshipDescription, "toMany"):
            .some(NSNumber(value: relationship.isToMany))
        case (let relationship as NSRelationshipDescription, "isOrdered"), (let relationship as NSRelationshipDescription, "ordered"):
            .some(NSNumber(value: relationship.isOrdered))
        default: nil
        }
    }
}

extension NSManagedObjectModel: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "entities": .some(entities)
        case "entitiesByName": .some(entitiesByName)
        case "configurations": .some(configurations)
        case "versionIdentifiers": .some(NSSet(set: versionIdentifiers))
        default: nil
        }
    }
}

extension NSManagedObjectID: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "entity": .some(entity)
        case "persistentStore": .some(persistentStore)
        case "isTemporaryID", "temporaryID": .some(NSNumber(value: isTemporaryID))
        case "URIRepresentation", "uriRepresentation": .some(uriRepresentation())
        default: nil
        }
    }

    package var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }
}

extension NSPersistentStore: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "identifier": .some(identifier)
        case "type": .some(type)
        case "URL", "url": .some(url)
        case "configurationName": .some(configurationName)
        case "options": .some(options)
        case "metadata": .some(metadata)
        case "isReadOnly", "readOnly": .some(NSNumber(value: isReadOnly))
        case "persistentStoreCoordinator": .some(persistentStoreCoordinator)
        default: nil
        }
    }
}

extension NSPersistentStoreCoordinator: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "name": .some(name)
        case "managedObjectModel": .some(managedObjectModel)
        case "persistentStores": .some(persistentStores)
        default: nil
        }
    }
}

extension NSManagedObjectContext: FrameworkKeys {
    package func answer(forKey key: String) -> Any?? {
        switch key {
        case "name": .some(name)
        case "parentContext", "parent": .some(parent)
        case "persistentStoreCoordinator": .some(persistentStoreCoordinator)
        case "undoManager": .some(undoManager)
        case "mergePolicy": .some(mergePolicy)
        case "userInfo": .some(userInfo)
        case "transactionAuthor": .some(transactionAuthor)
        case "stalenessInterval": .some(NSNumber(value: stalenessInterval))
        case "concurrencyType": .some(NSNumber(value: concurrencyType.rawValue))
        case "hasChanges": .some(NSNumber(value: hasChanges))
        case "insertedObjects": .some(NSSet(set: insertedObjects))
        case "updatedObjects": .some(NSSet(set: updatedObjects))
        case "deletedObjects": .some(NSSet(set: deletedObjects))
        case "registeredObjects": .some(NSSet(set: registeredObjects))
        case "automaticallyMergesChangesFromParent": .some(NSNumber(value: automaticallyMergesChangesFromParent))
        default: nil
        }
    }
}
