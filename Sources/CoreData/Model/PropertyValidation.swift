import CoreDataPredicate
import CoreDataSchema
import Foundation

/// One validation predicate of a property and what is reported when it fails.
///
/// Invariant: immutable; the predicate of a model file is parsed when first asked for.
package struct PropertyValidation: Sendable {
    private let source: PredicateSource
    package let warning: ValidationRule.Warning

    init(predicate: NSPredicate, warning: ValidationRule.Warning) {
        source = PredicateSource(predicate)
        self.warning = warning
    }

    init(_ rule: ValidationRule) {
        source = PredicateSource(format: rule.predicateFormat)
        warning = rule.warning
    }

    package var predicate: NSPredicate { source.predicate }

    /// Throws `PredicateFormatError` when the model file's text is not a predicate.
    package func tree() throws -> PredicateTree { try source.tree() }

    package var rule: ValidationRule { ValidationRule(predicateFormat: source.format, warning: warning) }
}

extension ValidationRule.Warning {
    /// A number is an error code, everything else is shown as text; without warning the generic code is used.
    init(_ warning: Any?) {
        if let text = warning as? String {
            self = .text(text)
        } else if let code = warning as? NSNumber {
            self = .code(code.intValue)
        } else {
            self = .code(NSManagedObjectValidationError)
        }
    }
}
