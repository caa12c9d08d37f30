import CoreDataSchema
import Foundation

/// Reads one `contents` file: Xcode's XML form of a model version.
///
/// Invariant: each declared part becomes one part of `schema` in file order; elements and attributes it does not know are
/// skipped (newer editors add some), what it knows must make sense or is an error with its line.
struct XMLModelReader {
    let path: String
    var schema = ModelSchema()
    var source: ModelSource
    var warnings: [ModelFileError] = []
    /// What would have ended the reading, when one mistake must not hide the next; nil when the first one does end it.
    private(set) var mistakes: [ModelFileError]?
    /// Entities that fetch requests name, to be looked for once all are read.
    private var fetched: [(request: String, entity: String, element: ModelXMLElement)] = []

    init(_ data: Data, path: String, collectsMistakes: Bool = false) throws(ModelFileError) {
        self.path = path
        self.source = ModelSource(path: path)
        mistakes = collectsMistakes ? [] : nil
        let root = try ModelXMLTree.parse(data, path: path)
        if collectsMistakes { noteUnknown(in: root) }
        try read(root)
    }

    /// What may stand in each element, as far as Xcode's models show it; what stands in others is theirs.
    private static let parts: [String: Set<String>] = [
        "model": ["entity", "composite", "fetchRequest", "configuration", "elements"],
        "entity": ["attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex", "uniquenessConstraints", "userInfo"],
        "attribute": ["userInfo"], "relationship": ["userInfo"], "fetchedProperty": ["fetchRequest", "userInfo"],
        "composite": ["attribute", "userInfo"], "configuration": ["memberEntity", "userInfo"], "uniquenessConstraints": ["uniquenessConstraint"],
        "uniquenessConstraint": ["constraint"], "fetchIndex": ["fetchIndexElement"],
    ]

    /// Elements that are passed over: a typing mistake, or of a newer editor.
    private mutating func noteUnknown(in element: ModelXMLElement) {
        let known = Self.parts[element.name]
        for child in element.children {
            if let known, !known.contains(child.name) {
                warnings.append(ModelFileError(
                    .malformed, path: path, line: child.line, reason: "The element <\(child.name)> in <\(element.name)> is not known, and passed over.",
                    advice: "It may be misspelt: here stand \(known.sorted().joined(separator: ", "))."))
            } else {
                noteUnknown(in: child)
            }
        }
    }

    private mutating func read(_ root: ModelXMLElement) throws(ModelFileError) {
        guard root.name == "model" else {
            throw ModelFileError(
                .notAModel, path: path, line: root.line,
                reason: "This XML is no Core Data model: its root element is <\(root.name)> instead of <model>.",
                advice: "Name the “contents” file of an .xcdatamodel.")
        }
        source.isUsedWithCloudKit = isUsedWithCloudKit(root)
        schema.versionIdentifiers = [root.attributes["userDefinedModelVersionIdentifier"] ?? ""]
        for element in root.children {
            try attempt { reader throws(ModelFileError) in try reader.readPart(element) }
        }
        for (request, entity, element) in fetched where mistakes == nil && source.entityLines[entity] == nil {
            throw content(
                element, "The fetch request “\(request)” fetches “\(entity)”, but the model has no such entity.",
                "Add it or correct the attribute “entity”.")
        }
    }

    /// Anything but yes is no: nothing but a check depends on it.
    private func isUsedWithCloudKit(_ element: ModelXMLElement) -> Bool {
        element.text("usedWithCloudKit").flatMap(AttributeText.boolean) ?? false
    }

    private mutating func readPart(_ element: ModelXMLElement) throws(ModelFileError) {
        switch element.name {
        case "entity": try readEntity(element)
        case "composite": try readComposite(element)
        case "fetchRequest":
            let name = try requiredName(element, "fetch request")
            source.fetchRequestLines[name] = element.line
            schema.fetchTemplates.append(try fetchTemplate(element, name: name))
        case "configuration": try readConfiguration(element)
        default: break
        }
    }

    /// Reads one part; its mistake ends the reading or is noted.
    private mutating func attempt(_ body: (inout Self) throws(ModelFileError) -> Void) throws(ModelFileError) {
        guard mistakes != nil else { return try body(&self) }
        do { try body(&self) } catch { mistakes?.append(error) }
    }

