/// Whether an attribute can hold a value, and which.
enum AttributeFitting {
    /// The value to set, or nil when the attribute cannot hold it. With `converting`, texts become numbers, dates, identifiers
    /// and URLs, numbers and such become texts.
    static func value(_ value: Any, for attribute: NSAttributeDescription, converting: Bool) -> Any? {
        if let fitting = fitting(value, attribute.attributeType) { return fitting }
        return converting ? converted(value, attribute.attributeType).flatMap { fitting($0, attribute.attributeType) } : nil
    }

    private static func fitting(_ value: Any, _ type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType: number(value).flatMap { Int16(exactly: $0.int64Value) == nil ? nil : $0 }
        case .integer32AttributeType: number(value).flatMap { Int32(exactly: $0.int64Value) == nil ? nil : $0 }
        case .integer64AttributeType, .doubleAttributeType, .floatAttributeType, .booleanAttributeType: number(value)
        case .decimalAttributeType: decimal(value)
        case .stringAttributeType: value as? String
        case .dateAttributeType: value as? Date
        case .binaryDataAttributeType: value as? Data
        case .UUIDAttributeType: value as? UUID
        case .URIAttributeType: value as? URL
        case .transformableAttributeType: value
        case .compositeAttributeType: value as? [String: Any]
        default: nil
        }
    }

    private static func number(_ value: Any) -> NSNumber? {
        if let number = value as? NSNumber { return number }
        if let integer = value as? any FixedWidthInteger { return Int64(exactly: integer).map { NSNumber(value: $0) } }
        return (value as? Decimal).map { NSDecimalNumber(decimal: $0) }
    }

    private static func decimal(_ value: Any) -> NSDecimalNumber? {
        if let decimal = value as? Decimal { return NSDecimalNumber(decimal: decimal) }
        guard let number = number(value) else { return nil }
        return number as? NSDecimalNumber ?? NSDecimalNumber(string: number.stringValue)
    }

    private static func converted(_ value: Any, _ type: NSAttributeType) -> Any? {
        switch type {
        case .stringAttributeType: text(value)
        case .dateAttributeType: date(value)
        case .booleanAttributeType: (value as? String).flatMap(boolean)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            (value as? String).flatMap { Int64($0) }.map { NSNumber(value: $0) }
        case .doubleAttributeType, .floatAttributeType: (value as? String).flatMap { Double($0) }.map { NSNumber(value: $0) }
        case .decimalAttributeType: (value as? String).flatMap { Decimal(string: $0) }
        case .UUIDAttributeType: (value as? String).flatMap { UUID(uuidString: $0) }
        case .URIAttributeType: (value as? String).flatMap { URL(string: $0) }
        case .binaryDataAttributeType: (value as? String).flatMap { Data(base64Encoded: $0) }
        default: nil
        }
    }

    private static func text(_ value: Any) -> String? {
        switch value {
        case let url as URL: url.absoluteString
        case let identifier as UUID: identifier.uuidString
        case let date as Date: date.ISO8601Format()
        default: number(value)?.stringValue
        }
    }

    private static func date(_ value: Any) -> Date? {
        if let text = value as? String { return try? Date(text, strategy: .iso8601) }
        return number(value).map { Date(timeIntervalSince1970: $0.doubleValue) }
    }

    private static func boolean(_ text: String) -> NSNumber? {
        switch text.lowercased() {
        case "yes", "true", "1": NSNumber(value: true)
        case "no", "false", "0": NSNumber(value: false)
        default: nil
        }
    }
}
