import CoreDataCodeGeneration
import CoreDataSchema
import Foundation

/// Generates from models written in code, and takes the text apart.
enum Generated {
    static func model(_ entities: [EntitySchema]) throws -> ResolvedModel {
        var schema = ModelSchema()
        schema.entities = entities
        return try ResolvedModel(schema)
    }

    static func entity(_ name: String, className: String? = nil, parent: String? = nil) -> EntitySchema {
        var entity = EntitySchema(name: name)
        entity.className = className ?? name
        entity.superentityName = parent
        return entity
    }

    static func text(_ entities: EntitySchema..., access: GenerationOptions.Access = .public) throws -> String {
        let options = GenerationOptions(modelName: "Shop.xcdatamodeld", access: access)
        return try CodeGenerator.generateSingleFile(model(entities), named: "Shop+CoreData.swift", options).text
    }

    /// The declaration that starts with a text, without indentation: first line, body lines.
    static func declaration(_ start: String, in text: String) -> [String] {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        guard let first = lines.firstIndex(where: { $0.hasPrefix(start) }) else { return [] }
        return Array(lines[first...].prefix { $0 != "}" })
    }
}
