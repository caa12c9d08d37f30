import Foundation

/// The version hashes in the optimised form of a compiled model (`.omo`), which Apple's compiler writes beside the `.mom`.
///
/// The form, as far as the files show it: big-endian words; the head names three tables by place and count: entities, texts, and data.
/// Texts and data stand at multiples of eight behind 24 bytes that hold their length. A record of an entity names its hash and its
/// name by number.
struct OptimisedModelHashes {
    static let mark = Array("momv2$".utf8)

    /// By entity.
    let hashes: [String: [UInt8]]

    /// nil when the file is not of this form, or anything in it contradicts it.
    init?(_ data: Data) {
        guard let reader = Reader(data), let names = reader.table(at: 16, lengthAt: 12, ending: 1), let values = reader.table(at: 12, lengthAt: 16, ending: 0),
              var place = reader.head(1), let count = reader.head(2), reader.word(at: place) == count else { return nil }
        var found: [String: [UInt8]] = [:]
        place += 4
        for _ in 0..<count {
            guard reader.word(at: place) == Reader.recordMark, let length = reader.word(at: place + 4), length > 24,
                  let hash = reader.word(at: place + 12), let name = reader.word(at: place + 16), values.indices.contains(hash),
                  names.indices.contains(name), values[hash].count == 32, let text = String(validating: names[name], as: UTF8.self), !text.isEmpty,
                  found.updateValue(values[hash], forKey: text) == nil else { return nil }
            place += length + 4
        }
        hashes = found
    }

    private struct Reader {
        static let recordMark = 0xDAED_FEEB
        private static let headPlace = 0x40
        private let bytes: [UInt8]

        init?(_ data: Data) {
            bytes = Array(data)
            guard bytes.starts(with: OptimisedModelHashes.mark), bytes.count < 1 << 26 else { return nil }
        }

        func word(at place: Int) -> Int? {
            guard place >= 0, place <= bytes.count - 4 else { return nil }
            return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }

        func head(_ number: Int) -> Int? { word(at: Self.headPlace + 4 * number) }

        /// The table whose place is that word of the head, and whose count is the next.
        func table(at number: Int, lengthAt lengthPlace: Int, ending: Int) -> [[UInt8]]? {
            guard let start = head(number), let count = head(number + 1) else { return nil }
            var place = (start + 3) / 4 * 4
            guard word(at: place) == count, count <= bytes.count / 24 else { return nil }
            place = (place + 4 + 7) / 8 * 8
            var items: [[UInt8]] = []
            for _ in 0..<count {
                guard let length = word(at: place + lengthPlace), place + 24 + length <= bytes.count else { return nil }
                items.append(Array(bytes[place + 24..<place + 24 + length]))
                place = (place + 24 + length + ending + 7) / 8 * 8
            }
            return items
        }
    }
}
