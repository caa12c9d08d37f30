/// What a snapshot holds: identifiers in sections, and which of them are to be shown again.
///
/// Invariant: no identifier stands twice; those to reload or to reconfigure are there.
struct SnapshotContents<Section: Hashable, Item: Hashable> {
    private(set) var sections: [Section] = []
    private(set) var items: [Section: [Item]] = [:]
    private(set) var reloadedSections: [Section] = []
    private(set) var reloadedItems: [Item] = []
    private(set) var reconfiguredItems: [Item] = []
    /// The section of each item.
    private(set) var homes: [Item: Section] = [:]

    var allItems: [Item] { sections.flatMap { items[$0] ?? [] } }

    /// The index of an item among all.
    func index(of item: Item) -> Int? {
        guard let home = homes[item], let row = items[home]?.firstIndex(of: item) else { return nil }
        return sections.prefix { $0 != home }.reduce(row) { $0 + (items[$1]?.count ?? 0) }
    }

    // MARK: Sections

    mutating func append(_ new: [Section]) { insert(new, at: sections.count) }

    mutating func insert(_ new: [Section], at index: Int) {
        sections.insert(contentsOf: new, at: index)
        for section in new {
            guard items.updateValue([], forKey: section) == nil else {
                raise(.invalidArgument, "A snapshot cannot have the section identifier \(section) twice.")
            }
        }
    }

    mutating func delete(_ gone: [Section]) {
        for section in gone {
            for item in items.removeValue(forKey: section) ?? [] { homes[item] = nil }
        }
        let gone = Set(gone)
        sections.removeAll(where: gone.contains)
        reloadedSections.removeAll(where: gone.contains)
        forgetStrangers()
    }

    mutating func move(_ section: Section, to other: Section, after: Int) {
        let from = require(section)
        sections.remove(at: from)
        sections.insert(section, at: require(other) + after)
    }

    mutating func reload(sections new: [Section]) {
        for section in new where !reloadedSections.contains(section) {
            _ = require(section)
            reloadedSections.append(section)
        }
    }

    func require(_ section: Section) -> Int {
        guard let index = sections.firstIndex(of: section) else {
            raise(.invalidArgument, "There is no section with the identifier \(section) in the snapshot.")
        }
        return index
    }

    // MARK: Items

    mutating func append(_ new: [Item], to section: Section?) {
        guard let section = section ?? sections.last else {
            raise(.invalidArgument, "There are no sections in the snapshot to append items to: append a section first.")
        }
        _ = require(section)
        insert(new, in: section, at: items[section]?.count ?? 0)
    }

    mutating func insert(_ new: [Item], beside item: Item, after: Int) {
        let (section, row) = require(item)
        insert(new, in: section, at: row + after)
    }

    private mutating func insert(_ new: [Item], in section: Section, at row: Int) {
        items[section]?.insert(contentsOf: new, at: row)
        for item in new {
            guard homes.updateValue(section, forKey: item) == nil else {
                raise(.invalidArgument, "A snapshot cannot have the item identifier \(item) twice.")
            }
        }
    }

    mutating func delete(items gone: [Item]) {
        let gone = Set(gone)
        for section in Set(gone.compactMap { homes[$0] }) { items[section]?.removeAll(where: gone.contains) }
        for item in gone { homes[item] = nil }
        forgetStrangers()
    }

    mutating func deleteAll() { self = SnapshotContents() }

    mutating func move(_ item: Item, beside other: Item, after: Int) {
        let (section, row) = require(item)
        items[section]?.remove(at: row)
        homes[item] = nil
        insert([item], beside: other, after: after)
    }

    mutating func reload(_ new: [Item]) { note(new, in: &reloadedItems) }
    mutating func reconfigure(_ new: [Item]) { note(new, in: &reconfiguredItems) }

    private func note(_ new: [Item], in list: inout [Item]) {
        var seen = Set(list)
        for item in new where seen.insert(item).inserted {
            guard homes[item] != nil else { raise(.invalidArgument, "There is no item with the identifier \(item) in the snapshot.") }
            list.append(item)
        }
    }

    private func require(_ item: Item) -> (Section, Int) {
        guard let section = homes[item], let row = items[section]?.firstIndex(of: item) else {
            raise(.invalidArgument, "There is no item with the identifier \(item) in the snapshot.")
        }
        return (section, row)
    }

    private mutating func forgetStrangers() {
        reloadedItems.removeAll { homes[$0] == nil }
        reconfiguredItems.removeAll { homes[$0] == nil }
    }
}

extension SnapshotContents: Sendable where Section: Sendable, Item: Sendable {}
