import CoreDataGraph
import Testing

@Suite("Section differences")
struct SectionDifferenceTests {
    /// What a table view does with the changes: deletions and sources of moves go by old paths, the rest is put at new ones.
    private func applied(_ changes: SectionChanges<Int>, to old: SectionedList<Int>) -> [Int?] {
        func index(_ path: SectionPath, in list: SectionedList<Int>) -> Int { list.sections[path.section].start + path.row }
        let gone = Set((changes.deletions.map(\.at) + changes.moves.map(\.from)).map { index($0, in: old) })
        return old.elements.indices.filter { !gone.contains($0) }.map { old.elements[$0] }
    }

    @Test("Applied to the old list, the changes give the new one; no move stays in its place", arguments: 0..<300)
    func property(seed: Int) throws {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        // Elements are numbers with a changeable sort key; the section is the key's tens.
        var keys: [Int: Int] = [:]
        for element in 0..<(1 + random(12)) { keys[element] = random(40) }
        func list(_ keys: [Int: Int]) throws -> SectionedList<Int> {
            let sorted = keys.keys.sorted { (keys[$0] ?? 0, $0) < (keys[$1] ?? 0, $1) }
            return try #require(SectionedList(sorted) { "\((keys[$0] ?? 0) / 10)" })
        }
        let old = try list(keys)
        var touched = Set<Int>()
        for _ in 0..<(1 + random(6)) {
            let element = random(16)
            touched.insert(element)
            if random(4) == 0 { keys[element] = nil } else { keys[element] = random(40) }
        }
        let new = try list(keys)
        let changes = SectionDifference.changes(from: old, to: new, touched: touched)
        for move in changes.moves { #expect(move.from != move.to) }
        let stayed = changes.moves.map(\.element) + changes.updates.map(\.element)
        #expect(Set(stayed).count == stayed.count)
        #expect(Set(stayed).isDisjoint(with: changes.deletions.map(\.element) + changes.insertions.map(\.element)))
        // Survivors in place, then insertions and targets of moves at their new places, give the new order.
        var rebuilt = applied(changes, to: old)
        let arriving = (changes.insertions.map { ($0.element, $0.at) } + changes.moves.map { ($0.element, $0.to) })
            .map { (element: $0.0, index: new.sections[$0.1.section].start + $0.1.row) }.sorted { $0.index < $1.index }
        for (element, index) in arriving { rebuilt.insert(element, at: min(index, rebuilt.count)) }
        #expect(rebuilt.compactMap { $0 } == new.elements)
    }
}
