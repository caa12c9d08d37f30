import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// The columns of a dictionary fetch.
enum DictionaryPlanner {
    static func plan(_ settings: FetchSettings, entity: EntityRuntime) throws -> DictionaryPlan {
        var columns: [DictionaryColumn] = []
        if let properties = settings.propertiesToFetch, !properties.isEmpty {
            columns = try properties.map { try column($0, of: entity) }
        } else {
            // A composite has a column for each element, and none for the whole.
            columns = entity.resolved.properties.filter { $0.isStored && $0.storage != .toOne && $0.storage != .composite }.map {
                DictionaryColumn(name: $0.name, expression: .key($0.name), type: $0.attribute?.type)
            }
        }
        var plan = DictionaryPlan(columns: columns)
        let isGrouped = !(settings.propertiesToGroupBy ?? []).isEmpty
        for index in plan.columns.indices {
            plan.columns[index].expression = ToManyFunctions.rewritten(plan.columns[index].expression, of: entity, isGrouped: isGrouped)
        }
        plan.isDistinct = settings.returnsDistinctResults
        for property in settings.propertiesToGroupBy ?? [] {
            let name = try name(of: property)
            plan.groupBy.append(name)
            if property is NSExpressionDescription {
                plan.groupExpressions[name] = try column(property, of: entity).expression
            } else if entity.resolved.property(named: name) == nil, let column = columns.first(where: { $0.name == name }) {
                plan.groupExpressions[name] = column.expression
            }
        }
        if settings.havingPredicate != nil, plan.groupBy.isEmpty {
            throw StoreError.invalidRequest("A request with a havingPredicate must group: set its propertiesToGroupBy, or use its predicate.")
        }
        plan.having = settings.havingPredicate?.tree
        return plan
    }

    private static func column(_ property: Any, of entity: EntityRuntime) throws -> DictionaryColumn {
        if let description = property as? NSExpressionDescription {
            guard let expression = description.expression as? TreeExpression else {
                throw StoreError.invalidRequest("The expression description “\(description.name)” has no expression.")
            }
            return DictionaryColumn(
                name: description.name, expression: expression.tree,
                type: AttributeType(rawValue: Int(description.expressionResultType.rawValue)))
        }
        let key = try name(of: property)
        if !key.contains("."), let resolved = entity.resolved.property(named: key), resolved.storage == .toMany {
            throw StoreError.invalidRequest("Invalid to-many relationship in setPropertiesToFetch: (\(key))")
        }
        return DictionaryColumn(name: key, expression: .key(key), type: entity.resolved.property(named: key)?.attribute?.type)
    }

    static func name(of property: Any) throws -> String {
        if let name = property as? String { return name }
        if let description = property as? NSPropertyDescription { return description.name }
        throw StoreError.invalidRequest("propertiesToFetch and propertiesToGroupBy take names or property descriptions, "
            + "not \(type(of: property)).")
    }
}
