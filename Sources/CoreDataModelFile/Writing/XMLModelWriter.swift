import CoreDataSchema
import Foundation

/// Writes a model as the `contents` of an .xcdatamodel.
///
/// Invariant: `ModelFile` reads back an equal model, but for the order of validation rules and for a model without any
/// version identifier, which reads as one empty identifier.
package struct XMLModelWriter {
    var xml = XMLText()

    package static func text(of schema: ModelSchema) throws(ModelWritingError) -> String {
        var writer = XMLModelWriter()
        try writer.write(schema)
        return writer.xml.text
    }

    private mutating func write(_ schema: ModelSchema) throws(ModelWritingError) {
        guard schema.versionIdentifiers.count <= 1 else {
            throw ModelWritingError(part: schema.versionIdentifiers.joined(separator: ", "), reason: "the format has room for one version identifier")
        }
        try xml.begin("model", [
            ("type", "com.apple.IDECoreDataModeler.DataModel"), ("documentVersion", "1.0"), ("minimumToolsVersion", "Automatic"),
            ("sourceLanguage", "Swift"), ("userDefinedModelVersionIdentifier", schema.versionIdentifiers.first ?? ""),
        ])
        for entity in schema.entities { try write(entity) }
        for composite in schema.composites {
            try xml.begin("composite", [("name", composite.name)])
            for attribute in composite.elements { try write(attribute, of: composite.name) }
            xml.end()
        }
        for template in schema.fetchTemplates { try write(template) }
        for configuration in schema.configurations {
            try xml.begin("configuration", [("name", configuration.name)])
            for name in configuration.entityNames { try xml.element("memberEntity", [("name", name)]) }
            xml.end()
        }
        xml.end()
    }

    private mutating func write(_ entity: EntitySchema) throws(ModelWritingError) {
        try xml.begin("entity", [
            ("name", entity.name), ("representedClassName", entity.className), ("parentEntity", entity.superentityName),
            ("isAbstract", flag(entity.isAbstract)), ("elementID", entity.renamingIdentifier),
            ("versionHashModifier", entity.versionHashModifier), ("syncable", "YES"),
            ("codeGenerationType", entity.codeGeneration == .manual ? nil : entity.codeGeneration.rawValue),
        ])
        for attribute in entity.attributes { try write(attribute, of: entity.name) }
        for relationship in entity.relationships { try write(relationship) }
        for property in entity.fetchedProperties {
            try xml.begin("fetchedProperty", [
                ("name", property.name), ("optional", flag(property.isOptional)), ("elementID", property.renamingIdentifier),
            ])
            try write(property.request)
            try write(userInfo: property.userInfo)
            xml.end()
        }
        for index in entity.indexes { try write(index) }
        try write(lists: entity.compoundIndexes, "compoundIndexes", "compoundIndex", "index")
        try write(lists: entity.uniquenessConstraints, "uniquenessConstraints", "uniquenessConstraint", "constraint")
        try write(userInfo: entity.userInfo)
        xml.end()
    }

    private mutating func write(_ index: FetchIndexSchema) throws(ModelWritingError) {
        try xml.begin("fetchIndex", [("name", index.name), ("partialIndexPredicate", index.partialPredicateFormat)])
        for element in index.elements {
            try xml.element("fetchIndexElement", [
                ("property", element.propertyName), ("expression", element.expressionFormat),
                ("type", element.isRTree ? "RTree" : "Binary"), ("order", element.isAscending ? "ascending" : "descending"),
            ])
        }
        xml.end()
    }

    private mutating func write(lists: [[String]], _ outer: String, _ middle: String, _ inner: String) throws(ModelWritingError) {
        guard !lists.isEmpty else { return }
        try xml.begin(outer)
        for list in lists {
            try xml.begin(middle)
            for name in list { try xml.element(inner, [("value", name)]) }
            xml.end()
        }
        xml.end()
    }

    mutating func write(userInfo: [String: String]) throws(ModelWritingError) {
        guard !userInfo.isEmpty else { return }
        try xml.begin("userInfo")
        for (key, value) in userInfo.sorted(by: { ModelResolution.precedes($0.key, $1.key) }) {
            try xml.element("entry", [("key", key), ("value", value)])
        }
        xml.end()
    }

    /// YES, or nothing: the format writes only what is so.
    func flag(_ value: Bool) -> String? { value ? "YES" : nil }
}
