import CoreDataSchema

extension PropertyDeclaration {
    /// Scalars and required values are never optional: a nil in the store reads as zero or empty. `valueClass` is the model's
    /// class for values the engine does not look into.
    init(_ attribute: AttributeSchema, at address: PropertyAddress, valueClass: String?, style: TypeStyle, _ type: TypeNames) {
        let isNumberOptional = attribute.usesScalar != true && attribute.isOptional
        if style == .xcode, attribute.usesScalar != true, let number = NumberClass(attribute.type) {
            self.init(number, address, type)
            return
        }
        switch attribute.type {
        case .integer16: self.init(integer: "Int16", address, isOptional: isNumberOptional, type)
        case .integer32: self.init(integer: "Int32", address, isOptional: isNumberOptional, type)
        case .integer64: self.init(plain: .integer(width: 64), type("Int64"), address, isOptional: isNumberOptional, type)
        case .boolean: self.init(plain: .boolean, type("Bool"), address, isOptional: isNumberOptional, type)
        case .double: self.init(plain: .real(isFloat: false), type("Double"), address, isOptional: isNumberOptional, type)
        case .float: self.init(float: address, isOptional: isNumberOptional, type)
        case .date where attribute.usesScalar == true: self.init(interval: address, type)
        case .date:
            self.init(.date, type("Date"), address, empty: attribute.isOptional ? nil : "\(type("Date"))(timeIntervalSinceReferenceDate: 0)", type)
        case .string: self.init(.string, type("String"), address, empty: attribute.isOptional ? nil : "\"\"", type)
        case .binary: self.init(.data, type("Data"), address, empty: attribute.isOptional ? nil : "\(type("Data"))()", type)
        case .decimal: self.init(.decimal, type("Decimal"), address, empty: attribute.isOptional ? nil : "0", type)
        case .uuid:
            let zeros = Array(repeating: "0", count: 16).joined(separator: ", ")
            self.init(.uuid, type("UUID"), address, empty: attribute.isOptional ? nil : "\(type("UUID"))(uuid: (\(zeros)))", type)
        case .uri: self.init(.url, type("URL"), address, empty: nil, type)
        case .objectID: self.init(object: type("NSManagedObjectID"), address, type)
        case .transformable, .undefined:
            self.init(object: valueClass ?? (style == .xcode && attribute.type == .transformable ? type("NSObject") : "Any"), address, type)
        case .composite:
            let text = "[\(type("String")): Any]"
            self.init(type: "\(text)?", getter: address.read(.composite(text), type), setter: address.write(.composite(text), "newValue"))
        }
    }

    /// Types that have accessors of their own for nil and for zero.
    private init(plain value: PropertyAddress.Value, _ name: String, _ address: PropertyAddress, isOptional: Bool, _ type: TypeNames) {
        self.init(
            type: isOptional ? "\(name)?" : name, getter: address.read(value, isOptional: isOptional, type),
            setter: address.write(value, "newValue", isOptional: isOptional))
    }

    /// The narrow integers: a value too wide, which only another program can have stored, reads as the nearest.
    private init(integer name: String, _ address: PropertyAddress, isOptional: Bool, _ type: TypeNames) {
        let narrow = type(name), wide = type("Int64"), value = PropertyAddress.Value.integer(width: name == "Int16" ? 16 : 32)
        let read = address.read(value, isOptional: isOptional, type)
        let getter = isOptional ? "\(Self.parenthesized(read)).map { \(narrow)(clamping: $0) }" : "\(narrow)(clamping: \(read))"
        // By name the width tells the accessor which attributes it fits.
        let written = !address.isSlot ? "newValue" : isOptional ? "newValue.map { \(wide)($0) }" : "\(wide)(newValue)"
        self.init(type: isOptional ? "\(narrow)?" : narrow, getter: getter, setter: address.write(value, written, isOptional: isOptional))
    }

    private init(float address: PropertyAddress, isOptional: Bool, _ type: TypeNames) {
        let (narrow, wide) = (type("Float"), type("Double")), value = PropertyAddress.Value.real(isFloat: true)
        let read = address.read(value, isOptional: isOptional, type)
        let written = !address.isSlot ? "newValue" : isOptional ? "newValue.map { \(wide)($0) }" : "\(wide)(newValue)"
        self.init(
            type: isOptional ? "\(narrow)?" : narrow,
            getter: isOptional ? "\(Self.parenthesized(read)).map { \(narrow)($0) }" : "\(narrow)(\(read))",
            setter: address.write(value, written, isOptional: isOptional))
    }

    /// `a?.b` followed by `.map` would go on inside the optional.
    static func parenthesized(_ expression: String) -> String { expression.contains("?.") ? "(\(expression))" : expression }

