/// Items in sections, made for lists of any length of which a few items change at a time: finding an item's place, the item
/// at a place, inserting and removing cost next to nothing beside reading one value of an object.
///
/// A section keeps its items in chunks of some hundred; a table leads from an item to its chunk.
///
/// Invariants (`checkInvariants`): no item stands twice; sections have distinct names unless they were given otherwise; no
/// section is empty but the one of a list without section key, and those a revision is just about to drop; every chunk
/// knows its section and its index there; none is empty or overlong.
package final class ResultList {
    package internal(set) var sections: [ResultListSection]
    package let hasSections: Bool
    /// Sections by name: the last one of each name.
    var byName: [String: ResultListSection] = [:]
    /// Whether a section came or was emptied since the sections were numbered.
    var hasUnsettledSections = false
    /// Made when first needed: a list that nobody tracks or asks for places has no use for it.
    private var homes: [ObjectIdentifier: ResultChunk]?

    package init(_ sections: [ItemSection<ResultItem>], hasSections: Bool) {
        self.hasSections = hasSections
        self.sections = []
        self.sections.reserveCapacity(sections.count)
        for (index, section) in sections.enumerated() {
            let made = ResultListSection(name: section.name, items: section.items)
            made.index = index
            self.sections.append(made)
            byName[section.name] = made
        }
    }

    package var count: Int { sections.reduce(0) { $0 + $1.count } }

    package func copy() -> ResultList {
        ResultList(sections.map { ItemSection(name: $0.name, items: Array($0.items)) }, hasSections: hasSections)
    }

    /// All items in order.
    package var items: [ResultItem] {
        var result: [ResultItem] = []
        result.reserveCapacity(count)
        for section in sections { for chunk in section.chunks { result.append(contentsOf: chunk.items) } }
        return result
    }

    // MARK: Places

    /// Where an item stands; nil when it does not.
    package func place(of item: ResultItem) -> ItemPlace? {
        guard let chunk = home(of: item), let row = chunk.items.firstIndex(of: item) else { return nil }
        return ItemPlace(section: chunk.section.index, item: chunk.section.start(of: chunk) + row)
    }

    /// The item at a place that exists.
    package func item(at place: ItemPlace) -> ResultItem { sections[place.section].item(at: place.item) }

    /// The place before another one, across sections; nil at the beginning.
    package func place(before place: ItemPlace) -> ItemPlace? {
        if place.item > 0 { return ItemPlace(section: place.section, item: place.item - 1) }
        var section = place.section - 1
        while section >= 0, sections[section].count == 0 { section -= 1 }
        return section < 0 ? nil : ItemPlace(section: section, item: sections[section].count - 1)
    }

    /// The place after another one, across sections; nil at the end.
    package func place(after place: ItemPlace) -> ItemPlace? {
        if place.item + 1 < sections[place.section].count { return ItemPlace(section: place.section, item: place.item + 1) }
        var section = place.section + 1
        while section < sections.count, sections[section].count == 0 { section += 1 }
        return section == sections.count ? nil : ItemPlace(section: section, item: 0)
    }

    /// How many items stand before a place.
    package func offset(of place: ItemPlace) -> Int {
        var offset = place.item
        for section in sections[..<place.section] { offset += section.count }
        return offset
    }

    // MARK: Homes

    func home(of item: ResultItem) -> ResultChunk? {
        if homes == nil { homes = madeHomes() }
        return homes?[ObjectIdentifier(item.object)]
    }

    func setHome(_ chunk: ResultChunk?, of item: ResultItem) { homes?[ObjectIdentifier(item.object)] = chunk }

    private func madeHomes() -> [ObjectIdentifier: ResultChunk] {
        var homes: [ObjectIdentifier: ResultChunk] = [:]
        homes.reserveCapacity(count)
        for section in sections {
            for chunk in section.chunks { for item in chunk.items { homes[ObjectIdentifier(item.object)] = chunk } }
        }
        return homes
    }
}

/// Some neighbours of one section.
final class ResultChunk {
    /// Chunks are split beyond this length.
    static let limit = 512

    var items: ContiguousArray<ResultItem>
    unowned var section: ResultListSection
    var index = 0

    init(_ items: ContiguousArray<ResultItem>, _ section: ResultListSection) {
        self.items = items
        self.section = section
    }
}
