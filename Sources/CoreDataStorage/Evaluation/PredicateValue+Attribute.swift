import CoreDataPredicate
import CoreDataSchema
import Foundation

extension PredicateValue {
    /// A slot's value as predicates see it. `reference` makes what stands for the destination of a to-one.
    package init(_ value: AttributeValue, kind: StorageKind, reference: (RowKey) -> PredicateReference = { PredicateReference(BareReference($0)) }) {
        self = switch value {
        case .null: .null
        case .integer(let number): kind == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): kind == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .real(number)
        case .decimal(let number): .decimal(number)
        case .string(let text): kind == .uri ? URL(string: text).map(PredicateValue.url) ?? .string(text) : .string(text)
        case .uuid(let uuid): .uuid(uuid)
        case .data(let data): .data(data)
        case .reference(let key): .reference(reference(key))
        case .object(let object): .object(object)
        case .composite: .object(OpaqueObject(CompositeBox(value)))
        }
    }
}

/// A row's key alone, in a predicate.
package final class BareReference: PredicateReferent {
    package let predicateKey: RowKey

    package init(_ key: RowKey) { predicateKey = key }

    package var predicateText: String { "entity \(predicateKey.entity) p\(predicateKey.primaryKey)" }
    package var predicateSubject: (any PredicateSubject)? { nil }
}
