import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Fetches in which unsaved changes decide what matches (FE02).
extension NSManagedObjectContext {
    /// A fetch's members, and the objects behind those that were read, which must not be let go before they are used.
    struct OverlaidResult {
        var keys: [RowKey]
        fileprivate var held: [NSManagedObject]
    }

    /// Whether unsaved objects could change the plan's result.
    func hasPendingChanges(for plan: FetchPlan) -> Bool {
        if pending.isEmpty { return false }
        func concerns(_ object: NSManagedObject) -> Bool {
            !object.state.isDisjoint(with: .pending) && self.concerns(object, plan)
        }
        return pending.inserted.contains(where: concerns) || pending.updated.contains(where: concerns)
            || pending.deleted.contains(where: concerns)
    }

    private func concerns(_ object: NSManagedObject, _ plan: FetchPlan) -> Bool {
        let entity = requireRuntime().resolved.entities[plan.entity]
        return plan.includesSubentities ? entity.includes(object.runtime.index) : entity.index == object.runtime.index
    }

    /// The members of a plan for rows or keys, sorted and cut again where unsaved changes matter.
    func overlaid(_ plan: FetchPlan) throws -> OverlaidResult {
        // Delete rules are followed first, without announcing anything.
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        let inserted = candidates(plan)
        let updated = pending.updatedNow.filter { concerns($0, plan) }
        let deleted = pending.deleted.filter { $0.state.contains(.deleted) && concerns($0, plan) }
        var open = plan
        open.offset = 0
        // Of the stored rows no more than the changed ones can leave the window's front.
        open.limit = plan.limit > 0 ? plan.limit + max(0, plan.offset) + updated.count + deleted.count : 0
        var (stored, held) = try members(open)
        var changed: [RowKey: NSManagedObject] = [:]
        for object in [inserted, updated].joined() { changed[object.key] = object }
        let outcome = try PendingOverlay.apply(
            fetched: stored, inserted: inserted.map(\.key), updated: updated.map(\.key), deleted: Set(deleted.map(\.key))
        ) { key in
            guard let predicate = plan.predicate, let object = changed[key] else { return true }
            return try PredicateEvaluation.evaluate(predicate, subject: object, variables: [:], rules: .memory)
        }
        stored = outcome.keys
        if outcome.needsSort, !plan.sort.isEmpty {
            held = objects(for: stored)
            stored = try sorted(held, by: plan.sort).map(\.key)
        }
        return OverlaidResult(keys: ResultShaping.window(stored, offset: plan.offset, limit: plan.limit), held: held)
    }

    /// New objects of the plan's entity, without those whose own value of an attribute shows that they are no match.
    private func candidates(_ plan: FetchPlan) -> [NSManagedObject] {
        let entity = requireRuntime().resolved.entities[plan.entity]
        let quick = plan.predicate.flatMap { QuickTest($0, entity) }
        return pending.inserted.filter { object in
            guard object.state.contains(.inserted), !object.state.contains(.deleted) else { return false }
            let index = object.runtime.index
            guard plan.includesSubentities ? entity.includes(index) : entity.index == index else { return false }
            return quick?.excludes(object) != true
        }
    }

    /// What the parent or the stores answer, known objects under the keys they have here.
    private func members(_ plan: FetchPlan) throws -> ([RowKey], [NSManagedObject]) {
        switch try source(plan) {
        case .rows(let rows):
            let objects = materialize(rows, asFaults: true)
            return (objects.map(\.key), objects)
        case .keys(let keys): return (keys.map { registered($0)?.key ?? $0 }, [])
        case .count, .dictionaries: return ([], [])
        }
    }

    private func sorted(_ objects: [NSManagedObject], by terms: [SortTerm]) throws -> [NSManagedObject] {
        loadRows(of: objects)
        prefetch(terms.filter { $0.keyPath.count > 1 }.map { Array($0.keyPath.dropLast()) }, from: objects, PrefetchCollector())
        return try ValueSort.sort(objects, by: terms) { object, term in
            try PredicateEvaluation.evaluate(
                expression: .keyPath(.evaluatedObject, term.keyPath), subject: object, variables: [:], rules: .memory)
        }
    }
}
