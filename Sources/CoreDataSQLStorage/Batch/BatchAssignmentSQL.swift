import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A batch update's assignments as the terms of SET.
///
/// Invariant: what a term yields is what the column may hold: whole numbers in the attribute's range, 0 or 1 for Booleans;
/// anything else stops the statement.
struct BatchAssignmentSQL {
    let store: SQLiteRowStore
    let entity: ResolvedEntity
    /// Compiles expressions on the rows of `t0`; nil where there are none.
    let compiler: SelectCompiler?

    func column(_ slot: Int) throws -> EntityWriter.Column {
        guard let column = try store.writer(entity.index).columnsBySlot[slot]?.first else {
            throw BatchError.unwritable(entity: entity.name, key: entity.properties[slot].name, reason: "it is not kept in the store.")
        }
        return column
    }

    func sets(_ assignments: [BatchAssignment]) throws -> [SQLFragment] {
        try assignments.flatMap { assignment -> [SQLFragment] in
            switch assignment.value {
            case .expression: return ["\(try column(assignment.slot).name) = " + (try value(assignment))]
            case .constant(let value): return try constant(value, assignment.slot)
            }
        }
    }

    private func constant(_ value: AttributeValue, _ slot: Int) throws -> [SQLFragment] {
        let columns = try store.writer(entity.index).columnsBySlot[slot] ?? []
        var terms = try columns.map { column in
            "\(column.name) = " + SQLFragment.value(try BatchBinding.encode(value, column, of: entity, in: store))
        }
        guard entity.properties[slot].storage == .toOne, let column = store.schema.column(entity.properties[slot]) else { return terms }
        guard case .reference(let owner) = value else {
            for name in [column.entityColumn, column.orderColumn] { if let name { terms.append(SQLFragment("\(name) = NULL")) } }
            return terms
        }
        if let name = column.entityColumn {
            terms.append("\(name) = " + SQLFragment.value(.integer(store.schema.entityNumbers[Int(owner.entity)])))
        }
        if let order = column.orderColumn, let table = store.schema.table(of: entity.index)?.name {
            // Those that are the owner's already stay in place; the others follow the last one, by key.
            let key = SQLValue.integer(owner.primaryKey)
            terms.append(SQLFragment(
                "\(order) = CASE WHEN t0.\(column.name) = ? THEN t0.\(order) ELSE 1024 * t0.Z_PK + "
                    + "(SELECT IFNULL(MAX(m.\(order)), 1024) FROM \(table) m WHERE m.\(column.name) = ?) END", [key, key]))
        }
        return terms
    }

    /// An expression's value, made to fit the attribute.
    func value(_ assignment: BatchAssignment) throws -> SQLFragment {
        guard case .expression(let expression) = assignment.value, let compiler else { throw SQLCannotSay(what: "this assignment") }
        let property = entity.properties[assignment.slot]
        if try column(assignment.slot).isExternal || property.storage == .object || property.storage == .composite {
            throw BatchError.unwritable(
                entity: entity.name, key: property.name, reason: "it takes constants only, and no expressions.")
        }
        let operand = try compiler.operand(expression)
        if let constant = operand.constant {
            let fixed = try BatchValue.convert(constant, to: property, of: entity)
            return .value(try BatchBinding.encode(fixed, try column(assignment.slot), of: entity, in: store))
        }
        let isNumeric = operand.type.isNumeric || operand.type == .any
        let fits: Bool = switch property.storage {
        case .integer, .boolean, .double, .float, .decimal: isNumeric
        case .date: isNumeric || operand.type == .date
        case .string, .uri: operand.type.isText
        case .uuid: operand.type == .uuid
        case .data: operand.type == .data
        default: false
        }
        guard fits else {
            throw BatchError.wrongType(
                entity: entity.name, key: property.name, expected: BatchValue.typeName(property), given: operand.type.name, row: nil)
        }
        switch property.storage {
        case .integer: return whole(operand, in: BatchValue.range(of: property))
        case .boolean: return operand.sql.inParentheses + " <> 0"
        default: return operand.sql
        }
    }

    /// A number without its fraction; one out of range makes the statement fail.
    private func whole(_ operand: Operand, in range: ClosedRange<Int64>) -> SQLFragment {
        let sql = operand.sql.inParentheses
        let isWhole = operand.type == .integer || operand.type == .boolean
        let low: SQLValue = .integer(range.lowerBound), high: SQLValue = .integer(range.upperBound)
        let result = isWhole ? sql : "CAST(" + sql + " AS INTEGER)"
        return "CASE WHEN " + sql + " IS NULL OR " + sql + SQLFragment(" BETWEEN ? AND ? THEN ", [low, high]) + result
            + " ELSE abs(-9223372036854775808) END"
    }

    /// Whether the statement stopped at `abs` of the number that has no positive counterpart.
    static func isOutOfRange(_ error: SQLiteError) -> Bool { error.message == "integer overflow" }
}
