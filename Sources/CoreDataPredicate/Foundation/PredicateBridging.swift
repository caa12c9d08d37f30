import CoreDataSchema
import Foundation

/// Between the values people hold (`Any?`) and the values predicates work with.
///
/// Invariant: `value(of: any(v)) == v` for every `v` but dates in an `NSDate`'s stead and lists, whose sets become arrays.
package enum PredicateBridging {
    /// What `any` is to a predicate. nil, `NSNull` and nested nil optionals are `.null`.
    ///
    /// Throws for what no predicate can compare: enums and structs without a Foundation counterpart, ranges, closures.
    package static func value(of any: Any?) throws(PredicateBridgingError) -> PredicateValue {
        guard let any else { return .null }
        if let value = plain(any) { return value }
        // On Linux `as? NSNumber`, `as? NSString` also succeed for Swift's own values, and `NSNumber(value: 1) as? Bool`
        // is true: only the dynamic type says which of the two kinds is there.
        if let object = instance(any) { return try value(ofObject: object) }
        if let value = try value(ofStandard: any) { return value }
        if let value = try value(ofCollection: any) { return value }
        throw refusal(of: any)
    }

    /// What a key's value is to a predicate: as `value(of:)`, but dictionaries stay objects that answer for keys, and what
    /// has no counterpart is carried as an opaque object.
    package static func value(ofProperty any: Any?) -> PredicateValue {
        switch any {
        case nil: return .null
        case let optional as any OptionalValue: return value(ofProperty: optional.wrappedAny)
        case let text as String: return .string(text)
        case let dictionary as [AnyHashable: Any]: return .object(OpaqueObject(NSDictionary(dictionary: dictionary)))
        case let array as NSArray: return .list(array.map { value(ofProperty: $0) })
        case let some?:
            do { return try value(of: some) } catch { return .object(OpaqueObject(instance(some) ?? BoxedValue(some))) }
        }
    }

    /// Most values are of these types, and comparing types costs a tenth of the casts that find all others.
    static func plain(_ any: Any) -> PredicateValue? {
        let type = type(of: any)
        if type == String.self { return (any as? String).map(PredicateValue.string) }
        if type == Int.self { return (any as? Int).map { .integer(Int64($0)) } }
        if type == Int64.self { return (any as? Int64).map(PredicateValue.integer) }
        if type == Double.self { return (any as? Double).map(PredicateValue.real) }
        if type == Date.self { return (any as? Date).map(PredicateValue.date) }
        if type == UUID.self { return (any as? UUID).map(PredicateValue.uuid) }
        return nil
    }

    /// The object in `any`, nil when it holds a value type.
    private static func instance(_ any: Any) -> AnyObject? {
        type(of: any) is AnyObject.Type ? any as AnyObject : nil
    }

    private static func value(ofStandard any: Any) throws(PredicateBridgingError) -> PredicateValue? {
        switch any {
        case let value as any OptionalValue: return try self.value(of: value.wrappedAny)
        case let value as Bool: return .boolean(value)
        case let value as Int: return .integer(Int64(value))
        case let value as String: return .string(value)
        case let value as Double: return .real(value)
        case let value as Decimal: return .decimal(value)
        case let value as Date: return .date(value)
        case let value as UUID: return .uuid(value)
        case let value as Data: return .data(value)
        case let value as URL: return .url(value)
        case let value as any BinaryInteger: return integer(value)
        case let value as any BinaryFloatingPoint: return .real(Double(value))
        case let value as Substring: return .string(String(value))
        case let value as Character: return .string(String(value))
        default: break
        }
        if let hashable = any as? AnyHashable, type(of: any) == AnyHashable.self { return try value(of: hashable.base) }
        return nil
    }

    /// The integer, as a decimal when it exceeds 64 signed bits.
    private static func integer(_ value: some BinaryInteger) -> PredicateValue {
        if let small = Int64(exactly: value) { return .integer(small) }
        return .decimal(Decimal(string: String(value)) ?? .nan)
    }

    private static func value(ofCollection any: Any) throws(PredicateBridgingError) -> PredicateValue? {
        if any is any RangeExpression {
            throw PredicateBridgingError("A range (\(any)) is not a predicate value. Pass its bounds: BETWEEN %@ takes [lower, upper].")
        }
        // A dictionary stands for its values, as for Apple's IN.
        if let dictionary = any as? [AnyHashable: Any] { return try list(dictionary.values, isOrdered: false) }
        if let collection = any as? any Collection { return try list(collection, isOrdered: !(any is any Unordered)) }
        return nil
    }

    static func list(_ elements: some Sequence, isOrdered: Bool = true) throws(PredicateBridgingError) -> PredicateValue {
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.underestimatedCount)
        for element in elements { values.append(try value(ofMember: element)) }
        return .list(values, isOrdered: isOrdered)
    }

    /// A list's dictionaries answer for keys (`ANY %@.id == id`); one by itself stands for its values.
    private static func value(ofMember any: Any) throws(PredicateBridgingError) -> PredicateValue {
        if let value = plain(any) { return value }
        if any is any Keyed, let dictionary = any as? [AnyHashable: Any] {
            return .object(OpaqueObject(NSDictionary(dictionary: dictionary)))
        }
        return try value(of: any)
    }

    private static func refusal(of any: Any) -> PredicateBridgingError {
        let type = String(describing: type(of: any))
        if any is any RawRepresentable {
            return PredicateBridgingError("A value of type \(type) cannot be compared in a predicate. Pass its rawValue.")
        }
        return PredicateBridgingError(
            "A value of type \(type) cannot be compared in a predicate. Pass a number, string, date, UUID, URL, Data, managed object, object ID, or a collection of these."
        )
    }
}

/// Any `Set`, whatever it holds.
protocol Unordered {}

extension Set: Unordered {}

/// Any dictionary, whatever it holds.
protocol Keyed {}

extension Dictionary: Keyed {}
extension NSDictionary: Keyed {}

/// Any `Optional`, whatever it wraps.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    /// `\.!`
    static var forcingPath: AnyKeyPath { get }
    var wrappedAny: Any? { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    static var forcingPath: AnyKeyPath { \Wrapped?.! }

    var wrappedAny: Any? {
        switch self {
        case .none: nil
        case .some(let value): value
        }
    }
}
