/// The words a key must not be written as without `#`.
enum ReservedWords {
    static func contains(_ word: String) -> Bool { all.contains(word.uppercased()) }

    /// Words that never begin an operand. Those that only mean something elsewhere, in brackets or before a parenthesis, are keys
    /// where an operand is expected.
    static func cannotBeginOperand(_ capitals: String) -> Bool {
        all.contains(capitals) && !calls.contains(capitals) && !setOperators.contains(capitals) && !places.contains(capitals)
            && !options.contains(capitals)
    }

    static let calls: Set<String> = ["SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH"]
    static let setOperators: Set<String> = ["UNION", "INTERSECT", "MINUS"]
    /// Indexes, and the functions of their names.
    static let places: Set<String> = ["FIRST", "LAST", "SIZE"]
    private static let options: Set<String> = ["CASEINSENSITIVE", "CI"]
    private static let all: Set<String> = calls.union(setOperators).union(places).union(options).union([
        "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "ANYKEY",
        "TRUEPREDICATE", "FALSEPREDICATE", "UTI-CONFORMS-TO", "UTI-EQUALS",
    ])
}
