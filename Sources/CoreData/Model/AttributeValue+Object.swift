import CoreDataSchema
import Foundation

extension AttributeValue {
    /// What code hands in for an attribute of a type that is not composite; nil (the optional, not `.null`) when it does
    /// not fit.
    package init?(object: Any?, type: AttributeType) {
        guard let object = Self.unwrapped(object) else {
            self = .null
            return
        }
        switch type {
        case .integer16, .integer32, .integer64:
            guard let number = ExactInteger.value(object, within: type) else { return nil }
            self = .integer(number)
        case .boolean:
            guard let number = Self.number(object) else { return nil }
            self = .integer(number.boolValue ? 1 : 0)
        case .double:
            guard let number = Self.number(object) else { return nil }
            self = .real(number.doubleValue)
        case .float:
            guard let number = Self.number(object), number.floatValue.isFinite || !number.doubleValue.isFinite else { return nil }
            self = .real(Double(number.floatValue))
        case .decimal:
            guard let decimal = ValueBridging.decimal(object) else { return nil }
            self = .decimal(decimal)
        case .string:
            guard let text = object as? String else { return nil }
            self = .string(text)
        case .uri:
            guard let url = object as? URL else { return nil }
            self = .string(url.absoluteString)
        case .date:
            guard let date = object as? Date else { return nil }
            self = .real(date.timeIntervalSinceReferenceDate)
        case .binary:
            guard let data = object as? Data else { return nil }
            self = .data(data)
        case .uuid:
            guard let uuid = object as? UUID else { return nil }
            self = .uuid(uuid)
        case .transformable, .undefined: self = .object(OpaqueObject(object as AnyObject))
        case .objectID:
            guard let id = object as? NSManagedObjectID else { return nil }
            self = .object(OpaqueObject(id))
        case .composite: return nil
        }
    }

    /// The same, with the elements of a composite converted each by its own type; a field that is no element does not fit. Numbers
    /// an element cannot hold do not either, unless they are to be kept until the save.
    package init?(object: Any?, of attribute: NSAttributeDescription, keepingUnfit: Bool = false) {
        guard let composite = attribute as? NSCompositeAttributeDescription, let object = Self.unwrapped(object) else {
            let type = attribute.attributeType.schemaType
            guard let value = Self(object: object, type: type)
                ?? (keepingUnfit ? Self.unwrapped(object).flatMap { UnfitNumber.kept($0, type: type) } : nil) else { return nil }
            self = value
            return
        }
        guard let fields = object as? [String: Any] else { return nil }
        var values: [String: AttributeValue] = [:]
        for (name, field) in fields {
            guard let element = composite.elements.first(where: { $0.name == name }),
                  let value = AttributeValue(object: field, of: element, keepingUnfit: keepingUnfit) else { return nil }
            if !value.isNull { values[name] = value }
        }
        // Columns that are all NULL cannot tell an empty whole from none.
        self = values.isEmpty ? .null : .composite(values)
    }

    /// Nested optionals inside `Any` come out flat, `NSNull` counts as nil.
    private static func unwrapped(_ object: Any?) -> Any? {
        guard let object, !(object is NSNull) else { return nil }
        let mirror = Mirror(reflecting: object)
        guard mirror.displayStyle == .optional else { return object }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    private static func number(_ object: Any) -> NSNumber? {
        if let number = object as? NSNumber { return number }
        return (object as? Decimal).map { NSDecimalNumber(decimal: $0) }
    }

    /// What code gets for the value of an attribute of a type; nil for `.null`. Numbers are `NSNumber`s, as at Apple's, which
    /// cast to every number type they fit.
    package func object(type: AttributeType) -> Any? {
        switch self {
        case .null: nil
        case .integer(let value): type == .boolean ? NSNumber(value: value != 0) : NSNumber(value: value)
        case .real(let value):
            switch type {
            case .date: Date(timeIntervalSinceReferenceDate: value)
            case .float: Float(value).isFinite || !value.isFinite ? NSNumber(value: Float(value)) : NSNumber(value: value)
            default: NSNumber(value: value)
            }
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let text): type == .uri ? URL(string: text) as Any? : text
        case .uuid(let uuid): uuid
        case .data(let data): data
        case .reference: nil
        case .object(let box): box.value
        case .composite: nil
        }
    }

    /// The same, with the elements of a composite as a dictionary; elements that are nil are absent.
    package func object(of attribute: NSAttributeDescription) -> Any? {
        guard case .composite(let fields) = self, let composite = attribute as? NSCompositeAttributeDescription else {
            return object(type: attribute.attributeType.schemaType)
        }
        var result: [String: Any] = [:]
        for element in composite.elements { result[element.name] = fields[element.name]?.object(of: element) }
        return result
    }
}

extension NSNumber {
    /// Whether it was made from a Float or Double.
    package var isFloatingPoint: Bool {
        let code = UInt8(bitPattern: objCType.pointee)
        return code == UInt8(ascii: "d") || code == UInt8(ascii: "f")
    }
}
