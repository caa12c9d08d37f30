import CoreDataSchema
import Foundation

extension _FoundationCompletion where Self == NSPredicate {
    /// A predicate from a format string and one argument per placeholder.
    ///
    /// Arguments are anything a predicate can compare, nil included. Stops the program when the text is not a predicate or
    /// the arguments do not fit, where Apple's raises; `init(validating:arguments:)` throws instead.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = FormatReading.predicate(predicateFormat, args)
    }

    /// A predicate from a format string with one placeholder and a collection for it.
    ///
    /// Without it the compiler would take a `[Any?]` for the variadic arguments themselves.
    public init(format predicateFormat: String, _ collection: [Any?]) {
        self = FormatReading.predicate(predicateFormat, [collection])
    }

    /// A predicate from a format string and an array with one argument per placeholder; nil is no arguments.
    ///
    /// Stops the program like `init(format:_:)`.
    public init(format predicateFormat: String, argumentArray arguments: [Any?]?) {
        self = FormatReading.predicate(predicateFormat, arguments ?? [])
    }

    /// A predicate from a format string, or a thrown `NSPredicate.FormatError` with position and reason. Not Apple's.
    public init(validating predicateFormat: String, arguments: [Any?] = []) throws {
        self = NSPredicate.make(try FormatReading.tree(predicateFormat, arguments))
    }
}

extension _FoundationCompletion where Self: NSPredicate {
    /// A copy in which every `$name` that `variables` names is its value; others stay.
    ///
    /// Stops the program when a value is nothing a predicate can compare.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        do {
            let values = try variables.mapValues { try PredicateBridging.argument($0).expression }
            let predicate: NSPredicate = NSPredicate.make(tree.substituting(values))
            // A tree's class follows from its outermost case, which substitution keeps.
            return predicate as? Self ?? self
        } catch {
            fatalError("The substitution variables do not fit the predicate: \(error)")
        }
    }
}

/// From a format and arguments as people give them to trees.
package enum FormatReading {
    package static func tree(_ format: String, _ arguments: [Any?]) throws(NSPredicate.FormatError) -> PredicateTree {
        let bridged = try bridge(format, arguments)
        do { return try PredicateFormat.parse(format, arguments: bridged) } catch { throw NSPredicate.FormatError(error) }
    }

    package static func expression(_ format: String, _ arguments: [Any?]) throws(NSPredicate.FormatError) -> ExpressionTree {
        let bridged = try bridge(format, arguments)
        do { return try PredicateFormat.parseExpression(format, arguments: bridged) } catch { throw NSPredicate.FormatError(error) }
    }

    static func predicate(_ format: String, _ arguments: [Any?]) -> NSPredicate {
        do { return NSPredicate.make(try tree(format, arguments)) } catch { fatalError(error.description) }
    }

    private static func bridge(_ format: String, _ arguments: [Any?]) throws(NSPredicate.FormatError) -> [PredicateArgument] {
        var bridged: [PredicateArgument] = []
        for (index, argument) in arguments.enumerated() {
            do {
                bridged.append(try PredicateBridging.argument(argument))
            } catch {
                throw NSPredicate.FormatError(format: format, position: nil, reason: "Argument \(index + 1): \(error)")
            }
        }
        return bridged
    }
}

extension PredicateArgument {
    /// The argument where only an expression fits; a predicate is its truth.
    var expression: ExpressionTree {
        switch self {
        case .value(let value): .constant(value)
        case .expression(let tree): tree
        case .predicate(let tree): .conditional(tree, .constant(.boolean(true)), .constant(.boolean(false)))
        }
    }
}
