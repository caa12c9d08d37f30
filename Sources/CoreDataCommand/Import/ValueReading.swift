import CoreDataSchema
import CoreDataStorage
import Foundation

/// JSON values as the values of attributes. Texts that say a number, a truth or a date serve as such, because CSV has nothing else.
///
/// `asIs`: what an export says is kept though it is none of the values an app would set: booleans other than 0 and 1, texts that
/// are no URI.
enum ValueReading {
    /// Why a value does not fit.
    struct Misfit: Error { let reason: String }

    static func value(_ json: JSONValue, _ attribute: AttributeSchema, _ schema: ModelSchema, asIs: Bool) throws(Misfit) -> AttributeValue {
        if json == .null { return .null }
        switch attribute.type {
        // A column may hold more than its attribute does.
        case .integer16: return .integer(try integer(json, asIs ? Int64.min...Int64.max : Int64(Int16.min)...Int64(Int16.max)))
        case .integer32: return .integer(try integer(json, asIs ? Int64.min...Int64.max : Int64(Int32.min)...Int64(Int32.max)))
        case .integer64: return .integer(try integer(json, Int64.min...Int64.max))
        case .boolean: return .integer(try boolean(json, asIs))
        case .double: return .real(try real(json))
        case .float: return .real(try float(json, asIs))
        case .date: return .real(try date(json, asIs))
        case .decimal: return try decimal(json, asIs)
        case .string: return .string(try text(json))
        case .uri: return .string(try uri(json, asIs))
        case .uuid:
            guard case .string(let text) = json, let uuid = UUID(uuidString: text) else { throw Misfit(reason: "is no UUID") }
            return .uuid(uuid)
        case .binary, .transformable:
            guard case .string(let text) = json, let data = Data(base64Encoded: text) else { throw Misfit(reason: "is no base64") }
            return .data(data)
        case .composite: return try composite(json, attribute, schema, asIs)
        case .undefined, .objectID: throw Misfit(reason: "cannot be set: the store does not keep it")
        }
    }

    private static func number(_ json: JSONValue) -> String? {
        switch json {
        case .number(let text): return text
        case .integer(let value): return String(value)
        case .real(let value): return "\(value)"
        case .string(let text):
            let text = text.trimmingCharacters(in: .whitespaces)
            if ["NaN", "Infinity", "-Infinity"].contains(text) { return text }
            // Swift and Foundation read hexadecimal and words too.
            return text.utf8.allSatisfy { (48...57).contains($0) || "+-.eE".utf8.contains($0) } ? text : nil
        case .null, .bool, .array, .object: return nil
        }
    }

    private static func integer(_ json: JSONValue, _ range: ClosedRange<Int64>) throws(Misfit) -> Int64 {
        guard let text = number(json) else { throw Misfit(reason: "is no whole number") }
        let value = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
        guard let value else { throw Misfit(reason: "is no whole number") }
        guard range.contains(value) else {
            throw Misfit(reason: "is out of range (\(range.lowerBound) to \(range.upperBound))")
        }
        return value
    }

    private static func boolean(_ json: JSONValue, _ asIs: Bool) throws(Misfit) -> Int64 {
        switch json {
        case .bool(let flag): return flag ? 1 : 0
        case .string(let text) where ["true", "yes"].contains(text.lowercased()): return 1
        case .string(let text) where ["false", "no"].contains(text.lowercased()): return 0
        default:
            guard let text = number(json), let value = Int64(text), asIs || value == 0 || value == 1 else { throw Misfit(reason: "is neither true nor false") }
            return value
        }
    }

    private static func real(_ json: JSONValue) throws(Misfit) -> Double {
        guard let text = number(json) else { throw Misfit(reason: "is no number") }
        switch text {
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            guard let value = Double(text), value.isFinite else { throw Misfit(reason: "is no number") }
            return value
        }
    }

    /// The float that is nearest to the text, widened.
    private static func float(_ json: JSONValue, _ asIs: Bool) throws(Misfit) -> Double {
        let value = try real(json)
        guard value.isFinite, let text = number(json), let narrow = Float(text) else { return value }
        if !narrow.isFinite {
            if asIs { return value }
            throw Misfit(reason: "is out of range for a Float")
        }
        return Double(narrow)
    }

