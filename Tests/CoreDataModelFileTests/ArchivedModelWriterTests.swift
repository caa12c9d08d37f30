@testable import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Writing the model a store keeps")
struct ArchivedModelWriterTests {
    /// Where two archives differ as graphs of objects; nil when nowhere. Dictionaries and sets compare by what they hold.
    private struct Comparison {
        private var seen: Set<[Int]> = []

        mutating func difference(_ a: ArchivedObject?, _ b: ArchivedObject?, _ path: String) -> String? {
            guard let a, let b else { return (a == nil) == (b == nil) ? nil : "\(path): one is nil" }
            guard seen.insert([a.index, b.index]).inserted else { return nil }
            if let left = a.text, let right = b.text { return left == right ? nil : "\(path): \(left) ≠ \(right)" }
            switch (a.node, b.node) {
            case (.dictionary, .dictionary): break
            default: return "\(a.node)" == "\(b.node)" ? nil : "\(path): \(a.node) ≠ \(b.node)"
            }
            // Mutable or not is an accident of how the model came about.
            let kinds = [a, b].map { ($0.className ?? "").replacing("NSMutable", with: "NS") }
            guard kinds[0] == kinds[1] else { return "\(path): \(kinds)" }
            if kinds[0] == "NSDictionary" || kinds[0] == "NSKnownKeysDictionary1" { return pairs(a, b, path) }
            if kinds[0] == "NSArray" { return elements(a, b, path) }
            if kinds[0] == "NSSet" {
                return Set(a.elements.map { $0.text ?? "" }) == Set(b.elements.map { $0.text ?? "" }) ? nil : "\(path): other elements"
            }
            let keys = Set(a.keyNames).union(b.keyNames).subtracting(["$class"])
            for key in keys.sorted() {
                // Apple's framework writes empty lists of indexes for some entities and none for others.
                if ["NSCompoundIndexes", "NSFetchIndexDescriptions"].contains(key), a[key]?.elements.isEmpty != false, b[key]?.elements.isEmpty != false { continue }
                if key == "NSSubentities", a[key]?.pairs.isEmpty != false, b[key]?.pairs.isEmpty != false { continue }
                if key == "NSFetchIndexDescriptions" {
                    if let difference = named(a[key], b[key], "\(path).\(key)") { return difference }
                    continue
                }
                if let difference = difference(a[key], b[key], "\(path).\(key)") { return difference }
                if a.keyNames.contains(key) != b.keyNames.contains(key) { return "\(path).\(key): only one has the key" }
            }
            return nil
        }

        /// Indexes by name: their order comes from a hash.
        private mutating func named(_ a: ArchivedObject?, _ b: ArchivedObject?, _ path: String) -> String? {
            func table(_ list: ArchivedObject?) -> [String: ArchivedObject] {
                Dictionary((list?.elements ?? []).map { ($0.text("NSIndexName") ?? "", $0) }) { first, _ in first }
            }
            let (left, right) = (table(a), table(b))
            guard Set(left.keys) == Set(right.keys) else { return "\(path): \(left.keys.sorted()) ≠ \(right.keys.sorted())" }
            for name in left.keys.sorted() { if let found = difference(left[name], right[name], "\(path)[\(name)]") { return found } }
            return nil
        }

        private mutating func pairs(_ a: ArchivedObject, _ b: ArchivedObject, _ path: String) -> String? {
            let right = Dictionary(b.pairs.map { ($0.key, $0.value) }) { first, _ in first }
            guard Set(a.pairs.map(\.key)) == Set(right.keys) else { return "\(path): other keys" }
            for pair in a.pairs { if let found = difference(pair.value, right[pair.key], "\(path)[\(pair.key)]") { return found } }
            return nil
        }

        private mutating func elements(_ a: ArchivedObject, _ b: ArchivedObject, _ path: String) -> String? {
            guard a.elements.count == b.elements.count else { return "\(path): \(a.elements.count) ≠ \(b.elements.count) elements" }
            for (index, pair) in zip(a.elements, b.elements).enumerated() {
                if let found = difference(pair.0, pair.1, "\(path)[\(index)]") { return found }
            }
            return nil
        }
    }

