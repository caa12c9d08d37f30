import Foundation

/// A closure as an expression, compared by identity.
///
/// Unchecked Sendable: the closure runs only where its expression is evaluated, on the queue of the objects it is given.
package final class ExpressionBlock: @unchecked Sendable, Hashable {
    package typealias Body = (Any?, [Any], NSMutableDictionary?) -> Any?

    package let evaluate: Body

    package init(_ evaluate: @escaping Body) { self.evaluate = evaluate }

    /// Printed like `BLOCK(0x…`.
    var text: String { "0x" + String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16) }

    package static func == (left: ExpressionBlock, right: ExpressionBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
