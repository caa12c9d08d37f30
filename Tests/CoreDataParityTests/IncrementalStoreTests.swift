import CoreData
import Testing

/// A store of the program's own: records in dictionaries, named by texts, every call counted.
final class ShelfStore: NSIncrementalStore, @unchecked Sendable {
    static let type = "ShelfStore"
    /// Values by entity and reference; relationships as references.
    private var records: [String: [String: [String: Any]]] = [:]
    private var versions: [String: UInt64] = [:]
    private(set) var calls: [String] = []
    private(set) var registered = 0
    private(set) var unregistered = 0
    /// Thrown by the next save.
    var refusal: NSError?

    func put(_ entity: String, _ reference: String, _ values: [String: Any]) { records[entity, default: [:]][reference] = values }
    func record(_ entity: String, _ reference: String) -> [String: Any]? { records[entity]?[reference] }
    func references(_ entity: String) -> [String] { (records[entity] ?? [:]).keys.sorted() }
    func forgetCalls() { calls = [] }
    func count(_ call: String) -> Int { calls.count { $0 == call } }

    override func loadMetadata() throws {
        metadata = [NSStoreUUIDKey: "SHELF", NSStoreTypeKey: Self.type]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard let context else { throw CocoaError(.featureUnsupported) }
        if let save = request as? NSSaveChangesRequest { return try execute(save) }
        guard let fetch = request as? NSFetchRequest<NSFetchRequestResult>, let entity = fetch.entity, let name = entity.name else {
            throw CocoaError(.featureUnsupported)
        }
        calls.append("fetch")
        let ids = references(name).map { newObjectID(for: entity, referenceObject: $0) }
        let objects = ids.map { context.object(with: $0) }.filter { fetch.predicate?.evaluate(with: $0) ?? true }
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: objects.count)]
        case .managedObjectIDResultType: return objects.map(\.objectID)
        case .dictionaryResultType: return references(name).compactMap { record(name, $0) as NSDictionary? }
        default: return objects
        }
    }

    private func execute(_ save: NSSaveChangesRequest) throws -> Any {
        calls.append("save")
        if let refusal {
            self.refusal = nil
            throw refusal
        }
        for object in (save.insertedObjects ?? []).union(save.updatedObjects ?? []) {
            guard let name = object.entity.name else { continue }
            var values: [String: Any] = [:]
            for key in object.entity.attributesByName.keys { values[key] = object.value(forKey: key) }
            for key in object.entity.relationshipsByName.keys {
                if let one = object.value(forKey: key) as? NSManagedObject { values[key] = reference(one) }
                if let many = object.value(forKey: key) as? NSSet { values[key] = many.compactMap { ($0 as? NSManagedObject).map(reference) } }
            }
            put(name, reference(object), values)
            versions[reference(object), default: 0] += 1
        }
        for object in save.deletedObjects ?? [] { records[object.entity.name ?? ""]?[reference(object)] = nil }
        return []
    }

    private func reference(_ object: NSManagedObject) -> String { referenceObject(for: object.objectID) as? String ?? "?" }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws -> NSIncrementalStoreNode {
        calls.append("values")
        guard let reference = referenceObject(for: objectID) as? String, let values = record(objectID.entity.name ?? "", reference) else {
            throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
        }
        var known = values.filter { objectID.entity.attributesByName[$0.key] != nil }
        for (key, relationship) in objectID.entity.relationshipsByName where !relationship.isToMany {
            guard let destination = relationship.destinationEntity else { continue }
            known[key] = (values[key] as? String).map { newObjectID(for: destination, referenceObject: $0) as Any } ?? NSNull()
        }
        return NSIncrementalStoreNode(objectID: objectID, withValues: known, version: versions[reference] ?? 1)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        calls.append(relationship.name)
        guard let destination = relationship.destinationEntity, let inverse = relationship.inverseRelationship,
              let own = referenceObject(for: objectID) as? String
        else { return NSNull() }
        return references(destination.name ?? "").filter { record(destination.name ?? "", $0)?[inverse.name] as? String == own }
            .map { newObjectID(for: destination, referenceObject: $0) }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: "new \($0.value(forKey: "name") as? String ?? "?")") }
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) { registered += objectIDs.count }
    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) { unregistered += objectIDs.count }
}

@Suite("Stores of the program's own")
struct IncrementalStoreTests {
    let coordinator: NSPersistentStoreCoordinator
    let store: ShelfStore

    init() throws {
        NSPersistentStoreCoordinator.registerStoreClass(ShelfStore.self, forStoreType: ShelfStore.type)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let added = try coordinator.addPersistentStore(ofType: ShelfStore.type, configurationName: nil, at: nil, options: nil)
        store = try #require(added as? ShelfStore)
        store.put("Department", "sales", ["name": "Sales"])
        store.put("Employee", "ann", ["name": "Ann", "dept": "sales"])
        store.put("Employee", "bob", ["name": "Bob", "dept": "sales"])
    }

