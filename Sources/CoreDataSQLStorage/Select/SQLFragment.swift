import CoreDataSchema
import SQLiteDriver

/// SQL text with the values of its `?`, in order.
struct SQLFragment: Equatable {
    var text: String
    var values: [SQLValue]
    /// A condition whose rows an index finds.
    var startsAtIndex = false

    init(_ text: String, _ values: [SQLValue] = []) {
        self.text = text
        self.values = values
    }

    static func value(_ value: SQLValue) -> SQLFragment { SQLFragment("?", [value]) }

    static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        SQLFragment(left.text + right.text, left.values + right.values)
    }

    static func + (left: SQLFragment, right: String) -> SQLFragment { SQLFragment(left.text + right, left.values) }
    static func + (left: String, right: SQLFragment) -> SQLFragment { SQLFragment(left + right.text, right.values) }

    static func joined(_ parts: [SQLFragment], by separator: String) -> SQLFragment {
        SQLFragment(parts.map(\.text).joined(separator: separator), parts.flatMap(\.values))
    }

    var inParentheses: SQLFragment {
        var whole = "(" + self + ")"
        whole.startsAtIndex = startsAtIndex
        return whole
    }
}

/// A value bound to a statement.
enum SQLValue: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    /// Bytes compared as text: the upper bound of a prefix need not be UTF-8.
    case textBytes([UInt8])
    case blob([UInt8])

    func bind(to statement: SQLiteStatement, at index: Int32) throws(SQLiteError) {
        switch self {
        case .null: try statement.bindNull(index)
        case .integer(let value): try statement.bind(index, value)
        case .real(let value): try statement.bind(index, value)
        case .text(let value): try statement.bind(index, value)
        case .textBytes(let bytes): try statement.bindText(index, bytes: bytes)
        case .blob(let bytes): try statement.bindBlob(index, bytes: bytes)
        }
    }
}

/// What an operand's SQL yields: decides how a constant beside it is bound and how a result is read.
enum ValueType: Equatable {
    case integer, boolean, real, date, decimal, text, url, uuid, data
    /// Bytes whose meaning SQL does not know: transformables.
    case opaque
    /// Blobs with a prefix, or the name of a file.
    case external
    /// A primary key; the entity is the declared one.
    case reference(Int)
    /// `Z_ENT`; constants beside it are entity names.
    case entity
    /// A constant without a column beside it.
    case any

    init(_ kind: StorageKind) {
        switch kind {
        case .integer: self = .integer
        case .boolean: self = .boolean
        case .double, .float: self = .real
        case .date: self = .date
        case .decimal: self = .decimal
        case .string: self = .text
        case .uri: self = .url
        case .uuid: self = .uuid
        case .data: self = .data
        default: self = .opaque
        }
    }

    var isNumeric: Bool { [.integer, .boolean, .real, .decimal].contains(self) }
    var isText: Bool { self == .text || self == .url }

    /// For error messages.
    var name: String {
        switch self {
        case .integer: "an integer"
        case .boolean: "a Boolean"
        case .real: "a number"
        case .date: "a date"
        case .decimal: "a decimal number"
        case .text: "a string"
        case .url: "a URI"
        case .uuid: "a UUID"
        case .data, .external: "binary data"
        case .opaque: "a transformable value"
        case .reference: "a relationship"
        case .entity: "an entity"
        case .any: "a value"
        }
    }
}

/// Something SQL cannot say exactly; the part of the predicate that holds it is evaluated on the rows instead.
struct SQLCannotSay: Error {
    let what: String
}
