import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

extension SelectCompiler {
    /// One side of a comparison, or an argument. A to-many where one value is wanted is refused.
    func operand(_ expression: ExpressionTree) throws -> Operand {
        switch expression {
        case .constant(let value): return Operand(constant: value)
        case .evaluatedObject: return try path([], of: root)
        case .variable(let name):
            if let scope = variables[name] { return try path([], of: scope) }
            if let column = resultColumns[name] { return column }
            throw unbound(name)
        case .keyPath(let base, let keys): return try keyPath(base, keys)
        case .function(let name, let arguments): return try function(name, arguments)
        case .cast(let operand, let type): return try cast(try nested(4) { try self.operand(operand) }, to: type)
        case .conditional(let test, let first, let second): return try conditional(test, first, second)
        case .subquery: throw StoreError.invalidRequest("A SUBQUERY yields many rows: compare its @count.")
        case .element(_, .size):
            guard let counted = try counted(expression) else { throw SQLCannotSay(what: "[SIZE] of something that is no to-many relationship") }
            return count(counted)
        case .aggregate(let elements):
            return Operand(constant: .list(try elements.map { element in
                guard let value = try constantValue(element) else { throw SQLCannotSay(what: "a list of values that are not constant") }
                return value
            }))
        case .call, .element, .set, .anyKey, .block: throw SQLCannotSay(what: "this expression")
        }
    }

    private func path(_ keys: [String], of scope: SelectScope) throws -> Operand {
        switch try resolve(keys, in: scope) {
        case .operand(let operand): return operand
        case .toMany(let path):
            if let value = try collectionOperator(path) { return value }
            throw toManyNotAllowed(path.property)
        }
    }

    private func keyPath(_ base: ExpressionTree, _ keys: [String]) throws -> Operand {
        if let scope = try scope(of: base) {
            if scope === root, keys.count == 1, root.entity.property(named: keys[0]) == nil, let column = resultColumns[keys[0]] {
                return column
            }
            if scope === root, allowsAggregates, let name = keys.first, name.hasPrefix("@") {
                return try rowAggregate(name, try path(Array(keys.dropFirst()), of: root))
            }
            return try path(keys, of: scope)
        }
        if case .subquery = base {
            guard let counted = try counted(.keyPath(base, keys)) else { throw SQLCannotSay(what: keys.joined(separator: ".")) }
            return count(counted)
        }
        throw SQLCannotSay(what: "keys of an expression")
    }

    func count(_ counted: CountedMembers) -> Operand {
        Operand(aggregate("COUNT(*)", counted.members, counted.condition), .integer)
    }

    /// The value of an expression that names no row.
    func constantValue(_ expression: ExpressionTree) throws -> PredicateValue? {
        switch expression {
        case .constant(let value): return value
        case .aggregate(let elements):
            var values: [PredicateValue] = []
            for element in elements {
                guard let value = try constantValue(element) else { return nil }
                values.append(value)
            }
            return .list(values)
        default: return nil
        }
    }

    /// The operand's SQL with a constant bound as `type`.
    func sql(_ operand: Operand, as type: ValueType) throws -> SQLFragment {
        guard let constant = operand.constant else { return operand.sql }
        return try bound(constant, as: type)
    }

    private func conditional(_ test: PredicateTree, _ first: ExpressionTree, _ second: ExpressionTree) throws -> Operand {
        let (a, b) = (try nested(6) { try operand(first) }, try nested(8) { try operand(second) })
        let type = a.constant == nil ? a.type : b.type
        if case .reference(let one) = a.type, case .reference(let other) = b.type, !shareRows(one, other) {
            throw SQLCannotSay(what: "a TERNARY of unrelated entities")
        }
        let text = "CASE WHEN " + (try nested(4) { try condition(test) }) + " THEN " + (try sql(a, as: type)) + " ELSE " + (try sql(b, as: type)) + " END"
        return Operand(text.inParentheses, type)
    }

    private func cast(_ operand: Operand, to type: String) throws -> Operand {
        switch type {
        case "NSDate", "Date": return Operand(try sql(operand, as: .any), .date)
        case "NSNumber":
            if operand.type.isText || operand.constant != nil {
                return Operand("CAST(" + (try sql(operand, as: .any)) + " AS NUMERIC)", .real)
            }
            return Operand(operand.sql, operand.type.isNumeric ? operand.type : .real)
        case "NSDecimalNumber": return Operand("CAST(" + (try sql(operand, as: .any)) + " AS NUMERIC)", .decimal)
        case "NSString", "String": return Operand(writtenOut(try sql(operand, as: .any), operand.constant == nil ? operand.type : .real), .text)
        default: throw SQLCannotSay(what: "CAST to \(type)")
        }
    }
}
