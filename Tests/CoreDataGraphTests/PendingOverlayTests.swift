import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Testing

@Suite("Pending overlay and result shaping")
struct PendingOverlayTests {
    private func key(_ number: Int64) -> RowKey { RowKey(primaryKey: number, entity: 0, store: 1) }

    @Test("FE02: pending state decides membership both ways")
    func membership() {
        // alpha 1 and bravo 2 are stored matches; charlie 3 is stored but did not match; delta, echo are new.
        let (alpha, bravo, charlie, delta, echo) = (key(1), key(2), key(3), key(-1), key(-2))
        let salaries = [alpha: 5, bravo: 25, charlie: 21, delta: 30, echo: 40]
        let outcome = PendingOverlay.apply(
            fetched: [alpha, bravo], inserted: [delta, echo], updated: [alpha, charlie], deleted: [bravo],
            matches: { (salaries[$0] ?? 0) > 20 })
        #expect(outcome.keys == [charlie, delta, echo])
        #expect(outcome.needsSort)
    }

    @Test("Nothing pending: the store's order stands")
    func untouched() {
        let keys = (1...5).map { key(Int64($0)) }
        let outcome = PendingOverlay.apply(fetched: keys, inserted: [], updated: [], deleted: [], matches: { _ in false })
        #expect(outcome == PendingOverlay.Outcome(keys: keys, needsSort: false))
    }

    @Test("Deletions alone keep the order; an edited survivor asks for sorting and stays in place")
    func order() {
        let keys = (1...4).map { key(Int64($0)) }
        let deleted = PendingOverlay.apply(fetched: keys, inserted: [], updated: [], deleted: [key(2)], matches: { _ in true })
        #expect(deleted == PendingOverlay.Outcome(keys: [key(1), key(3), key(4)], needsSort: false))
        let edited = PendingOverlay.apply(fetched: keys, inserted: [], updated: [key(3)], deleted: [], matches: { _ in true })
        #expect(edited == PendingOverlay.Outcome(keys: keys, needsSort: true))
        let left = PendingOverlay.apply(fetched: keys, inserted: [], updated: [key(3)], deleted: [], matches: { _ in false })
        #expect(left == PendingOverlay.Outcome(keys: [key(1), key(2), key(4)], needsSort: false))
    }

    @Test("A key is listed and tested once, however often it is pending; a deleted one is never tested")
    func once() {
        var tested: [RowKey] = []
        let outcome = PendingOverlay.apply(
            fetched: [key(1)], inserted: [key(2), key(3)], updated: [key(1), key(2), key(2)], deleted: [key(3)],
            matches: {
                tested.append($0)
                return true
            })
        #expect(outcome.keys == [key(1), key(2)])
        #expect(tested == [key(1), key(2)])
    }

    @Test("What the predicate throws comes out")
    func throwing() {
        struct Broken: Error {}
        #expect(throws: Broken.self) {
            try PendingOverlay.apply(fetched: [], inserted: [key(1)], updated: [], deleted: [], matches: { _ in throw Broken() })
        }
    }

    @Test("SO02: nil first ascending, last descending; ties keep their order")
    func sorting() {
        let rows: [(String?, Int)] = [("b", 1), (nil, 2), ("a", 3), ("b", 4), (nil, 5)]
        func sort(ascending: Bool) -> [Int] {
            ResultShaping.shape(rows, by: [SortTerm(keyPath: ["name"], isAscending: ascending)], offset: 0, limit: 0) { row, _ in
                row.0.map(PredicateValue.string) ?? .null
            }.map(\.1)
        }
        #expect(sort(ascending: true) == [2, 5, 3, 1, 4])
        #expect(sort(ascending: false) == [1, 4, 3, 2, 5])
    }

    @Test("The second term decides among equals of the first")
    func twoTerms() {
        let rows = [(1, 2), (2, 1), (1, 1), (2, 2)]
        let terms = [SortTerm(keyPath: ["0"], isAscending: false), SortTerm(keyPath: ["1"], isAscending: true)]
        let sorted = ResultShaping.shape(rows, by: terms, offset: 0, limit: 0) { row, term in
            .integer(Int64(term.keyPath == ["0"] ? row.0 : row.1))
        }
        #expect(sorted.map(\.0) == [2, 2, 1, 1])
        #expect(sorted.map(\.1) == [1, 2, 1, 2])
    }

    @Test("FE18, FE21: the window: offset, limit, beyond the end, no limit, a huge limit", arguments: [
        (0, 0, [1, 2, 3, 4]), (1, 2, [2, 3]), (4, 0, []), (9, 2, []), (0, 99, [1, 2, 3, 4]), (3, Int.max, [4]), (-1, -1, [1, 2, 3, 4]),
    ] as [(Int, Int, [Int])])
    func window(offset: Int, limit: Int, expected: [Int]) {
        #expect(ResultShaping.window([1, 2, 3, 4], offset: offset, limit: limit) == expected)
    }
}
