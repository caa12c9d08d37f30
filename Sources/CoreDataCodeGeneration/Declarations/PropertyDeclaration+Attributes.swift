import CoreDataSchema

extension PropertyDeclaration {
    /// Scalars and required values are never optional: a nil in the store reads as zero or empty. `valueClass` is the model's
    /// class for values the engine does not look into.
    init(_ attribute: AttributeSchema, slot: Int, valueClass: String?, _ type: TypeNames) {
        let isNumberOptional = attribute.usesScalar != true && attribute.isOptional
        switch attribute.type {
        case .integer16: self.init(integer: type("Int16"), slot, isOptional: isNumberOptional, type)
        case .integer32: self.init(integer: type("Int32"), slot, isOptional: isNumberOptional, type)
        case .integer64: self.init(plain: "Int64", type("Int64"), slot, isOptional: isNumberOptional)
        case .boolean: self.init(plain: "Bool", type("Bool"), slot, isOptional: isNumberOptional)
        case .double: self.init(plain: "Double", type("Double"), slot, isOptional: isNumberOptional)
        case .float: self.init(float: slot, isOptional: isNumberOptional, type)
        case .date where attribute.usesScalar == true: self.init(interval: slot, type)
        case .date:
            self.init(
                value: "Date", type("Date"), slot, empty: attribute.isOptional ? nil : "\(type("Date"))(timeIntervalSinceReferenceDate: 0)")
        case .string: self.init(value: "String", type("String"), slot, empty: attribute.isOptional ? nil : "\"\"")
        case .binary: self.init(value: "Data", type("Data"), slot, empty: attribute.isOptional ? nil : "\(type("Data"))()")
        case .decimal: self.init(value: "Decimal", type("Decimal"), slot, empty: attribute.isOptional ? nil : "0")
        case .uuid:
            let zeros = Array(repeating: "0", count: 16).joined(separator: ", ")
            self.init(value: "UUID", type("UUID"), slot, empty: attribute.isOptional ? nil : "\(type("UUID"))(uuid: (\(zeros)))")
        case .uri: self.init(value: "URL", type("URL"), slot, empty: nil)
        case .objectID: self.init(object: type("NSManagedObjectID"), slot)
        case .transformable, .undefined: self.init(object: valueClass ?? "Any", slot)
        case .composite:
            self.init(
                type: "[\(type("String")): Any]?", getter: "_composite(at: \(slot))", setter: "_setComposite(newValue, at: \(slot))")
        }
    }

    /// Types that have accessors of their own for nil and for zero.
    private init(plain name: String, _ type: String, _ slot: Int, isOptional: Bool) {
        let setter = "_set\(name)(newValue, at: \(slot))"
        if isOptional {
            self.init(type: "\(type)?", getter: "_optional\(name)(at: \(slot))", setter: setter)
        } else {
            self.init(type: type, getter: "_\(name.lowercased())(at: \(slot))", setter: setter)
        }
    }

    /// The narrow integers: a value too wide, which only another program can have stored, reads as the nearest.
    private init(integer type: String, _ slot: Int, isOptional: Bool, _ types: TypeNames) {
        let wide = types("Int64")
        if isOptional {
            self.init(
                type: "\(type)?", getter: "_optionalInt64(at: \(slot)).map { \(type)(clamping: $0) }",
                setter: "_setInt64(newValue.map { \(wide)($0) }, at: \(slot))")
        } else {
            self.init(
                type: type, getter: "\(type)(clamping: _int64(at: \(slot)))", setter: "_setInt64(\(wide)(newValue), at: \(slot))")
        }
    }

    private init(float slot: Int, isOptional: Bool, _ types: TypeNames) {
        let (narrow, wide) = (types("Float"), types("Double"))
        if isOptional {
            self.init(
                type: "\(narrow)?", getter: "_optionalDouble(at: \(slot)).map { \(narrow)($0) }",
                setter: "_setDouble(newValue.map { \(wide)($0) }, at: \(slot))")
        } else {
            self.init(type: narrow, getter: "\(narrow)(_double(at: \(slot)))", setter: "_setDouble(\(wide)(newValue), at: \(slot))")
        }
    }

    /// A scalar date is seconds since 2001, as in Xcode's classes.
    private init(interval slot: Int, _ types: TypeNames) {
        self.init(
            type: types("TimeInterval"), getter: "_date(at: \(slot))?.timeIntervalSinceReferenceDate ?? 0",
            setter: "_setDate(\(types("Date"))(timeIntervalSinceReferenceDate: newValue), at: \(slot))")
    }

    private init(value name: String, _ type: String, _ slot: Int, empty: String?) {
        // `_url` and `_uuid`, but `_string`.
        let getter = "_\(name.lowercased())(at: \(slot))"
        self.init(
            type: empty == nil ? "\(type)?" : type, getter: empty.map { "\(getter) ?? \($0)" } ?? getter,
            setter: "_set\(name)(newValue, at: \(slot))")
    }

    private init(object type: String, _ slot: Int) {
        // The file may say "String?" itself.
        let base = type.hasSuffix("?") ? String(type.dropLast()) : type
        self.init(
            type: "\(base)?", getter: "_object(at: \(slot), as: \(base).self)", setter: "_setObject(newValue, at: \(slot))")
    }
}