    /// Notes what a fetch request fetches.
    mutating func willFetch(_ entity: String, by request: String, _ element: ModelXMLElement) {
        fetched.append((request, entity, element))
    }

    private mutating func readEntity(_ element: ModelXMLElement) throws(ModelFileError) {
        let name = try requiredName(element, "entity")
        if let first = source.entityLines[name] {
            throw duplicate(element, .duplicateEntity(name), first: first)
        }
        source.entityLines[name] = element.line
        var entity = EntitySchema(name: name)
        let className = element.text("representedClassName")
        entity.className = className == "NSManagedObject" ? nil : className
        entity.superentityName = element.text("parentEntity")
        entity.isAbstract = try flag("isAbstract", of: element)
        entity.renamingIdentifier = element.text("elementID")
        entity.versionHashModifier = element.text("versionHashModifier")
        if let kind = element.text("codeGenerationType") { entity.codeGeneration = CodeGenerationKind(rawValue: kind) ?? .manual }
        for child in element.children { try attempt { reader throws(ModelFileError) in try reader.read(child, into: &entity) } }
        schema.entities.append(entity)
    }

    private mutating func read(_ child: ModelXMLElement, into entity: inout EntitySchema) throws(ModelFileError) {
        switch child.name {
        case "attribute":
            try note(child, "attribute", in: entity.name)
            entity.attributes.append(try attribute(child, of: entity.name))
        case "relationship":
            try note(child, "relationship", in: entity.name)
            entity.relationships.append(try relationship(child, of: entity.name))
        case "fetchedProperty":
            try note(child, "fetched property", in: entity.name)
            entity.fetchedProperties.append(try fetchedProperty(child, of: entity.name))
        case "fetchIndex":
            entity.indexes.append(try fetchIndex(child, of: entity.name))
        case "compoundIndexes":
            for index in child.children(named: "compoundIndex") {
                entity.compoundIndexes.append(try values(of: index.children(named: "index"), "value"))
            }
        case "uniquenessConstraints":
            for constraint in child.children(named: "uniquenessConstraint") {
                let names = try values(of: constraint.children(named: "constraint"), "value")
                if !names.isEmpty { entity.uniquenessConstraints.append(names) }
            }
        case "userInfo":
            entity.userInfo = try userInfo(child)
        default: break
        }
    }

    private mutating func readComposite(_ element: ModelXMLElement) throws(ModelFileError) {
        let name = try requiredName(element, "composite")
        if schema.composites.contains(where: { $0.name == name }) {
            throw content(element, "The model declares the composite “\(name)” more than once.", "Rename one of them.")
        }
        var composite = CompositeSchema(name: name, elements: [])
        for child in element.children(named: "attribute") {
            let attribute = try attribute(child, of: name)
            if composite.elements.contains(where: { $0.name == attribute.name }) {
                throw content(child, "The composite “\(name)” has more than one attribute named “\(attribute.name)”.", "Rename one of them.")
            }
            composite.elements.append(attribute)
        }
        schema.composites.append(composite)
    }

    private mutating func readConfiguration(_ element: ModelXMLElement) throws(ModelFileError) {
        let name = try requiredName(element, "configuration")
        if source.configurationLines[name] != nil {
            throw content(element, "The model declares the configuration “\(name)” more than once.", "Rename one of them.")
        }
        source.configurationLines[name] = element.line
        if isUsedWithCloudKit(element) { source.cloudKitConfigurations.insert(name) }
        let members = try values(of: element.children(named: "memberEntity"), "name")
        schema.configurations.append(ConfigurationSchema(name: name, entityNames: members))
    }

    /// Records where a property stands; a name used twice in one entity is an error here, where both lines are known.
    private mutating func note(_ element: ModelXMLElement, _ what: String, in entity: String) throws(ModelFileError) {
        let name = try requiredName(element, what, in: entity)
        if let first = source.propertyLines[entity]?[name] {
            throw duplicate(element, .duplicateProperty(entity: entity, property: name), first: first)
        }
        source.propertyLines[entity, default: [:]][name] = element.line
    }

    private func duplicate(_ element: ModelXMLElement, _ error: ModelError, first: Int) -> ModelFileError {
        ModelFileError(
            .reference(error), path: path, line: element.line, reason: error.description, advice: "The first is on line \(first).")
    }
}
