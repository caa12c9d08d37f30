/// What `aggregate(_:on:with:in:)` computes: one of those below, or another function the store knows by name.
public struct AggregateFunction: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The function's name in expressions, such as "sum:".
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue.hasSuffix(":") ? rawValue : rawValue + ":" }
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public static let sum: AggregateFunction = "sum:"
    public static let average: AggregateFunction = "average:"
    public static let minimum: AggregateFunction = "min:"
    public static let maximum: AggregateFunction = "max:"
    public static let count: AggregateFunction = "count:"
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
        default: description.attributeType
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
