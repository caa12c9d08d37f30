import CoreDataGraph
import CoreDataTestSupport
import Testing

/// A result with a section and a sort key.
private final class Token: CustomStringConvertible {
    let number: Int
    var section: Int, key: Int
    var item: ResultItem { ResultItem(object: self) }
    var description: String { "\(number)(\(section),\(key))" }

    init(_ number: Int, _ section: Int, _ key: Int) {
        self.number = number
        self.section = section
        self.key = key
    }

    /// Numbers decide between equals.
    var place: (Int, Int, Int) { (section, key, number) }
}

private func token(_ item: ResultItem) -> Token { unsafeDowncast(item.object, to: Token.self) }

private struct TokenOrder: ResultOrder {
    var unsettled = Set<ResultItem>()

    func compare(_ left: ResultItem, _ right: ResultItem) -> Int {
        let left = (token(left).section, token(left).key), right = (token(right).section, token(right).key)
        return left < right ? -1 : left == right ? 0 : 1
    }

    func search(for item: ResultItem) -> (ResultItem) -> Bool? {
        { other in unsettled.contains(other) ? nil : token(other).place <= token(item).place }
    }

    func isSettled(_ item: ResultItem) -> Bool { !unsettled.contains(item) }
    func sorted(_ items: [ResultItem]) -> [ResultItem] { items.sorted { token($0).place < token($1).place } }
}

/// Counts how many items are looked at.
private final class LookCounter: ResultOrder {
    private let order = TokenOrder()
    var looks = 0

    func compare(_ left: ResultItem, _ right: ResultItem) -> Int {
        looks += 1
        return order.compare(left, right)
    }

    func search(for item: ResultItem) -> (ResultItem) -> Bool? {
        let search = order.search(for: item)
        return { other in
            self.looks += 1
            return search(other)
        }
    }

    func isSettled(_ item: ResultItem) -> Bool { order.isSettled(item) }
    func sorted(_ items: [ResultItem]) -> [ResultItem] { order.sorted(items) }
}

/// A list of tokens with and without sections, revised and compared with the same sorted anew.
private struct Bench {
    var tokens: [Int: Token] = [:]
    let hasSections: Bool

    var sorted: [ItemSection<ResultItem>] {
        let order = tokens.values.sorted { $0.place < $1.place }
        guard hasSections else { return [ItemSection(name: "", items: order.map(\.item))] }
        var result: [ItemSection<ResultItem>] = []
        for token in order {
            if result.last?.name != "\(token.section)" { result.append(ItemSection(name: "\(token.section)", items: [])) }
            result[result.count - 1].items.append(token.item)
        }
        return result
    }
}

private func contents(_ list: ResultList) -> [ItemSection<ResultItem>] {
    list.sections.map { ItemSection(name: $0.name, items: Array($0.items)) }
}

private func text(_ sections: [ItemSection<ResultItem>]) -> String {
    sections.map { "[\($0.name): " + $0.items.map { token($0).description }.joined(separator: " ") + "]" }.joined()
}

/// What a list view does with a batch: deletes by old places, then inserts by new ones.
private func apply(_ changes: SectionChanges<ResultItem>, to old: [ItemSection<ResultItem>], names: (Int) -> String) throws -> [ItemSection<ResultItem>] {
    var sections = old
    for place in (changes.deletions.map(\.place) + changes.moves.map(\.from)).sorted().reversed() {
        sections[place.section].items.remove(at: place.item)
    }
    for index in changes.deletedSections.reversed() {
        #expect(sections[index].items.isEmpty, "a deleted section still had items")
        sections.remove(at: index)
    }
    for index in changes.insertedSections { sections.insert(ItemSection(name: names(index), items: []), at: index) }
    let arrivals = changes.insertions.map { ($0.item, $0.place) } + changes.moves.map { ($0.item, $0.to) }
    for (item, place) in arrivals.sorted(by: { $0.1 < $1.1 }) {
        try #require(place.item <= sections[place.section].items.count)
        sections[place.section].items.insert(item, at: place.item)
    }
    return sections
}

@Suite("Revisions of result lists")
struct ResultRevisionTests {
    @Test("A revised list is what sorting anew gives, and what was said leads from the old one to it", arguments: [false, true])
    func random(hasSections: Bool) throws {
        for seed in 0..<2_000 { try round(UInt64(seed), hasSections, count: 14, rounds: 4) }
    }

    @Test("Long sections, in many chunks", arguments: [false, true])
    func long(hasSections: Bool) throws {
        for seed in 0..<6 { try round(UInt64(seed), hasSections, count: 3_000, rounds: 30) }
    }

