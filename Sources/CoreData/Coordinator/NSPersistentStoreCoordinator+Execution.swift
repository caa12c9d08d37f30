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
        try plan.watch?.check()
        let stores = try stores(for: plan)
        if stores.count == 1, let only = stores.first { return try only.rowStore.fetch(plan) }
        return try merged(plan, stores)
    }

    /// One answer of several stores: each is asked for the rows that may be in the window, then they are sorted and cut together.
    private func merged(_ plan: FetchPlan, _ stores: [NSPersistentStore]) throws -> FetchOutcome {
        var open = plan
        open.offset = 0
        open.limit = plan.limit > 0 ? plan.limit + max(0, plan.offset) : 0
        switch plan.result {
        case .count:
            var total = 0
            for store in stores { if case .count(let count) = try store.rowStore.fetch(open) { total += count } }
            let rest = max(0, total - max(0, plan.offset))
            return .count(plan.limit > 0 ? min(rest, plan.limit) : rest)
        case .rows: return .rows(try shaped(try stores.flatMap { try rows(of: open, in: $0) }, by: plan))
        case .keys:
            open.result = .rows
            return .keys(try shaped(try stores.flatMap { try rows(of: open, in: $0) }, by: plan).map(\.key))
        case .dictionaries(let dictionary): return try mergedDictionaries(plan, dictionary, stores)
        }
    }

    /// Dictionaries of several stores are made of their rows here: groups and distinct rows know no border between stores.
    private func mergedDictionaries(
        _ plan: FetchPlan, _ dictionary: DictionaryPlan, _ stores: [NSPersistentStore]
    ) throws -> FetchOutcome {
        var rowPlan = plan
        (rowPlan.result, rowPlan.sort, rowPlan.offset, rowPlan.limit, rowPlan.prefetch) = (.rows, [], 0, 0, [])
        let rows = try stores.flatMap { try self.rows(of: rowPlan, in: $0) }
        noteOutsideSQL(.columns(dictionary.columns.map(\.name)), plan, rows: rows.count)
        var rest = plan
        rest.predicate = nil
        do { return try RowFetch.answer(rest, from: rows, resolver) } catch let error as PredicateEvaluationError {
            throw StoreError.invalidRequest("\(error)")
        }
    }

    /// Follows relationships of rows from whatever store.
    private var resolver: RowResolver {
        RowResolver(
            model: runtime.resolved, row: { [self] in try rows(for: [$0], staleAfter: -1).first },
            members: { [self] in try relatedKeys(of: [$0], through: $1).first ?? [] })
    }

    /// Rows where rows are asked for, from stores of the program's own too, which answer with keys.
    private func rows(of plan: FetchPlan, in store: NSPersistentStore) throws -> [RowBlock] {
        switch try store.rowStore.fetch(plan) {
        case .rows(let rows): rows
        case .keys(let keys): try store.rowStore.rows(for: keys, staleAfter: -1)
        case .count, .dictionaries: []
        }
    }

    private func shaped(_ rows: [RowBlock], by plan: FetchPlan) throws -> [RowBlock] {
        guard !plan.sort.isEmpty else { return ResultShaping.window(rows, offset: plan.offset, limit: plan.limit) }
        noteOutsideSQL(.sort(plan.sort), plan, rows: rows.count)
        let resolver = resolver
        let reached = try self.rows(onTheWayOf: plan.sort, from: rows)
        // The row cache answers for them while they are held.
        return try withExtendedLifetime(reached) {
            try ResultShaping.shape(rows, by: plan.sort, offset: plan.offset, limit: plan.limit) { try resolver.value(of: $0, at: $1.keyPath) }
        }
    }

    /// Reads the rows that sort keys lead through, some trips a key.
    private func rows(onTheWayOf terms: [SortTerm], from rows: [RowBlock]) throws -> [RowBlock] {
        var reached: [RowBlock] = []
        for term in terms {
            var level = rows
            for name in term.keyPath.dropLast() {
                let targets = level.compactMap { row in
                    runtime.resolved.entities[row.layout.entity].property(named: name).flatMap { $0.storage == .toOne ? row.reference($0.slot) : nil }
                }
                if targets.isEmpty { break }
                level = try self.rows(for: Array(Set(targets)), staleAfter: -1)
                reached += level
            }
        }
        return reached
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
