import CoreDataSchema

/// The rows of one root entity and all its descendants.
///
/// Invariant: the row with primary key p stands at place p - 1, so iteration is in primary-key order; `nextKey` is larger
/// than every key ever handed out, so no key is used twice.
struct RowTable: Sendable {
    private var places: ContiguousArray<RowBlock?> = []
    private(set) var nextKey: Int64 = 1

    subscript(primaryKey: Int64) -> RowBlock? {
        get {
            let place = Int(primaryKey) - 1
            return place >= 0 && place < places.count ? places[place] : nil
        }
        set {
            let place = Int(primaryKey) - 1
            while places.count <= place { places.append(nil) }
            places[place] = newValue
        }
    }

    /// The first of `count` fresh keys.
    mutating func reserve(_ count: Int) -> Int64 {
        defer { nextKey += Int64(count) }
        return nextKey
    }

    /// Calls `body` with each row of the entities in `range`.
    func forEach(in range: ClosedRange<Int32>, _ body: (RowBlock) throws -> Void) rethrows {
        for case let row? in places where range.contains(row.key.entity) { try body(row) }
    }
}
