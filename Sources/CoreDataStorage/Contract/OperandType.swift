import CoreDataPredicate
import CoreDataSchema
import Foundation

/// What the values of an expression are, as far as the model says, and how to speak of them.
struct OperandType {
    enum Kind: Equatable { case number, date, text, url, uuid, data, object, entityName, unsearchable }

    var kind: Kind
    /// “age”, an Integer 32 of entity <Person>
    var text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// nil for kinds that nothing is known of.
    init?(_ attribute: AttributeSchema, _ path: String, of owner: String) {
        let found: Kind? = switch attribute.type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
        case .date: .date
        case .string: .text
        case .uri: .url
        case .uuid: .uuid
        case .binary: .data
        case .transformable, .objectID, .composite: .unsearchable
        case .undefined: nil
        }
        guard let found else { return nil }
        self.init(found, "“\(path)”, \(OperandType.name(of: attribute.type)) of entity <\(owner)>,")
    }

    private static func name(of type: AttributeType) -> String {
        switch type {
        case .integer16: "an Integer 16"
        case .integer32: "an Integer 32"
        case .integer64: "an Integer 64"
        case .decimal: "a Decimal"
        case .double: "a Double"
        case .float: "a Float"
        case .boolean: "a Boolean"
        case .date: "a Date"
        case .string: "a String"
        case .uri: "a URI"
        case .uuid: "a UUID"
        case .binary: "Binary Data"
        case .transformable: "a Transformable"
        case .objectID: "an object ID"
        case .composite: "a composite attribute"
        case .undefined: "an attribute without a type"
        }
    }

    /// Whether values of both kinds can be equal or have an order.
    func meets(_ other: OperandType) -> Bool {
        switch (kind, other.kind) {
        case (.unsearchable, _), (_, .unsearchable): true
        case (.number, .date), (.date, .number), (.text, .url), (.url, .text), (.text, .entityName), (.entityName, .text): true
        default: kind == other.kind
        }
    }

    /// What to give instead, for errors.
    var wanted: String {
        switch kind {
        case .number: "a number"
        case .date: "a date"
        case .text, .entityName: "a string"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "data"
        case .object: "an object or an object ID"
        case .unsearchable: "nil"
        }
    }
}

extension OperandType {
    /// A constant as the attribute beside it keeps values: texts that are numbers become those (PR44), numbers beside a text are
    /// written out, texts become UUIDs. Throws for what can never be equal to any value there.
    func fit(_ value: PredicateValue) throws(StoreError) -> PredicateValue {
        switch (kind, value) {
        case (_, .null), (.unsearchable, _): return value
        case (.number, .integer), (.number, .real), (.number, .decimal), (.number, .boolean): return value
        case (.number, .string(let text)):
            if let number = NumberText.number(text) { return number }
        case (.date, .date), (.date, .integer), (.date, .real), (.date, .decimal): return value
        case (.text, .string), (.url, .string), (.url, .url), (.entityName, .string): return value
        case (.text, .url), (.text, .uuid), (.text, .integer), (.text, .real), (.text, .decimal), (.text, .boolean), (.url, .uuid),
             (.url, .integer), (.url, .real), (.url, .decimal), (.url, .boolean):
            if let text = value.asText { return .string(text) }
        case (.uuid, .uuid): return value
        case (.uuid, .string(let text)):
            if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
        case (.uuid, .data(let bytes)) where bytes.count == 16:
            return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case (.data, .data), (.object, .reference): return value
        default: break
        }
        throw .invalidRequest("The predicate compares \(text) with \(OperandType.describe(value)). Give it \(wanted).")
    }

    /// A number (5), for errors.
    static func describe(_ value: PredicateValue) -> String {
        switch value {
        case .null, .reference, .list, .object, .data: return value.kind
        case .string(let text): return "a string (“\(text.count > 60 ? text.prefix(60) + "…" : text)”)"
        default:
            let text = PredicatePrinter.text(of: .constant(value))
            return "\(value.kind) (\(text.count > 60 ? text.prefix(60) + "…" : text))"
        }
    }
}
