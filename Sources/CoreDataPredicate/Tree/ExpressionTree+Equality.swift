/// A list of constants is one expression, however it was made: `{1, 2}` written out (an aggregate) and a collection given
/// for `%@` (a constant) print the same text, mean the same and are equal.
extension ExpressionTree: Hashable {
    package static func == (left: ExpressionTree, right: ExpressionTree) -> Bool {
        switch (left, right) {
        // What a set prints as is read as an array.
        case (.constant(.list(let a, isOrdered: let isOrderedA)), .constant(.list(let b, isOrdered: let isOrderedB))):
            a == b || !isOrderedA && !isOrderedB && Set(a) == Set(b)
        case (.constant(let a), .constant(let b)): a == b
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): true
        case (.variable(let a), .variable(let b)): a == b
        case (.keyPath(let a, let keysA), .keyPath(let b, let keysB)): keysA == keysB && a == b
        case (.function(let a, let argumentsA), .function(let b, let argumentsB)): a == b && argumentsA == argumentsB
        case (.call(let a, let selectorA, let argumentsA), .call(let b, let selectorB, let argumentsB)):
            selectorA == selectorB && a == b && argumentsA == argumentsB
        case (.cast(let a, let typeA), .cast(let b, let typeB)): typeA == typeB && a == b
        case (.aggregate(let a), .aggregate(let b)): a == b
        case (.aggregate(let elements), .constant(.list(let values, _))), (.constant(.list(let values, _)), .aggregate(let elements)):
            elements.count == values.count && zip(elements, values).allSatisfy { $0 == .constant($1) }
        case (.subquery(let a, let variableA, let conditionA), .subquery(let b, let variableB, let conditionB)):
            variableA == variableB && a == b && conditionA == conditionB
        case (.conditional(let a, let thenA, let elseA), .conditional(let b, let thenB, let elseB)):
            a == b && thenA == thenB && elseA == elseB
        case (.element(let a, let indexA), .element(let b, let indexB)): indexA == indexB && a == b
        case (.set(let a, let leftA, let rightA), .set(let b, let leftB, let rightB)):
            a == b && leftA == leftB && rightA == rightB
        case (.block(let a, let argumentsA), .block(let b, let argumentsB)): a == b && argumentsA == argumentsB
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .constant(.list(let values, _)):
            // Members in any order: a set equals another, and the list it prints as.
            hasher.combine(values.reduce(7) { $0 ^ ExpressionTree.constant($1).hashValue })
        case .aggregate(let elements): hasher.combine(elements.reduce(7) { $0 ^ $1.hashValue })
        case .constant(let value): hasher.combine(value)
        case .evaluatedObject: hasher.combine(1)
        case .anyKey: hasher.combine(2)
        case .block(let block, let arguments): hasher.combine(block); hasher.combine(arguments)
        case .variable(let name): hasher.combine(name)
        case .keyPath(let base, let keys): hasher.combine(base); hasher.combine(keys)
        case .function(let name, let arguments): hasher.combine(name); hasher.combine(arguments)
        case .call(let operand, let name, let arguments):
            hasher.combine(operand); hasher.combine(name); hasher.combine(arguments)
        case .cast(let operand, let type): hasher.combine(operand); hasher.combine(type)
        case .subquery(let collection, let name, let condition):
            hasher.combine(collection); hasher.combine(name); hasher.combine(condition)
        case .conditional(let condition, let first, let second):
            hasher.combine(condition); hasher.combine(first); hasher.combine(second)
        case .element(let operand, let index): hasher.combine(operand); hasher.combine(index)
        case .set(let operation, let left, let right):
            hasher.combine(operation); hasher.combine(left); hasher.combine(right)
        }
    }
}
