import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension SelectBuilder {
    /// Columns, DISTINCT, GROUP BY and HAVING of a dictionary fetch.
    func dictionaries(_ dictionary: DictionaryPlan) throws -> SelectStatement {
        compiler.allowsAggregates = true
        var columns: [SQLFragment] = []
        var types: [ValueType] = []
        var entityColumns: [SQLFragment] = []
        var entityPositions: [Int32] = []
        for column in dictionary.columns {
            let operand = try compiler.operand(column.expression)
            if operand.type == .entity { throw SQLCannotSay(what: "an entity's name as a column") }
            let sql = try compiler.sql(operand, as: .any)
            columns.append(sql)
            types.append(type(of: operand, column: column))
            compiler.resultColumns[column.name] = Operand(sql, operand.type)
            // Concrete entities of object IDs come after the columns asked for.
            entityPositions.append(operand.entity == nil ? -1 : Int32(dictionary.columns.count + entityColumns.count))
            if let entity = operand.entity { entityColumns.append(SQLFragment(entity)) }
        }
        if columns.isEmpty { columns = [SQLFragment("t0.Z_PK")] }
        columns += entityColumns
        let having = try dictionary.having.map(compiler.condition)
        let groups = try dictionary.groupBy.map { try compiler.operand(dictionary.groupExpression($0)).sql }
        // A HAVING's names stand for columns; the predicate's never do.
        let named = compiler.resultColumns
        compiler.resultColumns = [:]
        compiler.allowsAggregates = false
        let (filter, rest) = try filter()
        if let rest { throw SQLCannotSay(what: PredicatePrinter.text(of: rest)) }
        compiler.resultColumns = named
        let order = groups.isEmpty && !isAggregate(dictionary) && !dictionary.isDistinct ? try orderBy() : try resultOrder()
        var sql = (dictionary.isDistinct ? "SELECT DISTINCT " : "SELECT ") + .joined(columns, by: ", ") + " FROM \(compiler.root.from)" + filter
        if !groups.isEmpty { sql = sql + " GROUP BY " + .joined(groups, by: ", ") }
        if let having { sql = sql + " HAVING " + having }
        return SelectStatement(sql: sql + order + window, lists: compiler.lists, columnTypes: types, entityPositions: entityPositions)
    }

    private func isAggregate(_ dictionary: DictionaryPlan) -> Bool {
        dictionary.columns.contains { column in
            if case .function(let name, let arguments) = column.expression, ["sum:", "count:", "min:", "max:", "average:"].contains(name) {
                return (try? compiler.toManyPath(arguments.first ?? .evaluatedObject)) ?? nil == nil
            }
            return false
        }
    }

    /// Grouped and distinct rows have no key to end the order with; they may be sorted by their columns' names too.
    private func resultOrder() throws -> SQLFragment {
        if plan.sort.isEmpty { return SQLFragment("") }
        let terms = try plan.sort.map { term -> SQLFragment in
            let operand = try compiler.operand(.keyPath(.evaluatedObject, term.keyPath))
            let collation = operand.type.isText ? SQLFunctions.collation(term.comparison) : nil
            return operand.sql + (collation.map { " COLLATE \($0)" } ?? "") + (term.isAscending ? "" : " DESC")
        }
        return " ORDER BY " + .joined(terms, by: ", ")
    }

    /// The declared type decides how a value comes out, except for keys.
    private func type(of operand: Operand, column: DictionaryColumn) -> ValueType {
        if case .reference = operand.type { return operand.type }
        if operand.type == .external { return operand.type }
        guard let declared = column.type, declared != .undefined, declared != .objectID, declared != .transformable else {
            return operand.type
        }
        return ValueType(StorageKind(declared))
    }
}
