import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// A correlated subquery over the members of a to-many.
struct Members {
    let scope: SelectScope
    /// Ties the members to their owner.
    let link: MemberLink
    /// The value each member contributes.
    let element: Operand
}

/// What ties members to their owner.
struct MemberLink {
    /// The owner's key in the members' FROM.
    let column: String
    let ownerKey: String
    let ownsItself: Bool

    var condition: String { "\(column) = \(ownerKey)" }
}

extension SelectCompiler {
    /// Opens a subquery over the members at the end of `path`; further to-manys in it are joined in.
    func members(_ path: ToManyPath) throws -> Members {
        let (scope, link) = try open(path)
        var rest = path.rest[...]
        var current = scope
        while true {
            switch try resolve(Array(rest), in: current, isAfterToMany: true) {
            case .operand(let element): return Members(scope: scope, link: link, element: element)
            case .toMany(let next):
                // The inner to-many's rows stand beside the outer's in the same FROM.
                let (inner, innerLink) = try open(next)
                current = try inner.hosted(by: scope, link: innerLink.condition)
                rest = next.rest[...]
            }
        }
    }

    private func open(_ path: ToManyPath) throws -> (SelectScope, link: MemberLink) {
        guard let link = schema.link(path.property), let destination = path.property.relationship?.destination,
              let table = schema.table(of: destination)
        else {
            throw StoreError.invalidRequest("The relationship “\(path.property.name)” is not kept in this store.")
        }
        let entity = model.entities[destination]
        let alias = nextAlias()
        func tied(_ column: String) -> MemberLink { MemberLink(column: column, ownerKey: path.ownerKey, ownsItself: path.ownsItself) }
        switch link {
        case .column(_, let name, _, _):
            return (SelectScope(entity: entity, alias: alias, table: table.name), tied("\(alias).\(name)"))
        case .join(let side):
            let join = nextAlias("j")
            let scope = SelectScope(
                entity: entity, alias: alias, table: table.name, joinTable: "\(side.table) \(join)",
                joinKey: "\(join).\(side.memberColumn)")
            return (scope, tied("\(join).\(side.ownerColumn)"))
        }
    }

    /// EXISTS or, negated, NOT EXISTS a member for which the condition holds. Where an index finds those members, their owners
    /// are looked up by key instead: that reads nobody else.
    func exists(_ members: Members, _ condition: SQLFragment?, negated: Bool = false) -> SQLFragment {
        if let condition, condition.startsAtIndex, members.link.ownsItself, !isCorrelated(condition) {
            // The plus keeps SQLite from beginning at the owners' index.
            let column = members.link.column
            return "\(members.link.ownerKey) \(negated ? "NOT " : "")IN (SELECT \(column) FROM \(members.scope.from) WHERE +\(column) IS NOT NULL AND "
                + condition.inParentheses + ")"
        }
        let filter = condition.map { " AND " + $0.inParentheses } ?? SQLFragment("")
        return "\(negated ? "NOT " : "")EXISTS (SELECT 1 FROM \(members.scope.from) WHERE \(members.link.condition)" + filter + ")"
    }

    /// Whether a condition on members speaks of rows outside.
    private func isCorrelated(_ condition: SQLFragment) -> Bool {
        ([root] + variables.values).flatMap(\.aliases).contains { condition.text.contains("\($0).") }
    }

    /// An aggregate over the members, as a value.
    func aggregate(_ expression: String, _ members: Members, _ condition: SQLFragment? = nil) -> SQLFragment {
        let filter = condition.map { " AND " + $0.inParentheses } ?? SQLFragment("")
        return "(SELECT \(expression) FROM \(members.scope.from) WHERE \(members.link.condition)" + filter + ")"
    }

    /// `to-many.@operator…`: the aggregate of the members' values.
    func collectionOperator(_ path: ToManyPath) throws -> Operand? {
        guard let index = path.rest.firstIndex(where: { $0.hasPrefix("@") }) else { return nil }
        let name = path.rest[index]
        // Both `people.@sum.age` and `people.age.@sum` are written.
        var value = Array(path.rest[..<index]) + Array(path.rest[(index + 1)...])
        let isDistinctCount = value.contains { $0.hasPrefix("@") }
        if isDistinctCount {
            guard name.hasPrefix("@distinctUnion"), value.last == "@count", value.count(where: { $0.hasPrefix("@") }) == 1 else {
                throw SQLCannotSay(what: path.rest.joined(separator: "."))
            }
            value.removeLast()
        }
        let target = ToManyPath(ownerKey: path.ownerKey, ownsItself: path.ownsItself, property: path.property, rest: value)
        guard isDistinctCount else { return try aggregate(named: name, target) }
        let members = try members(target)
        return Operand(aggregate("COUNT(DISTINCT \(members.element.sql.text))", members), .integer)
    }

