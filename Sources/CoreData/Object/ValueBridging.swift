import CoreDataSchema
import CoreDataStorage

/// Turns slot values into the objects key-value coding hands out, and back.
///
/// Numbers come out as `NSNumber` (which casts to any Swift number type), decimals as `NSDecimalNumber`; what goes in may
/// be the Swift or the Foundation form.
package enum ValueBridging {
    /// An attribute's value as an object, nil for null.
    package static func object(from value: AttributeValue, of property: ResolvedProperty, in object: NSManagedObject?) -> Any? {
        switch value {
        case .null: nil
        case .integer(let number):
            switch property.attribute?.type {
            case .boolean: NSNumber(value: number != 0)
            case .integer16: NSNumber(value: Int16(clamping: number))
            case .integer32: NSNumber(value: Int32(clamping: number))
            default: NSNumber(value: number)
            }
        case .real(let number):
            switch property.storage {
            case .date: Date(timeIntervalSinceReferenceDate: number)
            case .float: NSNumber(value: Float(number))
            default: NSNumber(value: number)
            }
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case .string(let text): property.storage == .uri ? URL(string: text) as Any? : text
        case .uuid(let identifier): identifier
        case .data(let data):
            property.storage == .object ? unarchived(data, property, object) : data
        case .reference: nil
        case .object(let box):
            if let external = box.value as? ExternalData {
                object == nil ? try? external.read() : object?.data(of: external, at: property.slot)
            } else {
                box.value
            }
        case .composite: object?.entity.attributesByName[property.name].flatMap { value.object(of: $0) }
        }
    }

    /// nil, and told of, when the bytes cannot be turned into an object (TY13, TY14).
    private static func unarchived(_ data: Data, _ property: ResolvedProperty, _ object: NSManagedObject?) -> Any? {
        switch Transformation.reading(of: data, of: property) {
        case .object(let value): return value
        case .unreadable(let error, _):
            object?.noteUnreadable(property, error)
            return nil
        }
    }

    /// The slot value of an object, or nil when the property cannot hold it.
    package static func value(from object: Any?, for property: ResolvedProperty, of entity: NSEntityDescription?) -> AttributeValue? {
        guard let object = unwrapped(object) else { return .null }
        switch property.storage {
        case .integer: return ExactInteger.value(object, within: property.attribute?.type).map(AttributeValue.integer)
        case .boolean:
            if let flag = object as? Bool { return .integer(flag ? 1 : 0) }
            return number(object).map { .integer($0.int64Value != 0 ? 1 : 0) }
        case .double: return number(object).map { .real($0.doubleValue) }
        case .float: return number(object).map { .real(Double($0.floatValue)) }
        case .date: return (object as? Date).map { .real($0.timeIntervalSinceReferenceDate) }
        case .decimal: return decimal(object).map(AttributeValue.decimal)
        case .string: return text(object).map(AttributeValue.string)
        case .uri: return (object as? URL).map { .string($0.absoluteString) }
        case .uuid: return (object as? UUID).map(AttributeValue.uuid)
        case .data: return (object as? Data).map(AttributeValue.data)
        case .object, .none, .objectID: return .object(OpaqueObject(object as AnyObject))
        case .composite: return entity?.attributesByName[property.name].flatMap { AttributeValue(object: object, of: $0) }
        case .toOne, .toMany, .fetched: return nil
        }
    }

    /// As `value(from:for:)`, stopping the program at a value of the wrong type (LC27).
    package static func require(_ object: Any?, for property: ResolvedProperty, of runtime: EntityRuntime) -> AttributeValue {
        if let value = value(from: object, for: property, of: runtime.entity) { return value }
        if let object, let range = property.integerRange, let number = number(object) {
            raise(.invalidArgument, "Unacceptable value for attribute: property = \"\(property.name)\"; desired type = \(range); given "
                + "value = \(number). (entity \(runtime.name))")
        }
        let given = object.map { "\(type(of: $0))" } ?? "nil"
        raise(.invalidArgument, "Unacceptable type of value for attribute: property = \"\(property.name)\"; desired type = "
            + "\(desiredType(of: property)); given type = \(given); value = \(object.map { "\($0)" } ?? "nil"). (entity \(runtime.name))")
    }

    package static func desiredType(of property: ResolvedProperty) -> String {
        switch property.storage {
        case .integer, .boolean, .double, .float: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .uri: "NSURL"
        case .uuid: "NSUUID"
        case .date: "NSDate"
        case .data: "NSData"
        case .composite: "NSDictionary"
        case .object, .none, .objectID: "NSObject"
        case .toOne: property.relationship?.schema.destinationName ?? "NSManagedObject"
        case .toMany: property.relationship?.isOrdered == true ? "NSOrderedSet" : "NSSet"
        case .fetched: "NSArray"
        }
    }

    /// Whether the value is nil, in whatever form `Any` holds it.
    static func isNull(_ object: Any) -> Bool { unwrapped(object) == nil }

    private static func unwrapped(_ object: Any?) -> Any? {
        guard let object else { return nil }
        if object is NSNull { return nil }
        guard let optional = object as? any OptionalValue else { return object }
        return unwrapped(optional.wrapped)
    }

    private static func number(_ object: Any) -> NSNumber? {
        if let number = object as? NSNumber { return number }
        if let flag = object as? Bool { return NSNumber(value: flag) }
        if let integer = object as? any BinaryInteger { return NSNumber(value: Int64(clamping: integer)) }
        if let real = object as? any BinaryFloatingPoint { return NSNumber(value: Double(real)) }
        if let decimal = object as? Decimal { return NSDecimalNumber(decimal: decimal) }
        return nil
    }

    private static func decimal(_ object: Any) -> Decimal? {
        if let decimal = object as? Decimal { return decimal }
        if let number = object as? NSDecimalNumber { return number.decimalValue }
        if let integer = object as? any BinaryInteger { return Decimal(string: "\(integer)") }
        guard let number = number(object) else { return nil }
        return Decimal(string: number.stringValue) ?? number.decimalValue
    }

    private static func text(_ object: Any) -> String? {
        if let text = object as? String { return text }
        return (object as? NSString).map { String(describing: $0) }
    }
}

/// An optional inside `Any`: a dynamic cast finds it for a fraction of what a mirror costs.
private protocol OptionalValue {
    var wrapped: Any? { get }
}

extension Optional: OptionalValue {
    fileprivate var wrapped: Any? { self }
}

extension ResolvedProperty {
    /// The name and bounds of an integer attribute's type; nil for other properties.
    fileprivate var integerRange: String? {
        guard storage == .integer else { return nil }
        return switch attribute?.type {
        case .integer16: "Integer 16 (\(Int16.min) to \(Int16.max))"
        case .integer32: "Integer 32 (\(Int32.min) to \(Int32.max))"
        default: "Integer 64 (\(Int64.min) to \(Int64.max))"
        }
    }
}
