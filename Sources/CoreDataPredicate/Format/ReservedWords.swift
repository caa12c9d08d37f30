/// The words a key must not be written as without `#`.
enum ReservedWords {
    static func contains(_ word: String) -> Bool { all.contains(word.uppercased()) }

    /// Words that never begin an operand. Those that only begin a call (`CAST(`…) are keys when no parenthesis follows.
    static func cannotBeginOperand(_ capitals: String) -> Bool {
        all.contains(capitals) && !calls.contains(capitals) && !setOperators.contains(capitals)
    }

    static let calls: Set<String> = ["SUBQUERY", "FUNCTION", "CAST", "TERNARY", "FETCH"]
    static let setOperators: Set<String> = ["UNION", "INTERSECT", "MINUS"]
    private static let all: Set<String> = calls.union(setOperators).union([
        "AND", "OR", "NOT", "IN", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH",
        "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "ANYKEY",
        "TRUEPREDICATE", "FALSEPREDICATE", "CASEINSENSITIVE", "CI", "UTI-CONFORMS-TO", "UTI-EQUALS",
    ])
}
