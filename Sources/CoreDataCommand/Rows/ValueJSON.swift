import CoreDataSchema
import CoreDataStorage
import Foundation

/// Values of a store as JSON, each so that it can be read back exactly.
///
/// Booleans are true and false, dates ISO 8601, decimals, URIs and UUIDs texts, bytes base64 (of a transformable: of its archive),
/// a row is `Entity/key`.
enum ValueJSON {
    static func value(_ row: RowBlock, _ property: ResolvedProperty, _ model: ResolvedModel) -> JSONValue {
        let slot = property.slot
        if row.isNull(slot), row.object(slot) == nil { return .null }
        switch property.storage {
        case .integer: return .integer(row.integer(slot))
        case .boolean: return boolean(row.integer(slot))
        case .double: return .real(row.real(slot))
        case .float: return float(row.real(slot))
        case .date: return DateText.json(row.real(slot))
        case .decimal: return .text(row.string(slot).map(plainDecimal))
        case .string, .uri: return .text(row.string(slot))
        case .uuid: return .text(row.uuid(slot)?.uuidString)
        case .data, .object: return .text(row.data(slot)?.base64EncodedString())
        case .toOne: return row.reference(slot).map { .string(reference($0, model)) } ?? .null
        case .composite: return composite(row.value(slot), property.attribute?.compositeName, model.schema)
        case .none, .objectID, .toMany, .fetched: return .null
        }
    }

    /// SQLite writes decimals as it writes its numbers: 1.0e-20, 5.0.
    static func plainDecimal(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: ".") }),
              let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else { return text }
        return value.description
    }

    static func reference(_ key: RowKey, _ model: ResolvedModel) -> String { "\(model.entities[Int(key.entity)].name)/\(key.primaryKey)" }

    /// A column may hold other numbers than 0 and 1, which are not lost.
    static func boolean(_ value: Int64) -> JSONValue { value == 0 ? .bool(false) : value == 1 ? .bool(true) : .integer(value) }

    /// A float is kept widened; its own shortest text gives it back.
    static func float(_ value: Double) -> JSONValue {
        let narrow = Float(value)
        guard Double(narrow) == value else { return .real(value) }
        return narrow.isFinite ? .number(shortest(narrow)) : .real(value)
    }

    private static func shortest(_ value: Float) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    static func composite(_ value: AttributeValue, _ name: String?, _ schema: ModelSchema) -> JSONValue {
        guard case .composite(let values) = value, let type = schema.composites.first(where: { $0.name == name }) else { return .null }
        return .object(type.elements.map { element in
            .init(key: element.name, value: self.value(values[element.name] ?? .null, element, schema))
        })
    }

    private static func value(_ value: AttributeValue, _ attribute: AttributeSchema, _ schema: ModelSchema) -> JSONValue {
        switch value {
        case .null, .reference, .object: .null
        case .integer(let number): attribute.type == .boolean ? boolean(number) : .integer(number)
        case .real(let number): attribute.type == .date ? DateText.json(number) : attribute.type == .float ? float(number) : .real(number)
        case .decimal(let number): .string(number.isNaN ? "NaN" : "\(number)")
        case .string(let text): .string(text)
        case .uuid(let uuid): .string(uuid.uuidString)
        case .data(let data): .string(data.base64EncodedString())
        case .composite: composite(value, attribute.compositeName, schema)
        }
    }
}
