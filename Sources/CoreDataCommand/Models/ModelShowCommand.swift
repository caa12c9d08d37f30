import CoreDataSchema

/// `coredata model show MODEL`.
enum ModelShowCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "show"], summary: "list a model’s entities and properties", operands: [ModelInput.operand],
        options: [ModelInput.versionOption, OptionSpec("entity", value: "NAME", "this entity only")],
        examples: ["coredata model show Shop.xcdatamodeld", "coredata model show Shop.momd --version 'Shop 2' --json"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
        var entities = input.schema.entities
        if let name = arguments.value("entity") { entities = [try EntityName.find(name, in: input.schema)] }
        if console.isJSON {
            try console.print(arguments.value("entity") == nil ? SchemaJSON.model(input) : SchemaJSON.entity(entities[0]))
            return .done
        }
        if !input.isExact { try console.warn(GuessedModel.warning(input.keptObstacle).replacing(" Give the store’s model with --model.", with: "")) }
        if !input.missing.isEmpty { try console.warn("the store’s tables lack what its model needs: \(input.missing.joined(separator: ", "))") }
        for warning in input.warnings { try console.warn(warning.description) }
        try input.warnOfMistakes(console)
        let style = console.styles
        var head = "\(input.url.lastPathComponent), version “\(input.version)”"
        if input.versionNames.count > 1 { head += " of \(input.versionNames.joined(separator: ", "))" }
        try console.output.line(head + ": \(input.schema.entities.count) \(input.schema.entities.count == 1 ? "entity" : "entities")")
        for entity in entities {
            try console.output.line()
            for line in lines(of: entity, style) { try console.output.line(line) }
        }
        if arguments.value("entity") == nil { try showRest(input.schema, console) }
        return .done
    }

    private static func lines(of entity: EntitySchema, _ style: Style) -> [String] {
        var head = style.bold(entity.name)
        if let parent = entity.superentityName { head += " : \(parent)" }
        var facts = entity.isAbstract ? ["abstract"] : []
        if let name = entity.className, name != entity.name { facts.append("class \(name)") }
        facts += entity.uniquenessConstraints.map { "unique \($0.joined(separator: " + "))" }
        facts += entity.indexes.map { index in
            "index \(index.name) (\(index.elements.map { $0.propertyName ?? $0.expressionFormat ?? "" }.joined(separator: ", ")))"
        }
        if !facts.isEmpty { head += "  " + style.dim(facts.joined(separator: ", ")) }
        var rows: [(String, String, String)] = []
        for attribute in entity.attributes.sorted(by: { ModelResolution.precedes($0.name, $1.name) }) {
            rows.append((attribute.name, attribute.typeTitle, attribute.remarks.joined(separator: ", ")))
        }
        for relationship in entity.relationships.sorted(by: { ModelResolution.precedes($0.name, $1.name) }) {
            rows.append((relationship.name, "→ " + relationship.typeTitle, relationship.remarks.joined(separator: ", ")))
        }
        for property in entity.fetchedProperties {
            rows.append((property.name, "fetched \(property.request.entityName)", property.request.predicateFormat ?? ""))
        }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        return [head] + rows.map { row in
            "  " + pad(row.0, widths.0) + "  " + pad(row.1, widths.1) + "  " + style.dim(row.2)
        }
    }

    private static func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: width - text.count) }

    private static func showRest(_ schema: ModelSchema, _ console: Console) throws {
        let style = console.styles
        for composite in schema.composites {
            try console.output.line("\n\(style.bold(composite.name))  \(style.dim("composite"))")
            for element in composite.elements { try console.output.line("  \(element.name)  \(element.typeTitle)") }
        }
        for template in schema.fetchTemplates {
            try console.output.line("\nfetch request \(style.bold(template.name)): \(template.entityName)"
                + (template.predicateFormat.map { " where \($0)" } ?? ""))
        }
        for configuration in schema.configurations {
            try console.output.line("\nconfiguration \(style.bold(configuration.name)): \(configuration.entityNames.joined(separator: ", "))")
        }
    }
}
