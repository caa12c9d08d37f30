import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let sortCases: [ConformanceCase] = [
        words("SO01: names ascending", ["Carol", "Alice", "Bob"], .binary, ["Alice", "Bob", "Carol"]),
        words("SO02: nil comes first", ["b", nil, "a"], .binary, [nil, "a", "b"]),
        words("SO02: nil comes last descending", ["b", nil, "a"], .binary, ["b", "a", nil], ascending: false),
        words("SO03: the plain order is binary", ["a", "B", "C", "\u{c9}", "Z"], .binary, ["B", "C", "Z", "a", "\u{c9}"]),
        words("SO04: without regard to case", ["B", "a", "C", "\u{c9}", "z", "\u{e8}"], .caseInsensitive, ["a", "B", "C", "z", "\u{e8}", "\u{c9}"]),
        words("SO04: descending", ["B", "a", "C"], .caseInsensitive, ["C", "B", "a"], ascending: false),
        words("SO05: numbers inside texts by value", ["file10", "file2", "File1", "file02b", "file"], .localizedStandard,
              ["file", "File1", "file2", "file02b", "file10"]),
        words("SO06: localized: accents beside their letters, case last", ["z", "\u{e9}b", "ea", "Ea", "eb", "Z", "e10", "e2"], .localized,
              ["e10", "e2", "ea", "Ea", "eb", "\u{e9}b", "z", "Z"]),
        words("SO06: localized without regard to case", ["b", "A", "\u{e4}b", "ac"], .localizedCaseInsensitive, ["A", "\u{e4}b", "ac", "b"]),
        ConformanceCase("SO09: rows whose to-one is nil come first and none is lost", sortsAcrossToOne),
        ConformanceCase("SO11: numbers, decimals, dates and flags sort by magnitude", sortsNumbers),
        ConformanceCase("Several terms, in both directions", sortsByTwo),
        ConformanceCase("FE18, FE20, FE21: offset and limit cut rows, keys and counts alike", windows),
        ConformanceCase("The window applies after the predicate", windowsAfterPredicate),
    ]

    private static func words(
        _ name: String, _ texts: [String?], _ comparison: SortComparison, _ expected: [String?], ascending: Bool = true
    ) -> ConformanceCase {
        ConformanceCase(name) { run in
            _ = try run.insert(texts.map { try run.row("Song", ["title": $0.map(AttributeValue.string) ?? .null]) })
            var plan = try run.plan("Song")
            plan.sort = [SortTerm(keyPath: ["title"], isAscending: ascending, comparison: comparison)]
            let sorted = try run.rows(plan).map { try run.value($0, "title") }
            run.expect(sorted, expected.map { $0.map(AttributeValue.string) ?? .null }, "order")
        }
    }

    private static func codes(_ run: ConformanceRun, _ entity: String, _ terms: [(String, Bool)]) throws -> [Int64] {
        var plan = try run.plan(entity)
        plan.sort = terms.map { SortTerm(keyPath: $0.0.split(separator: ".").map(String.init), isAscending: $0.1) }
        return try run.codes(run.rows(plan))
    }

    private static func sortsAcrossToOne(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        run.expect(try codes(run, "Person", [("dept.name", true), ("code", true)]), [4, 6, 3, 5, 1, 2], "ascending")
        run.expect(try codes(run, "Person", [("dept.name", false), ("code", false)]), [2, 1, 5, 3, 6, 4], "descending")
        run.expect(try codes(run, "Person", [("dept.boss.name", true), ("code", true)]), [3, 4, 5, 6, 1, 2], "two steps")
        run.expect(try codes(run, "Dept", [("boss.mentor.name", true), ("code", false)]), [3, 2, 1], "a step that is nil everywhere")
    }

    private static func sortsNumbers(_ run: ConformanceRun) throws {
        let numbers: [Int64] = [10, 9, -1, 100, 0]
        for (code, number) in numbers.enumerated() {
            _ = try run.insert("Person", [
                "code": .integer(Int64(code)), "age": .integer(number), "salary": .real(Double(number) / 4), "joined": .real(Double(number)),
                "rate": .decimal(.init(number)), "flag": .integer(code % 2 == 0 ? 1 : 0),
            ])
        }
        _ = try run.insert("Person", ["code": .integer(9)])
        for key in ["age", "salary", "joined", "rate"] {
            run.expect(try codes(run, "Person", [(key, true)]), [9, 2, 4, 1, 0, 3], "\(key) ascending")
            run.expect(try codes(run, "Person", [(key, false)]), [3, 0, 1, 4, 2, 9], "\(key) descending")
        }
        run.expect(try codes(run, "Person", [("flag", true), ("code", true)]), [9, 1, 3, 0, 2, 4], "flag, ties by code")
    }

    private static func sortsByTwo(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        run.expect(try codes(run, "Person", [("age", false), ("name", true)]), [2, 5, 4, 1, 6, 3], "age descending, name ascending")
        run.expect(try codes(run, "Person", [("flag", true), ("age", false), ("code", false)]), [6, 3, 5, 2, 4, 1], "three terms")
    }

    private static func windows(_ run: ConformanceRun) throws {
        _ = try run.insert((1...4).map { try run.row("Tag", ["code": .integer($0)]) })
        for (offset, limit, expected) in [
            (0, 0, [1, 2, 3, 4]), (1, 2, [2, 3]), (3, 5, [4]), (4, 1, []), (9, 0, []), (0, Int.max, [1, 2, 3, 4]), (2, 0, [3, 4]),
        ] as [(Int, Int, [Int64])] {
            var plan = try run.plan("Tag")
            plan.sort = [SortTerm(keyPath: ["code"], isAscending: true)]
            plan.offset = offset
            plan.limit = limit
            let rows = try run.rows(plan)
            run.expect(try run.codes(rows), expected, "rows from \(offset), at most \(limit)")
            plan.result = .keys
            guard case .keys(let keys) = try run.store.fetch(plan) else { return run.fail("a fetch of keys answered something else") }
            run.expect(keys, rows.map(\.key), "keys from \(offset), at most \(limit)")
            plan.result = .count
            guard case .count(let count) = try run.store.fetch(plan) else { return run.fail("a count answered something else") }
            run.expect(count, expected.count, "count from \(offset), at most \(limit)")
        }
    }

    private static func windowsAfterPredicate(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        for format in ["age != nil", "name MATCHES '.*' OR age == 1", "SUBQUERY(tags, $t, $t.weight > 0).@count > 0 OR age < 2"] {
            var plan = try run.plan("Person", format)
            plan.sort = [SortTerm(keyPath: ["code"], isAscending: false)]
            let all = try run.codes(run.rows(plan))
            plan.offset = 1
            plan.limit = 2
            run.expect(try run.codes(run.rows(plan)), Array(all.dropFirst().prefix(2)), format)
            run.expect(all.count > 3, true, "rows without a window")
        }
    }
}
