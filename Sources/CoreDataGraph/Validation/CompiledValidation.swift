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
    /// Composite attributes some element of which can be wrong.
    let composed: [ComposedSlot]

    struct ComposedSlot: Sendable {
        let slot: Int
        let elements: [Element]

        struct Element: Sendable {
            let name: String
            let type: AttributeType
            let isOptional: Bool
            let rules: [CompiledRule]
            /// Of a composite in the composite.
            let elements: [Element]
        }
    }

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
    package var isOnlyRequired: Bool { ruled.isEmpty && counted.isEmpty && composed.isEmpty }
    /// Whether no value can fail.
    package var isTrivial: Bool { required.isEmpty && isOnlyRequired }
    /// To-manys whose member count is asked for; nobody need fire the others' faults.
    package var countedSlots: [Int] { counted.map(\.slot) }

    package init(_ entity: ResolvedEntity, in model: ModelSchema = ModelSchema()) throws(ValidationRuleError) {
        var required: [Int] = [], ruled: [RuledSlot] = [], counted: [CountedSlot] = [], composed: [ComposedSlot] = []
        for property in entity.properties {
            switch property.storage {
            case .fetched: continue
            case .toMany:
                guard let schema = property.relationship?.schema, schema.minCount > 0 || schema.maxCount > 0 else { continue }
                counted.append(CountedSlot(
                    slot: property.slot, isOptional: property.isOptional, minimum: schema.minCount, maximum: schema.maxCount))
            default:
                if !property.isOptional { required.append(property.slot) }
                if property.storage == .composite {
                    let elements = try Self.elements(property.attribute?.compositeName, in: model, entity, property.name, depth: 0)
                    if !elements.isEmpty { composed.append(ComposedSlot(slot: property.slot, elements: elements)) }
                }
                let rules = try Self.rules(property.attribute, entity, property.name)
                if !rules.isEmpty { ruled.append(RuledSlot(slot: property.slot, kind: property.storage, rules: rules)) }
            }
        }
        self.required = required
        self.ruled = ruled
        self.counted = counted
        self.composed = composed
    }

    /// Elements that can be wrong.
    private static func elements(
        _ composite: String?, in model: ModelSchema, _ entity: ResolvedEntity, _ path: String, depth: Int
    ) throws(ValidationRuleError) -> [ComposedSlot.Element] {
        guard depth < 8 else { return [] }
        var result: [ComposedSlot.Element] = []
        for element in model.composite(named: composite)?.elements ?? [] {
            let name = "\(path).\(element.name)"
            let rules = try rules(element, entity, name)
            let inner = element.type == .composite
                ? try elements(element.compositeName, in: model, entity, name, depth: depth + 1) : []
            if element.isOptional, rules.isEmpty, inner.isEmpty { continue }
            result.append(ComposedSlot.Element(
                name: element.name, type: element.type, isOptional: element.isOptional, rules: rules, elements: inner))
        }
        return result
    }

    private static func rules(
        _ attribute: AttributeSchema?, _ entity: ResolvedEntity, _ name: String
    ) throws(ValidationRuleError) -> [CompiledRule] {
        var rules: [CompiledRule] = []
        for rule in attribute?.validationRules ?? [] {
            do {
                rules.append(try CompiledRule(rule))
            } catch {
                throw ValidationRuleError(
                    entity: entity.name, property: name, predicateFormat: rule.predicateFormat, reason: "\(error)")
            }
        }
        return rules
    }
}
