import CoreData
import Foundation

extension StoreSummary {
    private var values: [String: Any] { file.metadata.values }
    var frameworkVersion: Int? { (values["NSPersistenceFrameworkVersion"] as? NSNumber)?.intValue }
    /// Those that say something: a model without identifiers is noted down with an empty one.
    var identifiers: [String] { (values["NSStoreModelVersionIdentifiers"] as? [Any] ?? []).map { "\($0)" }.filter { !$0.isEmpty } }
    var rows: Int { entities.reduce(0) { $0 + ($1.rows ?? 0) } }

    /// What a program noted down itself.
    private var ownMetadata: [(key: String, value: JSONValue)] {
        values.filter { key, _ in !key.hasPrefix("NSStore") && !key.hasPrefix("NSPersistence") && !key.hasPrefix("_NS") }
            .sorted { $0.key < $1.key }.map { ($0.key, PropertyListJSON.value($0.value)) }
    }

    private var hashes: [(name: String, hash: Data)] {
        ((values["NSStoreModelVersionHashes"] as? [String: Data]) ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var json: JSONValue {
        .object([
            "path": .string(file.url.path),
            "uuid": .string(file.metadata.identifier),
            "type": .string(file.metadata.type),
            "frameworkVersion": frameworkVersion.map(JSONValue.count),
            "modelVersionIdentifiers": .array(identifiers.map(JSONValue.string)),
            "modelDigest": (values["NSStoreModelVersionHashesDigest"] as? String).map(JSONValue.string),
            "modelChecksum": (values["NSStoreModelVersionChecksumKey"] as? String).map(JSONValue.string),
            "carriesModel": .bool(isModelUsable),
            "modelNotKeptBecause": isModelUsable ? nil : modelReason.map(JSONValue.string),
            "journalMode": .string(journalMode),
            "pageSize": .count(pageSize), "pageCount": .count(pageCount), "freePages": .count(freePages),
            "bytes": .object(sizes.map { .init(key: $0.suffix.isEmpty ? "store" : String($0.suffix.dropFirst()), value: .count($0.bytes)) }),
            "externalFiles": .object(["count": .count(externalFiles.count), "bytes": .count(externalFiles.bytes)]),
            "history": history.map { history in
                .object([
                    "transactions": .count(history.transactions), "changes": .count(history.changes),
                    "first": history.first.map { DateText.json($0) }, "last": history.last.map { DateText.json($0) },
                ])
            } ?? .null,
            "rows": .count(rows),
            "entities": .array(entities.map { entity in
                .object([
                    "name": .string(entity.name), "number": .integer(entity.number), "parent": entity.parent.map(JSONValue.string),
                    "rows": entity.rows.map(JSONValue.count) ?? .null, "highestKey": entity.highestKey.map(JSONValue.integer),
                ])
            }),
            "versionHashes": .object(hashes.map { .init(key: $0.name, value: .string($0.hash.hexText)) }),
            "metadata": .object(ownMetadata.map { .init(key: $0.key, value: $0.value) }),
        ])
    }

    func lines(_ style: Style) -> [String] {
        var facts: [(String, String)] = [
            ("Store", file.url.path),
            ("UUID", file.metadata.identifier),
            ("Framework", frameworkVersion.map(String.init) ?? "not noted down"),
            ("Model version", identifiers.isEmpty ? "no identifiers" : identifiers.joined(separator: ", ")),
            ("Model", modelText),
            ("Size", size),
            ("Journal", journalMode == "wal" ? "WAL" : "rollback journal"),
            ("External files", externalFiles.count == 0 ? "none" : "\(externalFiles.count), \(ByteText.text(externalFiles.bytes))"),
            ("History", historyText),
        ]
        for (key, value) in ownMetadata { facts.append((key, value.line)) }
        let width = facts.map(\.0.count).max() ?? 0
        var lines = facts.map { style.bold($0.0) + String(repeating: " ", count: width - $0.0.count) + "  " + $0.1 }
        var table = TextTable(["Entity", "Rows", "Parent"], rightAligned: [1])
        for entity in entities {
            table.rows.append([entity.name, entity.rows.map(String.init) ?? (entity.isDamaged ? "damaged" : "no table"), entity.parent ?? ""])
        }
        lines += [""] + table.lines(style)
        lines.append("\(entities.count) \(entities.count == 1 ? "entity" : "entities"), \(rows) \(rows == 1 ? "row" : "rows")")
        return lines.map { line in
            var line = line[...]
            while line.last == " " { line.removeLast() }
            return String(line)
        }
    }

    /// Why there is no model in the store that can be used; nil when nobody can know without the model.
    private var modelReason: String? {
        if hasModelCache { return "what Z_MODELCACHE has is damaged, or another model than that of the tables" }
        return modelObstacle
    }

    private var modelText: String {
        if isModelUsable { return "kept in the store" }
        return "not kept in the store" + (modelReason.map { ": \($0)" } ?? "")
    }

    private var size: String {
        let parts = sizes.map { ($0.suffix.isEmpty ? "" : $0.suffix + " ") + ByteText.text($0.bytes) }
        return parts.joined(separator: ", ") + " (\(pageCount) pages of \(pageSize), \(freePages) free)"
    }

    private var historyText: String {
        guard let history else { return "none" }
        let span = [history.first, history.last].compactMap { $0 }.map { DateText.text($0.rounded(.down)) }
        return "\(history.transactions) transactions, \(history.changes) changes"
            + (span.isEmpty ? "" : ", " + (span.first == span.last ? span[0] : span.joined(separator: " to ")))
    }
}

enum ByteText {
    static func text(_ bytes: Int) -> String {
        var value = Double(bytes), unit = 0
        let units = ["bytes", "KB", "MB", "GB", "TB"]
        while value >= 1024, unit < units.count - 1 { value /= 1024; unit += 1 }
        if unit == 0 { return "\(bytes) bytes" }
        let tenths = Int((value * 10).rounded())
        return (tenths % 10 == 0 || tenths >= 1000 ? String((tenths + 5) / 10) : "\(tenths / 10).\(tenths % 10)") + " " + units[unit]
    }
}

extension Data {
    var hexText: String {
        var text = ""
        for byte in self { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return text
    }
}
