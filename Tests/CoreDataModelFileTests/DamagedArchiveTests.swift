@testable import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Damaged compiled models")
struct DamagedArchiveTests {
    private func binary(_ list: Any) throws -> Data {
        try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }

    private func failure(_ data: Data) throws -> ModelFileError? {
        do {
            _ = try ArchivedModelReader(data, path: "M.mom")
            return nil
        } catch { return error }
    }

    @Test("The reader agrees with Foundation on every kind of value")
    func values() throws {
        let long = String(repeating: "x", count: 300)
        let list: [String: Any] = [
            "t": true, "f": false, "i": 5, "n": -1, "b": 70_000, "w": Int64.max, "r": 1.5, "s": "text", "u": "žluťoučký 🐎", "l": long,
            "d": Data([1, 2, 3]), "a": [1, 2], "e": [String](), "at": Date(timeIntervalSinceReferenceDate: 12.5),
        ]
        let nodes = try PropertyListNodes(binary(list))
        guard case .dictionary(let pairs) = nodes.nodes[nodes.root] else { Issue.record("the root is no dictionary"); return }
        var seen: [String: String] = [:]
        for (key, value) in pairs { if case .string(let name) = nodes.nodes[key] { seen[name] = "\(nodes.nodes[value])" } }
        #expect(seen["t"] == "boolean(true)" && seen["f"] == "boolean(false)" && seen["i"] == "integer(5)" && seen["n"] == "integer(-1)")
        #expect(seen["b"] == "integer(70000)" && seen["w"] == "integer(\(Int64.max))" && seen["r"] == "real(1.5)")
        #expect(seen["u"] == "string(\"žluťoučký 🐎\")" && seen["l"] == "string(\"\(long)\")" && seen["at"] == "date(12.5)")
        #expect(seen["d"] == "data(3 bytes)" && seen.count == 14)
    }

    @Test("Every cut of an archive is an error or a model, never a trap")
    func truncation() throws {
        let whole = try binary(["$objects": ["$null", ["NSEntities": 1]], "$top": ["root": 1], "$archiver": "NSKeyedArchiver"])
        for length in 0..<whole.count { #expect(try failure(whole.prefix(length)) != nil) }
    }

    @Test("Every flipped byte of an archive is an error or a model, never a trap", .enabled(if: Corpus.isPresent, "no corpus"))
    func corruption() throws {
        let file = try #require(Corpus.all("mom", under: "corpus/compiled").min { ($0.path.count, $0.path) < ($1.path.count, $1.path) })
        let whole = try Data(contentsOf: file)
        var refused = 0, tried = 0
        for position in stride(from: 0, to: whole.count, by: max(1, whole.count / 200)) {
            for value: UInt8 in [0x00, 0x7F, 0xFF, 0xD1] {
                var copy = Array(whole)
                copy[position] = value
                tried += 1
                if try failure(Data(copy)) != nil { refused += 1 }
            }
        }
        print("damaged archives: \(tried) tried, \(refused) refused")
        #expect(refused > 0)
    }

    @Test("What is no archive says so", arguments: ["", "momv2$", "bplist00", "<plist/>", "{}", "hello"])
    func notArchives(text: String) throws {
        let error = try failure(Data(text.utf8))
        #expect(error?.description.hasPrefix("M.mom: ") == true)
    }

    @Test("A compiled bundle without a version, or with one that is not there, is an error")
    func bundles() throws {
        let model = try TemporaryModel()
        try model.write("<plist version=\"1.0\"><dict/></plist>", to: "A.momd/VersionInfo.plist")
        let empty = #expect(throws: ModelFileError.self) { try ModelFile.read(at: model.folder.appendingPathComponent("A.momd")) }
        #expect(empty?.kind == .notAModel)
        try model.write("x", to: "B.momd/One.mom")
        try model.write("x", to: "B.momd/Two.mom")
        let several = #expect(throws: ModelFileError.self) { try ModelFile.read(at: model.folder.appendingPathComponent("B.momd")) }
        #expect(several?.kind == .noCurrentVersion && several?.description.contains("One, Two") == true)
    }
}
