import Foundation

/// A CSV file of one entity's rows: its first line names the properties (RFC 4180).
struct CSVSource: ImportSource {
    let url: URL
    let name: String
    let entity: String

    func isExport() throws -> Bool { false }

    func firstKeys() throws -> (entity: String, keys: [String])? {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var reader = CSVReader(file, named: name)
        return try reader.record().map { (entity, $0.map(\.text)) }
    }

    func rows(_ body: (ImportRow) throws -> Void) throws {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        var reader = CSVReader(file, named: name)
        guard let heading = try reader.record() else { return }
        let keys = heading.map { field in field.text.trimmingCharacters(in: .whitespaces) }
        if let empty = keys.firstIndex(of: "") {
            throw CommandFailure(.refused, "\(name):1: column \(empty + 1) has no name. The first line must name the properties.")
        }
        if let twice = keys.indices.first(where: { keys[..<$0].contains(keys[$0]) }) {
            throw CommandFailure(.refused, "\(name):1: two columns are called “\(keys[twice])”.")
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
    private let name: String
    private var buffer: [UInt8] = []
    private var position = 0
    private var isStart = true
    private(set) var line = 1

    init(_ file: FileHandle, named name: String) {
        self.file = file
        self.name = name
    }

    private mutating func peek() throws -> UInt8? {
        if position == buffer.count {
            buffer = [UInt8](try file.read(upToCount: 1 << 18) ?? Data())
            position = 0
            if isStart, buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
            isStart = false
        }
        return position < buffer.count ? buffer[position] : nil
    }

    private mutating func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        // Lines end with LF, CR LF or CR.
        if byte == 10 { line += 1 }
        if byte == 13, try peek() != 10 { line += 1 }
        return byte
    }

    private func refused(_ text: String) -> CommandFailure { CommandFailure(.refused, "\(name):\(line): \(text)") }

    /// nil at the end.
    mutating func record() throws -> [Field]? {
        var fields: [Field] = [], bytes: [UInt8] = [], isQuoted = false, inside = false, isEmpty = true, afterQuote = false
        let start = line
        func field() throws -> Field {
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw CommandFailure(.refused, "\(name):\(start): field \(fields.count + 1) is not UTF-8. “iconv -t UTF-8” turns other text into it.")
            }
            return Field(text: text, isQuoted: isQuoted)
        }
        while let byte = try next() {
            isEmpty = false
            if inside {
                if byte == UInt8(ascii: "\"") { inside = false; afterQuote = true } else { bytes.append(byte) }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where afterQuote: bytes.append(byte); inside = true
            case UInt8(ascii: "\"") where bytes.isEmpty && !isQuoted: inside = true; isQuoted = true
            case UInt8(ascii: ","):
                fields.append(try field())
                bytes.removeAll(keepingCapacity: true)
                isQuoted = false
            case 10: return fields + [try field()]
            case 13:
                if try peek() == 10 { _ = try next() }
                return fields + [try field()]
            case _ where isQuoted:
                throw refused("field \(fields.count + 1) goes on after its closing quote. A quote within quotes is written twice.")
            default: bytes.append(byte)
            }
            afterQuote = false
        }
        if inside { throw CommandFailure(.refused, "\(name):\(start): the file ends within quotes that begin in this row.") }
        return isEmpty ? nil : fields + [try field()]
    }
}

/// Several sources, one after the other.
struct SourceList: ImportSource {
    let name: String
    let sources: [any ImportSource]

    func isExport() throws -> Bool { false }
    func hasForm(ofExport keys: (String) -> [[String]]) throws -> Bool { try sources.allSatisfy { try $0.hasForm(ofExport: keys) } }
    var files: [String] { sources.map(\.name) }

    func rows(_ body: (ImportRow) throws -> Void) throws {
        for (index, source) in sources.enumerated() {
            try source.rows { row in
                var row = row
                row.file = index
                try body(row)
            }
        }
    }
}
