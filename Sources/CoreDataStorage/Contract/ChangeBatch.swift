import CoreDataSchema

/// Everything one save writes, as values.
///
/// Invariants: each key stands in one list only. `values` of a row has one element per slot of its entity; only stored
/// slots are read. A reference to a row inserted by the same batch uses that row's key as it stands in `inserted`.
package struct ChangeBatch: Sendable {
    package var inserted: [InsertedRow] = []
    package var updated: [UpdatedRow] = []
    package var deleted: [DeletedRow] = []
    /// To-many changes that are not visible in a to-one column: many-to-many, ordered, and without inverse.
    package var links: [LinkChange] = []
    package var author: String?
    package var contextName: String?

    package init() {}

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty }
}

package struct InsertedRow: Sendable {
    /// Temporary, or permanent from `reserveKeys`.
    package var key: RowKey
    package var values: ContiguousArray<AttributeValue>

    package init(key: RowKey, values: ContiguousArray<AttributeValue>) {
        self.key = key
        self.values = values
    }
}

package struct UpdatedRow: Sendable {
    package var key: RowKey
    /// `Z_OPT` of the snapshot the change started from.
    package var expectedVersion: Int64
    /// Slots to write. Empty only moves the version (a to-many of the row changed).
    package var changedSlots: SlotSet
    /// One element a slot, null where the value is still in `base`.
    private var known: ContiguousArray<AttributeValue>
    private var unread = SlotSet()
    private var base: RowBlock?
    /// Write whatever version the row has now: the merge policy has decided.
    package var overridesConflicts = false

    package init(key: RowKey, expectedVersion: Int64, changedSlots: SlotSet, values: ContiguousArray<AttributeValue>) {
        self.key = key
        self.expectedVersion = expectedVersion
        self.changedSlots = changedSlots
        known = values
    }

    /// A row most values of which need not be turned out of the one it was: `unread` slots are those of `base`.
    package init(
        key: RowKey, expectedVersion: Int64, changedSlots: SlotSet, known: ContiguousArray<AttributeValue>, unread: SlotSet,
        of base: RowBlock?
    ) {
        self.init(key: key, expectedVersion: expectedVersion, changedSlots: changedSlots, values: known)
        self.unread = unread
        self.base = base
    }

    /// One element a slot; of slots that were not changed, perhaps null.
    package var changedValues: ContiguousArray<AttributeValue> { known }

    /// Every slot's value.
    package var values: ContiguousArray<AttributeValue> {
        get {
            guard let base else { return known }
            var values = known
            unread.forEach { values[$0] = base.unreadValue($0) }
            return values
        }
        set {
            known = newValue
            unread.removeAll()
            base = nil
        }
    }
}

package struct DeletedRow: Sendable {
    package var key: RowKey
    package var expectedVersion: Int64
    package var overridesConflicts = false

    package init(key: RowKey, expectedVersion: Int64) {
        self.key = key
        self.expectedVersion = expectedVersion
    }
}

/// A to-many relationship's new membership as a difference against the store, and its whole order when it is ordered.
package struct LinkChange: Sendable {
    package var owner: RowKey
    /// Declaring entity and slot of the to-many.
    package var relationship: PropertyReference
    package var added: [RowKey]
    package var removed: [RowKey]
    /// All members in order, for ordered relationships; nil otherwise.
    package var order: [RowKey]?

    package init(owner: RowKey, relationship: PropertyReference, added: [RowKey], removed: [RowKey], order: [RowKey]? = nil) {
        self.owner = owner
        self.relationship = relationship
        self.added = added
        self.removed = removed
        self.order = order
    }
}

package enum CommitOutcome: Sendable {
    case committed(CommitReceipt)
    case conflicts([RowConflict])
    case constraintConflicts([ConstraintConflict])
}

/// What the store made of a batch.
package struct CommitReceipt: Sendable {
    /// New rows, parallel to `ChangeBatch.inserted`: permanent keys, version 1.
    package var inserted: [RowBlock]
    /// New rows, parallel to `ChangeBatch.updated`: version one higher.
    package var updated: [RowBlock]
    /// Rows not of the batch whose derived attributes changed with it; their versions did not.
    package var derived: [RowKey]

    package init(inserted: [RowBlock], updated: [RowBlock], derived: [RowKey] = []) {
        self.inserted = inserted
        self.updated = updated
        self.derived = derived
    }
}

/// A row that moved under an update or delete.
package struct RowConflict: Sendable {
    package var key: RowKey
    package var isDelete: Bool
    /// The row cache's row, newer than the snapshot; nil when it is the store that is newer than the cache.
    package var cached: RowBlock?
    /// The store's row when it is newer than the cache; nil when it is gone or the conflict is with the cache.
    package var persisted: RowBlock?
    /// The row no longer exists.
    package var isDeletedInStore: Bool

    package init(key: RowKey, isDelete: Bool, cached: RowBlock?, persisted: RowBlock?, isDeletedInStore: Bool) {
        self.key = key
        self.isDelete = isDelete
        self.cached = cached
        self.persisted = persisted
        self.isDeletedInStore = isDeletedInStore
    }
}

/// Rows of the batch that would break a uniqueness constraint.
package struct ConstraintConflict: Sendable {
    package var entity: Int
    /// Slots of the constraint.
    package var constraint: [Int]
    package var values: [AttributeValue]
    /// Keys of the batch's rows that share the values.
    package var conflicting: [RowKey]
    /// The stored row that has the values already; nil when only rows of the batch collide.
    package var stored: RowBlock?

    package init(entity: Int, constraint: [Int], values: [AttributeValue], conflicting: [RowKey], stored: RowBlock?) {
        self.entity = entity
        self.constraint = constraint
        self.values = values
        self.conflicting = conflicting
        self.stored = stored
    }
}
