import CoreDataSQLStorage

/// `coredata model schema MODEL`.
enum ModelSchemaCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "schema"], summary: "print the SQL of the store a model would have", operands: [ModelInput.operand],
        options: [
            ModelInput.versionOption,
            OptionSpec("configuration", value: "NAME", "the store of this configuration: its entities only"),
        ],
        details: ["The statements are those a new store is made with: tables, join tables, indexes, triggers and Core Data’s own tables."],
        examples: ["coredata model schema Shop.xcdatamodeld | sqlite3 :memory:"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
        let statements = try StoreDefinition.statements(for: try input.resolved(), configuration: arguments.value("configuration"))
        if console.isJSON {
            try console.print(.array(statements.map(JSONValue.string)))
        } else {
            for statement in statements { try console.output.line(statement + ";") }
        }
        return .done
    }
}
