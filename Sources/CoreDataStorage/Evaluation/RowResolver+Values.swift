import CoreDataPredicate
import CoreDataSchema

extension RowResolver {
    /// The value at the end of a checked key path of to-ones and an attribute; nil as soon as a step leads nowhere.
    package func value(of row: RowBlock, at path: [String]) throws -> PredicateValue {
        var row = row
        for (index, key) in path.enumerated() {
            let entity = model.entities[Int(row.key.entity)]
            guard let property = entity.property(named: key) else {
                if FetchPlanCheck.isSelf(key) { continue }
                if FetchPlanCheck.isEntity(key) { return .string(entity.name) }
                throw FetchPlanCheck.unknownKey(key, in: entity, path: path)
            }
            let isLast = index == path.count - 1
            switch property.storage {
            case .toOne:
                guard let target = row.reference(property.slot) else { return .null }
                if isLast { return .reference(PredicateReference(BareReference(target))) }
                guard let next = try self.row(target) else { return .null }
                row = next
            case .toMany, .fetched: throw FetchPlanCheck.toMany(path)
            case .composite where !isLast:
                return try compositeValue(row.value(property.slot), property, Array(path[(index + 1)...]))
            default: return PredicateValue(row.value(property.slot), kind: property.storage)
            }
        }
        return .reference(PredicateReference(BareReference(row.key)))
    }

    private func compositeValue(_ value: AttributeValue, _ property: ResolvedProperty, _ path: [String]) throws -> PredicateValue {
        guard case .composite(let elements) = value else { return .null }
        var subject: any PredicateSubject = CompositeSubject(elements, of: property, in: model)
        for key in path.dropLast() {
            guard case .reference(let inner) = try subject.predicateValue(forKey: key), let next = inner.referent.predicateSubject
            else { return .null }
            subject = next
        }
        return try path.last.map(subject.predicateValue) ?? .null
    }
}
