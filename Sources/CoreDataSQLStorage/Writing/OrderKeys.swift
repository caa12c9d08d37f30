/// Order keys (`Z_FOK_…`) for the members of one owner.
///
/// Keys that are there stay wherever the new order lets them: the longest run of members that are in order already keeps its
/// keys, and what stands between two of them takes keys between theirs. Only order means anything, so keys may be negative.
enum OrderKeys {
    static let first: Int64 = 2048
    static let step: Int64 = 1024

    /// The keys to write, by position; `known` are those the members have, nil for new members.
    static func changes(_ known: [Int64?]) -> [(position: Int, key: Int64)] {
        let kept = keptPositions(known)
        var result: [(position: Int, key: Int64)] = []
        var next = 0
        for anchor in kept + [known.count] {
            let low = next > 0 ? known[next - 1] : nil
            let high = anchor < known.count ? known[anchor] : nil
            guard let keys = keys(anchor - next, after: low, before: high) else { return renumbered(known) }
            for (offset, key) in keys.enumerated() { result.append((next + offset, key)) }
            next = anchor + 1
        }
        return result
    }

    /// nil when there is no room.
    private static func keys(_ count: Int, after low: Int64?, before high: Int64?) -> [Int64]? {
        if count == 0 { return [] }
        let wanted = Int64(count)
        switch (low, high) {
        case (nil, nil): return (0..<wanted).map { first + step * $0 }
        case (let low?, nil): return low > Int64.max - step * (wanted + 1) ? nil : (1...wanted).map { low + step * $0 }
        case (nil, let high?): return high < Int64.min + step * (wanted + 1) ? nil : (1...wanted).reversed().map { high - step * $0 }
        case (let low?, let high?):
            let (room, isTooWide) = high.subtractingReportingOverflow(low)
            guard !isTooWide, room > wanted else { return nil }
            let gap = room / (wanted + 1), rest = room % (wanted + 1)
            return (1...wanted).map { low + gap * $0 + rest * $0 / (wanted + 1) }
        }
    }

    private static func renumbered(_ known: [Int64?]) -> [(position: Int, key: Int64)] {
        known.indices.map { ($0, first + step * Int64($0)) }.filter { known[$0.0] != $0.1 }
    }

    /// Positions of a longest strictly increasing selection of the keys.
    private static func keptPositions(_ known: [Int64?]) -> [Int] {
        // Ends of the best runs of each length, and what stands before each position in its run.
        var ends: [Int] = [], previous = [Int](repeating: -1, count: known.count)
        for (position, key) in known.enumerated() {
            guard let key else { continue }
            var low = 0, high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if let end = known[ends[middle]], end < key { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var result: [Int] = []
        var position = ends.last ?? -1
        while position >= 0 {
            result.append(position)
            position = previous[position]
        }
        return result.reversed()
    }
}
