import CoreDataSchema
import Foundation

extension NSRelationshipDescription {
    /// The relationship as a value; without destination its name is empty.
    var schema: RelationshipSchema {
        var schema = RelationshipSchema(name: name, destinationName: destinationEntity?.name ?? "")
        schema.inverseName = inverseRelationship?.name
        schema.inverseEntityName = inverseRelationship?.owningEntity?.name
        schema.isOptional = isOptional
        schema.isTransient = isTransient
        schema.isOrdered = isOrdered
        schema.minCount = minCount
        schema.maxCount = maxCount
        schema.deleteRule = deleteRule.schemaRule
        schema.isIndexed = isIndexed
        schema.renamingIdentifier = schemaRenamingIdentifier
        schema.versionHashModifier = versionHashModifier
        schema.userInfo = UserInfo.texts(userInfo)
        return schema
    }

    /// The description of a declared relationship, not yet linked.
    static func make(_ schema: RelationshipSchema) -> NSRelationshipDescription {
        let relationship = NSRelationshipDescription()
        relationship.name = schema.name
        relationship.isOptional = schema.isOptional
        relationship.isTransient = schema.isTransient
        relationship.isOrdered = schema.isOrdered
        relationship.minCount = schema.minCount
        relationship.maxCount = schema.maxCount
        relationship.deleteRule = NSDeleteRule(schema.deleteRule)
        relationship.isIndexed = schema.isIndexed
        if let identifier = schema.renamingIdentifier { relationship.renamingIdentifier = identifier }
        relationship.versionHashModifier = schema.versionHashModifier
        relationship.userInfo = schema.userInfo
        return relationship
    }
}
