extension ResultList {
    /// Takes an item out. Its section stays, though it be empty.
    func remove(_ item: ResultItem) {
        guard let chunk = home(of: item), let row = chunk.items.firstIndex(of: item) else { return }
        let section = chunk.section
        chunk.items.remove(at: row)
        setHome(nil, of: item)
        if chunk.items.isEmpty {
            section.chunks.remove(at: chunk.index)
            for index in chunk.index..<section.chunks.count { section.chunks[index].index = index }
        }
        section.noteChange(by: -1)
        if section.count == 0 { hasUnsettledSections = true }
    }

    /// Puts an item that the list does not have at an index of a section.
    func insert(_ item: ResultItem, into section: ResultListSection, at index: Int) {
        if section.chunks.isEmpty { section.chunks.append(ResultChunk([], section)) }
        let (number, row) = section.position(of: index)
        let chunk = section.chunks[number]
        chunk.items.insert(item, at: row)
        setHome(chunk, of: item)
        if chunk.items.count > ResultChunk.limit { split(chunk) }
        section.noteChange(by: 1)
    }

    private func split(_ chunk: ResultChunk) {
        let section = chunk.section, half = chunk.items.count / 2
        let other = ResultChunk(ContiguousArray(chunk.items[half...]), section)
        chunk.items.removeSubrange(half...)
        section.chunks.insert(other, at: chunk.index + 1)
        for index in chunk.index + 1..<section.chunks.count { section.chunks[index].index = index }
        for item in other.items { setHome(other, of: item) }
    }

    /// A new section, empty, at a position among the sections as they stand.
    func insertSection(named name: String, at position: Int) -> ResultListSection {
        let section = ResultListSection(name: name, items: [])
        sections.insert(section, at: position)
        byName[name] = section
        hasUnsettledSections = true
        return section
    }

    /// Drops empty sections and numbers the rest. Returns which went (old indices) and which came (new ones), ascending.
    func settleSections() -> (deleted: [Int], inserted: [Int]) {
        guard hasSections, hasUnsettledSections else { return ([], []) }
        hasUnsettledSections = false
        var deleted: [Int] = [], inserted: [Int] = []
        for section in sections where section.count == 0 {
            if section.index >= 0 { deleted.append(section.index) }
            if byName[section.name] === section { byName[section.name] = nil }
        }
        sections.removeAll { $0.count == 0 }
        for (index, section) in sections.enumerated() {
            if section.index < 0 { inserted.append(index) }
            section.index = index
        }
        return (deleted, inserted)
    }

    // MARK: Searching

    /// How many of a section's items `precedes` says stand before something; nil is an item that nothing can be told of.
    func upperBound(in section: ResultListSection, _ precedes: (ResultItem) -> Bool?) -> Int {
        Self.upperBound(section.count) { precedes(section.item(at: $0)) }
    }

    /// How many of the sections stand before something, by the first item of each that something can be told of.
    func upperBoundOfSections(_ precedes: (ResultItem) -> Bool?) -> Int {
        Self.upperBound(sections.count) { index in
            for item in 0..<sections[index].count {
                if let verdict = precedes(sections[index].item(at: item)) { return verdict }
            }
            return nil
        }
    }

    private static func upperBound(_ count: Int, _ precedes: (Int) -> Bool?) -> Int {
        var low = 0, high = count
        while low < high {
            let middle = (low + high) / 2
            var probe = middle, verdict: Bool?
            while probe < high {
                verdict = precedes(probe)
                if verdict != nil { break }
                probe += 1
            }
            if verdict == true { low = probe + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Invariants

    /// What does not hold, in words; for tests.
    package func checkInvariants() -> [String] {
        var problems: [String] = [], seen = Set<ResultItem>()
        for (index, section) in sections.enumerated() {
            if section.index != index { problems.append("section \(index) has the index \(section.index)") }
            if section.count == 0, hasSections { problems.append("section \(index) is empty") }
            if section.count != section.items.count { problems.append("section \(index) miscounts") }
            if byName[section.name]?.name != section.name { problems.append("section \(section.name) is not found") }
            for (number, chunk) in section.chunks.enumerated() {
                if chunk.index != number || chunk.section !== section { problems.append("chunk \(number) is misplaced") }
                if chunk.items.isEmpty || chunk.items.count > ResultChunk.limit { problems.append("chunk of \(chunk.items.count)") }
            }
            for (row, item) in section.items.enumerated() {
                if !seen.insert(item).inserted { problems.append("an item stands twice") }
                if place(of: item) != ItemPlace(section: index, item: row) { problems.append("an item has another place") }
            }
        }
        if !hasSections, sections.count != 1 { problems.append("\(sections.count) sections without section key") }
        return problems
    }
}
