import CoreDataPredicate
import CoreDataSchema

/// Predicates and expressions on stored rows, with SQL's rules for nil.
package enum RowEvaluation {
    /// Whether the predicate is true of the row: neither false nor unknown. Without a row (the group of none) every key is nil.
    package static func isTrue(_ predicate: PredicateTree, for subject: RowSubject?) throws -> Bool {
        try PredicateEvaluation.evaluate(predicate, subject: subject ?? NoRow.subject, rules: .sql)
    }

    package static func value(of expression: ExpressionTree, for subject: RowSubject?) throws -> PredicateValue {
        try PredicateEvaluation.evaluate(expression: expression, subject: subject ?? NoRow.subject, rules: .sql)
    }
}

/// The subject of an aggregate over no rows.
private struct NoRow: PredicateSubject {
    static var subject: any PredicateSubject { NoRow() }

    func predicateValue(forKey key: String) throws -> PredicateValue { .null }
    var predicateSelf: PredicateValue { .null }
}
