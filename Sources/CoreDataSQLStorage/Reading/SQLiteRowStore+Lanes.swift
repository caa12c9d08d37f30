import CoreDataStorage

extension SQLiteRowStore {
    /// The answer of a lane, when the store's own connection is at work; nil when it is free, or has to be waited for.
    ///
    /// A statement begun here sees all that was committed before, as one on the store's connection would.
    func fetchBeside(_ plan: FetchPlan) -> FetchOutcome? {
        guard ReadLane.mayAnswer(plan), !options.isStrict, options.reporter == nil || DiagnosticInterests.wanted.isDisjoint(with: .ofStores)
        else { return nil }
        if writersWaiting.load(ordering: .relaxed) == 0, lock.try() {
            lock.unlock()
            return nil
        }
        for _ in 0..<3 {
            let time = clock.now, generation = rowCache.generation
            // Whatever fails here is tried again on the store's own connection, which says what it was.
            guard let outcome = try? lanes.with({ try $0.answer(plan) }) else { return nil }
            guard case .rows(let rows) = outcome else { return outcome }
            if let time, clock.ifStill(time, { rowCache.adopt(rows, ifStillAt: generation) }) { return outcome }
            // Read while something changed: the rows may be older than those the cache has. Many would take long once more.
            if rows.count > 1_000 { return nil }
        }
        return nil
    }
}
