import CoreDataGraph
import CoreDataTestSupport
import Testing

/// What a list view does with a difference: deletes by old places, then inserts by new ones.
private func applying(
    _ changes: SectionChanges<Int>, to old: [ItemSection<Int>], names: (Int) -> String
) throws -> [ItemSection<Int>] {
    var sections: [(index: Int, section: ItemSection<Int>)] = old.enumerated().map { ($0, $1) }
    for place in (changes.deletions.map(\.place) + changes.moves.map(\.from)).sorted().reversed() {
        sections[place.section].section.items.remove(at: place.item)
    }
    for index in changes.deletedSections.reversed() {
        #expect(sections[index].section.items.isEmpty, "a deleted section still had items")
        sections.remove(at: index)
    }
    var result = sections.map(\.section)
    for index in changes.insertedSections { result.insert(ItemSection(name: names(index), items: []), at: index) }
    let arrivals = changes.insertions.map { ($0.item, $0.place) } + changes.moves.map { ($0.item, $0.to) }
    for (item, place) in arrivals.sorted(by: { $0.1 < $1.1 }) {
        try #require(place.item <= result[place.section].items.count)
        result[place.section].items.insert(item, at: place.item)
    }
    return result
}

private func check(_ old: [ItemSection<Int>], _ new: [ItemSection<Int>], touched: Set<Int>) throws -> SectionChanges<Int> {
    let changes = SectionDifference.between(old, new, touched: touched)
    #expect(try applying(changes, to: old) { new[$0].name } == new, "\(old) -> \(new), touched \(touched)")
    #expect(changes.moves.allSatisfy { $0.from != $0.to })
    let said = changes.deletions.map(\.item) + changes.moves.map(\.item) + changes.updates.map(\.item)
    #expect(Set(said).count == said.count)
    for update in changes.updates { #expect(old[update.from.section].items[update.from.item] == new[update.to.section].items[update.to.item]) }
    let present = Set(new.flatMap(\.items)).intersection(old.flatMap(\.items)).intersection(touched)
    #expect(present.isSubset(of: said), "a touched item was passed over")
    return changes
}

private func section(_ name: String, _ items: Int...) -> ItemSection<Int> { ItemSection(name: name, items: items) }
private func place(_ section: Int, _ item: Int) -> ItemPlace { ItemPlace(section: section, item: item) }

@Suite struct SectionDifferenceTests {
    @Test("Equal lists differ in nothing; a touched item that stays is an update")
    func equal() throws {
        let list = [section("A", 1, 2), section("B", 3)]
        #expect(try check(list, list, touched: []).isEmpty)
        let changes = try check(list, list, touched: [2])
        #expect(changes.updates == [.init(item: 2, from: place(0, 1), to: place(0, 1))] && changes.moves.isEmpty)
    }

    @Test("FR17: deletes and move sources are places before, inserts and move targets places after")
    func conventions() throws {
        let changes = try check([section("A", 1, 2, 3, 4)], [section("A", 9, 2, 4, 3)], touched: [1, 3, 9])
        #expect(changes.deletions == [.init(item: 1, place: place(0, 0))])
        #expect(changes.insertions == [.init(item: 9, place: place(0, 0))])
        #expect(changes.moves == [.init(item: 3, from: place(0, 2), to: place(0, 3))])
        #expect(changes.updates.isEmpty)
    }

    @Test("FR12: an item that crosses another to the place it had is an update; the other moves")
    func crossing() throws {
        let changes = try check([section("A", 1, 2, 3)], [section("A", 3, 2)], touched: [1, 2])
        #expect(changes.updates == [.init(item: 2, from: place(0, 1), to: place(0, 1))])
        #expect(changes.moves == [.init(item: 3, from: place(0, 2), to: place(0, 0))])
    }

    @Test("A row that takes its section along to the same place is deleted and inserted")
    func sectionReplaced() throws {
        let changes = try check([section("A", 1)], [section("B", 1)], touched: [1])
        #expect(changes.deletedSections == [0] && changes.insertedSections == [0] && changes.moves.isEmpty)
        #expect(changes.deletions == changes.insertions && changes.deletions.map(\.place) == [place(0, 0)])
    }

    @Test("FR10: a move into a section that comes, out of one that stays")
    func newSection() throws {
        let changes = try check([section("A", 1, 2)], [section("A", 1), section("B", 2)], touched: [2])
        #expect(changes.insertedSections == [1] && changes.deletedSections.isEmpty)
        #expect(changes.moves == [.init(item: 2, from: place(0, 1), to: place(1, 0))])
    }

    @Test("Only touched items move while the others keep their order")
    func touchedMove() throws {
        let changes = try check([section("", 1, 2, 3)], [section("", 2, 3, 1)], touched: [1])
        #expect(changes.moves.map(\.item) == [1])
        let swap = try check([section("", 1, 2)], [section("", 2, 1)], touched: [2])
        #expect(swap.moves.map(\.item) == [2])
    }

    @Test("The difference applied to the old list gives the new one, for sorted lists with some items changed")
    func sortedLists() throws {
        var random = SeededGenerator(11)
        for _ in 0..<3_000 {
            var values: [Int: (section: Int, key: Int)] = [:]
            func value() -> (section: Int, key: Int) { (Int.random(in: 0..<4, using: &random), Int.random(in: 0..<6, using: &random)) }
            for item in 0..<Int.random(in: 0..<12, using: &random) { values[item] = value() }
            let old = grouped(values)
            var touched = Set<Int>()
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                let item = Int.random(in: 0..<16, using: &random)
                touched.insert(item)
                values[item] = Int.random(in: 0..<4, using: &random) == 0 ? nil : value()
            }
            let changes = try check(old, grouped(values), touched: touched)
            let silent = Set(changes.updates.map(\.item)).subtracting(touched)
            #expect(silent.isEmpty, "updates of items that were not touched: \(silent)")
        }
    }

    @Test("The difference applied to the old list gives the new one, for any two lists")
    func anyLists() throws {
        var random = SeededGenerator(12)
        for _ in 0..<3_000 {
            func list() -> [ItemSection<Int>] {
                var items = Array((0..<10).shuffled(using: &random).prefix(Int.random(in: 0...10, using: &random)))
                return (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                    let count = Int.random(in: 0...items.count, using: &random)
                    defer { items.removeFirst(count) }
                    return ItemSection(name: ["A", "B", "C"].randomElement(using: &random) ?? "A", items: Array(items.prefix(count)))
                }
            }
            _ = try check(list(), list(), touched: Set((0..<10).filter { _ in Bool.random(using: &random) }))
        }
    }

    @Test("A longest ascending part is ascending and as long as any")
    func increasing() {
        var random = SeededGenerator(13)
        for _ in 0..<500 {
            let numbers = Array((0..<Int.random(in: 0..<9, using: &random)).shuffled(using: &random))
            let found = IncreasingSubsequence.indices(of: numbers).map { numbers[$0] }
            #expect(found == found.sorted())
            let best = (0..<(1 << numbers.count)).map { mask in numbers.indices.filter { mask >> $0 & 1 == 1 }.map { numbers[$0] } }
                .filter { $0 == $0.sorted() }.map(\.count).max()
            #expect(found.count == best)
        }
    }

    private func grouped(_ values: [Int: (section: Int, key: Int)]) -> [ItemSection<Int>] {
        let order = values.sorted { ($0.value.section, $0.value.key, $0.key) < ($1.value.section, $1.value.key, $1.key) }
        var result: [ItemSection<Int>] = []
        for (item, value) in order {
            if result.last?.name != "\(value.section)" { result.append(ItemSection(name: "\(value.section)", items: [])) }
            result[result.count - 1].items.append(item)
        }
        return result
    }
}
