/// The difference of two lists of sections, as list views are told of it.
package enum SectionDifference {
    /// What leads from `old` to `new`. `touched` items that stay are updates; those are also the first to be called moved.
    ///
    /// Sections are the same when their names are (and how often the name came before). One pass over the items; more only
    /// for what lies between a section's equal beginning and equal end.
    package static func between<Item>(
        _ old: [ItemSection<Item>], _ new: [ItemSection<Item>], touched: Set<Item>
    ) -> SectionChanges<Item> {
        var comparison = Comparison(old: old, new: new, touched: touched)
        comparison.run()
        return comparison.changes
    }
}

private struct SectionIdentity: Hashable {
    let name: String
    let occurrence: Int
}

private struct Comparison<Item: Hashable> {
    let old: [ItemSection<Item>]
    let new: [ItemSection<Item>]
    let touched: Set<Item>
    var changes = SectionChanges<Item>()
    /// Old places of items that are not in a section's equal beginning or end, until they are found in the new list.
    private var loose: [Item: ItemPlace] = [:]
    /// The old index of each new section that stays.
    private var origin: [Int: Int] = [:]

    init(old: [ItemSection<Item>], new: [ItemSection<Item>], touched: Set<Item>) {
        self.old = old
        self.new = new
        self.touched = touched
    }

    mutating func run() {
        matchSections()
        let middles = new.indices.map { trim($0) }
        for index in changes.deletedSections { loosen(index, old[index].items.indices) }
        for index in new.indices { place(index, middles[index]) }
        changes.deletions += loose.map { .init(item: $0.key, place: $0.value) }
        changes.sort()
    }

    private mutating func matchSections() {
        func identities(_ sections: [ItemSection<Item>]) -> [SectionIdentity] {
            var seen: [String: Int] = [:]
            return sections.map { section in
                defer { seen[section.name, default: 0] += 1 }
                return SectionIdentity(name: section.name, occurrence: seen[section.name, default: 0])
            }
        }
        let before = Dictionary(uniqueKeysWithValues: identities(old).enumerated().map { ($1, $0) })
        let known = identities(new).enumerated().compactMap { index, identity in before[identity].map { (new: index, old: $0) } }
        for index in IncreasingSubsequence.indices(of: known.map(\.old)) { origin[known[index].new] = known[index].old }
        let staying = Set(origin.values)
        changes.deletedSections = old.indices.filter { !staying.contains($0) }
        changes.insertedSections = new.indices.filter { origin[$0] == nil }
    }

    /// Takes a staying section's equal beginning and end as they are; returns the new rows between them.
    private mutating func trim(_ index: Int) -> Range<Int> {
        let items = new[index].items
        guard let source = origin[index] else { return items.indices }
        let before = old[source].items
        let shared = min(items.count, before.count)
        var head = 0, tail = 0
        while head < shared, items[head] == before[head] { head += 1 }
        while tail < shared - head, items[items.count - 1 - tail] == before[before.count - 1 - tail] { tail += 1 }
        if !touched.isEmpty {
            for row in 0..<head { stay(items[row], ItemPlace(section: source, item: row), ItemPlace(section: index, item: row)) }
            for row in items.count - tail..<items.count {
                let from = ItemPlace(section: source, item: row - items.count + before.count)
                stay(items[row], from, ItemPlace(section: index, item: row))
            }
        }
        loosen(source, head..<before.count - tail)
        return head..<items.count - tail
    }

    private mutating func stay(_ item: Item, _ from: ItemPlace, _ to: ItemPlace) {
        if touched.contains(item) { changes.updates.append(.init(item: item, from: from, to: to)) }
    }

    private mutating func loosen(_ section: Int, _ rows: Range<Int>) {
        for row in rows { loose[old[section].items[row]] = ItemPlace(section: section, item: row) }
    }

    /// Finds where the items of some new rows come from.
    private mutating func place(_ index: Int, _ rows: Range<Int>) {
        var residents: [SectionChanges<Item>.Passage] = []
        for row in rows {
            let item = new[index].items[row]
            let to = ItemPlace(section: index, item: row)
            guard let from = loose.removeValue(forKey: item) else {
                changes.insertions.append(.init(item: item, place: to))
                continue
            }
            let passage = SectionChanges<Item>.Passage(item: item, from: from, to: to)
            if from.section == origin[index] { residents.append(passage) } else { changes.move(passage) }
        }
        residents.sort { $0.from < $1.from }
        let staying = self.staying(among: residents)
        for (position, passage) in residents.enumerated() {
            if staying.contains(position) { stay(passage.item, passage.from, passage.to) } else { changes.move(passage) }
        }
    }

    /// Which residents of one section (ascending by old row) keep their order: first those whose place does not change,
    /// so that none of them moves; then as many untouched ones as possible, then as many touched ones.
    private func staying(among residents: [SectionChanges<Item>.Passage]) -> Set<Int> {
        var anchors: [Int] = []
        func extend(_ isCandidate: (SectionChanges<Item>.Passage) -> Bool) {
            var extended: [Int] = [], next = 0
            for gap in 0...anchors.count {
                let end = gap < anchors.count ? anchors[gap] : residents.count
                let low = gap == 0 ? -1 : residents[anchors[gap - 1]].to.item
                let high = gap < anchors.count ? residents[end].to.item : Int.max
                let candidates = (next..<end).filter {
                    let row = residents[$0].to.item
                    return row > low && row < high && isCandidate(residents[$0])
                }
                extended += IncreasingSubsequence.indices(of: candidates.map { residents[$0].to.item }).map { candidates[$0] }
                if gap < anchors.count { extended.append(end) }
                next = end + 1
            }
            anchors = extended
        }
        extend { $0.from == $0.to }
        extend { !touched.contains($0.item) }
        extend { touched.contains($0.item) }
        return Set(anchors)
    }
}
