import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

extension SelectCompiler {
    func function(_ name: String, _ arguments: [ExpressionTree]) throws -> Operand {
        if let value = try collectionFunction(name, arguments) { return value }
        switch name {
        case "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:": return try arithmetic(name, arguments)
        case "bitwiseAnd:with:": return try bitwise("&", arguments)
        case "bitwiseOr:with:": return try bitwise("|", arguments)
        case "leftshift:by:": return try bitwise("<<", arguments)
        case "rightshift:by:": return try bitwise(">>", arguments)
        case "bitwiseXor:with:":
            let (a, b) = try pair(arguments, as: .integer)
            return Operand("nl_xor(" + a + ", " + b + ")", .integer)
        case "onesComplement:": return Operand("~" + (try argument(arguments, as: .integer).sql), .integer)
        case "raise:toPower:":
            let (a, b) = try pair(arguments, as: .real)
            return Operand("pow(" + a + ", " + b + ")", .real)
        case "abs:", "floor:", "ceiling:", "trunc:":
            let value = try argument(arguments, as: .real)
            let sqlName = name == "ceiling:" ? "ceil" : String(name.dropLast())
            return Operand("\(sqlName)(" + value.sql + ")", value.type.isNumeric ? value.type : .real)
        case "sqrt:", "exp:", "ln:": return Operand("\(name.dropLast())(" + (try argument(arguments, as: .real).sql) + ")", .real)
        case "log:": return Operand("log10(" + (try argument(arguments, as: .real).sql) + ")", .real)
        case "now": return Operand(.value(.real(Date.timeIntervalSinceReferenceDate)), .date)
        case "uppercase:": return Operand("nl_upper(" + (try argument(arguments, as: .text).sql) + ")", .text)
        case "lowercase:": return Operand("nl_lower(" + (try argument(arguments, as: .text).sql) + ")", .text)
        case "canonical:": return Operand("nl_fold(" + (try argument(arguments, as: .text).sql) + ", 3)", .text)
        case "length:": return Operand("nl_length(" + (try argument(arguments, as: .text).sql) + ")", .integer)
        case "noindex:":
            let value = try argument(arguments, as: .any)
            return Operand("+" + value.sql, value.type)
        case "castObject:toType:":
            guard arguments.count == 2, case .constant(.string(let type)) = arguments[1] else { throw SQLCannotSay(what: name) }
            return try operand(.cast(arguments[0], type))
        default: throw SQLCannotSay(what: "the function \(name)")
        }
    }

    private func argument(_ arguments: [ExpressionTree], as type: ValueType) throws -> Operand {
        guard arguments.count == 1 else { throw StoreError.invalidRequest("A function got \(arguments.count) arguments; it takes one.") }
        let value = try nested(4) { try operand(arguments[0]) }
        return Operand(try sql(value, as: type), value.constant == nil ? value.type : type)
    }

    private func pair(_ arguments: [ExpressionTree], as type: ValueType) throws -> (SQLFragment, SQLFragment) {
        guard arguments.count == 2 else { throw StoreError.invalidRequest("A function got \(arguments.count) arguments; it takes two.") }
        return try nested(4) { (try sql(try operand(arguments[0]), as: type), try sql(try operand(arguments[1]), as: type)) }
    }

    private func bitwise(_ symbol: String, _ arguments: [ExpressionTree]) throws -> Operand {
        let (a, b) = try pair(arguments, as: .integer)
        return Operand((a + " \(symbol) " + b).inParentheses, .integer)
    }

    // MARK: functions over many values

    private static let collectionOperators = [
        "sum:": "@sum", "count:": "@count", "min:": "@min", "max:": "@max", "average:": "@avg",
    ]

    /// Functions of a to-many's values, or, in dictionary fetches, of all fetched rows.
    private func collectionFunction(_ name: String, _ arguments: [ExpressionTree]) throws -> Operand? {
        guard let collection = SelectCompiler.collectionOperators[name] else {
            if ["median:", "mode:", "stddev:"].contains(name) { throw SQLCannotSay(what: "the function \(name)") }
            return nil
        }
        if let counted = try counted(.function(name, arguments)) { return count(counted) }
        guard arguments.count == 1 else { throw SQLCannotSay(what: "\(name) of several arguments") }
        if let path = try toManyPath(arguments[0]) {
            if path.rest.contains(where: { $0.hasPrefix("@") }) { throw SQLCannotSay(what: "\(name) of an operator") }
            return try aggregate(named: collection, path)
        }
        guard allowsAggregates else { throw SQLCannotSay(what: "\(name) of a single value") }
        return try rowAggregate(collection, try operand(arguments[0]))
    }

    /// An aggregate over the fetched rows: of a dictionary fetch, or of each of its groups.
    func rowAggregate(_ name: String, _ value: Operand) throws -> Operand {
        let text = try sql(value, as: .any)
        switch name {
        case "@count": return Operand("COUNT(" + text + ")", .integer)
        case "@sum": return Operand("IFNULL(SUM(" + text + "), 0)", sumType(value.type))
        case "@min": return Operand("MIN(" + text + ")", value.type)
        case "@max": return Operand("MAX(" + text + ")", value.type)
        case "@avg", "@average": return Operand("AVG(" + text + ")", .real)
        default: throw SQLCannotSay(what: name)
        }
    }
}
