import CoreDataSchema

/// Follows delete rules.
package enum DeletePropagation {
    /// What deleting `roots` entails. `related` answers the members of a relationship as they stand in memory; it is asked
    /// once for each relationship of each row that goes. `isAlreadyDeleted` says which rows went before (their own rules
    /// were followed then); roots are followed whatever it answers.
    package static func plan(
        deleting roots: [RowKey], model: ResolvedModel, isAlreadyDeleted: (RowKey) -> Bool,
        related: (RowKey, Int) throws -> [RowKey]
    ) rethrows -> DeletionPlan {
        var plan = DeletionPlan()
        var doomed = Set<RowKey>()
        for root in roots where doomed.insert(root).inserted { plan.deletions.append(root) }
        var rules = RuleTable(model)
        var references: [Nullification] = []
        var denying: [(owner: RowKey, slot: Int, members: [RowKey])] = []
        var next = 0
        while next < plan.deletions.count {
            let key = plan.deletions[next]
            next += 1
            for rule in rules.rules(of: key) {
                let members = try related(key, rule.slot)
                switch rule.deleteRule {
                case .cascade:
                    for member in members where !isAlreadyDeleted(member) && doomed.insert(member).inserted {
                        plan.deletions.append(member)
                    }
                case .deny: denying.append((key, rule.slot, members))
                case .nullify, .noAction: break
                }
                guard let inverse = rule.inverse else { continue }
                let holder = model.entities[inverse.entity]
                for member in members where holder.includes(Int(member.entity)) {
                    references.append(Nullification(owner: member, slot: inverse.slot, removing: key))
                }
            }
        }
        func goes(_ key: RowKey) -> Bool { doomed.contains(key) || isAlreadyDeleted(key) }
        plan.nullifications = references.filter { !goes($0.owner) }
        plan.denials = denying.filter { !$0.members.allSatisfy(goes) }.map { DeletionDenial(owner: $0.owner, slot: $0.slot) }
        return plan
    }

    /// Slots of a deleted row's relationships whose deny rule forbids it: those with a member that is not deleted.
    package static func denials(
        for key: RowKey, model: ResolvedModel, isDeleted: (RowKey) -> Bool, related: (RowKey, Int) throws -> [RowKey]
    ) rethrows -> [Int] {
        var slots: [Int] = []
        for property in model.entities[Int(key.entity)].properties {
            guard property.relationship?.schema.deleteRule == .deny else { continue }
            if !(try related(key, property.slot)).allSatisfy(isDeleted) { slots.append(property.slot) }
        }
        return slots
    }
}

/// The relationships of each entity that deleting must look at: those whose rule is no action are not among them.
private struct RuleTable {
    struct Rule {
        let slot: Int
        let deleteRule: DeleteRule
        /// What to clear on the other side: only for nullify and cascade.
        let inverse: PropertyReference?
    }

    private let model: ResolvedModel
    private var byEntity: [Int32: [Rule]] = [:]
    /// Those asked for last: rows of one entity come together.
    private var last: (entity: Int32, rules: [Rule])?

    init(_ model: ResolvedModel) { self.model = model }

    mutating func rules(of key: RowKey) -> [Rule] {
        if let last, last.entity == key.entity { return last.rules }
        let rules = byEntity[key.entity] ?? find(key.entity)
        last = (key.entity, rules)
        return rules
    }

    private mutating func find(_ entity: Int32) -> [Rule] {
        let rules = model.entities[Int(entity)].properties.compactMap { property -> Rule? in
            guard let relationship = property.relationship else { return nil }
            let rule = relationship.schema.deleteRule
            switch rule {
            case .noAction: return nil
            case .deny: return Rule(slot: property.slot, deleteRule: rule, inverse: nil)
            case .cascade: return Rule(slot: property.slot, deleteRule: rule, inverse: relationship.inverse)
            case .nullify: return relationship.inverse.map { Rule(slot: property.slot, deleteRule: rule, inverse: $0) }
            }
        }
        byEntity[entity] = rules
        return rules
    }
}
