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
            case .integer16: Int16(exactly: number).map(NSNumber.init(value:)) ?? NSNumber(value: number)
            case .integer32: Int32(exactly: number).map(NSNumber.init(value:)) ?? NSNumber(value: number)
            default: NSNumber(value: number)
            }
        case .real(let number):
            switch property.storage {
            case .date: Date(timeIntervalSinceReferenceDate: number)
            case .float: Float(number).isFinite || !number.isFinite ? NSNumber(value: Float(number)) : NSNumber(value: number)
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
        case .float: return number(object).flatMap { fitting($0) }
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

    /// nil when it has no finite value of the type, but is a number that has.
    private static func fitting(_ number: NSNumber) -> AttributeValue? {
        let narrow = number.floatValue
        return narrow.isInfinite && number.doubleValue.isFinite ? nil : .real(Double(narrow))
    }

    /// What the slot keeps of a number, or of a composite with one, that the property cannot save; nil for other objects.
    static func unfitValue(from object: Any?, for property: ResolvedProperty, of entity: NSEntityDescription?) -> AttributeValue? {
        guard let object = unwrapped(object) else { return nil }
        if property.storage != .composite { return UnfitNumber.kept(object, type: property.attribute?.type) }
        return entity?.attributesByName[property.name].flatMap { AttributeValue(object: object, of: $0, keepingUnfit: true) }
    }

    /// Stops the program at a value of the wrong type (LC27).
    static func refuse(_ object: Any?, for property: ResolvedProperty, of runtime: EntityRuntime) -> Never {
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

    static func number(_ object: Any) -> NSNumber? {
        if let number = object as? NSNumber { return number }
        if let flag = object as? Bool { return NSNumber(value: flag) }
        if let integer = object as? any BinaryInteger { return NSNumber(value: Int64(clamping: integer)) }
        if let real = object as? any BinaryFloatingPoint { return NSNumber(value: Double(real)) }
        if let decimal = object as? Decimal { return NSDecimalNumber(decimal: decimal) }
        return nil
    }

    /// nil too for what is beyond every decimal.
    static func decimal(_ object: Any) -> Decimal? {
        if let decimal = object as? Decimal { return decimal }
        if let number = object as? NSDecimalNumber { return number.decimalValue }
        if let integer = object as? any BinaryInteger { return Decimal(string: "\(integer)") }
        guard let number = number(object) else { return nil }
        if number.isFloatingPoint, abs(number.doubleValue) > NumberBounds.decimal { return nil }
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

/// The ends of what types hold, as Doubles.
private enum NumberBounds {
    /// 2^128 × 10^127; not infinity.
    static let decimal = 3.4028236692093846e165
}
