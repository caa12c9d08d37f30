import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Makes a plan of a request: names become indices, and what is wrong is found before any store runs.
enum FetchPlanner {
    static func plan(_ settings: FetchSettings, in runtime: ModelRuntime) throws -> FetchPlan {
        let description = try settings.resolveEntity(in: runtime.model)
        guard let index = description.resolvedEntity?.index else { throw FetchRequestError.noEntity }
        let entity = runtime.entities[index]
        let isGrouped = !(settings.propertiesToGroupBy ?? []).isEmpty || settings.havingPredicate != nil
        if isGrouped, settings.resultType != .dictionaryResultType {
            throw StoreError.invalidRequest("A request with propertiesToGroupBy or havingPredicate needs the result type "
                + ".dictionaryResultType (entity “\(entity.name)”).")
        }
        let asked = try settings.predicate?.flattenedTree()
        let isPlain = isPlain(settings)
        if isPlain, let plan = known(asked, settings, entity.index, runtime) { return plan }
        var plan = FetchPlan(entity: entity.index)
        plan.includesSubentities = settings.includesSubentities
        (plan.predicate, plan.objectTest) = ObjectTest.split(
            try asked.flatMap { simplified(try RequestPredicate.prepared($0)) }, entity.resolved, runtime.resolved)
        plan.sort = try (settings.sortDescriptors ?? []).map(term)
        plan.offset = max(0, settings.fetchOffset)
        plan.limit = max(0, settings.fetchLimit)
        plan.prefetch = (settings.relationshipKeyPathsForPrefetching ?? []).map { $0.split(separator: ".").map(String.init) }
        switch settings.resultType {
        case .managedObjectIDResultType: plan.result = .keys
        case .countResultType: plan.result = .count
        case .dictionaryResultType:
            guard plan.objectTest == nil else {
                throw StoreError.invalidRequest("A dictionary fetch cannot test objects, and part of its predicate can only be tested on "
                    + "objects: a transformable attribute’s value, a property that is not in the model, or a transient one. Fetch objects instead.")
            }
            plan.result = .dictionaries(try DictionaryPlanner.plan(settings, entity: entity))
        default:
            plan.result = .rows
            try checkProperties(settings.propertiesToFetch, entity)
        }
        try FetchPlanCheck.check(&plan, runtime.resolved)
        plan.isChecked = true
        if isPlain, plan.objectTest == nil { note(asked, plan, runtime) }
        return plan
    }

    // MARK: Requests like one before

    /// Whether the request is no more than its predicate, order and window.
    private static func isPlain(_ settings: FetchSettings) -> Bool {
        settings.resultType != .dictionaryResultType && (settings.propertiesToFetch ?? []).isEmpty
            && (settings.relationshipKeyPathsForPrefetching ?? []).isEmpty
    }

    /// The plan of a request of a shape that was checked before.
    private static func known(
        _ predicate: PredicateTree?, _ settings: FetchSettings, _ entity: Int, _ runtime: ModelRuntime
    ) -> FetchPlan? {
        guard let sort = try? (settings.sortDescriptors ?? []).map(term),
              let (shape, constants) = runtime.shapes.find(entity, predicate, sort)
        else { return nil }
        var plan = FetchPlan(entity: entity)
        plan.includesSubentities = settings.includesSubentities
        plan.predicate = predicate
        plan.sort = sort
        plan.offset = max(0, settings.fetchOffset)
        plan.limit = max(0, settings.fetchLimit)
        switch settings.resultType {
        case .managedObjectIDResultType: plan.result = .keys
        case .countResultType: plan.result = .count
        default: plan.result = .rows
        }
        plan.take(shape, constants)
        plan.isChecked = true
        return plan
    }

    /// Remembers the shape of a plan that was checked, if its constants stayed as they were. Stores hear of it with the second
    /// request: what is asked once needs no statement of its own.
    private static func note(_ asked: PredicateTree?, _ plan: FetchPlan, _ runtime: ModelRuntime) {
        guard plan.predicate == asked, let shape = RequestShape(asked, sort: plan.sort), shape.constants(of: plan.predicate) != nil
        else { return }
        runtime.shapes.add(shape, plan.entity)
    }

    /// Objects have all their values; what a request names in advance must exist all the same.
    private static func checkProperties(_ properties: [Any]?, _ entity: EntityRuntime) throws {
        for property in properties ?? [] {
            if property is NSExpressionDescription {
                throw StoreError.invalidRequest("An NSExpressionDescription in propertiesToFetch needs the result type .dictionaryResultType.")
            }
            let name = try DictionaryPlanner.name(of: property)
            guard entity.resolved.property(named: name.split(separator: ".").first.map(String.init) ?? name) == nil else { continue }
            throw FetchPlanCheck.unknownKey(name, in: entity.resolved, path: [name])
        }
    }

    /// An AND of nothing is no predicate (FE29).
    private static func simplified(_ tree: PredicateTree) -> PredicateTree? {
        switch tree {
        case .and(let parts) where parts.isEmpty: nil
        case .constant(true): nil
        default: tree
        }
    }

    private static func term(_ descriptor: NSSortDescriptor) throws -> SortTerm {
        let description = try SortDescription(descriptor)
        let comparison: CoreDataStorage.SortComparison = switch description.comparison {
        case .binary: .binary
        case .caseInsensitive: .caseInsensitive
        case .localized: .localized
        case .localizedCaseInsensitive: .localizedCaseInsensitive
        case .localizedStandard: .localizedStandard
        case .selector(let name): throw StoreError.unsupported("Unsupported NSSortDescriptor selector: \(name).")
        case .closure: throw StoreError.unsupported("Unsupported NSSortDescriptor (comparator blocks are not supported): use a key.")
        }
        return SortTerm(
            keyPath: description.keyPath.split(separator: ".").map(String.init), isAscending: description.isAscending,
            comparison: comparison)
    }
}
