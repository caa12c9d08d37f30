import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// Property rules of an insert or update; all failures in one error.
    final func validateProperties() throws {
        checkQueue()
        guard !state.contains(.inaccessible) else { return }
        prepareForReading()
        if !classCoding.isPlain { return try validateThroughClass() }
        if let required = runtime.requiredOnly, !lacks(required), !refersToLostObjects { return try refuseUnfitNumbers() }
        var failures: [NSError] = []
        let found = try Validation.failures(
            runtime.validation, isNull: { self.isNull(at: $0) }, value: { self.value(at: $0) },
            count: { self.loadedMembers(at: $0).members?.count ?? 0 })
        for failure in withUnfitNumbers(found) { failures.append(ValidationErrors.error(for: failure, of: self)) }
        try ValidationErrors.throwIfAny(failures + danglingReferences)
    }

    /// Whether one of these is nil.
    private final func lacks(_ slots: [Int]) -> Bool {
        if let edits { return edits.lacks(slots) }
        guard let row else { return !slots.isEmpty }
        for slot in slots where row.isNull(slot) { return true }
        return false
    }

    private final var danglingReferences: [NSError] {
        let toOnes = runtime.toOneSlots.filter { slot in if case .reference(let key) = value(at: slot) { isLost(key) } else { false } }
        return (toOnes + toManySlotsWithLostMembers).map { ValidationErrors.dangling($0, of: self) }
    }

    /// Asks `validateValue(_:forKey:)`, which the class may override, for each property. A value it puts in the place of
    /// another is set. The only failure comes out as it was thrown (VA18).
    private final func validateThroughClass() throws {
        var failures: [any Error] = []
        for property in runtime.resolved.properties where isToBeValidated(property) {
            var value = value(forKey: property.name).map { $0 as AnyObject }
            let before = value
            do {
                try validateValue(&value, forKey: property.name)
                if value !== before { setValue(value, forKey: property.name) }
            } catch { failures.append(error) }
        }
        let known = Set(failures.compactMap { ($0 as NSError).userInfo[NSValidationKeyErrorKey] as? String })
        failures += unfitNumbers.map { ValidationErrors.error(for: $0, of: self) }.filter { !known.contains($0.userInfo[NSValidationKeyErrorKey] as? String ?? "") }
        failures += danglingReferences
        if failures.count == 1, let only = failures.first { throw only }
        try ValidationErrors.throwIfAny(failures.map(ErrorTranslation.error))
    }

    /// A number no type holds says one thing only, however many rules of its attribute it breaks.
    private final func withUnfitNumbers(_ found: [ValidationFailure]) -> [ValidationFailure] {
        let unfit = unfitNumbers
        if unfit.isEmpty { return found }
        let places = Set(unfit.map { [$0.slot.description] + ($0.element?.names ?? []) })
        let others = found.filter { !places.contains([$0.slot.description] + ($0.element?.names ?? [])) }
        return (others + unfit).sorted { $0.slot < $1.slot }
    }

    /// A to-many that nobody loaded is not read for a class that may not care.
    private final func isToBeValidated(_ property: ResolvedProperty) -> Bool {
        switch property.storage {
        case .fetched: false
        case .toMany: toMany?[property.slot]?.members != nil || runtime.validation.countedSlots.contains(property.slot)
        default: true
        }
    }

    /// To-many relationships to which an object was added that left the context. Where the inverse is a to-one, that says it.
    private final var toManySlotsWithLostMembers: [Int] {
        guard let toMany else { return [] }
        return toMany.keys.sorted().filter { slot in
            guard let many = toMany[slot], !many.added.isEmpty,
                  let relationship = runtime.resolved.properties[slot].relationship else { return false }
            if let inverse = relationship.inverse,
               runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot].storage == .toOne { return false }
            return many.added.contains { isLost($0) }
        }
    }

    /// Whether a relationship leads to an object that left the context.
    private final var refersToLostObjects: Bool {
        if toMany != nil, !toManySlotsWithLostMembers.isEmpty { return true }
        guard let edits, !runtime.toOneSlots.isEmpty else { return false }
        return runtime.toOneSlots.contains { slot in
            if case .reference(let key) = edits[slot] { isLost(key) } else { false }
        }
    }

    /// An unsaved object that left the context, or that this save will not write (VA26).
    private final func isLost(_ key: RowKey) -> Bool {
        guard key.isTemporary, let context = anchor?.context else { return false }
        return !context.willSave(key)
    }

    final func validateDenyRules() throws {
        checkQueue()
        guard runtime.deniesDeletion, !state.contains(.inaccessible), let context = anchor?.context else { return }
        var failures: [NSError] = []
        for slot in context.deniedSlots(of: self) { failures.append(ValidationErrors.denied(slot, of: self)) }
        try ValidationErrors.throwIfAny(failures)
    }

    /// Checks one value against the property's own rules.
    final func validate(_ value: AnyObject?, forKey key: String) throws {
        checkQueue()
        guard let property = runtime.resolved.property(named: key) else {
            // As in key-value coding anywhere: a key without rules takes any value.
            return
        }
        let failures: [ValidationFailure]
        switch property.storage {
        case .fetched: return
        case .toMany:
            failures = Validation.failures(
                runtime.validation, slot: property.slot, count: value.flatMap { ValueCollection($0)?.elements.count } ?? 0)
        case .toOne:
            let object = value is NSNull ? nil : value
            if let object, !(object is NSManagedObject) { throw ValidationErrors.wrongType(property, value: value, of: self) }
            let key = (object as? NSManagedObject)?.key
            failures = try Validation.failures(
                runtime.validation, slot: property.slot, value: key.map(AttributeValue.reference) ?? .null)
        default:
            guard let slotValue = ValueBridging.value(from: value, for: property, of: entity) else {
                guard let unfit = ValueBridging.unfitValue(from: value, for: property, of: entity) else {
                    throw ValidationErrors.wrongType(property, value: value, of: self)
                }
                failures = UnfitNumber.failures(unfit, of: property, in: entity)
                break
            }
            failures = try Validation.failures(runtime.validation, slot: property.slot, value: slotValue)
        }
        try ValidationErrors.throwIfAny(failures.map { ValidationErrors.error(for: $0, of: self, value: value) })
    }

    /// Checks a value that would be set for a key, without setting it: throws with Apple's validation codes.
    public final func validateValue(_ value: Any?, forKey key: String) throws {
        var value = value.map { $0 as AnyObject }
        try validateValue(&value, forKey: key)
    }
}

