import CoreDataPredicate
import CoreDataSchema
import Foundation

/// The result of a batch update's expression as a value of the attribute it goes to: what a store's column would hold.
package enum BatchValue {
    /// Throws `BatchError` for a result of another kind, and for a number the attribute cannot hold.
    package static func convert(
        _ value: PredicateValue, to property: ResolvedProperty, of entity: ResolvedEntity
    ) throws(BatchError) -> AttributeValue {
        switch (property.storage, value) {
        case (_, .null): return .null
        case (.integer, _), (.boolean, _):
            guard let number = real(value) else { break }
            let whole: Int64? = if case .integer(let exact) = value { exact } else { integer(number) }
            guard let whole, range(of: property).contains(whole) else {
                throw .outOfRange(entity: entity.name, key: property.name, type: typeName(property))
            }
            return .integer(property.storage == .boolean ? (whole == 0 ? 0 : 1) : whole)
        case (.double, _), (.float, _):
            if let number = real(value) { return .real(number) }
        case (.decimal, .decimal(let number)): return .decimal(number)
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, _):
            if let number = real(value) { return .decimal(Decimal(string: "\(number)") ?? Decimal(number)) }
        case (.date, .date(let date)): return .real(date.timeIntervalSinceReferenceDate)
        case (.date, .integer), (.date, .real), (.date, .decimal): if let number = real(value) { return .real(number) }
        case (.string, .string(let text)), (.uri, .string(let text)): return .string(text)
        case (.string, .url(let url)), (.uri, .url(let url)): return .string(url.absoluteString)
        case (.uuid, .uuid(let uuid)): return .uuid(uuid)
        case (.data, .data(let data)), (.object, .data(let data)): return .data(data)
        case (.object, .object(let object)): return .object(object)
        case (.toOne, .reference(let reference)): return .reference(reference.key)
        default: break
        }
        throw .wrongType(
            entity: entity.name, key: property.name, expected: typeName(property), given: "\(value.kind) (\(value))", row: nil)
    }

    /// Whole numbers that the attribute's type holds.
    package static func range(of property: ResolvedProperty) -> ClosedRange<Int64> {
        switch property.attribute?.type {
        case .integer16: Int64(Int16.min)...Int64(Int16.max)
        case .integer32: Int64(Int32.min)...Int64(Int32.max)
        default: .min ... .max
        }
    }

    /// For error messages.
    package static func typeName(_ property: ResolvedProperty) -> String {
        switch property.storage {
        case .integer: "\(property.attribute.map { "\($0.type)" } ?? "integer")"
        case .boolean: "Boolean"
        case .double, .float: "number"
        case .decimal: "decimal number"
        case .date: "date"
        case .string: "string"
        case .uri: "URI"
        case .uuid: "UUID"
        case .data: "binary data"
        case .object, .objectID, .none: "transformable value"
        case .composite: "composite value"
        case .toOne, .toMany, .fetched: "relationship"
        }
    }

    private static func real(_ value: PredicateValue) -> Double? {
        switch value {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        default: nil
        }
    }

    /// Without its fraction, as a cast in SQL; nil when it is too large.
    private static func integer(_ number: Double) -> Int64? {
        let whole = number.rounded(.towardZero)
        return whole >= -0x1p63 && whole < 0x1p63 ? Int64(whole) : nil
    }
}
