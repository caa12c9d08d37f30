import Foundation

/// Swift's `#Predicate` as a tree.
package enum TypedPredicate {
    /// The tree of `predicate`. Swift's meaning of nil is kept: `!=` matches rows without a value. Parts that no tree can
    /// say become `.block`s that evaluate them on the object.
    ///
    /// Throws `KeyPathNameError` when a class has no key-path table. `names` answers for key paths before the classes'
    /// own tables are asked.
    package static func tree<Input>(
        of predicate: Predicate<Input>, names: @escaping (AnyKeyPath) -> String? = { _ in nil }
    ) throws -> PredicateTree {
        let variable = predicate.variable
        let conversion = TypedConversion(root: variable.key, names: names) { subject in
            guard let input = subject as? Input else {
                throw PredicateBridgingError("A #Predicate over \(Input.self) cannot be evaluated on \(String(describing: subject)).")
            }
            return PredicateBindings((variable, input))
        }
        return try conversion.predicate(predicate.expression)
    }
}

/// A part of a `#Predicate` that no tree can say. Never leaves `TypedPredicate`: the part becomes a block.
struct UnsayableExpression: Error {}

/// The walk over one `#Predicate`.
///
/// Invariant: `bindings` holds an expression for every variable in scope; `depth` counts the scopes inside the outermost.
final class TypedConversion {
    private var bindings: [PredicateExpressions.VariableID: ExpressionTree]
    private var depth = 0
    private var iterators = 0
    private let names: (AnyKeyPath) -> String?
    private let bind: (Any?) throws -> PredicateBindings

    init(
        root: PredicateExpressions.VariableID, names: @escaping (AnyKeyPath) -> String?,
        bind: @escaping (Any?) throws -> PredicateBindings
    ) {
        bindings = [root: .evaluatedObject]
        self.names = names
        self.bind = bind
    }

    /// The truth of `part`. Outside of any inner scope, what cannot be said becomes a block.
    func predicate<Part: PredicateExpression>(_ part: Part) throws -> PredicateTree where Part.Output == Bool {
        let iterators = iterators
        do {
            return try sayable(part).predicateTree(self)
        } catch is UnsayableExpression where depth == 0 {
            self.iterators = iterators
            if let value = constant(part) { return .constant(value) }
            let bind = bind
            return .block(PredicateBlock(text: "BLOCKPREDICATE(#Predicate)", readsObject: true) { subject, _ in
                try part.evaluate(bind(subject))
            })
        }
    }

    /// The value of `part`: parts without variables are computed here and now.
    func expression(_ part: some PredicateExpression) throws -> ExpressionTree {
        do {
            return try sayable(part).expressionTree(self)
        } catch let error as UnsayableExpression {
            guard let value = constant(part) else { throw error }
            return .constant(try bridge(value))
        }
    }

    func sayable(_ part: some PredicateExpression) throws -> any TreeConvertible {
        guard let part = part as? any TreeConvertible else { throw UnsayableExpression() }
        return part
    }

    /// The value of a part that reads no variable.
    func constant<Part: PredicateExpression>(_ part: Part) -> Part.Output? {
        // Evaluation throws as soon as it meets a variable without a binding.
        try? part.evaluate(PredicateBindings())
    }

    func bridge(_ value: Any?) throws -> PredicateValue {
        do { return try PredicateBridging.value(of: value) } catch { throw UnsayableExpression() }
    }

    func value(of variable: PredicateExpressions.VariableID) throws -> ExpressionTree {
        guard let value = bindings[variable] else { throw UnsayableExpression() }
        return value
    }

    /// Runs `body` with `variable` standing for `expression`. `isInner` when blocks cannot see it: an element of a collection.
    func with<Result>(
        _ variable: PredicateExpressions.VariableID, as expression: ExpressionTree, _ body: () throws -> Result
    ) rethrows -> Result {
        depth += 1
        bindings[variable] = expression
        defer {
            depth -= 1
            bindings[variable] = nil
        }
        return try body()
    }

    /// A name for the iterator of a SUBQUERY, unique in the predicate.
    func iterator() -> String {
        iterators += 1
        return iterators == 1 ? "x" : "x\(iterators)"
    }

    /// The name of a key path; what has none although its class has a table is the class's own computed property.
    func name(of path: AnyKeyPath) throws -> String {
        if let name = names(path) { return name }
        do {
            return try KeyPathNames.name(of: path)
        } catch {
            if case .noTable = error, type(of: path).rootType is AnyObject.Type { throw error }
            throw UnsayableExpression()
        }
    }
}