/// Validation failures as Apple's errors: domain, code, userInfo keys and a text a user can read.
enum ValidationErrors {
    /// `value` is what a relationship holds or would; an attribute’s stands in the failure.
    static func error(for failure: ValidationFailure, of object: NSManagedObject, value: AnyObject? = nil) -> NSError {
        let property = object.runtime.resolved.properties[failure.slot]
        var info = base(property, of: object)
        if let element = failure.element { return self.error(for: failure, in: element, of: property, info) }
        info[NSLocalizedDescriptionKey] = failure.warning ?? text(for: failure.code, property.name)
        info[NSLocalizedFailureReasonErrorKey] = reason(for: failure, type: property.attribute?.type)
        if property.relationship != nil {
            info[NSValidationValueErrorKey] = value ?? object.modeledValue(of: property)
        } else if let value = ValueBridging.object(from: failure.value, of: property, in: object) {
            info[NSValidationValueErrorKey] = value
        }
        if let format = failure.predicateFormat {
            let rules = object.entity.propertiesByName[property.name]?.validations ?? []
            info[NSValidationPredicateErrorKey] = rules.first { $0.rule.predicateFormat == format }?.predicate
        }
        return NSError(domain: NSCocoaErrorDomain, code: failure.code, userInfo: info)
    }