    private func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.run(body)
    }

    @Test("ID18: A text reference stands in the URI behind one p, escaped")
    func referenceInURI() throws {
        let entity = try #require(coordinator.managedObjectModel.entitiesByName["Employee"])
        let id = store.newObjectID(for: entity, referenceObject: "key with/slash")
        #expect(id.uriRepresentation().absoluteString == "x-coredata://SHELF/Employee/pkey%20with%2Fslash"
            || id.uriRepresentation().absoluteString.hasSuffix("/pkey%20with/slash"))
        #expect(store.referenceObject(for: id) as? String == "key with/slash")
        #expect(id == store.newObjectID(for: entity, referenceObject: "key with/slash"))
        #expect(id != store.newObjectID(for: entity, referenceObject: "key"))
        #expect(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation()) == id)
        let number = store.newObjectID(for: entity, referenceObject: 7)
        #expect(number.uriRepresentation().lastPathComponent == "p7")
        #expect(store.referenceObject(for: number) as? Int == 7)
    }

    @Test("A fetch gives faults; reading one asks for its values once, and its to-one's ID came with them")
    func faults() throws {
        try run { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            #expect(people.map(\.isFault) == [true, true])
            #expect(store.calls == ["fetch"])
            #expect(people[0].value(forKey: "name") as? String == "Ann")
            #expect(people[0].value(forKey: "name") as? String == "Ann")
            #expect(store.calls == ["fetch", "values"])
            let dept = try #require(people[0].value(forKey: "dept") as? NSManagedObject)
            #expect(dept.isFault)
            #expect(store.count("values") == 1)
            #expect(dept.value(forKey: "name") as? String == "Sales")
            #expect(store.registered >= 3)
        }
    }

    @Test("FA11: The first to-many access costs one round trip, the second none; the row's fault fires without it")
    func toManyRoundTrips() throws {
        try run { context in
            let dept = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department")).first)
            #expect(dept.value(forKey: "name") as? String == "Sales")
            #expect(store.count("employees") == 0)
            #expect((dept.value(forKey: "employees") as? NSSet)?.count == 2)
            #expect(store.count("employees") == 1)
            #expect((dept.value(forKey: "employees") as? NSSet)?.count == 2)
            #expect(store.count("employees") == 1)
        }
    }

    @Test("LC24: A save without changes reaches the store with empty sets")
    func emptySave() throws {
        try run { context in
            try context.save()
            #expect(store.calls == ["save"])
        }
    }

    @Test("New, changed and deleted objects reach the store in one request, under permanent IDs")
    func saving() throws {
        try run { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            let new = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
            new.setValue("Cid", forKey: "name")
            new.setValue(people[0].value(forKey: "dept"), forKey: "dept")
            people[0].setValue("Anna", forKey: "name")
            context.delete(people[1])
            try context.save()
            #expect(store.count("save") == 1)
            #expect(!new.objectID.isTemporaryID)
            #expect(store.references("Employee") == ["ann", "new Cid"])
            #expect(store.record("Employee", "new Cid")?["dept"] as? String == "sales")
            #expect(store.record("Employee", "ann")?["name"] as? String == "Anna")
            #expect(!context.hasChanges)
            people[0].setValue("Annie", forKey: "name")
            try context.save()
            #expect(store.record("Employee", "ann")?["name"] as? String == "Annie")
        }
    }

    @Test("What the store throws comes out of save, and the changes stay pending")
    func refusal() throws {
        try run { context in
            let new = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
            new.setValue("Cid", forKey: "name")
            store.refusal = NSError(domain: "Shelf", code: 7)
            #expect { try context.save() } throws: { ($0 as NSError).domain == "Shelf" && ($0 as NSError).code == 7 }
            #expect(new.isInserted)
            try context.save()
            #expect(store.references("Employee").contains("new Cid"))
        }
    }

    @Test("Counts, IDs, predicates and dictionaries go through the store")
    func resultTypes() throws {
        try run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = NSPredicate(format: "name == %@", "Bob")
            try #expect(context.count(for: request) == 1)
            try #expect(context.fetch(request).map { $0.value(forKey: "name") as? String } == ["Bob"])
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
            ids.resultType = .managedObjectIDResultType
            try #expect(context.fetch(ids).count == 2)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Employee")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["name"]
            try #expect(context.fetch(rows).compactMap { $0["name"] as? String } == ["Ann", "Bob"])
        }
    }

    @Test("A record that does not exist is an inaccessible fault, and existingObject throws 133000")
    func missingRecord() throws {
        try run { context in
            let entity = try #require(coordinator.managedObjectModel.entitiesByName["Employee"])
            let id = store.newObjectID(for: entity, referenceObject: "nobody")
            #expect { _ = try context.existingObject(with: id) } throws: {
                ($0 as NSError).code == NSManagedObjectReferentialIntegrityError
            }
            #expect(context.object(with: id).value(forKey: "name") == nil)
        }
    }

    @Test("Reset tells the store that its objects are no longer used")
    func unregistering() throws {
        try run { context in
            let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            context.reset()
            #expect(store.unregistered == people.count)
        }
    }

    @Test("A child context saves through its parent to the store")
    func child() throws {
        try run { context in
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            try child.performAndWait {
                let people = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
                people[0].setValue("Anna", forKey: "name")
                try child.save()
            }
            #expect(store.count("save") == 0)
            try context.save()
            #expect(store.record("Employee", "ann")?["name"] as? String == "Anna")
        }
    }

    @Test("TY17: A store of the program's own refuses a model with a derived attribute when it is added")
    func derived() throws {
        let count = NSDerivedAttributeDescription()
        count.name = "loud"
        count.attributeType = .stringAttributeType
        count.derivationExpression = NSExpression(format: "uppercase:(name)")
        let other = NSPersistentStoreCoordinator(managedObjectModel: model(
            NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType), count)))
        let error = try failure {
            try other.addPersistentStore(ofType: ShelfStore.type, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
        }
        #expect(error.isCocoa && error.localizedDescription.contains("Person.loud"))
        #expect(other.persistentStores.isEmpty)
    }

    @Test("A type nobody registered throws 134000 and names those there are")
    func unknownType() throws {
        #expect {
            try coordinator.addPersistentStore(ofType: "Nothing", configurationName: nil, at: nil, options: nil)
        } throws: {
            ($0 as NSError).code == NSPersistentStoreInvalidTypeError && $0.localizedDescription.contains(ShelfStore.type)
        }
    }
}
