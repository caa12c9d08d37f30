import CoreDataPredicate
import CoreDataSchema

/// A fetch as a value: what the planner makes of a request and a store answers.
///
/// Invariant: every key path in it was checked against the model by `FetchPlanCheck`, or will be by the store (`isChecked`).
package struct FetchPlan: Sendable {
    /// Index of the entity asked for.
    package var entity: Int
    package var includesSubentities = true
    package var predicate: PredicateTree? {
        didSet { shape = nil }
    }
    package var sort: [SortTerm] = []
    package var offset = 0
    /// 0 is no limit.
    package var limit = 0
    package var result = FetchResultKind.rows
    /// Relationship key paths whose rows should come into the row cache with this fetch.
    package var prefetch: [[String]] = []
    /// Takes the members of to-many relationships that a store prefetched.
    package var collector: PrefetchCollector?

    /// Whether the planner checked it: a store need not do so again.
    package var isChecked = false
    /// Who may follow and cancel the fetch.
    package var watch: FetchWatch?

    /// What only objects can answer of the predicate. The context does, asking its stores without a window; they tell of it, or
    /// refuse it when they were opened for SQL alone.
    package var objectTest: PredicateTree?
    /// Numbers of the stores to ask; nil is all that have the entity. For the coordinator: stores do not look at it.
    package var stores: [Int32]?

    /// What the predicate has in common with others, and its constants; nil where every part of it counts.
    package private(set) var shape: RequestShape?
    package private(set) var constants: [PredicateValue] = []

    package init(entity: Int) { self.entity = entity }

    /// Says of the predicate as it stands what shape it has.
    package mutating func take(_ shape: RequestShape, _ constants: [PredicateValue]) {
        self.shape = shape
        self.constants = constants
    }
}

package enum FetchResultKind: Sendable {
    /// Rows, registered in the row cache.
    case rows
    case keys
    case count
    case dictionaries(DictionaryPlan)
}

/// Columns of a dictionary fetch.
package struct DictionaryPlan: Sendable {
    package var columns: [DictionaryColumn]
    package var isDistinct = false
    /// Key paths, and names of expressions in `groupExpressions`.
    package var groupBy: [String] = []
    /// What a name in `groupBy` stands for when it is no key path.
    package var groupExpressions: [String: ExpressionTree] = [:]
    package var having: PredicateTree?

    package init(columns: [DictionaryColumn]) { self.columns = columns }

    package func groupExpression(_ name: String) -> ExpressionTree { groupExpressions[name] ?? .key(name) }

    /// Whether each row stands for several stored ones.
    package var isGrouped: Bool { !groupBy.isEmpty || columns.contains { AggregateSearch.contains($0.expression) } }
}

package struct DictionaryColumn: Sendable {
    package var name: String
    /// A key path or an aggregate such as `sum:`.
    package var expression: ExpressionTree
    /// How the value comes out; nil when the expression decides.
    package var type: AttributeType?

    package init(name: String, expression: ExpressionTree, type: AttributeType? = nil) {
        self.name = name
        self.expression = expression
        self.type = type
    }
}

package struct SortTerm: Sendable, Hashable {
    package var keyPath: [String]
    package var isAscending: Bool
    package var comparison: SortComparison

    package init(keyPath: [String], isAscending: Bool, comparison: SortComparison = .binary) {
        self.keyPath = keyPath
        self.isAscending = isAscending
        self.comparison = comparison
    }
}

/// The selectors a store can sort by.
package enum SortComparison: Sendable, Hashable {
    /// compare:
    case binary
    case caseInsensitive, localized, localizedCaseInsensitive, localizedStandard
}

package enum FetchOutcome: Sendable {
    case rows([RowBlock])
    case keys([RowKey])
    case count(Int)
    /// One array of values a row, in the order of the plan's columns.
    case dictionaries([[PredicateValue]])
}
