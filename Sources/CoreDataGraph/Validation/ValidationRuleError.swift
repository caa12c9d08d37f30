import CoreDataSchema

/// A validation rule of the model that is no predicate.
package struct ValidationRuleError: DescribedError {
    package var entity: String
    package var property: String
    package var predicateFormat: String
    package var reason: String

    package var description: String {
        "The validation predicate “\(predicateFormat)” of “\(entity).\(property)” cannot be used: \(reason). Correct it in the model."
    }
}
