import CoreDataSchema
import CoreDataStorage
import Foundation

/// One row as data says it.
struct ImportRow {
    var entity: String
    var members: [JSONValue.Member]
    /// For errors: `file:line`.
    var line: Int
    /// Its number among the data's rows, when others stand on the same line.
    var number: Int?
    /// Which file of several it stands in.
    var file = 0

    /// File and line as one number.
    var mark: Int { file << 48 | line }

    var place: String { number.map { "\(line) (row \($0))" } ?? "\(line)" }
}

/// Where an import's rows come from; they can be read more than once.
protocol ImportSource {
    /// What is read, for errors.
    var name: String { get }
    /// The files rows stand in, for errors.
    var files: [String] { get }
    /// Whether `coredata export` wrote it: keys are numbers and every property of a row is there.
    func isExport() throws -> Bool
    func rows(_ body: (ImportRow) throws -> Void) throws
    /// What the first row names, or the heading, in its order: an export names every property of an entity in one order, and so is
    /// known without a mark. nil without rows.
    func firstKeys() throws -> (entity: String, keys: [String])?
    /// Whether all of it has the form of an export: `keys` gives the orders an export of an entity has.
    func hasForm(ofExport keys: (String) -> [[String]]) throws -> Bool
}

private struct EnoughRead: Error {}

extension ImportSource {
    var files: [String] { [name] }

    /// `file:line`.
    func place(_ row: ImportRow) -> String { "\(files[row.file]):\(row.place)" }

    /// The same by the number that stands for a row's place among links.
    func place(ofMark mark: Int) -> String { "\(files[mark >> 48]):\(mark & (1 << 48 - 1))" }

    func hasForm(ofExport keys: (String) -> [[String]]) throws -> Bool {
        guard let first = try firstKeys() else { return false }
        return keys(first.entity).contains(first.keys)
    }

    func firstKeys() throws -> (entity: String, keys: [String])? {
        var found: (String, [String])?
        do {
            try rows { row in
                found = (row.entity, row.members.map(\.key))
                throw EnoughRead()
            }
        } catch is EnoughRead {}
        return found
    }
}

/// JSON: an object with an array for each entity; or rows with `$entity`, in an array or one after the other.
struct JSONSource: ImportSource {
    let url: URL
    let name: String
    /// The entity of rows that do not say.
    let entity: String?
    let entityNames: Set<String>

    private func withReader<Result>(_ body: (JSONReader) throws -> Result) throws -> Result {
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        do { return try body(try JSONReader(file)) } catch let mistake as JSONReader.Mistake {
            throw CommandFailure(.refused, "\(name):\(mistake.line): this is not JSON as it should be: \(mistake.reason).")
        }
    }

    func isExport() throws -> Bool {
        try withReader { reader in
            guard try reader.take(UInt8(ascii: "{")), try reader.token() == UInt8(ascii: "\"") else { return false }
            guard try reader.key() == "$coredata" else { return false }
            let mark = try reader.value()
            guard mark["version"] == .number("1") else {
                throw CommandFailure(.refused, "\(name) was written by a newer coredata (“$coredata” is \(mark.line)). Update this one.")
            }
            return true
        }
    }

    func rows(_ give: (ImportRow) throws -> Void) throws {
        var count = 0, last = 0
        func body(_ row: ImportRow) throws {
            var row = row
            count += 1
            if row.line == last { row.number = count }
            last = row.line
            try give(row)
        }
        try withReader { reader in
            switch try reader.token() {
            case UInt8(ascii: "["): try array(reader, entity: entity, body)
            case UInt8(ascii: "{"): try objects(reader, body)
            case nil: return
            default: throw reader.mistake("an object or an array of rows is expected")
            }
            if try reader.token() != nil { throw reader.mistake("something stands after the end") }
        }
    }

    private func array(_ reader: JSONReader, entity: String?, _ body: (ImportRow) throws -> Void) throws {
        try reader.expect(UInt8(ascii: "["), "“[”")
        if try reader.take(UInt8(ascii: "]")) { return }
        repeat {
            _ = try reader.token()
            let line = reader.line
            try give(try reader.members(), entity: entity, line, reader, body)
        } while try reader.take(UInt8(ascii: ","))
        try reader.expect(UInt8(ascii: "]"), "“,” or “]”")
    }

    private func give(
        _ members: [JSONValue.Member], entity: String?, _ line: Int, _ reader: JSONReader, _ body: (ImportRow) throws -> Void
    ) throws {
        var members = members, entity = entity
        if let index = members.firstIndex(where: { $0.key == "$entity" }) {
            guard case .string(let name) = members[index].value else { throw reader.mistake("“$entity” is no text") }
            entity = name
            members.remove(at: index)
        }
        guard let entity else {
            if let first = members.first, case .array = first.value {
                throw CommandFailure(.refused, "\(name):\(line): The model has no entity “\(first.key)”. "
                    + NearestName.advice(first.key, among: entityNames.sorted()))
            }
            throw CommandFailure(.refused, "\(name):\(line): this row does not say of which entity it is. Give it an “$entity”, put "
                + "the rows into an array under the entity’s name, or say --entity.")
        }
        try body(ImportRow(entity: entity, members: members, line: line))
    }

    /// The object of entities, or the first of rows that follow one another.
    private func objects(_ reader: JSONReader, _ body: (ImportRow) throws -> Void) throws {
        let line = reader.line
        try reader.expect(UInt8(ascii: "{"), "“{”")
        if try reader.take(UInt8(ascii: "}")) { return }
        var key = try reader.key()
        if key == "$coredata" {
            _ = try reader.value()
        } else if try entityNames.contains(key) && reader.token() == UInt8(ascii: "[") {
            try array(reader, entity: key, body)
        } else {
            let first = JSONValue.Member(key: key, value: try reader.value())
            try give(try reader.restOfMembers(after: [first]), entity: entity, line, reader, body)
            while try reader.token() == UInt8(ascii: "{") {
                let line = reader.line
                try give(try reader.members(), entity: entity, line, reader, body)
            }
            return
        }
        while try !reader.take(UInt8(ascii: "}")) {
            try reader.expect(UInt8(ascii: ","), "“,” or “}”")
            key = try reader.key()
            guard try reader.token() == UInt8(ascii: "[") else { throw reader.mistake("an array of rows is expected under “\(key)”") }
            try array(reader, entity: key, body)
        }
    }
}
