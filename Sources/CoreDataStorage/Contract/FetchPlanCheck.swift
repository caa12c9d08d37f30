import CoreDataPredicate
import CoreDataSchema

/// Refuses a plan that names what the model does not have or what no store can answer, before any store sees it.
package enum FetchPlanCheck {
    /// Throws `StoreError.invalidRequest` that names the first thing wrong. Constants of the predicate are made what the
    /// attributes beside them keep (`'5'` beside a number is 5), so that every store compares the same.
    package static func check(_ plan: inout FetchPlan, _ model: ResolvedModel) throws(StoreError) {
        guard model.entities.indices.contains(plan.entity) else {
            throw .invalidRequest("The fetch asks for entity number \(plan.entity), which the model does not have.")
        }
        let entity = model.entities[plan.entity]
        var scope = PredicateScope(entity: entity, model: model)
        if let predicate = plan.predicate { plan.predicate = try scope.checked(predicate) }
        if case .dictionaries(var dictionary) = plan.result {
            try check(&dictionary, sort: plan.sort, &scope)
            plan.result = .dictionaries(dictionary)
        } else {
            for term in plan.sort { try checkSort(term, scope) }
        }
        for path in plan.prefetch { try checkPrefetch(path, entity, model) }
    }

    /// Whether a key that is no property asks for the entity of the rows, which predicates know by name.
    package static func isEntity(_ key: String) -> Bool { key == "entity" }

    /// Keys that stand for the object itself.
    static func isSelf(_ key: String) -> Bool { key == "self" || key == "SELF" || key == "objectID" }

    private static func checkSort(_ term: SortTerm, _ scope: PredicateScope) throws(StoreError) {
        let end = try scope.resolve(term.keyPath, from: scope.entity)
        if end.crossesToMany {
            throw .invalidRequest(
                "to-many key not allowed here: “\(term.keyPath.joined(separator: "."))” has many values for each row, so nothing can be sorted "
                    + "by it. Sort by a stored or derived attribute, or sort the fetched objects.")
        }
        if end.isCollectionOperator || end.isEntity {
            throw .invalidRequest("“\(term.keyPath.joined(separator: "."))” cannot be sorted by: sort keys are stored properties.")
        }
    }

    private static func checkPrefetch(_ path: [String], _ entity: ResolvedEntity, _ model: ResolvedModel) throws(StoreError) {
        var current = entity
        for key in path {
            guard let property = current.property(named: key) else { throw unknownKey(key, in: current, path: path) }
            guard let relationship = property.relationship else {
                throw .invalidRequest("“\(key)” of entity <\(current.name)> is not a relationship and cannot be prefetched.")
            }
            current = model.entities[relationship.destination]
        }
    }

    private static func check(_ plan: inout DictionaryPlan, sort: [SortTerm], _ scope: inout PredicateScope) throws(StoreError) {
        let groups = plan.groupBy.map(plan.groupExpression)
        for group in groups {
            if case .keyPath(.evaluatedObject, let keys) = group, try scope.resolve(keys, from: scope.entity).crossesToMany { throw toMany(keys) }
            try scope.check(group, allowsToMany: false)
        }
        for column in plan.columns {
            try scope.check(column.expression, allowsToMany: false)
            if plan.isGrouped, let loose = GroupedColumns.ungrouped(in: column.expression, groups) {
                throw .invalidRequest(
                    "SELECT columns must be literals, aggregates or grouped: “\(loose)” is none of these. "
                        + "Add it to propertiesToGroupBy.")
            }
        }
        scope.aliases = Set(plan.columns.map(\.name))
        for term in sort where !(term.keyPath.count == 1 && scope.aliases.contains(term.keyPath[0])) { try checkSort(term, scope) }
        if let having = plan.having { plan.having = try scope.checked(having) }
    }

    // MARK: Errors

    package static func unknownKey(_ key: String, in entity: ResolvedEntity, path: [String]) -> StoreError {
        let whole = path.count > 1 ? " (in “\(path.joined(separator: "."))”)" : ""
        let advice = NearestName.advice(key, among: entity.properties.map(\.name))
        return .invalidRequest("keypath \(key) not found in entity <\(entity.name)>\(whole). \(advice)")
    }

    static func toMany(_ path: [String], _ comparison: Comparison? = nil) -> StoreError {
        let path = path.joined(separator: ".")
        let advice = switch (comparison?.operation, comparison?.left, comparison?.right) {
        case (.equal, .constant(.null), _), (.equal, _, .constant(.null)): "To ask whether it is empty, write \(path).@count == 0."
        case (.notEqual, .constant(.null), _), (.notEqual, _, .constant(.null)): "To ask whether it has any, write \(path).@count > 0."
        case (nil, _, _): "A column of a dictionary fetch has one value for each row, such as @count."
        default: "In a predicate put ANY, ALL or NONE before it, or use @count or SUBQUERY."
        }
        return .invalidRequest("to-many key not allowed here: “\(path)”. \(advice)")
    }
}
