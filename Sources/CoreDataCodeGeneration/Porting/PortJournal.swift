import Foundation

/// What porting changed in a folder, so that it can be taken back exactly. A file may have been ported several times: its last
/// layer is taken back first.
package struct PortJournal: Codable, Sendable {
    package struct Layer: Codable, Sendable {
        /// Relative to the folder.
        var path: String
        /// Of the ported text: only that is taken back.
        var checksum: String
        var edits: [Edit]
    }

    struct Edit: Codable, Sendable {
        var start: Int
        var length: Int
        var original: String
    }

    package static let fileName = ".coredata-port.json"

    package private(set) var layers: [Layer] = []

    package init() {}

    /// The journal of a folder; an empty one when there is none.
    package init(of folder: URL) throws {
        let url = folder.appendingPathComponent(Self.fileName)
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        self = try JSONDecoder().decode(PortJournal.self, from: Data(contentsOf: url))
    }

    package mutating func add(_ path: String, original: [UInt8], _ edits: [SourceEdit]) {
        let ported = SourceEdit.apply(edits, to: original)
        layers.append(Layer(
            path: path, checksum: Self.checksum(ported),
            edits: SourceEdit.inverse(edits, of: original).map { Edit(start: $0.range.lowerBound, length: $0.range.count, original: $0.replacement) }))
    }

    /// Writes the journal, or removes its file when nothing is left to take back.
    package func write(to folder: URL) throws {
        let url = folder.appendingPathComponent(Self.fileName)
        if layers.isEmpty {
            if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: url, options: .atomic)
    }

    /// The texts as they were, last layers first. Files that have changed since are named, and keep their layers.
    package mutating func undo(_ read: (String) -> [UInt8]?) -> (texts: [String: [UInt8]], changed: [String]) {
        var texts: [String: [UInt8]] = [:], stuck: Set<String> = [], kept: [Layer] = []
        for layer in layers.reversed() {
            guard !stuck.contains(layer.path), let text = texts[layer.path] ?? read(layer.path), Self.checksum(text) == layer.checksum else {
                stuck.insert(layer.path)
                kept.append(layer)
                continue
            }
            texts[layer.path] = SourceEdit.apply(layer.edits.map { SourceEdit($0.start..<$0.start + $0.length, $0.original) }, to: text)
        }
        layers = kept.reversed()
        return (texts, stuck.sorted())
    }

    /// FNV-1a: whether a text is the one that was written, not who wrote it.
    private static func checksum(_ bytes: [UInt8]) -> String {
        let hash = bytes.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }
}
