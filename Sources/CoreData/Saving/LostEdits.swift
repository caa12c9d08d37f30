import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Edits of a child to objects that its parent has deleted meanwhile: they must not vanish without a word.
struct LostEdits {
    let context: NSManagedObjectContext

    /// Asks the child's merge policy. The store's policies give the edits up: the objects are deleted here too. Any other throws
    /// 133020, unless a policy of the program's own settled it in the objects.
    func settle(_ keys: Set<RowKey>) throws {
        let conflicts = keys.compactMap { context.registered($0) }.map { object in
            NSMergeConflict(
                source: object, newVersion: 0, oldVersion: Int(object.row?.version ?? 0), cachedSnapshot: nil, persistedSnapshot: nil)
        }
        context.noteConflicts(conflicts)
        let policy = context.mergePolicy as? NSMergePolicy ?? NSErrorMergePolicy
        try policy.resolve(mergeConflicts: conflicts)
        let open = conflicts.filter { isOpen($0.sourceObject) }
        if open.isEmpty { return }
        guard policy.mergeType == .mergeByPropertyStoreTrumpMergePolicyType || policy.mergeType == .rollbackMergePolicyType else {
            throw ConflictErrors.merge(open)
        }
        for conflict in open { giveUp(conflict.sourceObject) }
    }

    private func isOpen(_ object: NSManagedObject) -> Bool {
        object.anchor === context.anchor && object.state.contains(.updated) && object.state.isDisjoint(with: [.deleted, .inserted])
    }

    private func giveUp(_ object: NSManagedObject) {
        object.state.insert([.deletedElsewhere, .lostToParent])
        context.markDeleted(object)
    }
}
