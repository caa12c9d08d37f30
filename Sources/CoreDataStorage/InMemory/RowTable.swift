import CoreDataSchema

/// The rows of one root entity and all its descendants.
///
/// Invariant: the row with primary key p stands at place p - 1, or in `strays` when p is far beyond all others (a file may say
/// anything); keys of `strays` are beyond every place, so iteration is in primary-key order. `nextKey` is larger than every key ever
/// handed out, so no key is used twice.
struct RowTable: Sendable {
    private var places: ContiguousArray<RowBlock?> = []
    private var strays: [Int64: RowBlock] = [:]
    private(set) var nextKey: Int64 = 1

    subscript(primaryKey: Int64) -> RowBlock? {
        get {
            let place = Int(primaryKey) - 1
            if place >= 0 && place < places.count { return places[place] }
            return strays.isEmpty ? nil : strays[primaryKey]
        }
        set {
            let place = Int(primaryKey) - 1
            if place >= places.count, !strays.isEmpty || place > places.count + 65_536 + places.count {
                strays[primaryKey] = newValue
                return
            }
            while places.count <= place { places.append(nil) }
            places[place] = newValue
        }
    }

    /// The first of `count` fresh keys.
    mutating func reserve(_ count: Int) -> Int64 {
        defer { nextKey += Int64(count) }
        return nextKey
    }

    /// Hands out no key up to this one.
    mutating func claim(_ key: Int64) { nextKey = max(nextKey, key + 1) }

    /// Calls `body` with each row of the entities in `range`.
    func forEach(in range: ClosedRange<Int32>, _ body: (RowBlock) throws -> Void) rethrows {
        for case let row? in places where range.contains(row.key.entity) { try body(row) }
        if strays.isEmpty { return }
        for (_, row) in strays.sorted(by: { $0.key < $1.key }) where range.contains(row.key.entity) { try body(row) }
    }
}
