import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("Stores of Apple's, out and in again")
struct CorpusTransferTests {
    /// `COREDATA_ALL_STORES` takes all of them (`Scripts/transfer.sh`); a test run a share.
    static var stores: [URL] {
        let all = Corpus.files(below: "corpus/stores") { ["sqlite", "moody", "original", "graphdb"].contains($0.pathExtension) }
        if ProcessInfo.processInfo.environment["COREDATA_ALL_STORES"] != nil { return all }
        return all.filter { ((try? FileManager.default.attributesOfItem(atPath: $0.path)[.size] as? Int) ?? nil ?? 0) < 100_000 }
    }

    @Test("Export, import, export gives the same JSON", arguments: stores)
    func roundTrip(_ store: URL) throws {
        let folder = try TemporaryFolder()
        let source = folder.file(store.lastPathComponent).path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: source + suffix)
        }
        let before = try InspectTests.listing(folder.url)
        let first = coredata("export", source)
        #expect(first.code == 0, "\(first.errors)")
        #expect(try InspectTests.listing(folder.url) == before)
        let json = folder.file("first.json"), copy = folder.file("copy.sqlite").path
        try Data(first.output.utf8).write(to: json)
        let seeded = coredata("seed", source, json.path, "-o", copy, "--guessed-model")
        #expect(seeded.code == 0, "\(seeded.errors)")
        let second = coredata("export", copy, "--model", source)
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.output == first.output)
    }
}
