import Foundation

/// A closure as an expression, compared by identity.
///
/// Unchecked Sendable: the closure runs only where its expression is evaluated, on the queue of the objects it is given.
package final class ExpressionBlock: @unchecked Sendable, Hashable {
    package typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any?

    /// An expression that needs no object: worked out once, before a store sees the predicate.
    package typealias Constant = () throws -> Any?

    package let evaluate: Body
    /// What stands for the whole expression where it needs no object, and how that is written; nil for closures.
    package let constant: (value: Constant, text: String)?

    package init(_ evaluate: @escaping Body) {
        self.evaluate = evaluate
        constant = nil
    }

    package init(constant text: String, _ value: @escaping Constant) {
        evaluate = { _, _, _ in nil }
        constant = (value, text)
    }

    /// Printed like `BLOCK(0x…`.
    var text: String { "0x" + String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16) }

    package static func == (left: ExpressionBlock, right: ExpressionBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
