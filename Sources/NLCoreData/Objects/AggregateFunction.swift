/// What `aggregate(_:on:with:in:)` computes.
public enum AggregateFunction: String, Sendable, CaseIterable {
    case sum = "sum:"
    case average = "average:"
    case minimum = "min:"
    case maximum = "max:"
    case count = "count:"
}

extension ManagedObjectConvenience {
    /// Computes one value over an attribute of all objects, or of those that match: a number, or for the minimum and maximum of
    /// other types a value of that type; nil when there is nothing to compute from.
    ///
    /// The store computes it, so unsaved changes do not count. Throws `unknownAttribute` and what the fetch throws.
    public static func aggregate(
        _ function: AggregateFunction, on attribute: String, with predicate: NSPredicate? = nil,
        in context: NSManagedObjectContext = .contextForThread()
    ) throws -> Any? {
        let entity = try EntityLookup.entity(of: Self.self, in: context)
        guard let description = entity.attributesByName[attribute] else {
            throw NLCoreDataError.unknownAttribute(entity: entity.name ?? "", attribute: attribute)
        }
        let column = NSExpressionDescription()
        column.name = "result"
        column.expression = NSExpression(forFunction: function.rawValue, arguments: [NSExpression(forKeyPath: attribute)])
        column.expressionResultType = switch function {
        case .count: .integer64AttributeType
        case .average: .doubleAttributeType
        case .sum, .minimum, .maximum: description.attributeType
        }
        let request = NSFetchRequest<NSDictionary>()
        request.entity = entity
        request.includesSubentities = context.stack.includesSubentitiesByDefault
        request.predicate = predicate
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [column]
        return try context.fetch(request).first?["result"]
    }
}
