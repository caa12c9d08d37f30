import CoreDataPredicate
import CoreDataSchema

/// What names mean while a plan is checked: the entity asked for, SUBQUERY's variables, a dictionary fetch's columns.
struct PredicateScope {
    let entity: ResolvedEntity
    let model: ResolvedModel
    /// Element entities of SUBQUERY variables; nil when the collection's elements are not rows.
    var variables: [String: ResolvedEntity?] = [:]
    /// Columns that HAVING may name.
    var aliases: Set<String> = []

    init(entity: ResolvedEntity, model: ResolvedModel) {
        self.entity = entity
        self.model = model
    }

    /// What a key path ends in.
    struct End {
        /// The entity of the object or objects at the end; nil for attributes and numbers.
        var entity: ResolvedEntity?
        /// A collection: the path goes through a to-many that no operator sums up.
        var crossesToMany = false
        var isCollectionOperator = false
        /// The entity's name: `entity`, `dept.entity.name`.
        var isEntity = false
        /// The attribute the path ends in, an element of a composite included, and its entity's name.
        var attribute: AttributeSchema?
        var owner = ""
        /// The last operator of the path.
        var operation: String?
    }

    func resolve(_ keys: [String], from start: ResolvedEntity) throws(StoreError) -> End {
        var end = End(entity: start)
        var current: ResolvedEntity? = start
        var composite: String?
        var isAttribute = false
        for (index, key) in keys.enumerated() {
            if key.hasPrefix("@") {
                try apply(key, isLast: index == keys.count - 1, path: keys, &end)
                end.operation = key
                if key == "@count" { current = nil }
                continue
            }
            if let name = composite {
                guard let element = model.schema.composites.first(where: { $0.name == name })?.elements.first(where: { $0.name == key })
                else { throw unknownElement(key, of: name, path: keys) }
                composite = element.compositeName
                (end.attribute, end.owner) = (element, name)
                isAttribute = true
                continue
            }
            guard let entity = current else {
                throw nothingFollows(keys, at: index, start, end)
            }
            if FetchPlanCheck.isSelf(key) { continue }
            if FetchPlanCheck.isEntity(key), entity.property(named: key) == nil {
                guard keys[(index + 1)...].allSatisfy({ $0 == "name" }), index + 2 >= keys.count else {
                    throw .invalidRequest("keypath \(keys.joined(separator: ".")) not found: of an entity there is only its name.")
                }
                end.entity = nil
                end.isEntity = true
                return end
            }
            guard let property = entity.property(named: key) else { throw FetchPlanCheck.unknownKey(key, in: entity, path: keys) }
            try refuseUnstored(property, entity)
            if let relationship = property.relationship {
                current = model.entities[relationship.destination]
                if relationship.isToMany { end.crossesToMany = true }
            } else {
                composite = property.attribute?.compositeName
                (end.attribute, end.owner) = (property.attribute, entity.name)
                current = nil
                isAttribute = true
            }
        }
        end.entity = isAttribute ? nil : current
        return end
    }

    private func apply(_ name: String, isLast: Bool, path: [String], _ end: inout End) throws(StoreError) {
        guard AggregateSearch.operators.contains(name) else {
            throw .invalidRequest("“\(name)” in “\(path.joined(separator: "."))” is not a collection operator."
                + (NearestName.find(name, among: AggregateSearch.operators.sorted()).map { " Did you mean “\($0)”?" } ?? ""))
        }
        if name == "@count" ? !isLast : isLast {
            throw .invalidRequest(
                name == "@count" ? "nothing can follow @count in “\(path.joined(separator: "."))”."
                    : "“\(name)” in “\(path.joined(separator: "."))” needs a key after it.")
        }
        end.isCollectionOperator = true
        if !name.hasPrefix("@distinct") && !name.hasPrefix("@union") { end.crossesToMany = false }
    }

