import Foundation

/// FUNCTION(operand, 'selector', arguments…). There is no Objective-C to send the selector to: the language's own functions,
/// keys, and the commonest of Foundation's methods are answered, anything else is an error.
enum SelectorCalls {
    static func call(
        _ selector: String, on operand: PredicateValue, _ arguments: [PredicateValue], evaluator: Evaluator
    ) throws -> PredicateValue {
        if FunctionNames.arity[selector] != nil {
            // The operand is only the object that has the function, unless it is needed to make up the count.
            let count = selector.count { $0 == ":" }
            return try FunctionEvaluation.call(selector, arguments.count < count ? [operand] + arguments : arguments)
        }
        switch (selector, arguments.count) {
        case ("valueForKey:", 1), ("valueForKeyPath:", 1), ("objectForKey:", 1):
            guard case .string(let path) = arguments[0] else { break }
            let keys = selector == "valueForKeyPath:" ? path.split(separator: ".").map(String.init) : [path]
            return try evaluator.value(of: keys[...], from: operand)
        case ("dateByAddingTimeInterval:", 1): return try Arithmetic.combine(.add, operand, arguments[0], for: selector)
        case ("timeIntervalSinceDate:", 1): return try Arithmetic.combine(.subtract, operand, arguments[0], for: selector)
        case ("stringByAppendingString:", 1):
            if operand.isNull { return .null }
            guard let text = operand.asText, let tail = arguments[0].asText else { break }
            return .string(text + tail)
        case ("count", 0):
            if case .list(let elements) = operand { return .integer(Int64(elements.count)) }
        case (_, 0):
            if operand.isNull { return .null }
            if let value = ValueKeys.value(forKey: selector, of: operand) { return value }
        default: break
        }
        throw PredicateEvaluationError.unsupported(
            "“\(selector)” cannot be called on \(operand.kind) here: there is no Objective-C runtime to send it to")
    }
}
