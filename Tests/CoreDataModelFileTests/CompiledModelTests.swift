@testable import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Real compiled models", .enabled(if: Corpus.isPresent, "no corpus on this machine: set COREDATA_CORPUS"))
struct CorpusCompiledModelTests {
    private struct Vector: Decodable {
        var entities: [String: String]
        var not_reproduced: [String]
    }

    @Test("Models archived in stores give Apple's version hashes")
    func hashVectors() throws {
        let file = try #require(Corpus.url("corpus/HASH_VECTORS_MOM.json"))
        let vectors = try JSONDecoder().decode([String: Vector].self, from: Data(contentsOf: file))
        var entities = 0, unknown = 0
        for (path, vector) in vectors {
            let contents = try ModelFile.read(at: #require(Corpus.url("corpus/" + path)))
            let hashes = try VersionHash.entityHashes(of: contents.current)
            let uncomputable = VersionHash.uncomputable(in: contents.current)
            #expect(Set(uncomputable) == Set(vector.not_reproduced))
            unknown += uncomputable.count
            #expect(Set(hashes.keys) == Set(vector.entities.keys))
            for (entity, expected) in vector.entities where !uncomputable.contains(entity) {
                let hash = (hashes[entity] ?? []).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
                #expect(hash == expected, "\(path) \(entity)")
                entities += 1
            }
        }
        print("compiled hash vectors: \(vectors.count) models, \(entities) entities, \(unknown) uncomputable")
        #expect(entities > 20)
    }

    @Test("Compiled bundles open; recorded hashes agree with computed ones")
    func bundles() throws {
        var bundles = 0, versions = 0, hashes = 0
        for bundle in Corpus.all("momd", under: "corpus/compiled") {
            let contents = try ModelFile.read(at: bundle)
            bundles += 1
            for name in contents.versionNames {
                _ = try contents.resolved(name)
                versions += 1
                let computed = try VersionHash.entityHashes(of: contents.versions[name] ?? ModelSchema())
                for (entity, hash) in contents.recordedHashes[name] ?? [:] { hashes += 1; #expect(computed[entity] == hash, "\(name).\(entity)") }
                if let checksum = contents.recordedChecksums[name] { #expect(VersionHash.checksum(computed) == checksum) }
            }
        }
        print("compiled models: \(bundles) bundles, \(versions) versions, \(hashes) recorded hashes")
        #expect(bundles >= 3 && versions >= 7 && hashes > 0)
    }

    @Test("The optimised form beside a compiled model has the hashes where no list does, and stands for the model it lies beside")
    func optimised() throws {
        var compared = 0
        for bundle in Corpus.all("momd", under: "corpus/compiled") {
            let list = try ModelFile.read(at: bundle).recordedHashes
            for file in try FileManager.default.contentsOfDirectory(at: bundle, includingPropertiesForKeys: nil) where file.pathExtension == "omo" {
                let name = file.deletingPathExtension().lastPathComponent, model = try TemporaryModel()
                let copy = model.folder.appendingPathComponent("Copy.momd")
                try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
                for one in ["omo", "mom"] {
                    try FileManager.default.copyItem(at: bundle.appendingPathComponent("\(name).\(one)"), to: copy.appendingPathComponent("\(name).\(one)"))
                }
                for url in [copy, copy.appendingPathComponent("\(name).mom"), copy.appendingPathComponent("\(name).omo")] {
                    #expect(try ModelFile.read(at: url).recordedHashes[name] == list[name])
                }
                // One byte of a hash that can be computed, and none is believed; cut short, and there is none.
                var data = try Data(contentsOf: copy.appendingPathComponent("\(name).omo"))
                let hash = try #require(list[name]?.values.first), place = try #require(data.range(of: Data(hash)))
                data[place.lowerBound] ^= 1
                for damaged in [data, data.prefix(data.count / 2), Data(data.prefix(0x90)), Data("momv2$".utf8)] {
                    try damaged.write(to: copy.appendingPathComponent("\(name).omo"))
                    #expect(try ModelFile.read(at: copy).recordedHashes[name] == nil)
                }
                compared += 1
            }
        }
        #expect(compared > 0)
    }

    @Test("A compiled model says what its source says")
    func sameAsSource() throws {
        var compared = 0
        for bundle in Corpus.all("momd", under: "corpus/compiled") {
            let name = bundle.deletingPathExtension().lastPathComponent
            let sources = Corpus.all("xcdatamodeld", under: "corpus/models").filter { $0.deletingPathExtension().lastPathComponent == name }
            for source in sources {
                let read = (try? ModelFile.read(at: source))?.versions ?? [:]
                for (version, compiled) in try ModelFile.read(at: bundle).versions {
                    guard let written = read[version],
                          try VersionHash.entityHashes(of: written) == VersionHash.entityHashes(of: compiled) else { continue }
                    // Other compilers than Apple's write no hashes beside the model and go their own ways with delete rules.
                    let isApples = try !ModelFile.read(at: bundle).recordedHashes.isEmpty
                    compared += 1
                    for entity in compiled.entities {
                        let other = try #require(written.entity(named: entity.name))
                        #expect(entity.superentityName == other.superentityName && entity.uniquenessConstraints == other.uniquenessConstraints)
                        let defaults = Dictionary(uniqueKeysWithValues: other.attributes.map { ($0.name, $0.defaultValue) })
                        for attribute in entity.attributes { #expect(defaults[attribute.name] == attribute.defaultValue, "\(entity.name).\(attribute.name)") }
                        let rules = Dictionary(uniqueKeysWithValues: other.relationships.map { ($0.name, $0.deleteRule) })
                        for relationship in entity.relationships where isApples { #expect(rules[relationship.name] == relationship.deleteRule) }
                    }
                }
            }
        }
        print("compiled models compared with their sources: \(compared)")
        #expect(compared > 0)
    }

    @Test("Every compiled model prints as XML and reads back equal, or has what the format has no place for")
    func printing() throws {
        var printed = 0, refused: [String] = []
        for file in Corpus.all("mom", under: "corpus/compiled") {
            let schema = try ModelFile.read(at: file).current
            do {
                let text = try XMLModelWriter.text(of: schema)
                let back = try XMLModelReader(Data(text.utf8), path: "contents").schema
                // An archive keeps no order of entities; the XML is in the archive reader's.
                #expect(back == schema, "\(file.path): \(Self.difference(back, schema))")
                printed += 1
            } catch let error as ModelWritingError {
                refused.append("\(file.lastPathComponent): \(error)")
            }
        }
        print("compiled models printed and read back: \(printed); no place in XML: \(refused)")
        #expect(printed > 10)
    }

    private static func difference(_ a: ModelSchema, _ b: ModelSchema) -> String {
        for (left, right) in zip(a.entities, b.entities) where left != right {
            for (one, other) in zip(left.attributes, right.attributes) where one != other { return "\(left.name): \(one) ≠ \(other)" }
            for (one, other) in zip(left.relationships, right.relationships) where one != other { return "\(left.name): \(one) ≠ \(other)" }
            return "\(left) ≠ \(right)"
        }
        return "\(a.configurations) \(a.versionIdentifiers) \(a.composites) ≠ \(b.configurations) \(b.versionIdentifiers) \(b.composites)"
    }

    @Test("Predicates, derivations, sort keys and validation come out of an archive as text")
    func archivedPredicates() throws {
        var formats: Set<String> = [], derivations: Set<String> = [], rules: Set<String> = []
        for file in Corpus.all("mom", under: "corpus/compiled") {
            let model = try ModelFile.read(at: file).current
            for entity in model.entities {
                formats.formUnion(entity.fetchedProperties.compactMap(\.request.predicateFormat))
                derivations.formUnion(entity.attributes.compactMap(\.derivationFormat))
                for rule in entity.attributes.flatMap(\.validationRules) { rules.insert("\(rule.predicateFormat) | \(rule.warning)") }
            }
        }
        print("archived predicates: \(formats.sorted()) \(derivations.sorted()) \(rules.sorted())")
        #expect(formats.contains("authorAlias == $FETCH_SOURCE.alias"))
        #expect(derivations == ["count:(pages)"])
        #expect(rules.contains { $0.hasPrefix("length >= 3 AND length <= 50 | text(") })
    }
}
