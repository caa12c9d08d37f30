/// Items under a name, in order.
package final class ResultListSection {
    package let name: String
    /// Its place in the list; while a revision runs, the one before it, and -1 for a section that came with it.
    package internal(set) var index = -1
    package internal(set) var count = 0
    /// Whatever the list's owner made of the section as it is; gone with the first change.
    package var picture: AnyObject?
    var chunks: ContiguousArray<ResultChunk> = []
    /// How many items stand before each chunk; nil after a change.
    private var starts: ContiguousArray<Int>?

    init(name: String, items: [ResultItem]) {
        self.name = name
        count = items.count
        // Filled by three quarters: inserts find room.
        let size = ResultChunk.limit * 3 / 4
        chunks.reserveCapacity(items.count / size + 1)
        for start in stride(from: 0, to: items.count, by: size) {
            let chunk = ResultChunk(ContiguousArray(items[start..<min(start + size, items.count)]), self)
            chunk.index = chunks.count
            chunks.append(chunk)
        }
    }

    package var items: ContiguousArray<ResultItem> {
        var result = ContiguousArray<ResultItem>()
        result.reserveCapacity(count)
        for chunk in chunks { result.append(contentsOf: chunk.items) }
        return result
    }

    /// The items in parts, to be put together when somebody asks: taking them costs no copy.
    package var parts: ContiguousArray<ContiguousArray<ResultItem>> { ContiguousArray(chunks.lazy.map(\.items)) }

    package func item(at index: Int) -> ResultItem {
        let (chunk, row) = position(of: index)
        return chunks[chunk].items[row]
    }

    func start(of chunk: ResultChunk) -> Int { allStarts()[chunk.index] }

    /// The chunk an item's index lies in, and where in it; the end of the last one for the end.
    func position(of index: Int) -> (chunk: Int, row: Int) {
        let starts = allStarts()
        var low = 0, high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= index { low = middle + 1 } else { high = middle }
        }
        return (max(0, low - 1), index - (low == 0 ? 0 : starts[low - 1]))
    }

    private func allStarts() -> ContiguousArray<Int> {
        if let starts { return starts }
        var made = ContiguousArray<Int>(), sum = 0
        made.reserveCapacity(chunks.count)
        for chunk in chunks {
            made.append(sum)
            sum += chunk.items.count
        }
        starts = made
        return made
    }

    func noteChange(by difference: Int) {
        count += difference
        starts = nil
        picture = nil
    }
}
