/// The values an object must have to satisfy the equalities of a conjunction.
enum PredicateEqualities {
    /// Property name to value, nil for null. What is joined otherwise than by AND says nothing. Throws `unacceptableValue`.
    static func values(
        of predicate: NSPredicate?, for entity: NSEntityDescription, in context: NSManagedObjectContext
    ) throws -> [String: Any?] {
        var result: [String: Any?] = [:]
        for comparison in equalities(predicate) {
            guard let (key, constant) = sides(comparison) else { continue }
            let value = unwrapped(constant)
            if let attribute = entity.attributesByName[key] {
                result.updateValue(try fit(value, attribute, entity), forKey: key)
            } else if let relationship = entity.relationshipsByName[key], !relationship.isToMany {
                guard let target = object(value, in: context) else { continue }
                result.updateValue(target, forKey: key)
            }
        }
        return result
    }

    private static func equalities(_ predicate: NSPredicate?) -> [NSComparisonPredicate] {
        switch predicate {
        case let compound as NSCompoundPredicate where compound.compoundPredicateType == .and:
            (compound.subpredicates as [Any]).flatMap { equalities($0 as? NSPredicate) }
        case let comparison as NSComparisonPredicate where comparison.predicateOperatorType == .equalTo: [comparison]
        default: []
        }
    }

    /// The property and the constant, whichever side they are on.
    private static func sides(_ comparison: NSComparisonPredicate) -> (key: String, constant: Any?)? {
        guard comparison.comparisonPredicateModifier == .direct else { return nil }
        let left = comparison.leftExpression, right = comparison.rightExpression
        if left.expressionType == .keyPath, right.expressionType == .constantValue { return (left.keyPath, right.constantValue) }
        if right.expressionType == .keyPath, left.expressionType == .constantValue { return (right.keyPath, left.constantValue) }
        return nil
    }

    private static func unwrapped(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    private static func fit(_ value: Any?, _ attribute: NSAttributeDescription, _ entity: NSEntityDescription) throws -> Any? {
        guard let value else { return nil }
        if let fitting = AttributeFitting.value(value, for: attribute, converting: false) { return fitting }
        throw NLCoreDataError.unacceptableValue(entity: entity.name ?? "", attribute: attribute.name, value: "\(value)")
    }

    /// The object as one of the context; nil for null or for what is no object.
    private static func object(_ value: Any?, in context: NSManagedObjectContext) -> NSManagedObject? {
        switch value {
        case let object as NSManagedObject:
            object.managedObjectContext === context ? object : context.object(with: object.objectID)
        case let identifier as NSManagedObjectID: context.object(with: identifier)
        default: nil
        }
    }
}