    private func unknownElement(_ key: String, of composite: String, path: [String]) -> StoreError {
        let elements = model.schema.composites.first { $0.name == composite }?.elements.map(\.name) ?? []
        return .invalidRequest("keypath \(key) not found in composite <\(composite)> (in “\(path.joined(separator: "."))”). "
            + NearestName.advice(key, among: elements))
    }

    private func nothingFollows(_ keys: [String], at index: Int, _ start: ResolvedEntity, _ end: End) -> StoreError {
        let advice = end.attribute?.type == .string && keys[index] == "length"
            ? " The length of a text is length:(\(keys[..<index].joined(separator: ".")))." : ""
        return .invalidRequest("keypath \(keys.joined(separator: ".")) not found in entity <\(start.name)>: nothing can follow "
            + "“\(keys[index - 1])”.\(advice)")
    }

    private func refuseUnstored(_ property: ResolvedProperty, _ entity: ResolvedEntity) throws(StoreError) {
        guard property.isTransient || property.storage == .fetched || property.storage == .none else { return }
        throw .invalidRequest(
            "keypath \(property.name) not found in entity <\(entity.name)>: it is \(property.storage == .fetched ? "a fetched property" : "transient"), "
                + "so the store does not keep it. Filter or sort the fetched objects instead.")
    }
}

extension PredicateScope {
    mutating func check(_ tree: PredicateTree) throws(StoreError) {
        switch tree {
        case .constant: break
        case .and(let parts), .or(let parts): for part in parts { try check(part) }
        case .not(let part): try check(part)
        case .comparison(let comparison): try check(comparison)
        case .block(let block):
            throw .invalidRequest("\(block.text) cannot be evaluated by a store. Filter the fetched objects with it instead.")
        }
    }

    private mutating func check(_ comparison: Comparison) throws(StoreError) {
        if comparison.operation == .custom {
            throw .invalidRequest("A comparison by a custom selector cannot be evaluated by a store. Filter the fetched objects with it instead.")
        }
        try checkConstants(comparison)
        let left = try isCollection(comparison.left), right = try isCollection(comparison.right)
        let mayLeft = comparison.modifier != .direct || comparison.operation == .contains
        let mayRight = comparison.operation == .isIn
        if left && !mayLeft { throw FetchPlanCheck.toMany(Self.path(comparison.left), comparison) }
        if right && !mayRight { throw FetchPlanCheck.toMany(Self.path(comparison.right), comparison) }
    }

    /// What is wrong whatever the rows: found here, or a store without rows would not notice.
    private func checkConstants(_ comparison: Comparison) throws(StoreError) {
        switch (comparison.operation, comparison.right) {
        case (.between, .constant(.list(let bounds, _))) where bounds.count != 2:
            throw .invalidRequest("BETWEEN takes two values, such as {1, 10}, not \(bounds.count).")
        case (.between, .aggregate(let bounds)) where bounds.count != 2:
            throw .invalidRequest("BETWEEN takes two values, such as {1, 10}, not \(bounds.count).")
        case (.between, .constant(.list)), (.between, .constant(.null)): break
        case (.between, .constant):
            throw .invalidRequest("BETWEEN takes a list of two values, such as {1, 10}, and not one value.")
        case (.matches, .constant(.string(let pattern))):
            do { _ = try RegularExpressions.matches("", pattern, options: comparison.options) } catch {
                throw .invalidRequest("\(error)")
            }
        default: break
        }
    }

    /// For columns of a dictionary fetch.
    mutating func check(_ expression: ExpressionTree, allowsToMany: Bool) throws(StoreError) {
        if case .keyPath(.evaluatedObject, let keys) = expression, let first = keys.first, first.hasPrefix("@") {
            // @sum.salary: over the fetched rows.
            if keys.count > 1 { _ = try resolve(Array(keys.dropFirst()), from: entity) }
            return
        }
        if try isCollection(expression), !allowsToMany {
            throw .invalidRequest("Invalid to-many relationship in setPropertiesToFetch: “\(Self.path(expression).joined(separator: "."))”.")
        }
    }

