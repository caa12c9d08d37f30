import Foundation

/// An expression of ours as Foundation's `NSExpression`.
///
/// Foundation's class has no initialiser that returns, and no stored properties. `ManagedBufferPointer` makes instances of
/// such a class, with the tree in the space behind the instance: the standard library's own means for it. It asks of the
/// class that it declares no stored properties and destroys the header when it goes.
///
/// Invariant: the header is initialised by `make` and never changes.
package final class TreeExpression: NSExpression, ExpressionDecoding {
    private typealias Storage = ManagedBufferPointer<ExpressionTree, Void>

    @available(*, unavailable, message: "Use TreeExpression.make(_:)")
    override init(expressionType type: ExpressionType) { fatalError("TreeExpression is made by make(_:)") }

    package static func make(_ tree: ExpressionTree) -> TreeExpression {
        let storage = Storage(bufferClass: TreeExpression.self, minimumCapacity: 0) { _, _ in tree }
        return unsafeDowncast(storage.buffer, to: TreeExpression.self)
    }

    deinit {
        _ = Storage(unsafeBufferObject: self).withUnsafeMutablePointerToHeader { $0.deinitialize(count: 1) }
    }

    package var tree: ExpressionTree { Storage(unsafeBufferObject: self).header }

    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) { PredicateArchive.encode(tree, with: coder) }

    package override var description: String { PredicatePrinter.text(of: tree) }
    package override func copy(with zone: NSZone? = nil) -> Any { self }

    package override var hash: Int {
        var hasher = Hasher()
        hasher.combine(tree)
        return hasher.finalize()
    }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? TreeExpression else { return false }
        return other === self || other.tree == tree
    }
}

/// Gives the class its `init(coder:)`: only an initialiser of a protocol can answer an instance made elsewhere.
package protocol ExpressionDecoding: NSSecureCoding {}

extension ExpressionDecoding where Self == TreeExpression {
    package init?(coder: NSCoder) {
        guard let tree = PredicateArchive.decodeExpression(coder) else { return nil }
        self = TreeExpression.make(tree)
    }
}

/// An expression class of a module above.
package protocol ExpressionCarrying: NSExpression {
    var carriedExpression: ExpressionTree { get }
}

/// Between Foundation's expressions and trees.
package enum ExpressionBridging {
    /// The tree of an expression made by this module; Foundation's own class makes none that could be read.
    package static func tree(of expression: NSExpression) throws(PredicateBridgingError) -> ExpressionTree {
        guard let expression = expression as? TreeExpression else {
            if let carrying = expression as? any ExpressionCarrying { return carrying.carriedExpression }
            throw PredicateBridgingError(
                "An expression of the class \(type(of: expression)) cannot be read. Make it with NSExpression's initialisers.")
        }
        return expression.tree
    }

    /// The tree of what stands where an expression is expected: an expression, or a value as a constant.
    static func tree(ofAny any: Any?) -> ExpressionTree {
        do {
            return try PredicateBridging.argument(any).expression
        } catch {
            fatalError("Invalid operand of an expression: \(error)")
        }
    }
}
