import CoreDataSchema

/// What deleting some rows entails.
///
/// Invariants: `deletions` names each key once, causes before effects; no nullification and no denial concerns a row that
/// is itself deleted on the other side.
package struct DeletionPlan: Sendable, Equatable {
    /// The rows asked for and those reached by cascade rules, without rows that were deleted before.
    package var deletions: [RowKey] = []
    package var nullifications: [Nullification] = []
    package var denials: [DeletionDenial] = []

    package init() {}
}

/// A surviving row's reference to a deleted one that must go: a to-one becomes nil, a to-many loses the member.
package struct Nullification: Sendable, Hashable {
    package var owner: RowKey
    package var slot: Int
    package var removing: RowKey

    package init(owner: RowKey, slot: Int, removing: RowKey) {
        self.owner = owner
        self.slot = slot
        self.removing = removing
    }
}

/// A deleted row's relationship with the deny rule that still has members.
package struct DeletionDenial: Sendable, Hashable {
    package var owner: RowKey
    package var slot: Int

    package init(owner: RowKey, slot: Int) {
        self.owner = owner
        self.slot = slot
    }
}
