import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// What contexts ask of the stores.
extension NSPersistentStoreCoordinator {
    package func translating<Result>(_ body: () throws -> Result) throws -> Result { try ErrorTranslation.translating(body) }

    /// Stores that can hold rows of the entity or its descendants.
    func stores(for plan: FetchPlan) throws -> [NSPersistentStore] {
        let attached = persistentStores
        if attached.isEmpty { throw ErrorTranslation.noStores() }
        let entity = runtime.resolved.entities[plan.entity]
        return attached.filter { store in
            (plan.stores?.contains(store.rowStore.number) ?? true)
                && (entity.index...entity.lastDescendant).contains { store.entities.contains($0) }
        }
    }

    package func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        let stores = try stores(for: plan)
        if stores.count == 1, let only = stores.first { return try only.rowStore.fetch(plan) }
        return try merged(plan, stores)
    }

    /// One answer of several stores: each is asked without a window, then they are sorted and cut together.
    private func merged(_ plan: FetchPlan, _ stores: [NSPersistentStore]) throws -> FetchOutcome {
        var open = plan
        open.offset = 0
        open.limit = plan.limit > 0 ? plan.limit + plan.offset : 0
        let outcomes = try stores.map { try outcome(of: open, in: $0) }
        switch plan.result {
        case .count:
            let total = outcomes.reduce(0) { if case .count(let count) = $1 { $0 + count } else { $0 } }
            return .count(ResultShaping.window(Array(0..<total), offset: plan.offset, limit: plan.limit).count)
        case .rows:
            let rows = outcomes.flatMap { outcome -> [RowBlock] in if case .rows(let rows) = outcome { rows } else { [] } }
            return .rows(try shaped(rows, by: plan))
        case .keys:
            var rowPlan = plan
            rowPlan.result = .rows
            guard case .rows(let rows) = try merged(rowPlan, stores) else { return .keys([]) }
            return .keys(rows.map(\.key))
        case .dictionaries(let dictionaries):
            let rows = outcomes.flatMap { outcome -> [[PredicateValue]] in
                if case .dictionaries(let rows) = outcome { rows } else { [] }
            }
            if dictionaries.columns.contains(where: { $0.isAggregate }) || !dictionaries.groupBy.isEmpty {
                throw StoreError.unsupported("Aggregates and groups over several stores are not supported: name one in affectedStores.")
            }
            return .dictionaries(ResultShaping.window(rows, offset: plan.offset, limit: plan.limit))
        }
    }

    /// Rows where rows are asked for, from stores of the program's own too, which answer with keys.
    private func outcome(of plan: FetchPlan, in store: NSPersistentStore) throws -> FetchOutcome {
        let outcome = try store.rowStore.fetch(plan)
        guard case .rows = plan.result, case .keys(let keys) = outcome else { return outcome }
        return .rows(try store.rowStore.rows(for: keys, staleAfter: -1))
    }

    private func shaped(_ rows: [RowBlock], by plan: FetchPlan) throws -> [RowBlock] {
        guard !plan.sort.isEmpty else { return ResultShaping.window(rows, offset: plan.offset, limit: plan.limit) }
        noteSortOutsideSQL(plan, rows: rows.count)
        return try ResultShaping.shape(rows, by: plan.sort, offset: plan.offset, limit: plan.limit) { row, term in
            try self.sortValue(of: row, along: term.keyPath)
        }
    }

    private func sortValue(of row: RowBlock, along path: [String]) throws -> PredicateValue {
        guard let key = path.first, let property = runtime.resolved.entities[row.layout.entity].property(named: key) else { return .null }
        if path.count == 1 { return PredicateValue(row.value(property.slot), of: property, in: nil) }
        if case .composite(let elements) = row.value(property.slot) {
            let composite = CompositeSubject(elements, of: property, in: runtime.resolved)
            return try PredicateEvaluation.evaluate(
                expression: .keyPath(.evaluatedObject, Array(path.dropFirst())), subject: composite, variables: [:], rules: .memory)
        }
        guard case .reference(let target) = row.value(property.slot),
              let next = try rows(for: [target], staleAfter: -1).first
        else { return .null }
        return try sortValue(of: next, along: Array(path.dropFirst()))
    }

    package func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] {
        if keys.count == 1, let key = keys.first {
            return try store(number: key.store)?.rowStore.rows(for: keys, staleAfter: staleAfter) ?? []
        }
        return try Dictionary(grouping: keys, by: \.store).flatMap { number, keys in
            try store(number: number)?.rowStore.rows(for: keys, staleAfter: staleAfter) ?? []
        }
    }

    package func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
        guard let first = owners.first else { return [] }
        if owners.allSatisfy({ $0.store == first.store }) {
            return try store(number: first.store)?.rowStore.relatedKeys(of: owners, through: relationship) ?? owners.map { _ in [] }
        }
        var result = owners.map { _ in [RowKey]() }
        for (_, places) in Dictionary(grouping: owners.indices, by: { owners[$0].store }) {
            for (place, members) in zip(places, try relatedKeys(of: places.map { owners[$0] }, through: relationship)) {
                result[place] = members
            }
        }
        return result
    }

    /// Cached rows that others made stale.
    func forgetCachedRows(_ keys: [RowKey]) {
        for (number, keys) in Dictionary(grouping: keys, by: \.store) { store(number: number)?.rowStore.rowCache.remove(keys) }
    }

    /// The store a new object goes to: the assigned one, or the first writable one that holds its entity.
    func storeForInsertion(of object: NSManagedObject) throws -> NSPersistentStore {
        let attached = persistentStores
        if attached.isEmpty { throw ErrorTranslation.noStores() }
        let chosen = object.storeNumber
        if chosen != 0, let assigned = attached.first(where: { $0.rowStore.number == chosen }) { return assigned }
        let holding = attached.filter { $0.entities.contains(object.runtime.index) }
        guard let store = holding.first(where: { !$0.isReadOnly }) ?? holding.first else {
            throw ErrorTranslation.error(StoreError.invalidRequest(
                "No attached store’s configuration holds the entity “\(object.runtime.name)”, so its objects cannot be saved."))
        }
        return store
    }
}

extension DictionaryColumn {
    /// Whether the column collects over rows.
    var isAggregate: Bool {
        if case .function(let name, _) = expression {
            return ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"].contains(name)
        }
        return false
    }
}
