import CoreDataSchema

/// What validating an object of one entity must look at, worked out once.
///
/// Invariant: slots that cannot fail (optional, without rules or counts) are in no list, so an object of an entity without
/// constraints costs a few loads.
package final class CompiledValidation: Sendable {
    /// Attributes and to-ones that must not be nil.
    package let required: [Int]
    let ruled: [RuledSlot]
    let counted: [CountedSlot]

    struct RuledSlot: Sendable {
        let slot: Int
        let kind: StorageKind
        let rules: [CompiledRule]
    }

    struct CountedSlot: Sendable {
        let slot: Int
        let isOptional: Bool
        let minimum: Int
        /// 0 is no limit.
        let maximum: Int
    }

    /// Whether only nil can be wrong: no rules and no counts.
    package var isOnlyRequired: Bool { ruled.isEmpty && counted.isEmpty }
    /// Whether no value can fail.
    package var isTrivial: Bool { required.isEmpty && ruled.isEmpty && counted.isEmpty }
    /// To-manys whose member count is asked for; nobody need fire the others' faults.
    package var countedSlots: [Int] { counted.map(\.slot) }

    package init(_ entity: ResolvedEntity) throws(ValidationRuleError) {
        var required: [Int] = [], ruled: [RuledSlot] = [], counted: [CountedSlot] = []
        for property in entity.properties {
            switch property.storage {
            case .fetched: continue
            case .toMany:
                guard let schema = property.relationship?.schema, schema.minCount > 0 || schema.maxCount > 0 else { continue }
                counted.append(CountedSlot(
                    slot: property.slot, isOptional: property.isOptional, minimum: schema.minCount, maximum: schema.maxCount))
            default:
                if !property.isOptional { required.append(property.slot) }
                let rules = try Self.rules(property, entity)
                if !rules.isEmpty { ruled.append(RuledSlot(slot: property.slot, kind: property.storage, rules: rules)) }
            }
        }
        self.required = required
        self.ruled = ruled
        self.counted = counted
    }

    private static func rules(
        _ property: ResolvedProperty, _ entity: ResolvedEntity
    ) throws(ValidationRuleError) -> [CompiledRule] {
        var rules: [CompiledRule] = []
        for rule in property.attribute?.validationRules ?? [] {
            do {
                rules.append(try CompiledRule(rule))
            } catch {
                throw ValidationRuleError(
                    entity: entity.name, property: property.name, predicateFormat: rule.predicateFormat, reason: "\(error)")
            }
        }
        return rules
    }
}
