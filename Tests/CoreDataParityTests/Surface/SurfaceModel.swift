import CoreData
import Foundation

/// A model built in code, as libraries do it, for code that uses the API as public code does: both frameworks imported.
enum SurfaceModel {
    static func attribute(_ name: String, _ type: NSAttributeType, isOptional: Bool = true, defaultValue: Any? = nil) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = isOptional
        attribute.defaultValue = defaultValue
        return attribute
    }

    static func make() -> NSManagedObjectModel {
        let model = NSManagedObjectModel(), person = NSEntityDescription(), tag = NSEntityDescription()
        person.name = "SurfacePerson"
        person.managedObjectClassName = NSStringFromClass(SurfacePerson.self)
        tag.name = "SurfaceTag"
        tag.managedObjectClassName = NSStringFromClass(SurfaceTag.self)
        let tags = NSRelationshipDescription(), people = NSRelationshipDescription(), boss = NSRelationshipDescription()
        let staff = NSRelationshipDescription()
        (tags.name, tags.destinationEntity, tags.minCount, tags.maxCount, tags.deleteRule, tags.isOptional) = ("tags", tag, 0, 0, .nullifyDeleteRule, true)
        (people.name, people.destinationEntity, people.maxCount, people.deleteRule) = ("people", person, 0, .nullifyDeleteRule)
        (boss.name, boss.destinationEntity, boss.maxCount, boss.deleteRule) = ("boss", person, 1, .nullifyDeleteRule)
        (staff.name, staff.destinationEntity, staff.maxCount, staff.isOrdered, staff.deleteRule) = ("staff", person, 0, true, .denyDeleteRule)
        for relationship in [people, boss, staff] { relationship.isOptional = true }
        (tags.inverseRelationship, people.inverseRelationship) = (people, tags)
        (boss.inverseRelationship, staff.inverseRelationship) = (staff, boss)
        let photo = attribute("photo", .binaryDataAttributeType), notes = attribute("notes", .transformableAttributeType), draft = attribute("draft", .stringAttributeType)
        photo.allowsExternalBinaryDataStorage = true
        notes.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        notes.attributeValueClassName = "NSArray"
        draft.isTransient = true
        person.properties = [
            attribute("age", .integer16AttributeType, isOptional: false, defaultValue: 0), attribute("points", .integer32AttributeType),
            attribute("serial", .integer64AttributeType), attribute("active", .booleanAttributeType, defaultValue: true),
            attribute("balance", .decimalAttributeType), attribute("height", .doubleAttributeType), attribute("weight", .floatAttributeType),
            attribute("name", .stringAttributeType), attribute("born", .dateAttributeType), attribute("identifier", .UUIDAttributeType),
            attribute("site", .URIAttributeType), photo, notes, draft, tags, boss, staff,
        ]
        let byName = NSFetchIndexElementDescription(property: person.propertiesByName["name"]!, collationType: .binary)
        person.indexes = [NSFetchIndexDescription(name: "byName", elements: [byName])]
        tag.properties = [attribute("name", .stringAttributeType, isOptional: false), people]
        tag.uniquenessConstraints = [["name"]]
        person.userInfo = ["origin": "code"]
        person.versionHashModifier = "1"
        person.renamingIdentifier = "Person"
        model.entities = [person, tag]
        model.setEntities([tag], forConfigurationName: "Tags")
        return model
    }

    static func container() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Surface", managedObjectModel: make()), description = NSPersistentStoreDescription()
        description.type = NSSQLiteStoreType
        description.url = FileManager.default.temporaryDirectory.appendingPathComponent("surface-\(UUID().uuidString).sqlite")
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    static func remove(_ container: NSPersistentContainer) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores {
            guard let url = store.url else { continue }
            try coordinator.remove(store)
            try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        }
    }
}

final class SurfacePerson: NSManagedObject {
    var name: String? {
        get {
            willAccessValue(forKey: "name")
            defer { didAccessValue(forKey: "name") }
            return primitiveValue(forKey: "name") as? String
        }
        set {
            willChangeValue(forKey: "name")
            setPrimitiveValue(newValue, forKey: "name")
            didChangeValue(forKey: "name")
        }
    }

    private(set) var log: [String] = []

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "identifier")
    }

    override func willSave() {
        super.willSave()
        log.append("willSave")
        if isDeleted || isInserted || isUpdated { log.append(isInserted ? "inserted" : "changed") }
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        log.append("prepareForDeletion")
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if name == "" {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError, userInfo: [
                NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: "name", NSLocalizedDescriptionKey: "no name",
            ])
        }
    }
}

final class SurfaceTag: NSManagedObject {}