    func aggregate(named name: String, _ path: ToManyPath) throws -> Operand {
        let members = try members(path)
        if name == "@count" {
            let expression = path.rest.isEmpty ? "COUNT(*)" : "COUNT(\(members.element.sql.text))"
            return Operand(aggregate(expression, members), .integer)
        }
        let value = members.element.sql.text
        if case .reference = members.element.type {
            throw StoreError.invalidRequest("“\(path.property.name).\(name)” needs an attribute to work on, such as \(path.property.name).\(name).amount.")
        }
        switch name {
        case "@sum": return Operand(aggregate("IFNULL(SUM(\(value)), 0)", members), sumType(members.element.type))
        case "@min": return Operand(aggregate("MIN(\(value))", members), members.element.type)
        case "@max": return Operand(aggregate("MAX(\(value))", members), members.element.type)
        case "@avg", "@average": return Operand(aggregate("AVG(\(value))", members), .real)
        default: throw SQLCannotSay(what: name)
        }
    }

    func sumType(_ type: ValueType) -> ValueType {
        switch type {
        case .boolean, .integer: .integer
        case .decimal: .decimal
        default: .real
        }
    }

    // MARK: quantifiers

    /// ANY or ALL of a to-many path against an operand of the outer rows.
    func quantified(_ comparison: Comparison, _ path: ToManyPath, isLeft: Bool) throws -> SQLFragment {
        if let value = try collectionOperator(path) {
            return try compare(comparison, isLeft ? value : try operand(comparison.left), isLeft ? nil : value)
        }
        let members = try members(path)
        let condition = try compare(comparison, isLeft ? members.element : try operand(comparison.left), isLeft ? nil : members.element)
        if comparison.modifier == .all {
            // A member that is not known to pass fails: so does nil in memory.
            return exists(members, condition.inParentheses + " IS NOT 1", negated: true)
        }
        return exists(members, condition)
    }

    // MARK: SUBQUERY

    /// A count over the members that satisfy a predicate, kept apart so that comparisons with zero become EXISTS.
    struct CountedMembers {
        let members: Members
        let condition: SQLFragment?
    }

    /// `SUBQUERY(…).@count`, `count:(SUBQUERY(…))`, `rel.@count`; nil for anything else.
    func counted(_ expression: ExpressionTree) throws -> CountedMembers? {
        switch expression {
        case .keyPath(let operand, let keys) where keys.last == "@count":
            if case .subquery = operand, keys.count == 1 { return try countedSubquery(operand) }
            guard let scope = try scope(of: operand) else { return nil }
            guard case .toMany(let path) = try resolve(Array(keys.dropLast()), in: scope) else { return nil }
            if path.rest.contains(where: { $0.hasPrefix("@") }) { return nil }
            return CountedMembers(members: try members(path), condition: nil)
        case .function("count:", let arguments) where arguments.count == 1:
            if case .subquery = arguments[0] { return try countedSubquery(arguments[0]) }
            guard let path = try toManyPath(arguments[0]), path.rest.isEmpty else { return nil }
            return CountedMembers(members: try members(path), condition: nil)
        case .element(let operand, .size):
            if case .subquery = operand { return try countedSubquery(operand) }
            guard let path = try toManyPath(operand) else { return nil }
            return CountedMembers(members: try members(path), condition: nil)
        default: return nil
        }
    }

    private func countedSubquery(_ expression: ExpressionTree) throws -> CountedMembers? {
        guard case .subquery(let collection, let variable, let predicate) = expression else { return nil }
        guard let path = try toManyPath(collection) else { throw SQLCannotSay(what: "a SUBQUERY over something that is no to-many relationship") }
        let members = try members(path)
        guard case .reference(let entity) = members.element.type else { throw SQLCannotSay(what: "a SUBQUERY over values") }
        let element: SelectScope
        if path.rest.isEmpty {
            element = members.scope
        } else {
            // The members' own rows, joined at the end of the path.
            let alias = nextAlias()
            let table = schema.table(of: entity)?.name ?? ""
            try members.scope.append("JOIN \(table) \(alias) ON \(alias).Z_PK = \(members.element.sql.text)")
            element = SelectScope(entity: model.entities[entity], alias: alias, host: members.scope)
        }
        let hidden = variables[variable]
        variables[variable] = element
        defer { variables[variable] = hidden }
        return CountedMembers(members: members, condition: try nested(12) { try condition(predicate) })
    }

    /// The to-many a key path expression leads to; nil when it leads to none.
    func toManyPath(_ expression: ExpressionTree) throws -> ToManyPath? {
        guard case .keyPath(let operand, let keys) = expression, let scope = try scope(of: operand) else { return nil }
        guard case .toMany(let path) = try resolve(keys, in: scope) else { return nil }
        return path
    }

    /// The rows an operand stands for: SELF or a SUBQUERY's variable.
    func scope(of expression: ExpressionTree) throws -> SelectScope? {
        switch expression {
        case .evaluatedObject: return root
        case .variable(let name):
            guard let scope = variables[name] else { throw unbound(name) }
            return scope
        default: return nil
        }
    }

    func unbound(_ name: String) -> StoreError {
        .invalidRequest("The variable $\(name) has no value. Replace it with withSubstitutionVariables(_:) before fetching.")
    }
}
