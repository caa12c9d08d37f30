import CoreDataPredicate
import CoreDataSchema

/// A partial index's predicate as the literal SQL of its WHERE.
enum PartialIndexCondition {
    /// nil when the predicate is none, or needs more than the row's own columns and SQLite's own functions: an index that
    /// other programs cannot keep up would lock them out of the file.
    static func sql(_ format: String, entity: ResolvedEntity, schema: StoreSchema) -> String? {
        guard let tree = try? PredicateFormat.parse(format), let table = schema.table(of: entity.index) else { return nil }
        let compiler = SelectCompiler(schema: schema, storeNumber: 0, entity: entity, table: table)
        guard let condition = try? compiler.condition(tree), compiler.root.from == "\(table.name) t0", compiler.lists.isEmpty,
              !condition.text.contains("SELECT"), !condition.text.contains("nl_")
        else { return nil }
        var values = condition.values[...]
        var text = ""
        // The compiler's text holds no literals, so every `?` is a value's place.
        for character in condition.text {
            guard character == "?" else {
                text.append(character)
                continue
            }
            guard let value = values.popFirst(), let literal = literal(value) else { return nil }
            text += literal
        }
        return text.replacing("t0.", with: "")
    }

    private static func literal(_ value: SQLValue) -> String? {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): number.isFinite ? String(number) : nil
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): "X'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() + "'"
        case .textBytes: nil
        }
    }
}
