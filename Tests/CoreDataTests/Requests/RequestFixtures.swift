import CoreData
import Foundation

/// Departments of persons (some of them managers) with tags; names and ages indexed, codes unique. SQLite unless told otherwise.
///
/// `d0` … `d2` of five each: `p00` … `p24` with ages 0 … 4; the fifth of each is a manager and leads the department. `p0` is tagged
/// `even`, `odd` by age. Nothing is cached: the coordinator is a fresh one.
struct RequestStore {
    let coordinator: NSPersistentStoreCoordinator
    let url: URL

    init(departments: Int = 3, type: String = NSSQLiteStoreType, options: [String: Any]? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataRequests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Store.sqlite")
        let model = Self.model()
        let first = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try first.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        try Self.fill(Self.context(first), departments, store)
        if type != NSSQLiteStoreType {
            coordinator = first
            return
        }
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
    }

    /// Adds a second store with `count` departments of its own.
    func addStore(departments count: Int) throws -> NSPersistentStore {
        let second = url.deletingLastPathComponent().appendingPathComponent("Second\(coordinator.persistentStores.count).sqlite")
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: second, options: nil)
        try Self.fill(Self.context(coordinator), count, store, from: 10)
        return store
    }

    func context() -> NSManagedObjectContext { Self.context(coordinator) }

    /// A context on top of another one with the store behind it.
    func child() -> (NSManagedObjectContext, parent: NSManagedObjectContext) {
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = coordinator
        let child = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        child.parent = parent
        return (child, parent)
    }

    private static func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func fill(_ context: NSManagedObjectContext, _ departments: Int, _ store: NSPersistentStore, from start: Int = 0) throws {
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            context.assign(object, to: store)
            return object
        }
        let tags = ["even", "odd"].map { insert("Tag", ["name": $0]) }
        for d in start..<(start + departments) {
            let dept = insert("Dept", ["name": "d\(d)"])
            for p in 0..<5 {
                let person = insert(p == 4 ? "Manager" : "Person", [
                    "name": "p\(d)\(p)", "age": p, "code": d * 100 + p, "dept": dept, "tags": Set([tags[p % 2]]),
                    "hired": Date(timeIntervalSinceReferenceDate: Double(p) * 86_400), "wage": NSDecimalNumber(string: "1.\(p)"),
                ])
                if p == 4 { dept.setValue(person, forKey: "boss") }
            }
        }
        try context.save()
    }

    // MARK: Model

    static func model() -> NSManagedObjectModel {
        let person = entity("Person", ("name", .stringAttributeType), ("age", .integer64AttributeType), ("code", .integer64AttributeType),
                            ("hired", .dateAttributeType), ("wage", .decimalAttributeType))
        let manager = entity("Manager", ("level", .integer64AttributeType))
        let dept = entity("Dept", ("name", .stringAttributeType))
        let tag = entity("Tag", ("name", .stringAttributeType))
        relate(person, "dept", 1, dept, "people", 0)
        relate(dept, "boss", 1, manager, "leads", 1)
        relate(person, "tags", 0, tag, "owners", 0)
        let scratch = CompanyModel.attribute("scratch", .stringAttributeType)
        scratch.isTransient = true
        person.properties += [scratch]
        person.subentities = [manager]
        person.uniquenessConstraints = [["code"]]
        for name in ["name", "age"] {
            guard let property = person.propertiesByName[name] else { continue }
            person.indexes += [NSFetchIndexDescription(
                name: "by_\(name)", elements: [NSFetchIndexElementDescription(property: property, collationType: .binary)])]
        }
        let model = NSManagedObjectModel()
        model.entities = [person, manager, dept, tag]
        return model
    }

    private static func entity(_ name: String, _ attributes: (String, NSAttributeType)...) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entity.properties = attributes.map { CompanyModel.attribute($0.0, $0.1) }
        return entity
    }

    private static func relate(
        _ left: NSEntityDescription, _ name: String, _ maximum: Int, _ right: NSEntityDescription, _ back: String, _ backMaximum: Int
    ) {
        func end(_ name: String, _ destination: NSEntityDescription, _ maximum: Int) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.maxCount = maximum
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        let there = end(name, right, maximum), home = end(back, left, backMaximum)
        there.inverseRelationship = home
        home.inverseRelationship = there
        left.properties += [there]
        right.properties += [home]
    }
}

extension NSManagedObjectContext {
    func request(_ entity: String, _ predicate: NSPredicate? = nil, by sort: [String] = ["name"]) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sort.map { NSSortDescriptor(key: String($0.drop { $0 == "-" }), ascending: !$0.hasPrefix("-")) }
        return request
    }

    /// Names found, in order.
    func names(_ request: NSFetchRequest<NSManagedObject>) throws -> [String] {
        try fetch(request).map { $0.value(forKey: "name") as? String ?? "nil" }
    }

    func names(_ entity: String, _ predicate: NSPredicate? = nil, by sort: [String] = ["name"]) throws -> [String] {
        try names(request(entity, predicate, by: sort))
    }

    /// Dictionaries as texts, keys in order: `age=1 name=p`.
    func dictionaries(
        _ entity: String, _ properties: [Any]?, by sort: [String] = [], _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = properties
        request.sortDescriptors = sort.map { NSSortDescriptor(key: String($0.drop { $0 == "-" }), ascending: !$0.hasPrefix("-")) }
        change(request)
        return try fetch(request).map { row in
            row.allKeys.map { "\($0)" }.sorted().map { key in
                let value = row[key]
                return value is NSManagedObjectID ? "\(key)=ID" : "\(key)=\(value.map { "\($0)" } ?? "")"
            }.joined(separator: " ")
        }
    }
}

/// An expression description of a dictionary fetch.
func column(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType) -> NSExpressionDescription {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = NSExpression(format: format)
    description.expressionResultType = type
    return description
}

/// The text of the error a body throws; “(nothing)” when it does not.
func message(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as NSError).localizedDescription }
    return "(nothing)"
}
