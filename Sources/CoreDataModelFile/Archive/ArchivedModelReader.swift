import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Reads a compiled model (`.mom`, or the copy a store keeps of its model).
///
/// Invariant: entities come in the order of their names, since an archive keeps none; properties that an entity only
/// inherits, which the copies in stores repeat, are left to the entity that declares them.
package struct ArchivedModelReader {
    let path: String
    package private(set) var schema = ModelSchema()
    package private(set) var warnings: [ModelFileError] = []

    package init(_ data: Data, path: String) throws(ModelFileError) {
        self.path = path
        guard !data.starts(with: Array("momv2$".utf8)) else {
            throw ModelFileError(
                .notAModel, path: path, reason: "This is the optimised form of a compiled model (.omo).", advice: "Name the .mom beside it.")
        }
        let archive: KeyedArchive
        do {
            archive = try KeyedArchive(data)
        } catch {
            throw ModelFileError(
                .malformed, path: path, reason: "This is not a compiled model: \(error.text).",
                advice: "Compile the model again, or use the .xcdatamodeld it was made from.")
        }
        guard let root = archive.root, let entities = root["NSEntities"] else {
            throw ModelFileError(
                .notAModel, path: path, reason: "This archive holds no managed object model.", advice: "Name a .mom or .momd.")
        }
        try read(root, entities: entities.pairs.map(\.value))
    }

    private mutating func read(_ root: ArchivedObject, entities: [ArchivedObject]) throws(ModelFileError) {
        var parents: [String: String] = [:], declared: [String: Set<String>] = [:]
        for entity in entities {
            let name = try name(of: entity)
            parents[name] = entity["NSSuperentity"]?.text("NSEntityName")
            declared[name] = Set(entity["NSProperties"]?.pairs.map(\.key) ?? [])
        }
        for entity in entities {
            let name = try name(of: entity)
            var inherited: Set<String> = [], ancestor = parents[name], seen: Set<String> = [name]
            while let current = ancestor, seen.insert(current).inserted {
                inherited.formUnion(declared[current] ?? [])
                ancestor = parents[current]
            }
            schema.entities.append(try self.entity(entity, named: name, inherited: inherited))
        }
        schema.entities.sort { ModelResolution.precedes($0.name, $1.name) }
        readParts(root)
        for (name, request) in root["NSFetchRequestTemplates"]?.pairs ?? [] {
            schema.fetchTemplates.append(try fetchTemplate(request, named: name))
        }
        schema.fetchTemplates.sort { ModelResolution.precedes($0.name, $1.name) }
    }

    private mutating func readParts(_ root: ArchivedObject) {
        schema.versionIdentifiers = (root["NSVersionIdentifiers"]?.elements ?? []).compactMap(\.text).sorted()
        for (name, members) in root["NSConfigurations"]?.pairs ?? [] where name != "PF_DEFAULT_CONFIGURATION_NAME" {
            let names = members.elements.compactMap { $0.text("NSEntityName") ?? $0.text }
            schema.configurations.append(ConfigurationSchema(name: name, entityNames: names.sorted(by: ModelResolution.precedes)))
        }
        schema.configurations.sort { ModelResolution.precedes($0.name, $1.name) }
    }

    private func name(of entity: ArchivedObject) throws(ModelFileError) -> String {
        guard let name = entity.text("NSEntityName"), !name.isEmpty else { throw damaged("an entity has no name") }
        return name
    }

    private mutating func entity(
        _ object: ArchivedObject, named name: String, inherited: Set<String>
    ) throws(ModelFileError) -> EntitySchema {
        var entity = EntitySchema(name: name)
        let className = object.text("NSClassNameForEntity")
        entity.className = className == "NSManagedObject" || className?.isEmpty == true ? nil : className
        entity.superentityName = object["NSSuperentity"]?.text("NSEntityName")
        entity.isAbstract = object.boolean("NSIsAbstract")
        entity.versionHashModifier = object.text("NSVersionHashModifier")
        entity.renamingIdentifier = renaming(object, name)
        entity.userInfo = userInfo(object)
        let tuples = object["NSUniqueTuples"] ?? object["NSUniquenessConstraints"]
        entity.uniquenessConstraints = (tuples?.elements ?? []).map { $0.elements.compactMap(\.text) }.filter { !$0.isEmpty }
        // Beside the descriptions the older lists only repeat them.
        let lists = object["NSFetchIndexDescriptions"] == nil ? object["NSCompoundIndexes"] : nil
        entity.compoundIndexes = (lists?.elements ?? []).map { $0.elements.compactMap(\.text) }.filter { !$0.isEmpty }
        for (key, property) in (object["NSProperties"]?.pairs ?? []).sorted(by: { ModelResolution.precedes($0.key, $1.key) })
        where !inherited.contains(key) {
            try read(property, named: key, into: &entity)
        }
        for index in object["NSFetchIndexDescriptions"]?.elements ?? [] {
            if let index = try fetchIndex(index, of: name) { entity.indexes.append(index) }
        }
        return entity
    }

    func renaming(_ object: ArchivedObject, _ name: String) -> String? {
        let identifier = object.text("NSRenamingIdentifier")
        return identifier == name ? nil : identifier
    }

    /// Values of other kinds than text, which only code can have put there, are given as text.
    func userInfo(_ object: ArchivedObject) -> [String: String] {
        var result: [String: String] = [:]
        for (key, value) in object["NSUserInfo"]?.pairs ?? [] {
            switch value.node {
            case .integer(let number): result[key] = String(number)
            case .real(let number): result[key] = String(number)
            case .boolean(let flag): result[key] = flag ? "1" : "0"
            default: result[key] = value.text
            }
        }
        return result
    }

    mutating func add(_ composite: CompositeSchema) { schema.composites.append(composite) }

    mutating func warn(_ reason: String) {
        warnings.append(ModelFileError(.content, path: path, reason: reason, advice: ""))
    }

    func damaged(_ what: String) -> ModelFileError {
        ModelFileError(
            .malformed, path: path, reason: "The compiled model cannot be read: \(what).",
            advice: "Compile it again, or use the .xcdatamodeld it was made from.")
    }
}
