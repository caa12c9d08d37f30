import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

/// A fetch of a store of the program's own: the plan as the request it is handed, its answer as an outcome.
struct IncrementalFetch {
    let plan: FetchPlan
    let context: NSManagedObjectContext
    /// For messages.
    let storeClass: String

    static func request(
        for plan: FetchPlan, _ runtime: ModelRuntime, in context: NSManagedObjectContext
    ) -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = runtime.entities[plan.entity].entity
        request.includesSubentities = plan.includesSubentities
        request.predicate = plan.predicate.map(NSPredicate.make)
        request.sortDescriptors = plan.sort.isEmpty ? nil : plan.sort.map { KeySortDescriptor(SortDescription($0)) }
        request.fetchLimit = plan.limit
        request.fetchOffset = plan.offset
        request.relationshipKeyPathsForPrefetching = plan.prefetch.isEmpty ? nil : plan.prefetch.map { $0.joined(separator: ".") }
        switch plan.result {
        case .rows: request.resultType = .managedObjectResultType
        case .keys: request.resultType = .managedObjectIDResultType
        case .count: request.resultType = .countResultType
        case .dictionaries(let dictionaries):
            request.resultType = .dictionaryResultType
            request.returnsDistinctResults = dictionaries.isDistinct
            request.propertiesToFetch = dictionaries.columns.map(property)
            request.propertiesToGroupBy = dictionaries.groupBy.isEmpty ? nil : dictionaries.groupBy
            request.havingPredicate = dictionaries.having.map(NSPredicate.make)
        }
        return request
    }

    /// A column as requests name it: a property by its name, everything else as an expression.
    private static func property(_ column: DictionaryColumn) -> Any {
        if case .keyPath(.evaluatedObject, let path) = column.expression, path == [column.name] { return column.name }
        let description = NSExpressionDescription()
        description.name = column.name
        description.expression = TreeExpression.make(column.expression)
        return description
    }

    func outcome(_ answer: Any) throws -> FetchOutcome {
        switch plan.result {
        case .rows, .keys: .keys(try elements(answer).map(key))
        case .count: .count(try count(answer))
        case .dictionaries(let dictionaries): .dictionaries(try elements(answer).map { try row($0, dictionaries.columns) })
        }
    }

    private func elements(_ answer: Any) throws -> [Any] {
        if let array = answer as? [Any] { return array }
        if let array = answer as? NSArray { return array.map { $0 } }
        throw refusal("an array", answer)
    }

    private func key(_ element: Any) throws -> RowKey {
        if let object = element as? NSManagedObject { return object.key }
        if let id = element as? NSManagedObjectID, let key = context.localKey(id) { return key }
        throw refusal("managed objects of the context that asks, or IDs of this store", element)
    }

    private func count(_ answer: Any) throws -> Int {
        if let number = answer as? NSNumber { return number.intValue }
        if let first = (answer as? [Any])?.first as? NSNumber { return first.intValue }
        throw refusal("a number, or an array of one", answer)
    }

    private func row(_ element: Any, _ columns: [DictionaryColumn]) throws -> [PredicateValue] {
        guard let dictionary = element as? NSDictionary else { throw refusal("dictionaries", element) }
        return columns.map { PredicateBridging.value(ofProperty: dictionary[$0.name]) }
    }

    private func refusal(_ wanted: String, _ given: Any) -> StoreError {
        .invalidRequest("The store \(storeClass) answered a fetch of “\(context.requireRuntime().entities[plan.entity].name)” with a "
            + "\(type(of: given)); \(wanted) was expected.")
    }
}

extension SortDescription {
    init(_ term: SortTerm) {
        let comparison: CoreDataPredicate.SortComparison = switch term.comparison {
        case .binary: .binary
        case .caseInsensitive: .caseInsensitive
        case .localized: .localized
        case .localizedCaseInsensitive: .localizedCaseInsensitive
        case .localizedStandard: .localizedStandard
        }
        self.init(keyPath: term.keyPath.joined(separator: "."), isAscending: term.isAscending, comparison: comparison)
    }
}
