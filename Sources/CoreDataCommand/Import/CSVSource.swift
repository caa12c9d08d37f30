import Foundation

/// A CSV file of one entity's rows: its first line names the properties (RFC 4180).
struct CSVSource: ImportSource {
    let url: URL
    let name: String
    let entity: String

    func isExport() throws -> Bool { false }

    func rows(_ body: (ImportRow) throws -> Void) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var reader = CSVReader(file)
        guard let heading = try reader.record() else { return }
        let keys = heading.map { field in field.text.trimmingCharacters(in: .whitespaces) }
        if let empty = keys.firstIndex(of: "") {
            throw CommandFailure(.refused, "\(name):1: column \(empty + 1) has no name. The first line must name the properties.")
        }
        while true {
            let line = reader.line
            guard let record = try reader.record() else { return }
            if record.count == 1, record[0].text.isEmpty, !record[0].isQuoted { continue }
            guard record.count == keys.count else {
                throw CommandFailure(.refused, "\(name):\(line): this row has \(record.count) fields, the heading \(keys.count).")
            }
            let members = zip(keys, record).map { key, field in
                // Nothing at all is nil; two quotes are an empty text.
                JSONValue.Member(key: key, value: field.text.isEmpty && !field.isQuoted ? .null : .string(field.text))
            }
            try body(ImportRow(entity: entity, members: members, line: line))
        }
    }
}

/// Reads records of fields from a CSV file of any size.
struct CSVReader {
    struct Field {
        var text: String
        var isQuoted: Bool
    }

    private let file: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isStart = true
    private(set) var line = 1

    init(_ file: FileHandle) { self.file = file }

    private mutating func next() throws -> UInt8? {
        if position == buffer.count {
            buffer = [UInt8](try file.read(upToCount: 1 << 18) ?? Data())
            position = 0
            if isStart, buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
            isStart = false
        }
        guard position < buffer.count else { return nil }
        position += 1
        return buffer[position - 1]
    }

    /// nil at the end.
    mutating func record() throws -> [Field]? {
        var fields: [Field] = [], bytes: [UInt8] = [], isQuoted = false, inside = false, isEmpty = true, afterQuote = false
        func field() -> Field { Field(text: String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted) }
        while let byte = try next() {
            isEmpty = false
            if byte == 10 { line += 1 }
            if inside {
                if byte == UInt8(ascii: "\"") { inside = false; afterQuote = true } else { bytes.append(byte) }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where afterQuote: bytes.append(byte); inside = true
            case UInt8(ascii: "\"") where bytes.isEmpty && !isQuoted: inside = true; isQuoted = true
            case UInt8(ascii: ","):
                fields.append(field())
                bytes.removeAll(keepingCapacity: true)
                isQuoted = false
            case 10: return fields + [field()]
            case 13: break
            default: bytes.append(byte)
            }
            afterQuote = false
        }
        if inside { throw CommandFailure(.refused, "The CSV ends within quotes: one is missing before line \(line).") }
        return isEmpty ? nil : fields + [field()]
    }
}

/// Several sources, one after the other.
struct SourceList: ImportSource {
    let name: String
    let sources: [any ImportSource]

    func isExport() throws -> Bool { false }
    func rows(_ body: (ImportRow) throws -> Void) throws {
        for source in sources { try source.rows(body) }
    }
}
