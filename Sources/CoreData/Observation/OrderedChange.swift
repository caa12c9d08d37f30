/// Says how one order of objects became another.
enum OrderedChange {
    /// An insertion, a removal or a replacement at some places when it was one of these, and a new setting otherwise.
    static func of(_ before: [NSManagedObject], _ after: [NSManagedObject]) -> PropertyChange {
        if after.count == before.count {
            let places = IndexSet(before.indices.filter { before[$0] !== after[$0] })
            return .indexed(.replacement, places)
        }
        if after.count > before.count {
            return additions(to: before, in: after).map { .indexed(.insertion, $0) } ?? .setting
        }
        return additions(to: after, in: before).map { .indexed(.removal, $0) } ?? .setting
    }

    /// Where `longer` has objects `shorter` has not; nil when the others are not in the same order.
    private static func additions(to shorter: [NSManagedObject], in longer: [NSManagedObject]) -> IndexSet? {
        var places = IndexSet(), next = 0
        for (index, object) in longer.enumerated() {
            if next < shorter.count, shorter[next] === object { next += 1 } else { places.insert(index) }
        }
        return next == shorter.count ? places : nil
    }
}
