/// Makes and changes objects by rows of data from elsewhere: one query for each batch and relationship, however many rows.
struct RowImporter {
    let context: NSManagedObjectContext
    private var plans: [String: ImportPlan] = [:]

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// The plan of an entity, as the model has it.
    private mutating func plan(of entity: NSEntityDescription) throws -> ImportPlan {
        let name = entity.name ?? ""
        if let known = plans[name] { return known }
        let made = try ImportPlan(entity)
        plans[name] = made
        return made
    }

    /// One object a row, in the rows' order: the one that has the row's identity, else a new one. Rows of one identity are one
    /// object; without an identity each row is a new one.
    mutating func objects(_ rows: [[String: Any]], _ plan: ImportPlan) throws -> [NSManagedObject] {
        let rows = rows.map { Self.translated($0, plan.entity) }
        guard let identity = plan.identity else {
            let objects = try rows.map { _ in try insert(plan.entity) }
            try fill(Array(zip(objects, rows)), plan)
            return objects
        }
        let keys = try rows.map { row in
            guard let value = try identity.value(in: row).flatMap({ try identity.fitted($0) }) else {
                throw NLCoreDataError.unacceptableValue(entity: plan.entity.name ?? "", attribute: identity.description.name, value: "nothing")
            }
            return value
        }
        var known = try existing(keys, identity.description.name, plan.entity)
        let objects = try keys.map { key in
            if let object = known[Self.hashable(key)] { return object }
            let object = try insert(plan.entity)
            object.setValue(key, forKey: identity.description.name)
            known[Self.hashable(key)] = object
            return object
        }
        try fill(Array(zip(objects, rows)), plan)
        return objects
    }

    private func existing(_ keys: [Any], _ name: String, _ entity: NSEntityDescription) throws -> [AnyHashable: NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.predicate = try Platform.predicate("%K IN %@", [name, keys])
        request.returnsObjectsAsFaults = false
        var result: [AnyHashable: NSManagedObject] = [:]
        for object in try context.fetch(request) {
            guard let key = object.value(forKey: name), result[Self.hashable(key)] == nil else { continue }
            result[Self.hashable(key)] = object
        }
        return result
    }

    /// Foundation's decimals cannot be hashed everywhere.
    private static func hashable(_ value: Any) -> AnyHashable {
        if let decimal = value as? NSDecimalNumber { return AnyHashable(decimal.decimalValue) }
        return value as? AnyHashable ?? AnyHashable("\(value)")
    }

    private func insert(_ entity: NSEntityDescription) throws -> NSManagedObject {
        if entity.isAbstract {
            throw NLCoreDataError.abstractEntity(name: entity.name ?? "", subentities: entity.subentities.compactMap(\.name).sorted())
        }
        return NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
    }

    private static func translated(_ row: [String: Any], _ entity: NSEntityDescription) -> [String: Any] {
        let type: AnyClass? = entity.managedObjectClassName.flatMap { NSClassFromString($0) }
        return (type as? any PopulationTranslating.Type)?.translatePopulationDictionary(row) ?? row
    }

    // MARK: Values

    /// Sets what rows say; what they do not mention stays.
    mutating func fill(_ pairs: [(object: NSManagedObject, row: [String: Any])], _ plan: ImportPlan) throws {
        for (object, row) in pairs {
            for attribute in plan.attributes {
                guard let value = attribute.value(in: row) else { continue }
                object.setValue(try attribute.fitted(value), forKey: attribute.description.name)
            }
        }
        for relationship in plan.relationships {
            let said = pairs.compactMap { pair in relationship.value(in: pair.row).map { (pair.object, $0) } }
            if !said.isEmpty { try connect(said, relationship.description) }
        }
    }

    /// The destinations of all owners at once.
    private mutating func connect(_ owners: [(NSManagedObject, Any)], _ relationship: NSRelationshipDescription) throws {
        guard let destination = relationship.destinationEntity else { return }
        let plan = try plan(of: destination)
        var rows: [[String: Any]] = [], counts: [Int?] = []
        for (_, value) in owners {
            guard let found = try members(value, relationship, plan) else {
                counts.append(nil)
                continue
            }
            rows += found
            counts.append(found.count)
        }
        let objects = try objects(rows, plan)
        var position = 0
        for ((owner, _), count) in zip(owners, counts) {
            let members = Array(objects[position..<position + (count ?? 0)])
            position += count ?? 0
            if !relationship.isToMany {
                owner.setValue(members.first, forKey: relationship.name)
            } else if relationship.isOrdered {
                owner.setValue(NSOrderedSet(array: members), forKey: relationship.name)
            } else {
                owner.setValue(NSSet(array: members), forKey: relationship.name)
            }
        }
    }

    /// The rows of a relationship's value: of objects written out, or named by their identity. nil for null.
    private func members(_ value: Any, _ relationship: NSRelationshipDescription, _ plan: ImportPlan) throws -> [[String: Any]]? {
        if value is NSNull { return nil }
        let values = relationship.isToMany ? value as? [Any] : [value]
        let rows = values?.compactMap { $0 as? [String: Any] ?? ($0 is [Any] || $0 is NSNull ? nil : plan.row(identifiedBy: $0)) }
        guard let rows, rows.count == values?.count else {
            throw NLCoreDataError.unacceptableValue(entity: relationship.entity.name ?? "", attribute: relationship.name, value: "\(value)")
        }
        return rows
    }
}
