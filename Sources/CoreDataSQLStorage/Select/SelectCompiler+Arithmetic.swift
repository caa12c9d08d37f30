import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// `+ - * / %`. Chains such as `a + b - c` are followed down their left side in a loop and written without parentheses, so
/// that long ones fit SQLite's parser.
extension SelectCompiler {
    private struct Operation {
        var symbol: String
        /// 1 for sums, 2 for products.
        var precedence: Int
    }

    private static let operations = [
        "add:to:": Operation(symbol: "+", precedence: 1), "from:subtract:": Operation(symbol: "-", precedence: 1),
        "multiply:by:": Operation(symbol: "*", precedence: 2), "divide:by:": Operation(symbol: "/", precedence: 2),
        "modulus:by:": Operation(symbol: "%", precedence: 2),
    ]

    func arithmetic(_ name: String, _ arguments: [ExpressionTree]) throws -> Operand {
        var base = ExpressionTree.function(name, arguments)
        var steps: [(Operation, ExpressionTree)] = []
        while case .function(let name, let arguments) = base, let operation = Self.operations[name] {
            guard arguments.count == 2 else {
                throw StoreError.invalidRequest("“\(operation.symbol)” got \(arguments.count) operands; it takes two.")
            }
            steps.append((operation, arguments[1]))
            base = arguments[0]
        }
        guard steps.count <= Self.longestChain else { throw SQLCannotSay(what: "\(steps.count) arithmetic operators in a row") }
        var left = try nested(1) { try operand(base) }
        var precedence = 3
        var parentheses = 0
        for (operation, right) in steps.reversed() {
            if precedence < operation.precedence {
                left.sql = left.sql.inParentheses
                parentheses += 1
            }
            left = try combine(operation.symbol, left, try nested(3 + parentheses) { try operand(right) })
            precedence = operation.precedence
        }
        // The parentheses stand at the left end, one inside the other.
        try nested(parentheses + 1) {}
        return Operand(left.sql.inParentheses, left.type)
    }

    private func combine(_ symbol: String, _ left: Operand, _ right: Operand) throws -> Operand {
        let type = Self.resultType(Self.numericType(left), Self.numericType(right))
        let (a, b) = (try arithmeticSQL(left), try arithmeticSQL(right))
        if type == .decimal, let operation = DecimalOperation(rawValue: symbol) {
            return Operand("\(operation.function)(" + a + ", " + b + ")", type)
        }
        switch (symbol, type) {
        case (_, .integer): return Operand(a + " \(symbol) " + b, type)
        // SQLite's own operator cuts both sides to whole numbers.
        case ("%", _): return Operand("mod(" + a + ", " + b + ")", type)
        // Decimals and dates that are whole are kept as integers.
        case ("/", _): return Operand(a + " * 1.0 / " + b, type)
        default: return Operand(a + " \(symbol) " + b, type)
        }
    }

    private static func resultType(_ left: ValueType, _ right: ValueType) -> ValueType {
        switch (left, right) {
        case (.date, .date): .real
        case (.date, _), (_, .date): .date
        case (.real, _), (_, .real): .real
        case (.decimal, _), (_, .decimal): .decimal
        default: .integer
        }
    }

    private static func numericType(_ operand: Operand) -> ValueType {
        switch operand.constant {
        case nil: operand.type == .any ? .integer : operand.type
        case .date: .date
        case .real: .real
        case .decimal: .decimal
        default: .integer
        }
    }

    /// A constant as the number it is: dates as seconds, texts that are numbers as those.
    private func arithmeticSQL(_ operand: Operand) throws -> SQLFragment {
        guard let constant = operand.constant else { return operand.sql }
        if case .date = constant { return try bound(constant, as: .date) }
        return try bound(constant, as: .real)
    }
}
