import CoreDataSchema

/// What deleting rows of an entity in a batch does through one of its relationships.
///
/// Deny counts as nullify: it is a validation, which batches do not run (BA08), and the other side must not dangle.
package struct BatchDeleteRule: Sendable {
    package let property: PropertyReference
    package let name: String
    /// Rows at the other end are deleted too.
    package let cascades: Bool
    /// The to-one of the other end that must be cleared; nil when there is none, or the rule is no action.
    package let clearing: PropertyReference?
    /// A row that is left at the other end needs its inverse, so the batch must fail: Apple's name of the case.
    package let mandatoryKind: String?

    package static func rules(of entity: ResolvedEntity, in model: ResolvedModel) -> [BatchDeleteRule] {
        entity.properties.compactMap { property in
            guard let relationship = property.relationship, !property.isTransient else { return nil }
            let rule = relationship.schema.deleteRule
            guard rule != .noAction else { return nil }
            let inverse = relationship.inverse.map { model.entities[$0.entity].properties[$0.slot] }
            let kind = (relationship.isToMany ? "M" : "O") + "T" + (relationship.isToMany && inverse?.storage == .toMany ? "M" : "O")
            return BatchDeleteRule(
                property: PropertyReference(entity: property.declaringEntity, slot: property.slot), name: property.name,
                cascades: rule == .cascade, clearing: inverse?.storage == .toOne ? relationship.inverse : nil,
                mandatoryKind: rule != .cascade && inverse?.isOptional == false ? kind : nil)
        }
    }
}
