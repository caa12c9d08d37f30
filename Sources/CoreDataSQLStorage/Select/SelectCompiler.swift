import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Turns predicates, expressions and sort terms into SQL.
///
/// Invariants: the text depends only on the shape of the request, never on its constants (they are bound), so statements
/// can be kept by text. NULL follows SQL's three-valued logic, as Apple's store does (ORACLE PR06–PR08), except where
/// `swiftNil` asks for Swift's meaning.
final class SelectCompiler {
    let schema: StoreSchema
    let storeNumber: Int32
    let root: SelectScope
    var variables: [String: SelectScope] = [:]
    /// Values of long IN lists, by the number of their temporary table.
    var lists: [[SQLValue]] = []
    /// Aggregates over the fetched rows are allowed (dictionary fetches).
    var allowsAggregates = false
    /// What cannot be SQL is an error instead of a rest to test on rows.
    var isStrict = false
    /// Columns of a dictionary fetch by name, for HAVING.
    var resultColumns: [String: Operand] = [:]
    /// Entries of the parser's stack that what is open now takes.
    var nesting = 0
    /// As what the constants were bound, in order.
    var boundForms: [BoundForm] = []
    private var aliases = 0

    /// IN lists longer than this go into a temporary table.
    static let longestBoundList = 500

    init(schema: StoreSchema, storeNumber: Int32, entity: ResolvedEntity, table: TableSchema) {
        self.schema = schema
        self.storeNumber = storeNumber
        root = SelectScope(entity: entity, alias: "t0", table: table.name)
    }

    var model: ResolvedModel { schema.model }

    func nextAlias(_ letter: String = "t") -> String {
        aliases += 1
        return "\(letter)\(aliases)"
    }

    // MARK: predicates

    func condition(_ tree: PredicateTree) throws -> SQLFragment {
        switch tree {
        case .constant(let value): SQLFragment(value ? "1" : "0")
        case .comparison(let comparison): try condition(comparison)
        case .and(let parts): try combined(parts, "AND", empty: "1")
        case .or(let parts): try combined(parts, "OR", empty: "0")
        case .not(let part): "NOT " + (try nested(2) { try condition(part) }).inParentheses
        case .block(let block):
            throw StoreError.invalidRequest(
                "A SQLite store cannot run the block predicate \(block.text). Fetch without it and filter the result.")
        }
    }

    private func combined(_ parts: [PredicateTree], _ word: String, empty: String) throws -> SQLFragment {
        if parts.isEmpty { return SQLFragment(empty) }
        let said = try parts.enumerated().map { index, part in
            // The first part waits for nothing but its parenthesis.
            try nested(index == 0 ? 1 : 3) { try condition(part) }.inParentheses
        }
        var whole = try SelectCompiler.joined(said, by: " \(word) ")
        whole.startsAtIndex = word == "AND" ? said.contains(where: \.startsAtIndex) : said.allSatisfy(\.startsAtIndex)
        return whole
    }

    /// What SQL says of a predicate, and the rest. The rest must hold too: both are parts of a conjunction.
    func split(_ tree: PredicateTree) throws -> (sql: SQLFragment?, rest: PredicateTree?) {
        var said: [SQLFragment] = []
        var rest: [PredicateTree] = []
        for part in SelectCompiler.conjuncts(tree) {
            // A statement has only so much room; what is left over is as true on the rows.
            guard said.count < SelectCompiler.longestCompound else {
                rest.append(part)
                continue
            }
            do {
                said.append(try nested(2) { try condition(part) })
            } catch let refusal as SQLCannotSay {
                if isStrict { throw SelectCompiler.refusal("\(PredicatePrinter.text(of: part))", refusal) }
                rest.append(part)
            } catch is TooManyJoins {
                throw StoreError.invalidRequest(TooManyJoins(predicate: PredicatePrinter.text(of: part)).description)
            }
        }
        var sql = said.count > 1 ? try SelectCompiler.joined(said.map(\.inParentheses), by: " AND ") : said.first
        sql?.startsAtIndex = said.contains(where: \.startsAtIndex)
        return (sql, rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .and(rest))
    }

    /// The error of a store that was opened to do everything in SQL.
    static func refusal(_ part: String, _ reason: SQLCannotSay) -> StoreError {
        .invalidRequest("A part of the request cannot be SQL, “\(part)”: SQL has no word for \(reason.what). It would be worked out on rows, "
            + "but the store was opened with \(SQLiteStoreOptions.strictOptionName). Say it otherwise, or fetch without it and filter the result.")
    }

    private static func conjuncts(_ tree: PredicateTree) -> [PredicateTree] {
        guard case .and(let parts) = tree else { return [tree] }
        return parts.flatMap(conjuncts)
    }
}

/// One side of a comparison.
struct Operand {
    var sql: SQLFragment
    var type: ValueType
    /// Set when the operand is a constant of the request: it is bound only once the other side's type is known.
    var constant: PredicateValue?
    /// A bare column, which an index may serve.
    var isColumn = false
    /// A column that an index begins with, or a key.
    var isIndexed = false
    /// Column with the concrete `Z_ENT` of a reference, when it may differ from the declared entity's.
    var entity: String?

    init(_ sql: SQLFragment, _ type: ValueType, isColumn: Bool = false, entity: String? = nil) {
        self.sql = sql
        self.type = type
        self.isColumn = isColumn
        self.entity = entity
    }

    init(constant: PredicateValue) {
        sql = SQLFragment("?")
        type = .any
        self.constant = constant
    }
}
