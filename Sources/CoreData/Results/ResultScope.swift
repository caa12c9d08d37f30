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
        if object.isFault { object.prepareForReading() }
        guard object.state.isDisjoint(with: [.deleted, .inaccessible]) else { return false }
        guard let predicate = plan.predicate else { return true }
        // The plan was checked when it was fetched. What memory still cannot test stays where it is until the next fetch.
        return (try? PredicateEvaluation.evaluate(predicate, subject: object, variables: [:], rules: .memory)) ?? current
    }

    /// Negative, zero or positive, as the request's sort descriptors order the two.
    func order(_ left: ResultItem, _ right: ResultItem) -> Int {
        for term in plan.sort {
            let order = term.comparison.compare(value(left, term), value(right, term))
            if order != 0 { return term.isAscending ? order : -order }
        }
        return 0
    }

    func sorted(_ items: [ResultItem]) -> [ResultItem] { ValueSort.sort(items, by: plan.sort, value: value) }

    private func value(_ item: ResultItem, _ term: SortTerm) -> PredicateValue {
        guard let object = item.object as? NSManagedObject else { return .null }
        // The plan's sort keys were checked: they are modelled, and across to-ones only.
        return (try? PredicateEvaluation.evaluate(
            expression: .keyPath(.evaluatedObject, term.keyPath), subject: object, variables: [:], rules: .memory)) ?? .null
    }
}
