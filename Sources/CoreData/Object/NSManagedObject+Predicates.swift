import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension NSManagedObject: PredicateReferent, PredicateSubject {
    package final var predicateKey: RowKey { key }
    package final var predicateText: String { objectID.uriRepresentation().absoluteString }
    package final var predicateSubject: (any PredicateSubject)? { self }
    package final var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }

    package final func predicateValue(forKey key: String) throws -> PredicateValue {
        guard let property = runtime.resolved.property(named: key) else {
            if let special = specialValue(forKey: key) { return special }
            if let value = classValue(forKey: key) { return try PredicateBridging.value(of: value) }
            throw CocoaError(.keyValueValidation, userInfo: [
                NSLocalizedDescriptionKey: "keypath \(key) not found in entity \(runtime.name)",
            ])
        }
        // A class of the program's may have another accessor, or coding of its own.
        if !classCoding.isPlain, property.storage != .composite { return PredicateValue(coded: value(forKey: key)) }
        switch property.storage {
        case .toOne: return related(at: property.slot).map { .reference(PredicateReference($0)) } ?? .null
        case .toMany:
            return .list(members(at: property.slot).map { .reference(PredicateReference($0)) }, isOrdered: property.relationship?.isOrdered == true)
        case .fetched: return .list(fetchedObjects(at: property.slot).map { .reference(PredicateReference($0)) })
        case .composite:
            guard case .composite(let elements) = value(at: property.slot) else { return .null }
            return .reference(PredicateReference(CompositeSubject(elements, of: property, in: runtime.resolvedModel)))
        // What the row keeps of a transformable is its archive.
        case .object: return PredicateBridging.value(ofProperty: value(forKey: key))
        default: return PredicateValue(value(at: property.slot), of: property, in: self)
        }
    }

    private final func specialValue(forKey key: String) -> PredicateValue? {
        switch key {
        case "self": .reference(PredicateReference(self))
        case "objectID": .reference(PredicateReference(objectID))
        case "entity": .object(OpaqueObject(entity))
        default: ownValue(forKey: key).map { PredicateValue(coded: $0) }
        }
    }
}

extension PredicateValue {
    /// What key-value coding answered.
    init(coded value: Any?) {
        self = (try? PredicateBridging.value(of: value)) ?? value.map { .object(OpaqueObject($0 as AnyObject)) } ?? .null
    }

    /// An attribute's value as predicates compare it.
    init(_ value: AttributeValue, of property: ResolvedProperty, in object: NSManagedObject?) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = property.storage == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number):
            self = property.storage == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .real(number)
        case .decimal(let number): self = .decimal(number)
        case .string(let text):
            if property.storage == .uri, let url = URL(string: text) { self = .url(url) } else { self = .string(text) }
        case .uuid(let identifier): self = .uuid(identifier)
        case .data(let data):
            if property.storage == .object, let value = ValueBridging.object(from: value, of: property, in: object) {
                self = .object(OpaqueObject(value as AnyObject))
            } else {
                self = .data(data)
            }
        case .reference, .composite: self = .null
        case .object(let box): self = (try? PredicateBridging.value(of: box.value)) ?? .object(box)
        }
    }
}