    /// Of one element of a composite: its key is the path to it.
    private static func error(
        for failure: ValidationFailure, in element: ElementPath, of property: ResolvedProperty, _ info: [String: Any]
    ) -> NSError {
        let path = ([property.name] + element.names).joined(separator: ".")
        var info = info
        info[NSValidationKeyErrorKey] = path
        info[NSLocalizedDescriptionKey] = failure.warning ?? text(for: failure.code, path)
        info[NSLocalizedFailureReasonErrorKey] = reason(for: failure, type: element.type)
        if let value = failure.value.object(type: element.type) { info[NSValidationValueErrorKey] = value }
        if let format = failure.predicateFormat { info[NSValidationPredicateErrorKey] = PredicateSource(format: format).predicate }
        return NSError(domain: NSCocoaErrorDomain, code: failure.code, userInfo: info)
    }

    /// What a type holds, of a number it does not.
    private static func reason(for failure: ValidationFailure, type: AttributeType?) -> String? {
        guard let type, failure.predicateFormat == nil, UnfitNumber.code(failure.value, type: type) != nil else { return nil }
        return UnfitNumber.range(of: type).map { "The attribute’s type is \($0)." }
    }

    static func denied(_ slot: Int, of object: NSManagedObject) -> NSError {
        let property = object.runtime.resolved.properties[slot]
        var info = base(property, of: object)
        info[NSLocalizedDescriptionKey] = "Items cannot be deleted from \(property.name)."
        info[NSLocalizedRecoverySuggestionErrorKey] = "The \(object.runtime.name) still has some, and the relationship’s delete rule "
            + "denies the deletion: delete or move them first."
        info[NSValidationValueErrorKey] = object.modeledValue(of: property)
        return NSError(domain: NSCocoaErrorDomain, code: NSValidationRelationshipDeniedDeleteError, userInfo: info)
    }

    static func dangling(_ slot: Int, of object: NSManagedObject) -> NSError {
        let property = object.runtime.resolved.properties[slot]
        var info = base(property, of: object)
        info[NSValidationValueErrorKey] = object.modeledValue(of: property)
        info[NSLocalizedDescriptionKey] = "Dangling reference to an invalid object."
        return NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError, userInfo: info)
    }

    static func wrongType(_ property: ResolvedProperty, value: AnyObject?, of object: NSManagedObject) -> NSError {
        var info = base(property, of: object)
        info[NSLocalizedDescriptionKey] = "“\(property.name)” of \(object.runtime.name) cannot hold a value of type "
            + "\(value.map { "\(type(of: $0))" } ?? "nil"); it wants \(ValueBridging.desiredType(of: property))."
        return NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectValidationError, userInfo: info)
    }

    /// Throws the one failure itself, several as one 1560 with the details (nested 1560s flattened).
    static func throwIfAny(_ failures: [NSError]) throws {
        if failures.count == 1, let only = failures.first { throw only }
        if failures.isEmpty { return }
        let details = failures.flatMap { failure -> [NSError] in
            guard failure.code == NSValidationMultipleErrorsError, failure.domain == NSCocoaErrorDomain else { return [failure] }
            return failure.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [failure]
        }
        throw NSError(domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: [
            NSDetailedErrorsKey: details,
            NSLocalizedDescriptionKey: "Multiple validation errors occurred.",
            NSLocalizedFailureReasonErrorKey: details.map(\.localizedDescription).joined(separator: "\n"),
        ])
    }

    private static func base(_ property: ResolvedProperty, of object: NSManagedObject) -> [String: Any] {
        [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: property.name]
    }

    /// The property’s name and what is wrong with its value, as Apple words it where public reports show that.
    private static func text(for code: Int, _ name: String) -> String {
        switch code {
        case NSValidationMissingMandatoryPropertyError: "\(name) is a required value."
        case NSValidationRelationshipLacksMinimumCountError: "\(name) has too few objects."
        case NSValidationRelationshipExceedsMaximumCountError: "\(name) has too many objects."
        case NSValidationNumberTooLargeError: "\(name) is too large."
        case NSValidationNumberTooSmallError: "\(name) is too small."
        case NSValidationDateTooLateError: "\(name) is too late."
        case NSValidationDateTooSoonError: "\(name) is too soon."
        case NSValidationStringTooLongError: "\(name) is too long."
        case NSValidationStringTooShortError: "\(name) is too short."
        case NSValidationStringPatternMatchingError: "\(name) does not match the pattern it must have."
        default: "\(name) is not valid."
        }
    }
}
