import CoreData
import CoreDataStorage
import Foundation

/// What `coredata inspect` tells of a binary or XML store. Rows are counted with its model only.
struct AtomicSummary {
    struct Entity {
        let name: String
        let parent: String?
        let rows: Int
    }

    let source: AtomicCopy.Source
    /// nil without the model.
    let entities: [Entity]?

    init(_ source: AtomicCopy.Source, path: String, model: String?) throws {
        self.source = source
        guard let model else {
            entities = nil
            return
        }
        let session = try StoreSession.reading(path, model: model, takesAtomic: true)
        defer { session.close() }
        entities = try session.entities.map { entity in
            var plan = FetchPlan(entity: entity.index)
            plan.includesSubentities = false
            plan.result = .count
            guard case .count(let count) = try session.store.fetch(plan) else { return Entity(name: entity.name, parent: nil, rows: 0) }
            return Entity(name: entity.name, parent: entity.superIndex.map { session.model.entities[$0].name }, rows: count)
        }
    }

    private var rows: Int { (entities ?? []).reduce(0) { $0 + $1.rows } }
    private var size: Int? { (try? FileManager.default.attributesOfItem(atPath: source.url.path)[.size] as? Int) ?? nil }
    private var identifiers: [String] {
        (source.metadata[NSStoreModelVersionIdentifiersKey] as? [Any] ?? []).map { "\($0)" }.filter { !$0.isEmpty }
    }
    private var own: [(key: String, value: JSONValue)] {
        source.metadata.filter { !$0.key.hasPrefix("NSStore") && !$0.key.hasPrefix("NSPersistence") && !$0.key.hasPrefix("NLCoreData") }
            .sorted { $0.key < $1.key }.map { ($0.key, PropertyListJSON.value($0.value)) }
    }

    var json: JSONValue {
        .object([
            "path": .string(source.url.path), "uuid": .text(source.metadata[NSStoreUUIDKey] as? String), "type": .string(source.type),
            "modelVersionIdentifiers": .array(identifiers.map(JSONValue.string)), "carriesModel": .bool(false),
            "bytes": .object([.init(key: "store", value: size.map(JSONValue.count) ?? .null)]),
            "rows": entities == nil ? .null : .count(rows),
            "entities": entities.map { list in
                .array(list.map { .object(["name": .string($0.name), "parent": $0.parent.map(JSONValue.string), "rows": .count($0.rows)]) })
            } ?? .null,
            "versionHashes": .object(source.versionHashes.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .string($0.value.hexText)) }),
            "metadata": .object(own.map { .init(key: $0.key, value: $0.value) }),
        ])
    }

    func lines(_ style: Style) -> [String] {
        let facts: [(String, String)] = [
            ("Store", source.url.path), ("Type", source.kind), ("UUID", source.metadata[NSStoreUUIDKey] as? String ?? "none"),
            ("Model version", identifiers.isEmpty ? "no identifiers" : identifiers.joined(separator: ", ")),
            ("Size", size.map(ByteText.text) ?? "unknown"),
        ] + own.map { ($0.key, $0.value.line) }
        let width = facts.map(\.0.count).max() ?? 0
        let head = facts.map { style.bold($0.0) + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 } + [""]
        guard let entities else {
            return head + ["Entities: \(source.versionHashes.keys.sorted().joined(separator: ", "))", "Rows are counted with the store’s model: --model."]
        }
        var table = TextTable(["Entity", "Rows", "Parent"], rightAligned: [1])
        table.rows = entities.map { [$0.name, String($0.rows), $0.parent ?? ""] }
        return head + table.lines(style) + ["\(entities.count) \(entities.count == 1 ? "entity" : "entities"), \(rows) \(rows == 1 ? "row" : "rows")"]
    }
}
