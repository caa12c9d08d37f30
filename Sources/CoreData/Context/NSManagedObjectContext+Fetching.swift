import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension NSManagedObjectContext {
    /// Objects, IDs, dictionaries or a count, as the request says; throws for an unknown entity or key path.
    public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
        let results = isSubclassed ? try overridableResults(of: request) : try results(of: request.settings, in: request.affectedStores)
        if let typed = ObjectArray.cast(results, to: Result.self) ?? results as? [Result] { return typed }
        // The objects are of another class than the caller's type: say so rather than answer part of them.
        throw ErrorTranslation.error(StoreError.invalidRequest("The request’s results are not of the type \(Result.self): its result type is "
            + "\(request.resultType), and the entity’s objects are of the class \(results.first.map { "\(type(of: $0))" } ?? "?")."))
    }

    /// Through the method a subclass may have overridden.
    private func overridableResults<Result>(of request: NSFetchRequest<Result>) throws -> [AnyObject] {
        try fetch(request.erased).map { $0 as AnyObject }
    }

    func fetchAny(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
        try results(of: request.settings, in: request.affectedStores) as [Any]
    }

    /// How many objects the request would return, limit and offset included (FE20).
    public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
        isSubclassed ? try count(for: request.erased) : try count(request.settings, request.affectedStores)
    }

    func count(_ settings: FetchSettings, _ stores: [NSPersistentStore]?) throws -> Int {
        checkQueue()
        return try ErrorTranslation.translating {
            var plan = try prepared(settings, stores)
            // Distinct and grouped dictionaries are counted as they would come.
            if case .dictionaries(let dictionaries) = plan.result, dictionaries.isDistinct || dictionaries.isGrouped {
                guard case .dictionaries(let rows) = try source(plan) else { return 0 }
                return rows.count
            }
            let isDictionaries = settings.resultType == .dictionaryResultType
            plan.result = .count
            plan.prefetch = []
            plan.sort = []
            if !isDictionaries {
                if plan.objectTest != nil { return try testedObjects(plan, settings).count }
                if settings.includesPendingChanges, hasPendingChanges(for: plan) { return try overlaid(asKeys(plan)).keys.count }
            }
            guard case .count(let count) = try source(plan) else { return 0 }
            return count
        }
    }

    /// Runs any request the context knows: fetches (as `NSPersistentStoreResult`s of their own kind) and batch changes.
    package func results(
        of settings: FetchSettings, in stores: [NSPersistentStore]? = nil, watch: FetchWatch? = nil
    ) throws -> [AnyObject] {
        checkQueue()
        return try ErrorTranslation.translating {
            var plan = try prepared(settings, stores)
            plan.watch = watch
            let overlays = settings.includesPendingChanges && hasPendingChanges(for: plan)
            switch plan.result {
            case .rows: return ObjectArray.erased(try objects(plan, settings, overlays: overlays))
            case .keys where plan.objectTest != nil: return try testedObjects(plan, settings).map { makeObjectID(for: $0.key) as AnyObject }
            case .count where plan.objectTest != nil: return [NSNumber(value: try testedObjects(plan, settings).count)]
            case .keys:
                let keys = overlays ? try overlaid(plan).keys : try fetchedKeys(plan)
                return ObjectArray.erased(makeObjectIDs(for: keys))
            case .count:
                if overlays { return [NSNumber(value: try overlaid(asKeys(plan)).keys.count)] }
                guard case .count(let count) = try source(plan) else { return [] }
                return [NSNumber(value: count)]
            case .dictionaries(let dictionaries):
                guard case .dictionaries(let rows) = try source(plan) else { return [] }
                return rows.map { DictionaryResult.make($0, columns: dictionaries.columns, in: self) }
            }
        }
    }

    private func objects(_ plan: FetchPlan, _ settings: FetchSettings, overlays: Bool) throws -> [NSManagedObject] {
        var plan = plan
        let collector = PrefetchCollector()
        let isBatched = settings.fetchBatchSize > 0 && settings.returnsObjectsAsFaults
        if isBatched || !settings.includesPropertyValues {
            plan.result = .keys
        } else if !plan.prefetch.isEmpty, parentStorage == nil {
            // A parent may have members of its own: it is asked for them.
            plan.collector = collector
        }
        let asFaults = settings.returnsObjectsAsFaults || !settings.includesPropertyValues
        let found: [NSManagedObject]
        if plan.objectTest != nil {
            found = try testedObjects(plan, settings)
            if !asFaults { for object in found { object.fire(quietly: true) } }
        } else if overlays {
            found = try overlaidObjects(plan)
            if !asFaults { for object in found { object.fire(quietly: true) } }
        } else {
            found = objects(try source(plan), asFaults: asFaults)
        }
        if !settings.returnsObjectsAsFaults { for object in found where !object.runtime.objectSlots.isEmpty { try object.readTransformables() } }
        if settings.shouldRefreshRefetchedObjects {
            rebase(found.filter { $0.state.isDisjoint(with: [.fault, .inserted, .updated, .deleted]) })
        }
        if isBatched {
            batched(found, size: settings.fetchBatchSize, prefetch: plan.prefetch)
        } else if !plan.prefetch.isEmpty {
            prefetch(plan.prefetch, from: found, collector)
        }
        return found
    }

    /// A fetch's objects; of a store of the program's own, faults without a row yet.
    private func objects(_ outcome: FetchOutcome, asFaults: Bool) -> [NSManagedObject] {
        switch outcome {
        case .rows(let rows): return materialize(rows, asFaults: asFaults)
        case .keys(let keys):
            let objects = keys.map { askedObject(for: $0) }
            if !asFaults {
                loadRows(of: objects)
                for object in objects { object.fire(quietly: true) }
            }
            return objects
        case .count, .dictionaries: return []
        }
    }

    private func asKeys(_ plan: FetchPlan) -> FetchPlan {
        var keys = plan
        keys.result = .keys
        keys.sort = []
        return keys
    }

    private func overlaidObjects(_ plan: FetchPlan) throws -> [NSManagedObject] {
        let result = try overlaid(plan)
        return withExtendedLifetime(result) { objects(for: result.keys) }
    }

    /// The plan's objects that pass its `objectTest` too, by SQL's rules for nil like what stores answer; then the window is cut.
    private func testedObjects(_ plan: FetchPlan, _ settings: FetchSettings) throws -> [NSManagedObject] {
        guard let test = plan.objectTest else { return [] }
        var open = plan
        (open.result, open.offset, open.limit) = (.rows, 0, 0)
        let overlays = settings.includesPendingChanges && hasPendingChanges(for: plan)
        let candidates = overlays ? try overlaidObjects(open) : objects(try source(open), asFaults: true)
        let found = try candidates.filter { try PredicateEvaluation.evaluate(test, subject: $0, variables: [:], rules: .sql) }
        return ResultShaping.window(found, offset: plan.offset, limit: plan.limit)
    }

    private func fetchedKeys(_ plan: FetchPlan) throws -> [RowKey] {
        guard case .keys(let keys) = try source(plan) else { return [] }
        return keys
    }

    private func prepared(_ settings: FetchSettings, _ stores: [NSPersistentStore]?) throws -> FetchPlan {
        guard coordinatorStorage != nil || parentStorage != nil else {
            throw StoreError.invalidRequest("This context has neither a persistent store coordinator nor a parent to fetch from.")
        }
        let runtime = requireRuntime()
        adoptParentKeys()
        var plan = try FetchPlanner.plan(settings, in: runtime)
        plan.stores = stores?.map(\.rowStore.number)
        return plan
    }

    /// Asks the parent or the stores.
    func source(_ plan: FetchPlan) throws -> FetchOutcome {
        if let parent = parentStorage {
            return try parent.runAndWait {
                defer { noteHeardKeys() }
                return try parent.fetchForChild(plan)
            }
        }
        guard let coordinator = coordinatorStorage else { throw ErrorTranslation.noStores() }
        return try coordinator.asked(by: self) { try coordinator.fetch(plan) }
    }

    /// A fetched property's objects for one owner.
    func fetchedProperty(_ property: ResolvedProperty, of owner: NSManagedObject) -> [NSManagedObject] {
        guard let description = owner.entity.propertiesByName[property.name] as? NSFetchedPropertyDescription,
              let request = description.fetchRequest
        else { return [] }
        let settings = request.settings.copy()
        if let predicate = settings.predicate {
            settings.predicate = predicate.withSubstitutionVariables(["FETCH_SOURCE": owner, "FETCHED_PROPERTY": description])
        }
        do { return try results(of: settings).compactMap { $0 as? NSManagedObject } } catch {
            // As any fault that cannot be read.
            raise(.objectInaccessible, "CoreData could not read the fetched property “\(owner.runtime.name).\(property.name)”: \(error)")
        }
    }
}

/// A dictionary row as `NSDictionary`; null values are absent (FE08), references come out as object IDs (FE16).
enum DictionaryResult {
    static func make(_ values: [PredicateValue], columns: [DictionaryColumn], in context: NSManagedObjectContext) -> NSDictionary {
        let result = NSMutableDictionary()
        for (column, value) in zip(columns, values) {
            switch value {
            case .null: continue
            case .reference(let reference): result[column.name] = context.makeObjectID(for: reference.key)
            default: if let object = PredicateBridging.any(value) { result[column.name] = object }
            }
        }
        return result
    }
}
