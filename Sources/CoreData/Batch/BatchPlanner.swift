import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Makes plans of batch requests: names become slots, and what is wrong is found before a store runs.
enum BatchPlanner {
    static func insert(_ request: NSBatchInsertRequest, _ columns: BatchColumns, _ policy: NSMergePolicy?) throws -> BatchInsertPlan {
        let runtime = columns.runtime
        if runtime.resolved.isAbstract {
            throw StoreError.invalidRequest("Entity <\(runtime.name)> is abstract: insert rows of one of its subentities instead.")
        }
        var defaults = ContiguousArray<AttributeValue>()
        for property in runtime.resolved.properties {
            defaults.append(property.isStored ? try columns.archived(runtime.defaults[property.slot], property) : .null)
        }
        var plan = BatchInsertPlan(entity: runtime.index, defaults: defaults)
        plan.overwritesEverything = request.managedObjectHandler != nil
        plan.uniqueness = switch policy?.mergeType {
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType: .overwrite
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType: .keepStored
        case .errorMergePolicyType, nil: .fail
        }
        plan.answer = switch request.resultType {
        case .statusOnly: .status
        case .count: .count
        case .objectIDs: .keys
        }
        return plan
    }

    static func source(of request: NSBatchInsertRequest, _ columns: BatchColumns) throws -> any BatchRowSource {
        if let handler = request.managedObjectHandler { return BatchObjectHandler(handler, columns) }
        if let handler = request.dictionaryHandler { return BatchDictionaryHandler(handler, columns) }
        guard let rows = request.objectsToInsert else {
            throw StoreError.invalidRequest(
                "The batch insert into “\(columns.entityName)” has neither objectsToInsert nor a handler. Set one of them.")
        }
        return BatchDictionaries(rows, columns)
    }

    static func update(_ request: NSBatchUpdateRequest, _ columns: BatchColumns) throws -> BatchUpdatePlan {
        let properties = request.propertiesToUpdate ?? [:]
        if properties.isEmpty {
            throw StoreError.invalidRequest("The batch update of “\(columns.entityName)” has no propertiesToUpdate: say what to set.")
        }
        var assignments: [Int: BatchAssignment] = [:]
        for (key, value) in properties {
            let slot = try columns.slot(named: try name(of: key, columns), row: nil)
            assignments[slot] = BatchAssignment(slot: slot, value: try assigned(value, to: slot, columns))
        }
        var plan = BatchUpdatePlan(entity: columns.runtime.index, assignments: assignments.values.sorted { $0.slot < $1.slot })
        plan.includesSubentities = request.includesSubentities
        plan.predicate = try request.predicate.map { try $0.flattenedTree() }
        plan.answer = switch request.resultType {
        case .statusOnlyResultType: .status
        case .updatedObjectsCountResultType: .count
        case .updatedObjectIDsResultType: .keys
        }
        return plan
    }

    private static func name(of key: AnyHashable, _ columns: BatchColumns) throws -> String {
        if let name = key.base as? String { return name }
        if let property = key.base as? NSPropertyDescription { return property.name }
        throw StoreError.invalidRequest("propertiesToUpdate of “\(columns.entityName)” takes names or property descriptions as keys, "
            + "not \(type(of: key.base)).")
    }

    private static func assigned(_ value: Any, to slot: Int, _ columns: BatchColumns) throws -> BatchAssignment.Value {
        guard let expression = value as? NSExpression else { return .constant(try columns.value(of: value, at: slot, row: nil)) }
        guard let tree = (expression as? TreeExpression)?.tree else {
            throw StoreError.unsupported("The expression \(expression) cannot be used in a batch update: it was not made by an initialiser of NSExpression.")
        }
        guard case .constant(let constant) = tree else { return .expression(tree) }
        if case .reference(let reference) = constant, let identifier = reference.referent as? NSManagedObjectID {
            return .constant(try columns.value(of: identifier, at: slot, row: nil))
        }
        return .constant(try columns.value(of: expression.constantValue ?? NSNull(), at: slot, row: nil))
    }

    /// The rows a delete request names. A request made with IDs is refused when they are of unrelated entities (BA07).
    static func selection(_ request: NSBatchDeleteRequest, in coordinator: NSPersistentStoreCoordinator) throws -> BatchDeletePlan.Selection {
        guard let objectIDs = request.objectIDs else {
            let settings = request.fetchRequest.settings.copy()
            settings.resultType = .managedObjectIDResultType
            settings.relationshipKeyPathsForPrefetching = nil
            var plan = try FetchPlanner.plan(settings, in: coordinator.runtime)
            if plan.objectTest != nil {
                throw StoreError.invalidRequest("A batch delete runs in the store, which cannot test part of this predicate: a transformable "
                    + "attribute’s value, a property that is not in the model, or a transient one. Fetch the objects’ IDs with it and delete those.")
            }
            plan.stores = (request.affectedStores ?? request.fetchRequest.affectedStores)?.map(\.rowStore.number)
            return .fetch(plan)
        }
        let resolved = coordinator.runtime.resolved
        var keys: [RowKey] = [], roots: [Int: String] = [:]
        for identifier in objectIDs {
            if identifier.isTemporaryID {
                throw StoreError.invalidRequest("The object \(identifier.uriRepresentation().absoluteString) is not saved: a batch delete "
                    + "works on what the store has. Save first, or delete the object from its context.")
            }
            guard let index = identifier.entity.name.flatMap({ resolved.indexByName[$0] }),
                  let store = identifier.storeIdentifier.flatMap(coordinator.store(identifier:))
            else {
                throw StoreError.invalidRequest("The object ID \(identifier.uriRepresentation().absoluteString) belongs to a store or model "
                    + "that this coordinator does not have.")
            }
            roots[resolved.entities[index].rootIndex] = resolved.entities[index].name
            keys.append(RowKey(primaryKey: identifier.key.primaryKey, entity: Int32(index), store: store.rowStore.number))
        }
        guard roots.count < 2 else {
            throw StoreError.invalidRequest("mismatched objectIDs in batch delete: they are of the entities "
                + "\(roots.values.sorted().joined(separator: " and ")), which have no ancestor in common. Make one request for each.")
        }
        return .keys(keys)
    }
}
