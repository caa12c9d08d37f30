import CoreDataPredicate
import CoreDataSchema

/// A stored row as the subject of a predicate; follows relationships through a resolver.
///
/// Invariant: the row is read at most once, when a key is first asked. A key whose row is gone answers nil for every
/// property, like the columns of a left join.
package final class RowSubject: PredicateSubject, PredicateReferent {
    package let predicateKey: RowKey
    private let resolver: RowResolver
    private var known: RowBlock?
    private var isRead: Bool

    package init(_ row: RowBlock, _ resolver: RowResolver) {
        predicateKey = row.key
        self.resolver = resolver
        known = row
        isRead = true
    }

    package init(_ key: RowKey, _ resolver: RowResolver) {
        predicateKey = key
        self.resolver = resolver
        isRead = false
    }

    package var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }
    package var predicateSubject: (any PredicateSubject)? { self }
    package var predicateText: String { "<\(entity.name) p\(predicateKey.primaryKey)>" }

    private var entity: ResolvedEntity { resolver.model.entities[Int(predicateKey.entity)] }

    private func row() throws -> RowBlock? {
        if !isRead {
            known = try resolver.row(predicateKey)
            isRead = true
        }
        return known
    }

    package func predicateValue(forKey key: String) throws -> PredicateValue {
        guard let property = entity.property(named: key) else {
            if FetchPlanCheck.isSelf(key) { return predicateSelf }
            if FetchPlanCheck.isEntity(key) { return .object(OpaqueObject(EntityName(entity.name))) }
            throw FetchPlanCheck.unknownKey(key, in: entity, path: [key])
        }
        guard let row = try row() else { return property.storage == .toMany ? .list([], isOrdered: property.relationship?.isOrdered == true) : .null }
        switch property.storage {
        case .toMany:
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            return .list(try resolver.members(predicateKey, reference).map { .reference(self.reference($0)) }, isOrdered: property.relationship?.isOrdered == true)
        case .composite:
            guard case .composite(let elements) = row.value(property.slot) else { return .null }
            return .reference(PredicateReference(CompositeSubject(elements, of: property, in: resolver.model)))
        case .data where row.external(property.slot) != nil:
            return try row.external(property.slot).map { .data(try $0.read()) } ?? .null
        default:
            return PredicateValue(row.value(property.slot), kind: property.storage, reference: reference)
        }
    }

    package func predicateLeadsToMany(_ keys: ArraySlice<String>) -> Bool {
        var entity = entity
        for key in keys {
            guard let relationship = entity.property(named: key)?.relationship else { return false }
            if relationship.isToMany { return true }
            entity = resolver.model.entities[relationship.destination]
        }
        return false
    }

    private func reference(_ key: RowKey) -> PredicateReference { PredicateReference(RowSubject(key, resolver)) }
}

/// A composite attribute's value as the subject of the keys below it.
package final class CompositeSubject: PredicateSubject, PredicateReferent {
    private let elements: [String: AttributeValue]
    private let name: String
    private let types: [AttributeSchema]
    private let schema: ModelSchema

    package init(_ elements: [String: AttributeValue], of property: ResolvedProperty, in model: ResolvedModel) {
        self.elements = elements
        name = property.attribute?.compositeName ?? property.name
        schema = model.schema
        types = schema.composites.first { $0.name == property.attribute?.compositeName }?.elements ?? []
    }

    private init(_ elements: [String: AttributeValue], _ composite: String, _ schema: ModelSchema) {
        self.elements = elements
        name = composite
        self.schema = schema
        types = schema.composites.first { $0.name == composite }?.elements ?? []
    }

    /// No row: composites are equal to nothing but themselves.
    package let predicateKey = RowKey(primaryKey: 0, entity: -1)
    package var predicateText: String { "<\(name)>" }
    package var predicateSubject: (any PredicateSubject)? { self }
    package var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }

    package func predicateValue(forKey key: String) throws -> PredicateValue {
        guard let type = types.first(where: { $0.name == key }) else {
            throw StoreError.invalidRequest("keypath \(key) not found in composite <\(name)>")
        }
        let value = elements[key] ?? .null
        if case .composite(let inner) = value {
            return .reference(PredicateReference(CompositeSubject(inner, type.compositeName ?? "", schema)))
        }
        return PredicateValue(value, kind: StorageKind(type.type))
    }
}
