import CoreDataSchema
import Foundation

/// A value as predicates see it: constants in a tree, and what a subject answers for a key.
///
/// Invariant: equality is literal for strings (code units), by row for references and by magnitude for numbers of any
/// kind (as NSNumber's: a printed `1` equals the YES it was made from), in order for arrays and by members for sets; no
/// other kinds ever equal one another.
package enum PredicateValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    /// A managed object or object ID.
    case reference(PredicateReference)
    /// An array or ordered set, or a set, whose order says nothing.
    case list([PredicateValue], isOrdered: Bool = true)
    /// Anything else; compared with `isEqual`.
    case object(OpaqueObject)

    package static func == (left: PredicateValue, right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let a), .integer(let b)): a == b
        case (.real(let a), .real(let b)): a == b || (a.isNaN && b.isNaN)
        case (.string(let a), .string(let b)): a.isLiterallyEqual(to: b)
        case (.date(let a), .date(let b)): a == b
        case (.data(let a), .data(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        case (.url(let a), .url(let b)): a.absoluteString.isLiterallyEqual(to: b.absoluteString)
        case (.reference(let a), .reference(let b)): a == b
        case (.list(let a, let isOrderedA), .list(let b, let isOrderedB)): isOrderedA == isOrderedB && (a == b || !isOrderedA && Set(a) == Set(b))
        case (.object(let a), .object(let b)): a == b
        case (.boolean, _), (.integer, _), (.real, _), (.decimal, _):
            NumberOrdering.compare(left, right) == .orderedSame
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let value): hasher.combine(value ? 1.0 : 0.0)
        case .integer(let value): hasher.combine(Double(value))
        case .real(let value): hasher.combine(value)
        case .decimal(let value): hasher.combine(NumberOrdering.double(value))
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): for byte in value.absoluteString.utf8 { hasher.combine(byte) }
        case .reference(let value): hasher.combine(value)
        // A set's members in any order.
        case .list(let values, isOrdered: false): hasher.combine(Set(values))
        case .list(let values, _): hasher.combine(values)
        case .object(let value): hasher.combine(value)
        }
    }
}

/// A managed object or object ID inside a predicate.
///
/// Unchecked Sendable: `referent` is only asked for its row key or its values on the queue of the context that evaluates.
package final class PredicateReference: @unchecked Sendable, Hashable {
    package let referent: any PredicateReferent

    package init(_ referent: any PredicateReferent) { self.referent = referent }

    /// The key now: an object's temporary key becomes permanent when it is saved.
    package var key: RowKey { referent.predicateKey }

    package static func == (left: PredicateReference, right: PredicateReference) -> Bool {
        left.referent === right.referent || left.key == right.key
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key.primaryKey) }
}

/// What can stand for a row in a predicate: a managed object, an object ID, a row of a store.
package protocol PredicateReferent: AnyObject {
    var predicateKey: RowKey { get }
    /// How `predicateFormat` prints it.
    var predicateText: String { get }
    /// The referent as something whose keys can be read; nil for a bare ID.
    var predicateSubject: (any PredicateSubject)? { get }
}

/// What answers for keys while a predicate is evaluated in memory.
package protocol PredicateSubject {
    /// The value of one key; relationships answer `.reference` or `.list` of references. Throws when there is no such key.
    func predicateValue(forKey key: String) throws -> PredicateValue
    /// SELF.
    var predicateSelf: PredicateValue { get }
    /// Whether a to-many lies on the path; only asked where a link is broken.
    func predicateLeadsToMany(_ keys: ArraySlice<String>) -> Bool
}

extension PredicateSubject {
    package func predicateLeadsToMany(_ keys: ArraySlice<String>) -> Bool { false }
}