    /// A scalar date is seconds since 2001, as in Xcode's classes.
    private init(interval address: PropertyAddress, _ type: TypeNames) {
        self.init(
            type: type("TimeInterval"), getter: "\(address.read(.date, type))?.timeIntervalSinceReferenceDate ?? 0",
            setter: address.write(.date, "\(type("Date"))(timeIntervalSinceReferenceDate: newValue)"))
    }

    private init(_ value: PropertyAddress.Value, _ name: String, _ address: PropertyAddress, empty: String?, _ type: TypeNames) {
        let getter = address.read(value, type)
        self.init(
            type: empty == nil ? "\(name)?" : name, getter: empty.map { "\(getter) ?? \($0)" } ?? getter,
            setter: address.write(value, "newValue"))
    }

    private init(object name: String, _ address: PropertyAddress, _ type: TypeNames) {
        // The file may say "String?" itself.
        let base = name.hasSuffix("?") ? String(name.dropLast()) : name
        self.init(type: "\(base)?", getter: address.read(.object(base), type), setter: address.write(.object(base), "newValue"))
    }
}

// MARK: Numbers as objects

extension PropertyDeclaration {
    /// The classes Xcode declares numbers as that are no scalars.
    enum NumberClass {
        case number(PropertyAddress.Value, property: String), decimal

        init?(_ type: AttributeType) {
            switch type {
            case .integer16: self = .number(.integer(width: 16), property: "int64Value")
            case .integer32: self = .number(.integer(width: 32), property: "int64Value")
            case .integer64: self = .number(.integer(width: 64), property: "int64Value")
            case .boolean: self = .number(.boolean, property: "boolValue")
            case .double, .float: self = .number(.real(isFloat: false), property: "doubleValue")
            case .decimal: self = .decimal
            default: return nil
            }
        }
    }

    private init(_ number: NumberClass, _ address: PropertyAddress, _ type: TypeNames) {
        switch number {
        case .number(let value, let property):
            let name = type("NSNumber")
            self.init(
                type: "\(name)?", getter: "\(Self.parenthesized(address.read(value, type))).map { \(name)(value: $0) }",
                setter: address.write(value, "newValue?.\(property)"))
        case .decimal:
            let name = type("NSDecimalNumber")
            self.init(
                type: "\(name)?", getter: "\(address.read(.decimal, type)).map { \(name)(decimal: $0) }",
                setter: address.write(.decimal, "newValue?.decimalValue"))
        }
    }
}

// MARK: Types of the program's own

extension PropertyDeclaration {
    /// A number or text as a type that has it as its raw value, or as a wider or narrower integer. nil for attributes of other types.
    ///
    /// A required one that holds what is no value of the type reads as the default.
    init?(_ attribute: AttributeSchema, as name: String, at address: PropertyAddress, _ type: TypeNames) {
        let value: PropertyAddress.Value, raw: String
        switch attribute.type {
        case .integer16: (value, raw) = (.integer(width: 16), type("Int16"))
        case .integer32: (value, raw) = (.integer(width: 32), type("Int32"))
        case .integer64: (value, raw) = (.integer(width: 64), type("Int64"))
        case .double, .float: (value, raw) = (.real(isFloat: false), type("Double"))
        case .string: (value, raw) = (.string, "")
        default: return nil
        }
        let isOptional = attribute.isOptional && attribute.usesScalar != true
        // Slots hold the widest numbers; by name the width tells the accessor which attributes it fits.
        let wide = if !address.isSlot { raw } else if case .real = value { type("Double") } else { type("Int64") }
        if Self.integers.contains(name) {
            guard case .integer = value else { return nil }
            let read = Self.parenthesized(address.read(value, isOptional: isOptional, type))
            self.init(
                type: isOptional ? "\(name)?" : name, getter: isOptional ? "\(read).map { \(name)(clamping: $0) }" : "\(name)(clamping: \(read))",
                setter: address.write(value, isOptional ? "newValue.map { \(wide)($0) }" : "\(wide)(newValue)", isOptional: isOptional))
            return
        }
        let stored = switch value {
        case .string: isOptional ? "newValue?.rawValue" : "newValue.rawValue"
        default: isOptional ? "newValue.map { \(wide)($0.rawValue) }" : "\(wide)(newValue.rawValue)"
        }
        let found = "_case(\(address.read(value, isOptional: isOptional, type)), as: \(name).self)"
        let instead = Self.literal(attribute.defaultValue).map { "_case(\($0), as: \(name).self)" } ?? "nil"
        self.init(
            type: isOptional ? "\(name)?" : name,
            getter: isOptional ? found : "_requiredCase(\(found), else: \(instead), of: \(SourceText.literal(attribute.name)))",
            setter: address.write(value, stored, isOptional: isOptional))
    }

    private static let integers: Set<String> = ["Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64"]

    private static func literal(_ value: AttributeValue) -> String? {
        switch value {
        case .integer(let number): "\(number)"
        case .real(let number) where number.isFinite: "\(number)"
        case .string(let text): SourceText.literal(text)
        default: nil
        }
    }
}
