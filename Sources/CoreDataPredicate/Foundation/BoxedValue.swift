import CoreDataSchema
import Foundation

/// A Swift value without a Foundation counterpart, as an object: it answers for its stored properties.
///
/// Invariant: immutable; equal to a box of an equal value when the value is Hashable.
final class BoxedValue: NSObject, PredicateSubject {
    let content: Any

    init(_ content: Any) { self.content = content }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? BoxedValue else { return false }
        if other === self { return true }
        guard let a = content as? AnyHashable, let b = other.content as? AnyHashable else { return false }
        return a == b
    }

    override var hash: Int { (content as? AnyHashable)?.hashValue ?? 0 }
    override var description: String { String(describing: content) }

    func predicateValue(forKey key: String) throws -> PredicateValue { try StoredProperties.value(forKey: key, of: content) }
    var predicateSelf: PredicateValue { .object(OpaqueObject(self)) }
}
