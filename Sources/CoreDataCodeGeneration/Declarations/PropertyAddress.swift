/// How generated code reaches a property: by its slot in the class's own table, or by name, as the accessors of `@NSManaged` properties do.
/// Names are for classes whose tables nobody can write: extensions cannot override what would say them.
enum PropertyAddress: Equatable {
    case slot(Int)
    case name(String)

    /// What an accessor reads and writes.
    enum Value: Equatable {
        case integer(width: Int), boolean, real(isFloat: Bool)
        case string, date, data, uuid, url, decimal
        /// Any other, by its type.
        case object(String)
        /// A dictionary, by its type.
        case composite(String)

        fileprivate var name: String {
            switch self {
            case .integer: "Int64"
            case .boolean: "Bool"
            case .real: "Double"
            case .string: "String"
            case .date: "Date"
            case .data: "Data"
            case .uuid: "UUID"
            case .url: "URL"
            case .decimal: "Decimal"
            case .object: "Object"
            case .composite: "Composite"
            }
        }
    }

    /// An expression for the value: optional, but for numbers that are read as 0 when nil.
    func read(_ value: Value, isOptional: Bool = true, _ type: TypeNames) -> String {
        switch self {
        case .slot(let slot):
            switch value {
            case .integer, .boolean, .real: isOptional ? "_optional\(value.name)(at: \(slot))" : "_\(value.name.lowercased())(at: \(slot))"
            case .object(let type): "_object(at: \(slot), as: \(type).self)"
            // `_url` and `_uuid`, but `_string`.
            default: "_\(value.name.lowercased())(at: \(slot))"
            }
        case .name(let name): read(value, named: SourceText.literal(name), isOptional: isOptional, type)
        }
    }

    private func read(_ value: Value, named name: String, isOptional: Bool, _ type: TypeNames) -> String {
        let number = "_managed(\(name), as: \(type("NSNumber")).self)"
        return switch value {
        case .integer: isOptional ? "\(number)?.int64Value" : "_managedInteger(\(name))"
        case .boolean: isOptional ? "\(number)?.boolValue" : "_managedBool(\(name))"
        case .real: isOptional ? "\(number)?.doubleValue" : "_managedDouble(\(name))"
        case .object(let type), .composite(let type): "_managed(\(name), as: \(type).self)"
        default: "_managed\(value.name)(\(name))"
        }
    }

    /// A statement that sets the value: `expression` is of the type `read` gives, or a number of the attribute's own width.
    func write(_ value: Value, _ expression: String, isOptional: Bool = true) -> String {
        switch self {
        case .slot(let slot): return "_set\(value.name)(\(expression), at: \(slot))"
        case .name(let name):
            let name = SourceText.literal(name)
            switch value {
            case .integer, .boolean, .real: return "_setManaged(\(isOptional ? "any: " : "")\(expression), \(name))"
            case .string, .date, .data, .uuid: return "_setManaged(\(expression), \(name))"
            case .url, .decimal, .object, .composite: return "_setManaged(any: \(expression), \(name))"
            }
        }
    }

    var isSlot: Bool { if case .slot = self { true } else { false } }
}
