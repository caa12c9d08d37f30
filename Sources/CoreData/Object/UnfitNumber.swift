import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Numbers that an attribute's type cannot hold. A setter takes them, as at Apple's (VA20), and the save refuses them (TY04).
///
/// Until then the slot keeps the very number: as an integer where 64 bits hold it, as an object otherwise.
enum UnfitNumber {
    /// What the slot keeps; nil when the object is no number, or the type none of numbers.
    static func kept(_ object: Any, type: AttributeType?) -> AttributeValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            if let whole = ExactInteger.value(object, within: .integer64) { return .integer(whole) }
        case .float:
            if let number = ValueBridging.number(object) { return .real(number.doubleValue) }
        case .decimal: break
        default: return nil
        }
        if let integer = object as? any BinaryInteger, Int64(exactly: integer) == nil, UInt64(exactly: integer) == nil {
            return .object(OpaqueObject(NSNumber(value: Double(integer))))
        }
        return ValueBridging.number(object).map { .object(OpaqueObject($0)) }
    }

    /// Why an attribute of this type cannot save a value: 1610, 1620, or 1550 for what is neither too large nor too small.
    static func code(_ value: AttributeValue, type: AttributeType) -> Int? {
        switch (value, type) {
        case (.integer(let number), .integer16): beyond(number, Int64(Int16.min), Int64(Int16.max))
        case (.integer(let number), .integer32): beyond(number, Int64(Int32.min), Int64(Int32.max))
        case (.real(let number), .float) where Float(number).isInfinite && number.isFinite: code(number)
        case (.object(let box), .integer16), (.object(let box), .integer32), (.object(let box), .integer64), (.object(let box), .decimal):
            (box.value as? NSNumber).map { code($0.doubleValue) } ?? NSManagedObjectValidationError
        default: nil
        }
    }

    private static func beyond(_ number: Int64, _ lowest: Int64, _ highest: Int64) -> Int? {
        number > highest ? NSValidationNumberTooLargeError : number < lowest ? NSValidationNumberTooSmallError : nil
    }

    private static func code(_ number: Double) -> Int {
        number > 0 ? NSValidationNumberTooLargeError : number < 0 ? NSValidationNumberTooSmallError : NSManagedObjectValidationError
    }

    /// What the type holds, for a text; nil for types that hold every number.
    static func range(of type: AttributeType?) -> String? {
        switch type {
        case .integer16: "Integer 16 (\(Int16.min) to \(Int16.max))"
        case .integer32: "Integer 32 (\(Int32.min) to \(Int32.max))"
        case .integer64: "Integer 64 (\(Int64.min) to \(Int64.max))"
        case .float: "Float (up to \(Float.greatestFiniteMagnitude))"
        case .decimal: "Decimal (up to \(Decimal.greatestFiniteMagnitude))"
        default: nil
        }
    }

    /// The failures of one attribute's value; of a composite, those of its elements, each by its path.
    static func failures(_ value: AttributeValue, of property: ResolvedProperty, in entity: NSEntityDescription) -> [ValidationFailure] {
        guard let type = property.attribute?.type else { return [] }
        if case .composite(let fields) = value {
            let whole = entity.attributesByName[property.name] as? NSCompositeAttributeDescription
            return failures(fields, whole?.elements ?? [], [], property.slot)
        }
        return code(value, type: type).map { [ValidationFailure(slot: property.slot, code: $0, value: value)] } ?? []
    }

    private static func failures(
        _ fields: [String: AttributeValue], _ elements: [NSAttributeDescription], _ path: [String], _ slot: Int
    ) -> [ValidationFailure] {
        elements.flatMap { element -> [ValidationFailure] in
            guard let value = fields[element.name] else { return [] }
            let type = element.attributeType.schemaType, names = path + [element.name]
            if case .composite(let inner) = value {
                return failures(inner, (element as? NSCompositeAttributeDescription)?.elements ?? [], names, slot)
            }
            guard let code = code(value, type: type) else { return [] }
            var failure = ValidationFailure(slot: slot, code: code, value: value)
            failure.element = ElementPath(names: names, type: type)
            return [failure]
        }
    }
}

extension NSManagedObject {
    /// The slot value of an object that code sets. A number the attribute cannot hold is taken and marks this object; a value of
    /// another type stops the program (LC27).
    final func accepted(_ object: Any?, for property: ResolvedProperty) -> AttributeValue {
        if let value = ValueBridging.value(from: object, for: property, of: entity) { return value }
        guard let value = ValueBridging.unfitValue(from: object, for: property, of: entity) else {
            ValueBridging.refuse(object, for: property, of: runtime)
        }
        state.insert(.unfit)
        return value
    }

    /// Numbers set here that their attributes cannot hold.
    final var unfitNumbers: [ValidationFailure] {
        guard state.contains(.unfit), !state.contains(.inaccessible) else { return [] }
        return runtime.resolved.properties.flatMap { property -> [ValidationFailure] in
            guard property.attribute != nil else { return [] }
            return UnfitNumber.failures(value(at: property.slot), of: property, in: entity)
        }
    }

    /// Throws for numbers their attributes cannot hold, whatever the class's own validation said.
    final func refuseUnfitNumbers() throws {
        guard state.contains(.unfit) else { return }
        try ValidationErrors.throwIfAny(unfitNumbers.map { ValidationErrors.error(for: $0, of: self) })
    }
}
