import CoreDataPredicate
import CoreDataStorage
import CoreDataTestSupport
import Foundation
import Testing

/// Not the one of sort descriptors.
private typealias SortComparison = CoreDataStorage.SortComparison

@Suite("Sort comparison")
struct SortComparisonTests {
    private static let every: [SortComparison] = [.binary, .caseInsensitive, .localized, .localizedCaseInsensitive, .localizedStandard]

    private static let texts = [
        "", "a", "A", "b", "B", "aa", "Ab", "ab", "a b", "a_b", "a-b", "_a", " a", "1", "01", "10", "2", "file2", "file10", "File02", "file 2", "file2b",
        "\u{e9}", "e\u{301}", "e", "E", "\u{c9}", "f", "\u{e4}b", "ac", "Z", "z", "\u{df}", "ss", "st", "\u{f8}", "o", "p", "Æ", "ae", "af", "😀", "漢", "я", "Я",
        "a\u{0}b", "resume", "r\u{e9}sum\u{e9}", "Resume", "99999999999999999999", "100000000000000000000", "x00", "x0", "x",
    ]

    @Test("Every comparison is a total order of texts", arguments: every)
    fileprivate func totalOrder(comparison: SortComparison) {
        let texts = Self.texts
        for a in texts {
            #expect(comparison.compare(a, a) == 0)
            for b in texts {
                let order = comparison.compare(a, b).signum()
                #expect(order == -comparison.compare(b, a).signum(), "\(a) \(b)")
                for c in texts where order <= 0 && comparison.compare(b, c) <= 0 {
                    #expect(comparison.compare(a, c) <= 0, "\(a) \(b) \(c)")
                }
            }
        }
    }

    private static let chains: [(SortComparison, [String])] = [
        (.binary, ["", "A", "B", "Z", "a", "b", "e\u{301}", "\u{e9}"]), (.caseInsensitive, ["_a", "aa", "Ab", "b", "\u{e9}"]),
        (.localized, [" a", "_a", "1", "a", "A", "aa", "\u{e4}b", "ac", "e", "E", "\u{e9}", "\u{c9}", "f", "z", "Z"]),
        (.localized, ["resume", "Resume", "r\u{e9}sum\u{e9}"]), (.localized, ["file10", "file2"]),
        (.localizedStandard, ["1", "2", "10", "99999999999999999999", "100000000000000000000"]),
        (.localizedStandard, ["file 2", "file2", "File02", "file2b", "file10"]), (.localized, ["o", "\u{f8}", "p"]), (.localized, ["ae", "Æ", "af"]),
    ]

    @Test("Orders of texts", arguments: chains)
    fileprivate func orders(comparison: SortComparison, texts: [String]) {
        for (first, second) in zip(texts, texts.dropFirst()) { #expect(comparison.compare(first, second) < 0, "\(first) before \(second)") }
    }

    @Test("What only case or accents tell apart")
    func equalities() {
        #expect(SortComparison.caseInsensitive.compare("\u{c9}A", "\u{e9}a") == 0)
        #expect(SortComparison.localizedCaseInsensitive.compare("ABC", "abc") == 0)
        #expect(SortComparison.localizedCaseInsensitive.compare("e", "\u{e9}") != 0)
        #expect(SortComparison.localized.compare("\u{e9}", "e\u{301}") == 0)
        #expect(SortComparison.binary.compare("\u{e9}", "e\u{301}") != 0)
    }

    @Test("Values in order: nil, numbers of every kind by magnitude, dates, texts, bytes")
    func values() {
        let half = Decimal(string: "0.5") ?? 0
        let numbers: [PredicateValue] = [
            .integer(.min), .real(-1.5), .boolean(false), .decimal(half), .boolean(true), .integer(2), .real(2.5), .decimal(3),
            .integer(9_007_199_254_740_993), .real(9_007_199_254_740_994), .integer(.max), .real(0x1p63), .real(.infinity),
        ]
        let rest: [PredicateValue] = [
            .date(Date(timeIntervalSinceReferenceDate: -1)), .date(Date(timeIntervalSinceReferenceDate: 1)), .string(""), .string("a"),
            .data(Data([0])), .data(Data([0, 0])), .data(Data([1])),
        ]
        let values = [PredicateValue.null] + numbers + rest
        for (i, a) in values.enumerated() {
            for (j, b) in values.enumerated() {
                #expect(SortComparison.binary.compare(a, b).signum() == (i - j).signum(), "\(a) \(b)")
            }
        }
    }

    @Test("SQLite gets the same order from UTF-8 bytes", arguments: every)
    fileprivate func bytes(comparison: SortComparison) {
        for a in Self.texts {
            for b in Self.texts {
                let order = Array(a.utf8).withUnsafeBytes { left in Array(b.utf8).withUnsafeBytes { comparison.compare(utf8: left, $0) } }
                #expect(order == comparison.compare(a, b))
            }
        }
    }
}
