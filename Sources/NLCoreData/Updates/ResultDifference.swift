/// The difference of two lists of distinct IDs.
enum ResultDifference {
    /// What leads from `old` to `new`, what moved associated, as few moves as possible. One pass where the lists are equal at
    /// both ends; n log n for what is between.
    static func between(_ old: [NSManagedObjectID], _ new: [NSManagedObjectID]) -> CollectionDifference<NSManagedObjectID> {
        let shared = min(old.count, new.count)
        var head = 0, tail = 0
        while head < shared, same(old[head], new[head]) { head += 1 }
        while tail < shared - head, same(old[old.count - 1 - tail], new[new.count - 1 - tail]) { tail += 1 }
        let oldRows = head..<old.count - tail, newRows = head..<new.count - tail
        var places: [NSManagedObjectID: Int] = [:]
        places.reserveCapacity(oldRows.count)
        for row in oldRows { places[old[row]] = row }
        let sources = newRows.map { places.removeValue(forKey: new[$0]) }
        let staying = Set(ascending(sources.compactMap { $0 }))
        var changes: [CollectionDifference<NSManagedObjectID>.Change] = places.map { .remove(offset: $1, element: $0, associatedWith: nil) }
        for (row, source) in zip(newRows, sources) {
            if let source, staying.contains(source) { continue }
            if let source { changes.append(.remove(offset: source, element: old[source], associatedWith: row)) }
            changes.append(.insert(offset: row, element: new[row], associatedWith: source))
        }
        // Rows are distinct on either side, so that it is one.
        return CollectionDifference(changes) ?? new.difference(from: old)
    }

    private static func same(_ left: NSManagedObjectID, _ right: NSManagedObjectID) -> Bool { left === right || left == right }

    /// The numbers of a longest ascending part.
    private static func ascending(_ numbers: [Int]) -> [Int] {
        var ends: [Int] = [], previous = [Int](repeating: -1, count: numbers.count)
        for (index, number) in numbers.enumerated() {
            var low = 0, high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = ends[low - 1] }
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = [], index = ends.last ?? -1
        while index >= 0 {
            result.append(numbers[index])
            index = previous[index]
        }
        return result
    }
}