    private static func date(_ json: JSONValue, _ asIs: Bool) throws(Misfit) -> Double {
        if asIs, case .string(let text) = json, ["Infinity", "-Infinity"].contains(text) { return text == "Infinity" ? .infinity : -.infinity }
        if case .string(let text) = json, let seconds = DateText.seconds(text.trimmingCharacters(in: .whitespaces)) { return seconds }
        if let text = number(json), let seconds = Double(text), seconds.isFinite { return seconds }
        throw Misfit(reason: "is no date: write 2024-01-31T12:00:00Z, or seconds since 2001")
    }

    private static func decimal(_ json: JSONValue, _ asIs: Bool) throws(Misfit) -> AttributeValue {
        if asIs, case .string(let text) = json, number(json) == nil {
            // What SQLite calls its infinities, and whatever else the column has.
            return text == "Inf" ? .real(.infinity) : text == "-Inf" ? .real(-.infinity) : .string(text)
        }
        guard let text = number(json) else { throw Misfit(reason: "is no number") }
        if text == "NaN" { return .decimal(.nan) }
        guard Double(text) != nil else { throw Misfit(reason: "is no number") }
        guard let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else {
            throw Misfit(reason: "is out of range for a Decimal")
        }
        return .decimal(value)
    }

    /// Whether a store keeps fewer digits of a decimal than the data has: 15 of them, or the whole numbers of 64 bits.
    static func isRounded(_ json: JSONValue, _ attribute: AttributeSchema, _ schema: ModelSchema) -> Bool {
        if attribute.type == .composite {
            guard case .object(let members) = json, let type = schema.composites.first(where: { $0.name == attribute.compositeName }) else { return false }
            return members.contains { member in
                type.elements.first { $0.name == member.key }.map { isRounded(member.value, $0, schema) } ?? false
            }
        }
        guard attribute.type == .decimal, let text = number(json) else { return false }
        let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
        guard digits.count > 15, let last = digits.lastIndex(where: { $0 != "0" }) else { return false }
        guard digits[...last].count > 15 else { return false }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).flatMap { Int64($0.description) } == nil
    }

    private static func text(_ json: JSONValue) throws(Misfit) -> String {
        guard case .string(let text) = json else { throw Misfit(reason: "is no text") }
        return text
    }

    private static func uri(_ json: JSONValue, _ asIs: Bool) throws(Misfit) -> String {
        let text = try text(json)
        guard asIs || !text.isEmpty && URL(string: text, encodingInvalidCharacters: false) != nil else { throw Misfit(reason: "is no URI") }
        return text
    }

    private static func composite(_ json: JSONValue, _ attribute: AttributeSchema, _ schema: ModelSchema, _ asIs: Bool) throws(Misfit) -> AttributeValue {
        guard let type = schema.composites.first(where: { $0.name == attribute.compositeName }) else {
            throw Misfit(reason: "is of a composite type the model does not declare")
        }
        var json = json
        if case .string(let text) = json { json = try object(text) }
        guard case .object(let members) = json else { throw Misfit(reason: "is no object") }
        var values: [String: AttributeValue] = [:]
        for member in members {
            guard let element = type.elements.first(where: { $0.name == member.key }) else {
                throw Misfit(reason: "has an element “\(member.key)”. \(NearestName.advice(member.key, among: type.elements.map(\.name)))")
            }
            let value: AttributeValue
            do { value = try self.value(member.value, element, schema, asIs: asIs) } catch {
                throw Misfit(reason: "has an element “\(member.key)” that \(error.reason)")
            }
            if !value.isNull { values[element.name] = value }
        }
        return values.isEmpty ? .null : .composite(values)
    }

    /// JSON inside a field of CSV.
    static func object(_ text: String) throws(Misfit) -> JSONValue {
        do {
            let reader = try JSONReader(text: text)
            let value = try reader.value()
            if try reader.token() == nil { return value }
        } catch {}
        throw Misfit(reason: "is no JSON")
    }
}
