import Foundation

extension FormatParser {
    /// A call whose name is the current token; nil when the word is no call after all.
    mutating func parseCall(_ name: String, _ capitals: String) throws(PredicateFormatError) -> ExpressionTree? {
        if following.kind == .symbol(.openParenthesis) {
            switch capitals {
            case "SUBQUERY": return try parseSubquery()
            case "FUNCTION": return try parseFunction()
            case "CAST": return try parseCast()
            case "TERNARY": return try parseConditional()
            case "FETCH": throw error("write %@ here and pass what NSFetchRequestExpression.expression(forFetch:context:countOnly:) makes", at: position)
            default: if ReservedWords.contains(capitals), !ReservedWords.places.contains(capitals) { return nil }
            }
        }
        let start = position
        advance()
        var selector = name
        while isAt(.colon) {
            advance()
            selector += ":"
            if case .identifier(let part) = token.kind, following.kind == .symbol(.colon) {
                selector += part
                advance()
            }
        }
        try expect(.openParenthesis, "after the function's name")
        let arguments = try parseList(until: .closeParenthesis, "after the function's arguments")
        guard let function = FunctionNames.resolve(selector, arguments: arguments.count) else {
            throw error("there is no function “\(selector)”", at: start)
        }
        if let arity = FunctionNames.arity[function], let arity, arity != arguments.count {
            throw error("\(function) takes \(arity) argument\(arity == 1 ? "" : "s"), not \(arguments.count)", at: start)
        }
        return .calling(function, arguments)
    }

    private mutating func openCall() {
        advance()
        advance()
    }

    private mutating func parsePredicateArgument() throws(PredicateFormatError) -> PredicateTree {
        let start = position
        let node = try parseDisjunction()
        return try predicate(node, at: start)
    }

    private mutating func parseSubquery() throws(PredicateFormatError) -> ExpressionTree {
        openCall()
        let collection = try parseElement()
        try expect(.comma, "after SUBQUERY's collection")
        guard case .variable(let name) = token.kind else { throw unexpected("expected a variable such as $x") }
        advance()
        try expect(.comma, "after SUBQUERY's variable")
        let condition = try parsePredicateArgument()
        try expect(.closeParenthesis, "after SUBQUERY's predicate")
        return .subquery(collection, variable: name, condition)
    }

    private mutating func parseConditional() throws(PredicateFormatError) -> ExpressionTree {
        openCall()
        let condition = try parsePredicateArgument()
        try expect(.comma, "after TERNARY's predicate")
        let first = try parseElement()
        try expect(.comma, "after TERNARY's second argument")
        let second = try parseElement()
        try expect(.closeParenthesis, "after TERNARY's third argument")
        return .conditional(condition, first, second)
    }

    private mutating func parseFunction() throws(PredicateFormatError) -> ExpressionTree {
        openCall()
        let operand = try parseElement()
        try expect(.comma, "after FUNCTION's operand")
        let selector = try parseName("FUNCTION's selector in quotes")
        var arguments: [ExpressionTree] = []
        while take(.comma) { arguments.append(try parseElement()) }
        try expect(.closeParenthesis, "after FUNCTION's arguments")
        return .call(operand: operand, selector: selector, arguments: arguments)
    }

    private mutating func parseCast() throws(PredicateFormatError) -> ExpressionTree {
        openCall()
        let operand = try parseElement()
        try expect(.comma, "after CAST's operand")
        let type = try parseName("CAST's type in quotes")
        try expect(.closeParenthesis, "after CAST's type")
        if case .constant(let value) = operand, let constant = Self.constant(casting: value, to: type) {
            return .constant(constant)
        }
        return .cast(operand, type)
    }

    private mutating func parseName(_ what: String) throws(PredicateFormatError) -> String {
        switch token.kind {
        case .string(let text):
            advance()
            return text
        case .placeholder(let placeholder):
            guard case .value(.string(let text)) = argument(placeholder) else { break }
            advance()
            return text
        default: break
        }
        throw unexpected("expected \(what)")
    }

    /// The constants the printer writes as casts, because the language has no literal for them.
    private static func constant(casting value: PredicateValue, to type: String) -> PredicateValue? {
        switch (type, value) {
        case ("NSDate", .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case ("NSDate", .real(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case ("NSDate", .decimal(let seconds)):
            .date(Date(timeIntervalSinceReferenceDate: NumberOrdering.double(seconds)))
        case ("NSURL", .string(let text)): URL(string: text).map(PredicateValue.url)
        case ("NSUUID", .string(let text)): UUID(uuidString: text).map(PredicateValue.uuid)
        case ("NSNumber", .string("nan")): .real(.nan)
        case ("NSNumber", .string("inf")): .real(.infinity)
        case ("NSNumber", .string("-inf")): .real(-.infinity)
        default: nil
        }
    }
}
