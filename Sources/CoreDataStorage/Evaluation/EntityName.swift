import CoreDataPredicate
import CoreDataSchema

/// The entity of a row, as predicates see it: `entity.name` is its name.
package final class EntityName: PredicateSubject, Sendable {
    private let name: String

    package init(_ name: String) { self.name = name }

    package var predicateSelf: PredicateValue { .string(name) }

    package func predicateValue(forKey key: String) throws -> PredicateValue {
        guard key == "name" else {
            throw StoreError.invalidRequest("keypath entity.\(key) not found: of an entity there is only its name.")
        }
        return .string(name)
    }
}
