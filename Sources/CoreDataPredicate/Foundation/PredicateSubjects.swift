import CoreDataSchema
import Foundation

/// What `evaluate(with:)` is given, as something that answers for keys.
package enum PredicateSubjects {
    /// Managed objects and dictionaries answer for themselves, values for Foundation's keys (`length`), objects and structs
    /// of Swift for their stored properties. nil answers nil for every key.
    package static func subject(of any: Any?) -> any PredicateSubject {
        switch any {
        case nil: return PlainSubject(nil)
        case let optional as any OptionalValue: return subject(of: optional.wrappedAny)
        case let referent as any PredicateReferent: return referent.predicateSubject ?? PlainSubject(referent)
        case let subject as any PredicateSubject: return subject
        case let dictionary as [AnyHashable: Any]: return NSDictionary(dictionary: dictionary)
        case let some?: return PlainSubject(some)
        }
    }
}

extension PredicateTree {
    /// Whether `object` satisfies the predicate, by memory's rules for nil.
    package func evaluate(with object: Any?, variables: [String: Any]?) throws -> Bool {
        let values = try (variables ?? [:]).mapValues { try PredicateBridging.value(of: $0) }
        return try PredicateEvaluation.evaluate(self, subject: PredicateSubjects.subject(of: object), variables: values, rules: .memory)
    }
}

extension ExpressionTree {
    /// The expression's value for `object`, by memory's rules for nil.
    package func value(with object: Any?, variables: [String: Any]?) throws -> PredicateValue {
        let values = try (variables ?? [:]).mapValues { try PredicateBridging.value(of: $0) }
        return try PredicateEvaluation.evaluate(
            expression: self, subject: PredicateSubjects.subject(of: object), variables: values, rules: .memory)
    }
}

/// A dictionary answers for its keys; a key it has not is nil.
extension NSDictionary: PredicateSubject {
    package func predicateValue(forKey key: String) throws -> PredicateValue {
        PredicateBridging.value(ofProperty: object(forKey: key))
    }

    package var predicateSelf: PredicateValue { .object(OpaqueObject(self)) }
}

/// A value, or an object that has no keys of its own making.
///
/// Invariant: `predicateSelf` is what it was made from.
struct PlainSubject: PredicateSubject {
    let predicateSelf: PredicateValue

    init(_ content: Any?) { predicateSelf = PredicateBridging.value(ofProperty: content) }

    func predicateValue(forKey key: String) throws -> PredicateValue {
        guard case .object(let object) = predicateSelf else {
            return try Evaluator(subject: self, variables: [:], rules: .memory).value(of: [key][...], from: predicateSelf)
        }
        if let boxed = object.value as? BoxedValue { return try boxed.predicateValue(forKey: key) }
        return try StoredProperties.value(forKey: key, of: object.value)
    }
}

/// Stored properties by name, where Objective-C has key-value coding.
enum StoredProperties {
    /// Throws when there is no such property; computed properties cannot be reached by name.
    static func value(forKey key: String, of object: Any) throws -> PredicateValue {
        if key == "self" { return PredicateBridging.value(ofProperty: object) }
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror {
            if let property = current.children.first(where: { $0.label == key }) {
                return PredicateBridging.value(ofProperty: property.value)
            }
            mirror = current.superclassMirror
        }
        throw PredicateEvaluationError.noSuchKey(
            key, kind: "The type \(type(of: object)), of which only stored properties can be read by name,")
    }
}