    private func root(_ data: Data) throws -> ArchivedObject {
        do { return try #require(try KeyedArchive(data).root) } catch let damage as PropertyListNodes.Damage { throw Fault(text: damage.text) }
    }

    private struct Fault: Error { let text: String }

    @Test("Read and written again, the models Apple kept in stores are the same objects",
          .enabled(if: Corpus.isPresent, "no corpus on this machine: set COREDATA_CORPUS"))
    func sameAsApples() throws {
        var same = 0, left: [String] = []
        for file in Corpus.all("mom", under: "corpus/compiled/modelcache") {
            let data = try Data(contentsOf: file)
            let model = try ResolvedModel(ArchivedModelReader(data, path: file.path).schema)
            guard let archive = ArchivedModelWriter.archive(of: model) else {
                left.append(file.lastPathComponent)
                continue
            }
            var comparison = Comparison()
            let difference = try comparison.difference(root(data), root(archive), "")
            #expect(difference == nil, "\(file.lastPathComponent)")
            same += 1
        }
        print("corpus: archives as Apple's: \(same); not written, for they hold what is not known: \(left)")
        #expect(same >= 5)
    }

    @Test("What is written reads back equal, long texts, large models and other scripts included")
    func readsBack() throws {
        var schema = ModelSchema()
        for number in 0..<300 {
            var entity = EntitySchema(name: "Entität\(number)")
            entity.superentityName = number % 3 == 2 ? "Entität\(number - 1)" : nil
            entity.isAbstract = number % 7 == 0
            entity.userInfo = ["schlüssel": String(repeating: "ü", count: number)]
            var text = AttributeSchema(name: "text\(number)", type: .string)
            text.defaultValue = .string("日本\(number)")
            text.isOptional = true
            text.isIndexedBySpotlight = number % 5 == 0
            var count = AttributeSchema(name: "count\(number)", type: .integer64)
            count.defaultValue = .integer(number % 2 == 0 ? -1 : Int64.max - Int64(number))
            count.versionHashModifier = "2"
            count.validationRules = [
                ValidationRule(predicateFormat: "SELF >= -3", warning: .code(1620)), ValidationRule(predicateFormat: "SELF <= 5000000000", warning: .code(1610)),
            ]
            var day = AttributeSchema(name: "day\(number)", type: .date)
            day.defaultValue = .real(-1.5)
            day.renamingIdentifier = "tag"
            entity.attributes = [count, day, text]
            var relationship = RelationshipSchema(name: "next\(number)", destinationName: "Entität\((number + 1) % 300)")
            relationship.inverseName = "back\((number + 1) % 300)"
            relationship.inverseEntityName = relationship.destinationName
            relationship.isOrdered = true
            relationship.maxCount = 0
            relationship.deleteRule = .cascade
            var back = RelationshipSchema(name: "back\(number)", destinationName: "Entität\((number + 299) % 300)")
            back.inverseName = "next\((number + 299) % 300)"
            back.inverseEntityName = back.destinationName
            entity.relationships = [back, relationship]
            entity.uniquenessConstraints = [["text\(number)"]]
            schema.entities.append(entity)
        }
        schema.entities.sort { ModelResolution.precedes($0.name, $1.name) }
        schema.configurations = [ConfigurationSchema(name: "Some", entityNames: ["Entität0", "Entität1"])]
        schema.versionIdentifiers = ["1"]
        let archive = try #require(ArchivedModelWriter.archive(of: ResolvedModel(schema)))
        #expect(try ArchivedModelReader(archive, path: "x").schema == schema)
    }

    @Test("Defaults of decimals and UUIDs, which Xcode writes for every decimal, read back equal", arguments: [
        AttributeValue.decimal(0), .decimal(Decimal(string: "-12345678901234567890.0123456789") ?? 0), .decimal(Decimal(string: "1e-90") ?? 0),
        .decimal(Decimal(string: "99999999999999999999999999999999999999") ?? 0), .uuid(UUID()),
    ])
    func defaults(_ value: AttributeValue) throws {
        var schema = ModelSchema(), entity = EntitySchema(name: "E"), attribute = AttributeSchema(name: "a", type: .decimal)
        if case .uuid = value { attribute.type = .uuid }
        attribute.defaultValue = value
        entity.attributes = [attribute]
        schema.entities = [entity]
        let archive = try #require(ArchivedModelWriter.archive(of: ResolvedModel(schema)))
        #expect(try ArchivedModelReader(archive, path: "x").schema.entities[0].attributes[0].defaultValue == value)
    }

    @Test("A model with something whose archived form is not known has none", arguments: 0..<6)
    func unknown(part: Int) throws {
        var schema = ModelSchema(), entity = EntitySchema(name: "E"), attribute = AttributeSchema(name: "a", type: .string)
        switch part {
        case 0: attribute.derivationFormat = "b"
        case 1: attribute.validationRules = [ValidationRule(predicateFormat: "length > 1", warning: .code(1670))]
        case 2: attribute.type = .binary; attribute.defaultValue = .data(Data([1]))
        case 3: entity.relationships = [RelationshipSchema(name: "r", destinationName: "E")]
        case 4: entity.fetchedProperties = [FetchedPropertySchema(name: "f", request: FetchTemplateSchema(name: "x", entityName: "E"))]
        default: entity.indexes = [FetchIndexSchema(name: "i", elements: [FetchIndexElementSchema(propertyName: "a", isRTree: true)])]
        }
        entity.attributes = [attribute]
        schema.entities = [entity]
        #expect(try ArchivedModelWriter.archive(of: ResolvedModel(schema)) == nil)
    }
}
