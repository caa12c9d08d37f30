import CoreDataPredicate
import CoreDataSchema

/// One `key == value` of a predicate that must hold for the whole to: unsaved objects with another value need not be tested.
///
/// Only where both sides are texts or whole numbers, which compare in one way under all rules.
struct QuickTest {
    private let slot: Int
    private let wanted: AttributeValue

    /// nil when the predicate has no such part.
    init?(_ tree: PredicateTree, _ entity: ResolvedEntity) {
        switch tree {
        case .and(let parts):
            guard let found = parts.lazy.compactMap({ QuickTest($0, entity) }).first else { return nil }
            self = found
        case .comparison(let comparison):
            guard comparison.operation == .equal, comparison.modifier == .direct, comparison.options.isEmpty,
                  case .keyPath(.evaluatedObject, let keys) = comparison.left, keys.count == 1,
                  let property = entity.property(named: keys[0]), case .constant(let value) = comparison.right
            else { return nil }
            switch (property.storage, value) {
            case (.string, .string(let text)): wanted = .string(text)
            case (.integer, .integer(let number)): wanted = .integer(number)
            default: return nil
            }
            slot = property.slot
        default: return nil
        }
    }

    func excludes(_ object: NSManagedObject) -> Bool {
        guard object.classCoding.isPlain, object.state.isDisjoint(with: [.fault, .unborn]), let edits = object.edits else { return false }
        return switch (wanted, edits[slot]) {
        case (.string(let text), .string(let other)): !text.isLiterallyEqual(to: other)
        case (.integer(let number), .integer(let other)): number != other
        default: false
        }
    }
}
