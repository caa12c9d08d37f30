import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Archived Foundation values.
enum ArchivedValue {
    /// A default as a value of its attribute's type; nil when it is of a class unknown here.
    static func attributeValue(_ object: ArchivedObject, as type: AttributeType) -> AttributeValue? {
        switch (predicateValue(object), type) {
        case (.boolean(let value), .boolean): .integer(value ? 1 : 0)
        case (.boolean(let value), .integer16), (.boolean(let value), .integer32), (.boolean(let value), .integer64): .integer(value ? 1 : 0)
        case (.integer(let value), .boolean): .integer(value == 0 ? 0 : 1)
        case (.integer(let value), .integer16), (.integer(let value), .integer32), (.integer(let value), .integer64): .integer(value)
        case (.real(let value), .integer16), (.real(let value), .integer32), (.real(let value), .integer64):
            Int64(exactly: value).map { .integer($0) }
        case (.integer(let value), .double), (.integer(let value), .float): .real(Double(value))
        case (.real(let value), .double): .real(value)
        case (.real(let value), .float): .real(Double(Float(value)))
        case (.integer(let value), .decimal): .decimal(Decimal(value))
        case (.real(let value), .decimal): .decimal(Decimal(value))
        case (.decimal(let value), .decimal): .decimal(value)
        case (.decimal(let value), .double), (.decimal(let value), .float): .real(NSDecimalNumber(decimal: value).doubleValue)
        case (.string(let value), .string), (.string(let value), .uri): .string(value)
        case (.url(let value), .uri): .string(value.absoluteString)
        case (.string(let value), .uuid): UUID(uuidString: value).map { .uuid($0) }
        case (.uuid(let value), .uuid): .uuid(value)
        case (.date(let value), .date): .real(value.timeIntervalSinceReferenceDate)
        case (.data(let value), .binary): .data(value)
        default: nil
        }
    }

    /// nil when it is of a class unknown here.
    static func predicateValue(_ object: ArchivedObject, depth: Int = 0) -> PredicateValue? {
        switch object.node {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(Date(timeIntervalSinceReferenceDate: value))
        case .data(let value): return .data(value)
        case .string(let value): return .string(value)
        case .dictionary: return boxed(object, depth)
        case .reference, .array: return nil
        }
    }

    private static func boxed(_ object: ArchivedObject, _ depth: Int) -> PredicateValue? {
        switch object.className {
        case "NSString", "NSMutableString": return object.text.map { .string($0) }
        case "NSNull": return .null
        case "NSDate":
            return switch object["NS.time"]?.node {
            case .real(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
            case .integer(let seconds): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
            default: nil
            }
        case "NSData", "NSMutableData":
            guard case .data(let data)? = object["NS.data"]?.node else { return nil }
            return .data(data)
        case "NSUUID":
            guard case .data(let data)? = object["NS.uuidbytes"]?.node, data.count == 16 else { return nil }
            return .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
        case "NSURL":
            guard let relative = object.text("NS.relative") else { return nil }
            let base = object["NS.base"]?.text("NS.relative").flatMap { URL(string: $0) }
            return URL(string: relative, relativeTo: base).map { .url($0.absoluteURL) }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return decimal(object).map { .decimal($0) }
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet":
            let isOrdered = object.className != "NSSet" && object.className != "NSMutableSet"
            guard depth < 16 else { return nil }
            let values = object.elements.map { predicateValue($0, depth: depth + 1) }
            return values.contains { $0 == nil } ? nil : .list(values.compactMap { $0 }, isOrdered: isOrdered)
        default: return nil
        }
    }

    private static func decimal(_ object: ArchivedObject) -> Decimal? {
        guard case .data(let mantissa)? = object["NS.mantissa"]?.node, let exponent = object.integer("NS.exponent") else { return nil }
        return ArchivedDecimal(
            mantissa: mantissa, exponent: exponent, length: object.integer("NS.length") ?? 8, isNegative: object.boolean("NS.negative"),
            isBigEndian: object.integer("NS.mantissa.bo") == 2
        ).value
    }
}
