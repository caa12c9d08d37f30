import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Carries a store's conflicts to the context's merge policy, which settles them in the objects; the save then makes its
/// batch of them anew.
struct ConflictResolution {
    let context: NSManagedObjectContext
    private var rounds = 0

    init(context: NSManagedObjectContext) { self.context = context }

    private var policy: NSMergePolicy { context.mergePolicy as? NSMergePolicy ?? NSErrorMergePolicy }

    /// A policy that keeps the save from converging must not hold it forever.
    private mutating func nextRound(_ list: [NSObject]) throws {
        rounds += 1
        guard rounds > 50 || list.isEmpty else { return }
        throw list.first is NSConstraintConflict
            ? ConflictErrors.constraint(list.compactMap { $0 as? NSConstraintConflict })
            : ConflictErrors.merge(list.compactMap { $0 as? NSMergeConflict })
    }

    /// Rows that moved.
    mutating func resolve(_ conflicts: [RowConflict], in store: NSPersistentStore) throws {
        let cache = store.rowStore.rowCache
        let cached = cache.rows(for: conflicts.map(\.key))
        let list = zip(conflicts, cached).compactMap { conflict, row in
            context.registered(conflict.key).map { NSMergeConflict(conflict, of: $0, cache: row) }
        }
        // The cache catches up whatever the policy says: a refresh must show what the save stumbled over.
        cache.adopt(conflicts.compactMap(\.persisted))
        cache.remove(conflicts.filter(\.isDeletedInStore).map(\.key))
        try nextRound(list)
        context.noteConflicts(list)
        try policy.resolve(mergeConflicts: list)
        // A policy of the app's own that did not call super settled it in the object, which stands as it is.
        for conflict in list { conflict.settle(as: .overwrite) }
    }

    /// Values that must be unique: those that collide among themselves, then each with the stored row that has them.
    mutating func resolve(_ conflicts: [ConstraintConflict]) throws {
        var list: [NSConstraintConflict] = []
        for conflict in conflicts {
            let objects = conflict.conflicting.compactMap { context.registered($0) }
            if objects.count > 1 { list.append(NSConstraintConflict(conflict, objects: objects, stored: nil)) }
            guard let row = conflict.stored else { continue }
            let stored = context.object(for: row.key)
            if stored.isUnfired { stored.row = row }
            list += objects.map { NSConstraintConflict(conflict, objects: [$0], stored: stored) }
        }
        try nextRound(list)
        context.noteConflicts(list)
        try policy.resolve(mergeConflicts: list)
    }
}
