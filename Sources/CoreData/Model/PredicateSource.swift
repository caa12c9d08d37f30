import CoreDataPredicate
import Foundation

/// A predicate of a model: the text of its file, parsed when first asked for, or one that was set in code.
///
/// Invariant: immutable to the outside; `format` of a predicate from a file is that file's text, letter by letter.
package final class PredicateSource: Sendable {
    private let origin: Origin
    private let parsed = Once<PredicateTree>()

    private enum Origin: Sendable {
        case format(String)
        case built(NSPredicateBox)
    }

    package init(format: String) { origin = .format(format) }
    package init(_ predicate: NSPredicate) { origin = .built(NSPredicateBox(predicate)) }

    /// Throws `PredicateFormatError` when the text is not a predicate.
    package func tree() throws -> PredicateTree {
        switch origin {
        case .built(let box): ModelPredicates.tree(of: box.predicate)
        case .format(let text): try parsed.value { try PredicateFormat.parse(text) }
        }
    }

    /// The predicate; one that is never true when the file's text is not a predicate (loading the model reported that).
    package var predicate: NSPredicate {
        switch origin {
        case .built(let box): box.predicate
        case .format: ModelPredicates.predicate((try? tree()) ?? .constant(false))
        }
    }

    /// The text that parses to the predicate.
    package var format: String {
        switch origin {
        case .format(let text): text
        case .built(let box): PredicatePrinter.text(of: ModelPredicates.tree(of: box.predicate))
        }
    }
}

/// Unchecked Sendable: predicates are immutable; one with a closure runs it only on the queue of the context that asks.
struct NSPredicateBox: @unchecked Sendable {
    let predicate: NSPredicate
    init(_ predicate: NSPredicate) { self.predicate = predicate }
}

/// An expression of a model, like `PredicateSource`.
package final class ExpressionSource: Sendable {
    private let origin: Origin
    private let parsed = Once<ExpressionTree>()

    private enum Origin: Sendable {
        case format(String)
        case built(NSExpressionBox)
    }

    package init(format: String) { origin = .format(format) }
    package init(_ expression: NSExpression) { origin = .built(NSExpressionBox(expression)) }

    /// Throws `PredicateFormatError` when the text is not an expression.
    package func tree() throws -> ExpressionTree {
        switch origin {
        case .built(let box): try ModelPredicates.tree(of: box.expression)
        case .format(let text): try parsed.value { try PredicateFormat.parseExpression(text) }
        }
    }

    /// The expression; nil when the file's text is none.
    package var expression: NSExpression? {
        switch origin {
        case .built(let box): box.expression
        case .format: (try? tree()).map { ModelPredicates.expression($0) }
        }
    }

    /// The text that parses to the expression; empty when an expression set in code cannot be said in text.
    package var format: String {
        switch origin {
        case .format(let text): text
        case .built: (try? tree()).map { PredicatePrinter.text(of: $0) } ?? ""
        }
    }
}

/// Unchecked Sendable: expressions are immutable.
struct NSExpressionBox: @unchecked Sendable {
    let expression: NSExpression
    init(_ expression: NSExpression) { self.expression = expression }
}

/// A value made when first asked for; two threads that ask at once make it once.
final class Once<Value: Sendable>: @unchecked Sendable {
    // Unchecked Sendable: `made` is only touched under the lock.
    private let lock = NSLock()
    private var made: Value?

    func value(_ make: () throws -> Value) rethrows -> Value {
        lock.lock()
        defer { lock.unlock() }
        if let made { return made }
        let value = try make()
        made = value
        return value
    }
}
