import CoreDataSchema

/// Results of fetches with a batch size whose rows nobody has touched yet: the first touch loads all of its batch.
///
/// Invariant: used on the context's queue only. A key stands in one batch at most; keys leave when their batch is loaded.
struct FetchBatches {
    /// What one touch loads.
    struct Batch {
        var keys: [RowKey]
        var prefetch: [[String]]
    }

    /// Batches not loaded yet of the last few fetches; older fetches load their objects one by one.
    private var batches: [Int: Batch] = [:]
    private var places: [RowKey: Int] = [:]
    private var fetches: [ClosedRange<Int>] = []
    private var next = 0
    private static let fetchesKept = 16

    /// Notes the results of a fetch, in order.
    mutating func add(_ keys: [RowKey], size: Int, prefetch: [[String]]) {
        guard size > 0, !keys.isEmpty else { return }
        let first = next
        var start = 0
        places.reserveCapacity(places.count + keys.count)
        while start < keys.count {
            let part = Array(keys[start..<min(start + size, keys.count)])
            start += part.count
            batches[next] = Batch(keys: part, prefetch: prefetch)
            for key in part { places[key] = next }
            next += 1
        }
        fetches.append(first...(next - 1))
        if fetches.count > Self.fetchesKept { drop(fetches.removeFirst()) }
    }

    /// The batch a key belongs to, which is loaded now; nil when none does.
    mutating func take(_ key: RowKey) -> Batch? {
        guard let number = places[key], var batch = batches.removeValue(forKey: number) else { return nil }
        // A later fetch may have taken some of the keys over.
        batch.keys.removeAll { places[$0] != number }
        for key in batch.keys { places[key] = nil }
        return batch
    }

    private mutating func drop(_ numbers: ClosedRange<Int>) {
        for number in numbers {
            for key in batches.removeValue(forKey: number)?.keys ?? [] where places[key] == number { places[key] = nil }
        }
    }

    var isEmpty: Bool { batches.isEmpty }
}
