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
        let entities = entities(plan)
        if pending.insertedOf.sum(entities) == 0, pending.changedOf.sum(entities) == 0 { return false }
        func concerns(_ object: NSManagedObject) -> Bool {
            !object.state.isDisjoint(with: .pending) && entities.contains(object.runtime.index)
        }
        return pending.inserted.contains(where: concerns) || pending.updated.contains(where: concerns)
            || pending.deleted.contains(where: concerns)
    }

    /// Indices of the entities whose objects a plan is for.
    private func entities(_ plan: FetchPlan) -> ClosedRange<Int> {
        plan.entity...(plan.includesSubentities ? requireRuntime().resolved.entities[plan.entity].lastDescendant : plan.entity)
    }

    /// The members of a plan for rows or keys, sorted and cut again where unsaved changes matter.
    func overlaid(_ plan: FetchPlan) throws -> OverlaidResult {
        // Delete rules are followed first, without announcing anything.
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        var unsaved = candidates(plan)
        var open = plan
        open.offset = 0
        // Of the stored rows no more than the changed ones can leave the window's front.
        open.limit = plan.limit > 0 ? plan.limit + max(0, plan.offset) + pending.changedOf.sum(entities(plan)) : 0
        var (stored, held) = try members(open)
        var deleted = Set<RowKey>()
        for key in stored {
            guard let object = registered(key), !object.state.isDisjoint(with: .pending) else { continue }
            if object.state.contains(.deleted) { deleted.insert(key) } else { unsaved.add(object) }
        }
        let objects = unsaved.byKey
        let outcome = try PendingOverlay.apply(
            fetched: stored, inserted: unsaved.inserted, updated: unsaved.updated, deleted: deleted
        ) { key in
            guard let predicate = plan.predicate, let object = objects[key] else { return true }
            return try PredicateEvaluation.evaluate(predicate, subject: object, variables: [:], rules: .memory)
        }
        stored = outcome.keys
        if outcome.needsSort, !plan.sort.isEmpty {
            held = self.objects(for: stored)
            stored = try sorted(held, by: plan.sort).map(\.key)
        }
        return OverlaidResult(keys: ResultShaping.window(stored, offset: plan.offset, limit: plan.limit), held: held)
    }

    /// Unsaved objects that are to be tested.
    private struct Unsaved {
        var inserted: [RowKey] = [], updated: [RowKey] = []
        var byKey: [RowKey: NSManagedObject] = [:]

        mutating func add(_ object: NSManagedObject) {
            guard byKey.updateValue(object, forKey: object.key) == nil else { return }
            if object.state.contains(.inserted) { inserted.append(object.key) } else { updated.append(object.key) }
        }
    }

    /// New and edited objects of the plan's entity, without those whose own value of an attribute shows that they are no match.
    /// One that was edited and matches in the store is not among them for that.
    private func candidates(_ plan: FetchPlan) -> Unsaved {
        let entity = requireRuntime().resolved.entities[plan.entity], entities = entities(plan)
        var unsaved = Unsaved()
        func add(_ objects: [NSManagedObject]) {
            for object in objects where entities.contains(object.runtime.index) && !object.state.contains(.deleted)
                && !object.state.isDisjoint(with: [.inserted, .updated]) && object.isIn(plan.stores) { unsaved.add(object) }
        }
        if let equality = plan.predicate.flatMap({ KeyEquality($0, entity) }), let objects = pending.candidates(equality, entity) {
            add(objects)
        } else {
            add(pending.updated)
            add(pending.inserted)
        }
        return unsaved
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

extension NSManagedObject {
    /// Whether its row is in one of the stores, or would be after a save; nil is all stores.
    final func isIn(_ stores: [Int32]?) -> Bool {
        guard let stores else { return true }
        if storeNumber != 0 { return stores.contains(storeNumber) }
        guard let coordinator = managedObjectContext?.persistentStoreCoordinator,
              let store = try? coordinator.storeForInsertion(of: self)
        else { return true }
        return stores.contains(store.rowStore.number)
    }
}
