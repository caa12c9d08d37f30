import CoreDataPredicate
import CoreDataSchema

/// One `key == value` of a predicate that must hold for the whole to: unsaved objects with another value need not be tested.
///
/// Only where both sides are of one kind whose values are equal in one way under all rules.
struct KeyEquality {
    let slot: Int
    /// What a value must hash to.
    let hash: Int64

    /// nil when the predicate has no such part.
    init?(_ tree: PredicateTree, _ entity: ResolvedEntity) {
        switch tree {
        case .and(let parts):
            guard let found = parts.lazy.compactMap({ KeyEquality($0, entity) }).first else { return nil }
            self = found
        case .comparison(let comparison):
            guard comparison.operation == .equal, comparison.modifier == .direct, comparison.options.isEmpty,
                  case .keyPath(.evaluatedObject, let keys) = comparison.left, keys.count == 1,
                  let property = entity.property(named: keys[0]), case .constant(let value) = comparison.right,
                  let hash = KeyEquality.hash(value, property.storage)
            else { return nil }
            (slot, self.hash) = (property.slot, hash)
        default: return nil
        }
    }

    private static func hash(_ value: PredicateValue, _ storage: StorageKind) -> Int64? {
        switch (storage, value) {
        case (.string, .string(let text)): AttributeValue.string(text).equalityHash
        case (.integer, .integer(let number)): AttributeValue.integer(number).equalityHash
        case (.boolean, .boolean(let flag)): AttributeValue.integer(flag ? 1 : 0).equalityHash
        case (.uuid, .uuid(let identifier)): AttributeValue.uuid(identifier).equalityHash
        case (.date, .date(let date)): AttributeValue.real(date.timeIntervalSinceReferenceDate).equalityHash
        case (.toOne, .reference(let reference)): AttributeValue.reference(reference.key).equalityHash
        default: nil
        }
    }
}

extension AttributeValue {
    /// A number that equal values of a kind share and others rarely do; nil where being equal is more than that.
    var equalityHash: Int64? {
        switch self {
        case .integer(let number): number
        // What is equal byte by byte is equal to Swift too.
        case .string(let text): Int64(text.hashValue)
        case .uuid(let identifier): Int64(identifier.hashValue)
        // 0 and -0 are equal.
        case .real(let number): number.isNaN ? nil : Int64(bitPattern: (number + 0).bitPattern)
        case .reference(let key): key.primaryKey
        case .null, .decimal, .data, .object, .composite: nil
        }
    }
}
