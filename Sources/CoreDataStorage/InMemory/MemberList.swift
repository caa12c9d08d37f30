import CoreDataSchema

/// Members of one to-many of one row, in order.
///
/// Invariant: `set` holds exactly the elements of `keys`.
struct MemberList: Sendable {
    private(set) var keys: [RowKey] = []
    private var set: Set<RowKey> = []

    var isEmpty: Bool { keys.isEmpty }

    func contains(_ key: RowKey) -> Bool { set.contains(key) }

    mutating func append(_ key: RowKey) {
        if set.insert(key).inserted { keys.append(key) }
    }

    mutating func remove(_ removed: Set<RowKey>) {
        let before = set.count
        set.subtract(removed)
        if set.count != before { keys.removeAll { removed.contains($0) } }
    }

    /// Puts the members into this order; those it does not name follow in their old order.
    mutating func arrange(_ order: [RowKey]) {
        var arranged = MemberList()
        for key in order where set.contains(key) { arranged.append(key) }
        for key in keys { arranged.append(key) }
        self = arranged
    }
}