    private func round(_ seed: UInt64, _ hasSections: Bool, count: Int, rounds: Int) throws {
        var random = SeededGenerator(seed)
        let width = count > 100 ? count / 3 : 6
        func make(_ number: Int) -> Token {
            Token(number, hasSections ? Int.random(in: 0..<4, using: &random) : 0, Int.random(in: 0..<width, using: &random))
        }
        var bench = Bench(hasSections: hasSections)
        for number in 0..<count where Bool.random(using: &random) { bench.tokens[number] = make(number) }
        let list = ResultList(bench.sorted, hasSections: hasSections)
        var touches = Set<ResultItem>()
        for _ in 0..<rounds {
            let old = contents(list)
            var changed: [Int: Token] = [:]
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let number = Int.random(in: 0..<count, using: &random)
                let token = bench.tokens[number] ?? changed[number] ?? make(number)
                changed[number] = token
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bench.tokens[number] = nil
                case 1: bench.tokens[number] = token
                default:
                    bench.tokens[number] = token
                    if hasSections, Bool.random(using: &random) { token.section = Int.random(in: 0..<4, using: &random) }
                    token.key = Int.random(in: 0..<width, using: &random)
                }
            }
            touches = Set(changed.values.map(\.item))
            let candidates = changed.filter { bench.tokens[$0.key] != nil || list.place(of: $0.value.item) != nil }.map { number, token in
                ResultCandidate(item: token.item, matches: bench.tokens[number] != nil, section: hasSections ? "\(token.section)" : "")
            }
            let changes = ResultRevision.revise(list, candidates, order: TokenOrder())
            let new = contents(list), problems = list.checkInvariants()
            let described = "seed \(seed): \(text(old)) -> \(text(new)), changed \(candidates.map { token($0.item) })"
            try #require(problems.isEmpty, "\(problems) in \(described)")
            // Items that stay among their equals keep their place there: compared without what decides between equals.
            let expected = bench.sorted
            try #require(new.map(\.name) == expected.map(\.name) && new.map(\.items.count) == expected.map(\.items.count), "\(described)")
            for (one, other) in zip(new, expected) { try #require(one.items.map { token($0).key } == other.items.map { token($0).key }, "\(described)") }
            try #require(try apply(changes, to: old) { new[$0].name } == new, "\(described): \(changes)")
            try check(changes, old, new, candidates.map(\.item), touches, described)
        }
    }

    private func check(
        _ changes: SectionChanges<ResultItem>, _ old: [ItemSection<ResultItem>], _ new: [ItemSection<ResultItem>],
        _ candidates: [ResultItem], _ touches: Set<ResultItem>, _ described: String
    ) throws {
        try #require(changes.moves.allSatisfy { $0.from != $0.to }, "\(described)")
        for passage in changes.updates + changes.moves {
            try #require(old[passage.from.section].items[passage.from.item] == passage.item, "\(described)")
            try #require(new[passage.to.section].items[passage.to.item] == passage.item, "\(described)")
        }
        let gone = changes.deletions.map(\.item), came = changes.insertions.map(\.item)
        let said = Set(changes.moves.map(\.item)).union(changes.updates.map(\.item))
        try #require(said.count == changes.moves.count + changes.updates.count, "twice in \(described)")
        try #require(said.isDisjoint(with: gone) && said.isDisjoint(with: came), "twice in \(described)")
        try #require(said.union(gone).union(came).isSuperset(of: candidates), "lost in \(described)")
        try #require(Set(changes.updates.map(\.item)).isSubset(of: touches), "an update of what did not change in \(described)")
        let reference = SectionDifference.between(old, new, touched: touches)
        try #require(changes.moves.count <= reference.moves.count + reference.deletions.count - gone.count, "more moves than needed in \(described)")
    }

    @Test("An item that another change has made unreliable is passed over by searches")
    func unsettled() {
        let tokens = (0..<6).map { Token($0, 0, $0 * 10) }
        let list = ResultList([ItemSection(name: "", items: tokens.map(\.item))], hasSections: false)
        // Changed, but not followed yet: by its new key the list is out of order.
        tokens[2].key = 99
        let new = Token(9, 0, 35)
        _ = ResultRevision.revise(
            list, [ResultCandidate(item: new.item, matches: true, section: "")], order: TokenOrder(unsettled: [tokens[2].item]))
        #expect(list.items.map { token($0).number } == [0, 1, 2, 3, 9, 4, 5])
        _ = ResultRevision.revise(list, [ResultCandidate(item: tokens[2].item, matches: true, section: "")], order: TokenOrder())
        #expect(list.items.map { token($0).number } == [0, 1, 3, 9, 4, 5, 2])
    }

    @Test("What one edit among many looks at hardly grows with the list: neighbours, and a search by halves", arguments: [false, true])
    func cost(hasSections: Bool) {
        func looks(_ count: Int) -> Int {
            let tokens = (0..<count).map { Token($0, hasSections ? $0 * 50 / count : 0, $0 * 2) }
            let sections = hasSections
                ? (0..<50).map { number in ItemSection(name: "\(number)", items: tokens.filter { $0.section == number }.map(\.item)) }
                : [ItemSection(name: "", items: tokens.map(\.item))]
            let list = ResultList(sections, hasSections: hasSections)
            let counter = LookCounter()
            for number in 0..<20 {
                let token = tokens[number * 7919 % count]
                token.key = (number * 4799 % count) * 2 + 1
                token.section = hasSections ? number * 4799 % count * 50 / count : 0
                _ = ResultRevision.revise(
                    list, [ResultCandidate(item: token.item, matches: true, section: hasSections ? "\(token.section)" : "")], order: counter)
            }
            return counter.looks
        }
        let few = looks(1_000), many = looks(100_000)
        #expect(many <= few * 3 && many <= 20 * 22, "\(few) looks at 1,000, \(many) at 100,000")
    }

    @Test("A section that goes is shown as it was before")
    func pictures() {
        let tokens = [Token(0, 0, 0), Token(1, 0, 1), Token(2, 1, 0)]
        let list = ResultList(
            [ItemSection(name: "0", items: [tokens[0].item, tokens[1].item]), ItemSection(name: "1", items: [tokens[2].item])], hasSections: true)
        var seen: [String] = []
        let changes = ResultRevision.revise(
            list, [ResultCandidate(item: tokens[0].item, matches: false, section: ""), ResultCandidate(item: tokens[1].item, matches: false, section: "")],
            order: TokenOrder()) { seen.append("\($0.name): \($0.count)") }
        #expect(seen == ["0: 2"] && changes.deletedSections == [0] && changes.deletions.count == 2)
    }
}
