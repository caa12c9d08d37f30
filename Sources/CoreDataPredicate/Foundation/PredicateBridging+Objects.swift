import CoreDataSchema
import Foundation

extension PredicateBridging {
    /// What an instance of a class is to a predicate. Classes without a meaning of their own are opaque.
    static func value(ofObject object: AnyObject) throws(PredicateBridgingError) -> PredicateValue {
        switch object {
        case let referent as any PredicateReferent: return .reference(PredicateReference(referent))
        case is NSNull: return .null
        case let number as NSNumber: return value(ofNumber: number)
        case let string as NSString: return .string(String(string))
        case let date as NSDate: return .date(date as Date)
        case let data as NSData: return .data(data as Data)
        case let uuid as NSUUID: return .uuid(uuid as UUID)
        case let url as NSURL: return .url(url.absoluteURL ?? url as URL)
        case let array as NSArray: return try list(array)
        case let set as NSSet: return try list(set, isOrdered: false)
        case let set as NSOrderedSet: return try list(set)
        case let dictionary as NSDictionary: return try list(dictionary.allValues, isOrdered: false)
        default: return .object(OpaqueObject(object))
        }
    }

    /// An `NSNumber` by its own kind.
    private static func value(ofNumber number: NSNumber) -> PredicateValue {
        if let decimal = number as? NSDecimalNumber { return .decimal(decimal.decimalValue) }
        // The two Booleans are singletons; their type code is that of Int8, and casts take 0 and 1 for Booleans too.
        if number === NSNumber(value: true) { return .boolean(true) }
        if number === NSNumber(value: false) { return .boolean(false) }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .real(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max): return .decimal(Decimal(number.uint64Value))
        default: return .integer(number.int64Value)
        }
    }

    /// The value as Foundation would hand it out: numbers as `NSNumber` (so that every numeric cast works), null as nil,
    /// lists as arrays with `NSNull` for null.
    package static func any(_ value: PredicateValue) -> Any? {
        switch value {
        case .null: nil
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .reference(let value): value.referent
        case .list(let values, _): values.map { any($0) ?? NSNull() }
        case .object(let value): (value.value as? BoxedValue)?.content ?? value.value
        }
    }

    /// What stands behind one placeholder: expressions and predicates take its place, everything else is a value.
    package static func argument(_ any: Any?) throws(PredicateBridgingError) -> PredicateArgument {
        if let any, let value = plain(any) { return .value(value) }
        return switch any {
        case let expression as NSExpression: .expression(try ExpressionBridging.tree(of: expression))
        case let predicate as NSPredicate: .predicate(predicate.tree)
        default: .value(try value(of: any))
        }
    }
}
