import CoreDataPredicate
import Foundation
import Testing

@Suite("NSSortDescriptor")
struct FoundationSortDescriptorTests {
    private let rows: [[String: Any]] = [["n": "b", "i": 10], ["n": "A", "i": 9], ["n": "file10"], ["n": "file2"], ["i": 1]]

    private func sorted(_ descriptor: NSSortDescriptor) -> [String] {
        rows.sorted { descriptor.compare($0, to: $1) == .orderedAscending }.map { $0["n"] as? String ?? "-" }
    }

    @Test("A key and a direction are kept and can be reversed")
    func parts() throws {
        let descriptor = NSSortDescriptor(key: "firm.name", ascending: false)
        #expect(descriptor.key == "firm.name")
        #expect(!descriptor.ascending)
        #expect(descriptor.selector == Selector("compare:"))
        let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
        #expect(reversed.ascending)
        #expect(reversed.key == "firm.name")
        #expect(descriptor.isEqual(NSSortDescriptor(key: "firm.name", ascending: false)))
        #expect(descriptor.copy() as? NSSortDescriptor == descriptor)
        #expect(descriptor != NSSortDescriptor(key: "firm.name", ascending: true))
    }

    @Test("SO02, SO03: plain order is binary, with nil first")
    func binary() {
        #expect(sorted(NSSortDescriptor(key: "n", ascending: true)) == ["-", "A", "b", "file10", "file2"])
        #expect(sorted(NSSortDescriptor(key: "n", ascending: false)) == ["file2", "file10", "b", "A", "-"])
    }

    @Test("SO04, SO05: selectors choose the comparison")
    func selectors() {
        let mixed: [[String: Any]] = [["n": "B"], ["n": "a"], ["n": "C"]]
        let insensitive = NSSortDescriptor(key: "n", ascending: true, selector: "caseInsensitiveCompare:")
        let order = mixed.sorted { insensitive.compare($0, to: $1) == .orderedAscending }.compactMap { $0["n"] as? String }
        #expect(order == ["a", "B", "C"])
        let standard = NSSortDescriptor(key: "n", ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
        #expect(sorted(standard).suffix(2) == ["file2", "file10"])
    }

    @Test("A comparator closure compares values in memory")
    func comparator() {
        let descriptor = NSSortDescriptor(key: "i", ascending: true) { a, b in
            guard let a = a as? Int, let b = b as? Int else { return .orderedSame }
            return a % 10 < b % 10 ? .orderedAscending : .orderedDescending
        }
        #expect(descriptor.compare(["i": 10], to: ["i": 9]) == .orderedAscending)
        #expect(descriptor.selector == nil)
    }

    @Test("Swift key paths of any type give descriptors with names")
    func keyPaths() throws {
        #expect(NSSortDescriptor(keyPath: \Citizen.name, ascending: true).key == "name")
        #expect(NSSortDescriptor(keyPath: \Citizen.isActive, ascending: true).key == "isActive")
        #expect(NSSortDescriptor(keyPath: \Citizen.born, ascending: true).key == "born")
        let age = NSSortDescriptor(keyPath: \Citizen.age, ascending: false)
        #expect(age.key == "age")
        #expect(try SortDescription(age) == SortDescription(keyPath: "age", isAscending: false))
        #expect(NSSortDescriptor(keyPath: \Citizen.name, ascending: true).keyPath == \Citizen.name)
        #expect(NSSortDescriptor(keyPath: \Stranger.name, ascending: true).key == nil)
    }

    @Test("SortDescriptor becomes a term and an NSSortDescriptor")
    func typed() throws {
        #expect(try SortDescription(SortDescriptor(\Citizen.age, order: .reverse)) == SortDescription(keyPath: "age", isAscending: false))
        #expect(try SortDescription(SortDescriptor(\Citizen.firm?.name)) == SortDescription(keyPath: "firm.name", isAscending: true))
        #expect(try SortDescription(SortDescriptor(\Citizen.title, comparator: .lexical)).comparison == .binary)
        #expect(NSSortDescriptor(SortDescriptor(\Citizen.title)).key == "title")
        #expect(throws: KeyPathNameError.self) { try SortDescription(SortDescriptor(\Stranger.name)) }
    }

    @Test("The named selectors of Apple's are known, others are kept by name", arguments: [
        ("compare:", SortComparison.binary), ("caseInsensitiveCompare:", .caseInsensitive), ("localizedCompare:", .localized),
        ("localizedCaseInsensitiveCompare:", .localizedCaseInsensitive), ("localizedStandardCompare:", .localizedStandard),
        ("weird:", .selector("weird:")),
    ])
    func names(_ selector: String, _ comparison: SortComparison) throws {
        #expect(SortComparison(selector: selector) == comparison)
        #expect(comparison.selector == selector)
    }

    @Test("A selector that no store knows is a thrown error that lists those known")
    func unknownSelector() {
        #expect { try SortComparison.selector("weird:").order(.string("a"), .string("b")) } throws: {
            "\($0)".contains("weird:") && "\($0)".contains("localizedStandardCompare:")
        }
    }
}
