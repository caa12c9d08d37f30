import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Real models", .enabled(if: Corpus.isPresent, "no corpus on this machine: set COREDATA_CORPUS"))
struct CorpusModelTests {
    private struct Vector: Decodable {
        var entities: [String: String]
        var digest: String?
        var checksum: String?
    }

    @Test("Version hashes, digests and checksums come out as Apple's")
    func hashVectors() throws {
        let file = try #require(Corpus.url("corpus/HASH_VECTORS.json"))
        let vectors = try JSONDecoder().decode([String: Vector].self, from: Data(contentsOf: file))
        var entities = 0, digests = 0, checksums = 0
        for (path, vector) in vectors {
            let contents = try ModelFile.read(at: #require(Corpus.url("corpus/" + path)))
            let hashes = try VersionHash.entityHashes(of: contents.current)
            let unknown = Set(VersionHash.uncomputable(in: contents.current))
            for (entity, expected) in vector.entities where !unknown.contains(entity) {
                let hash = (hashes[entity] ?? []).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
                #expect(hash == expected, "\(entity)")
                entities += 1
            }
            guard unknown.isEmpty, vector.entities.count == hashes.count else { continue }
            if let digest = vector.digest { digests += 1; #expect(VersionHash.digest(hashes) == digest) }
            if let checksum = vector.checksum { checksums += 1; #expect(VersionHash.checksum(hashes) == checksum) }
        }
        print("hash vectors: \(vectors.count) models, \(entities) entities, \(digests) digests, \(checksums) checksums")
        #expect(entities > 500 && digests > 5 && checksums > 0)
    }

    @Test("Every contents file parses and its references resolve")
    func everyVersion() throws {
        var read = 0, entities = 0, properties = 0, faults: [String: Int] = [:]
        for file in Corpus.all("contents", under: "corpus/models") {
            do {
                let contents = try ModelFile.read(at: file)
                let model = try contents.resolved(contents.currentVersionName)
                read += 1
                entities += model.entities.count
                properties += model.entities.reduce(0) { $0 + $1.properties.count }
            } catch {
                faults[error.reason, default: 0] += 1
            }
        }
        print("models: \(read) read, \(entities) entities, \(properties) properties; broken: \(faults)")
        #expect(read > 250)
        #expect(faults.isEmpty)
    }

    @Test("Every bundle opens whose current version is there and not in Xcode 3's format")
    func everyBundle() throws {
        var read = 0, refused: [String: Int] = [:]
        for bundle in Corpus.all("xcdatamodeld", under: "corpus/models") {
            do {
                let contents = try ModelFile.readCurrent(at: bundle)
                #expect(contents.versions.count == 1)
                read += 1
            } catch {
                // The corpus is a selection: some bundles came without the version they call current, or without any.
                #expect([.obsoleteFormat, .noCurrentVersion, .notAModel].contains(error.kind), "\(error)")
                refused["\(error.kind)", default: 0] += 1
            }
        }
        print("bundles: \(read) read; refused: \(refused)")
        #expect(read > 100)
    }
}
