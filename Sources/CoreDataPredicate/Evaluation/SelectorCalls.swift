import Foundation

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
        if arguments.count == 1, let result = comparison(selector, operand, arguments[0]) { return .boolean(result) }
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
            if case .list(let elements, _) = operand { return .integer(Int64(elements.count)) }
        case (_, 0):
            if operand.isNull { return .null }
            if let value = ValueKeys.value(forKey: selector, of: operand) { return value }
        default: break
        }
        throw PredicateEvaluationError.unsupported(
            "“\(selector)” cannot be called on \(operand.kind) here: there is no Objective-C runtime to send it to")
    }

    /// The outcome of a custom comparison: the method's answer as a truth.
    static func compare(
        _ selector: String, _ left: PredicateValue, _ right: PredicateValue, evaluator: Evaluator
    ) throws -> Bool {
        switch try call(selector, on: left, [right], evaluator: evaluator) {
        case .boolean(let truth): truth
        case .null: false
        case let value: try Arithmetic.double(value, for: selector) != 0
        }
    }

    /// The methods of Foundation's classes that compare; a message to nil answers NO. nil for any other method.
    private static func comparison(_ selector: String, _ left: PredicateValue, _ right: PredicateValue) -> Bool? {
        switch selector {
        case "isEqual:", "isEqualTo:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:", "isEqualToValue:", "isEqualToArray:",
             "isEqualToSet:", "isEqualToData:":
            return !left.isNull && left == right
        case "isNotEqualTo:": return left != right
        case "isLessThan:": return order(left, right) == .orderedAscending
        case "isGreaterThan:": return order(left, right) == .orderedDescending
        case "isLessThanOrEqualTo:": return order(left, right).map { $0 != .orderedDescending } ?? false
        case "isGreaterThanOrEqualTo:": return order(left, right).map { $0 != .orderedAscending } ?? false
        case "containsObject:":
            guard case .list(let elements, _) = left else { return false }
            return elements.contains(right)
        default: break
        }
        let test: (String, String) -> Bool
        switch selector {
        case "hasPrefix:": test = { TextMatching.begins($0, with: $1, options: []) }
        case "hasSuffix:": test = { TextMatching.ends($0, with: $1, options: []) }
        case "containsString:": test = { TextMatching.contains($0, $1, options: []) }
        case "localizedCaseInsensitiveContainsString:": test = { TextMatching.contains($0, $1, options: .caseInsensitive) }
        case "localizedStandardContainsString:":
            test = { TextMatching.contains($0, $1, options: [.caseInsensitive, .diacriticInsensitive]) }
        default: return nil
        }
        guard let text = left.asText, let part = right.asText else { return false }
        return test(text, part)
    }

    private static func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
        left.isNull || right.isNull ? nil : ValueComparison.order(left, right)
    }
}
