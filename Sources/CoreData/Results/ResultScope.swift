import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Which objects belong to a controller's results, and in which order: the request as it was when it was performed.
struct ResultScope {
    let plan: FetchPlan
    let entity: ResolvedEntity
    /// Whether a limit or offset cuts the results, so that one object's change decides on another.
    var isWindowed: Bool { plan.limit > 0 || plan.offset > 0 }

    /// Whether an object of this entity, in this store, could be among the results.
    func concerns(_ key: RowKey) -> Bool {
        let index = Int(key.entity)
        guard plan.includesSubentities ? entity.includes(index) : entity.index == index else { return false }
        return plan.stores?.contains(key.store) ?? true || key.isTemporary
    }

    /// Whether an object is one of the results; memory's rules for nil, as for all unsaved objects.
    func includes(_ object: NSManagedObject, in context: NSManagedObjectContext, otherwise current: Bool) -> Bool {
        guard object.anchor === context.anchor else { return false }
        if object.isUnfired { object.prepareForReading() }
        guard object.state.isDisjoint(with: [.deleted, .inaccessible]) else { return false }
        guard let predicate = plan.predicate else { return true }
        // The plan was checked when it was fetched. What memory still cannot test stays where it is until the next fetch.
        return (try? PredicateEvaluation.evaluate(predicate, subject: object, variables: [:], rules: .memory)) ?? current
    }

    /// Unsaved objects (negative keys, the newest the lowest) after saved ones, as stores and fetches give them.
    func rank(_ item: ResultItem) -> UInt64 {
        guard let key = (item.object as? NSManagedObject)?.key.primaryKey else { return 0 }
        return key < 0 ? UInt64(Int64.max) + key.magnitude : UInt64(key)
    }

    func value(_ item: ResultItem, _ term: SortTerm) -> PredicateValue {
        guard let object = item.object as? NSManagedObject else { return .null }
        // The plan's sort keys were checked: they are modelled, and across to-ones only.
        return (try? PredicateEvaluation.evaluate(
            expression: .keyPath(.evaluatedObject, term.keyPath), subject: object, variables: [:], rules: .memory)) ?? .null
    }
}

/// The request's order, while some objects may have changed that the list does not reflect yet.
struct ScopeOrder: ResultOrder {
    let scope: ResultScope
    /// Changed objects of batches that wait for the delegate to have been told of this one.
    let waiting: [Set<ResultItem>]

    func compare(_ left: ResultItem, _ right: ResultItem) -> Int {
        for term in scope.plan.sort {
            let order = term.comparison.compare(scope.value(left, term), scope.value(right, term))
            if order != 0 { return term.isAscending ? order : -order }
        }
        return 0
    }

    func search(for item: ResultItem) -> (ResultItem) -> Bool? {
        let sort = scope.plan.sort, keys = sort.map { scope.value(item, $0) }, rank = scope.rank(item)
        return { other in
            guard isSettled(other) else { return nil }
            for (term, key) in zip(sort, keys) {
                let order = term.comparison.compare(scope.value(other, term), key)
                if order != 0 { return (order < 0) == term.isAscending }
            }
            return scope.rank(other) <= rank
        }
    }

    func isSettled(_ item: ResultItem) -> Bool {
        guard let object = item.object as? NSManagedObject else { return true }
        return !object.state.contains(.inEvent) && !waiting.contains { $0.contains(item) }
    }

    func sorted(_ items: [ResultItem]) -> [ResultItem] {
        if items.count < 2 { return items }
        return ValueSort.sort(items.sorted { scope.rank($0) < scope.rank($1) }, by: scope.plan.sort, value: scope.value)
    }
}
