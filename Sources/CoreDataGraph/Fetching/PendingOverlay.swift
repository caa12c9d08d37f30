import CoreDataSchema

/// Lets pending changes decide a fetch's membership.
package enum PendingOverlay {
    /// The keys after pending changes, and whether sorting must be done again: something joined, or something that stays
    /// was edited.
    package struct Outcome: Sendable, Equatable {
        package var keys: [RowKey]
        package var needsSort: Bool

        package init(keys: [RowKey], needsSort: Bool) {
            self.keys = keys
            self.needsSort = needsSort
        }
    }

    /// `fetched` is the store's membership in its order. Deleted keys go, updated ones are tested again both ways, inserted
    /// ones are tested and join; joining keys follow the fetched ones, updated before inserted, each in the order given.
    /// `updated` and `inserted` hold only objects of the entities asked for; `matches` evaluates the predicate in memory.
    package static func apply(
        fetched: [RowKey], inserted: [RowKey], updated: [RowKey], deleted: Set<RowKey>, matches: (RowKey) throws -> Bool
    ) rethrows -> Outcome {
        if inserted.isEmpty && updated.isEmpty && deleted.isEmpty { return Outcome(keys: fetched, needsSort: false) }
        let pending = Set(updated).union(inserted)
        var outcome = Outcome(keys: [], needsSort: false)
        outcome.keys.reserveCapacity(fetched.count + inserted.count)
        var tested = Set<RowKey>()
        for key in fetched where !deleted.contains(key) {
            if pending.contains(key) {
                tested.insert(key)
                guard try matches(key) else { continue }
                outcome.needsSort = true
            }
            outcome.keys.append(key)
        }
        for key in [updated, inserted].joined() where !deleted.contains(key) && tested.insert(key).inserted {
            guard try matches(key) else { continue }
            outcome.keys.append(key)
            outcome.needsSort = true
        }
        return outcome
    }
}
