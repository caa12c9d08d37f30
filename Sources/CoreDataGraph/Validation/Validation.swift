import CoreDataSchema

/// Checks an object's values against its entity's constraints.
package enum Validation {
    /// Every failure of an object, by slot: nothing stops at the first. `isNull` is asked for required slots, `value` for
    /// those that have rules or have failed, `count` for to-manys with a minimum or maximum.
    package static func failures(
        _ validation: CompiledValidation, isNull: (Int) throws -> Bool, value: (Int) throws -> AttributeValue,
        count: (Int) throws -> Int
    ) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for slot in validation.required where try isNull(slot) {
            failures.append(ValidationFailure(slot: slot, code: 1570, value: .null))
        }
        for ruled in validation.ruled { try check(ruled, try value(ruled.slot), &failures) }
        for composed in validation.composed { try check(composed, try value(composed.slot), &failures) }
        for counted in validation.counted { check(counted, try count(counted.slot), &failures) }
        if failures.count > 1 { failures.sort { $0.slot < $1.slot } }
        return failures
    }

    /// The failures of one attribute or to-one with this value.
    package static func failures(
        _ validation: CompiledValidation, slot: Int, value: AttributeValue
    ) throws -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        if value.isNull, validation.required.contains(slot) {
            failures.append(ValidationFailure(slot: slot, code: 1570, value: .null))
        }
        for ruled in validation.ruled where ruled.slot == slot { try check(ruled, value, &failures) }
        for composed in validation.composed where composed.slot == slot { try check(composed, value, &failures) }
        return failures
    }

    /// The failures of one to-many with this many members.
    package static func failures(_ validation: CompiledValidation, slot: Int, count: Int) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for counted in validation.counted where counted.slot == slot { check(counted, count, &failures) }
        return failures
    }

    private static func check(
        _ ruled: CompiledValidation.RuledSlot, _ value: AttributeValue, _ failures: inout [ValidationFailure]
    ) throws {
        if value.isNull { return }
        for rule in ruled.rules where !(try rule.passes(value, kind: ruled.kind)) {
            switch rule.warning {
            case .code(let code):
                failures.append(ValidationFailure(slot: ruled.slot, code: code, value: value, predicateFormat: rule.format))
            case .text(let text):
                failures.append(
                    ValidationFailure(slot: ruled.slot, code: 1550, value: value, predicateFormat: rule.format, warning: text))
            }
        }
    }

    /// A composite that is nil has no elements to be wrong.
    private static func check(
        _ composed: CompiledValidation.ComposedSlot, _ value: AttributeValue, _ failures: inout [ValidationFailure]
    ) throws {
        guard case .composite(let values) = value else { return }
        try check(composed.elements, values, ValidationFailure(slot: composed.slot, code: 1570, value: .null), &failures)
    }

    private static func check(
        _ elements: [CompiledValidation.ComposedSlot.Element], _ values: [String: AttributeValue], _ base: ValidationFailure,
        _ failures: inout [ValidationFailure]
    ) throws {
        for element in elements {
            let value = values[element.name] ?? .null
            var failure = base
            failure.element = ElementPath(names: (base.element?.names ?? []) + [element.name], type: element.type)
            if value.isNull {
                if !element.isOptional { failures.append(failure) }
                continue
            }
            failure.value = value
            if case .composite(let inner) = value {
                failure.value = .null
                try check(element.elements, inner, failure, &failures)
                continue
            }
            for rule in element.rules where !(try rule.passes(value, kind: StorageKind(element.type))) {
                failure.predicateFormat = rule.format
                switch rule.warning {
                case .code(let code): (failure.code, failure.warning) = (code, nil)
                case .text(let text): (failure.code, failure.warning) = (1550, text)
                }
                failures.append(failure)
            }
        }
    }

    private static func check(
        _ counted: CompiledValidation.CountedSlot, _ count: Int, _ failures: inout [ValidationFailure]
    ) {
        if count < counted.minimum && !(count == 0 && counted.isOptional) {
            failures.append(ValidationFailure(slot: counted.slot, code: 1580, value: .null))
        } else if counted.maximum > 0 && count > counted.maximum {
            failures.append(ValidationFailure(slot: counted.slot, code: 1590, value: .null))
        }
    }
}