    /// Checks what is inside and answers whether the expression stands for a to-many's members or their values.
    mutating func isCollection(_ expression: ExpressionTree) throws(StoreError) -> Bool {
        switch expression {
        case .constant, .evaluatedObject, .anyKey: return false
        case .block:
            throw .invalidRequest("An expression that is a closure cannot be evaluated by a store. Filter the fetched objects with it instead.")
        case .variable(let name):
            try checkVariable(name)
            return false
        case .keyPath(let operand, let keys): return try isCollection(operand, keys)
        case .function(let name, let arguments):
            var isCollection = false
            for argument in arguments where try self.isCollection(argument) { isCollection = true }
            return isCollection && !AggregateSearch.functions.contains(name) && !Self.single.contains(name)
        case .call(let operand, let selector, let arguments):
            var isCollection = try self.isCollection(operand)
            for argument in arguments where try self.isCollection(argument) { isCollection = true }
            return isCollection && selector != "count"
        case .cast(let operand, _): return try isCollection(operand)
        case .aggregate(let elements):
            for element in elements { _ = try isCollection(element) }
            return false
        case .subquery(let collection, let variable, let predicate):
            _ = try isCollection(collection)
            let outer = variables[variable]
            variables.updateValue(try elementEntity(collection), forKey: variable)
            try check(predicate)
            variables[variable] = outer
            return true
        case .conditional(let predicate, let then, let otherwise):
            try check(predicate)
            let first = try isCollection(then), second = try isCollection(otherwise)
            return first || second
        case .element(let operand, let index):
            _ = try isCollection(operand)
            if case .at(let place) = index { _ = try isCollection(place) }
            return false
        case .set(_, let left, let right):
            _ = try isCollection(left)
            _ = try isCollection(right)
            return true
        }
    }

    /// Functions that make one value of a collection.
    private static let single: Set<String> = ["first:", "last:", "size:", "objectFrom:withIndex:"]

    private mutating func isCollection(_ operand: ExpressionTree, _ keys: [String]) throws(StoreError) -> Bool {
        switch operand {
        case .evaluatedObject:
            if keys.count == 1, aliases.contains(keys[0]) { return false }
            return try resolve(keys, from: entity).crossesToMany
        case .variable(let name):
            try checkVariable(name)
            guard let element = variables[name] ?? nil else { return false }
            return try resolve(keys, from: element).crossesToMany
        default:
            let isCollection = try self.isCollection(operand)
            guard let element = try elementEntity(operand) else { return isCollection && !AggregateSearch.endsInNumber(keys) }
            let end = try resolve(keys, from: element)
            return end.isCollectionOperator ? end.crossesToMany : isCollection || end.crossesToMany
        }
    }

    private func checkVariable(_ name: String) throws(StoreError) {
        if variables.keys.contains(name) || aliases.contains(name) { return }
        throw .invalidRequest("Nothing was substituted for the variable $\(name) of the predicate.")
    }

    /// The entity of an expression's objects; nil when they are not rows or nobody knows.
    func elementEntity(_ expression: ExpressionTree) throws(StoreError) -> ResolvedEntity? {
        switch expression {
        case .evaluatedObject: entity
        case .variable(let name): variables[name] ?? nil
        case .keyPath(let operand, let keys):
            if let start = try elementEntity(operand) { try resolve(keys, from: start).entity } else { nil }
        case .subquery(let collection, _, _): try elementEntity(collection)
        case .element(let operand, _): try elementEntity(operand)
        case .set(_, let left, _): try elementEntity(left)
        default: nil
        }
    }

    private static func path(_ expression: ExpressionTree) -> [String] {
        switch expression {
        case .keyPath(.evaluatedObject, let keys): keys
        case .keyPath(.variable(let name), let keys): ["$" + name] + keys
        case .cast(let operand, _), .element(let operand, _), .call(let operand, _, _), .set(_, let operand, _): path(operand)
        case .function(_, let arguments): arguments.lazy.map(path).first { !$0.isEmpty } ?? []
        case .subquery(let collection, _, _): ["SUBQUERY(" + path(collection).joined(separator: ".") + ")"]
        default: []
        }
    }
}
