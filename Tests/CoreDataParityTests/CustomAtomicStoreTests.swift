import CoreData
import Testing

/// A store of the program's own, written whole: a property list of records.
final class ListStore: NSAtomicStore, @unchecked Sendable {
    static let type = "ParityListStore"
    nonisolated(unsafe) private(set) var removed = 0
    nonisolated(unsafe) private(set) var saves = 0
    /// Thrown by the next save.
    nonisolated(unsafe) var refusal: NSError?

    override var type: String { Self.type }

    override func loadMetadata() throws {
        let stored = try content()?["metadata"] as? [String: Any]
        metadata = stored ?? [NSStoreUUIDKey: UUID().uuidString, NSStoreTypeKey: Self.type]
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let list = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any]
        return list?["metadata"] as? [String: Any] ?? [:]
    }

    private func content() throws -> [String: Any]? {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return nil }
        return try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any]
    }

    override func load() throws {
        guard let records = try content()?["records"] as? [[String: Any]] else { return }
        let entities = persistentStoreCoordinator?.managedObjectModel.entitiesByName ?? [:]
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for record in records {
            guard let name = record["entity"] as? String, let entity = entities[name], let reference = record["reference"] as? String else {
                throw CocoaError(.fileReadCorruptFile)
            }
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: reference))
            for (key, value) in record["values"] as? [String: Any] ?? [:] { node.setValue(value, forKey: key) }
            nodes[reference] = node
        }
        addCacheNodes(Set(nodes.values))
        for record in records {
            guard let reference = record["reference"] as? String, let links = record["links"] as? [String: [String]] else { continue }
            for (key, references) in links {
                let isToMany = nodes[reference]?.objectID.entity.relationshipsByName[key]?.isToMany == true
                let members = references.compactMap { nodes[$0] }
                nodes[reference]?.setValue(isToMany ? NSSet(array: members) : members.first, forKey: key)
            }
        }
    }

    override func save() throws {
        saves += 1
        if let refusal {
            self.refusal = nil
            throw refusal
        }
        let records = cacheNodes().map { node -> [String: Any] in
            var values: [String: Any] = [:], links: [String: [String]] = [:]
            for (name, property) in node.objectID.entity.propertiesByName where !property.isTransient {
                switch node.value(forKey: name) {
                case let other as NSAtomicStoreCacheNode: links[name] = [reference(other)]
                case let members as NSSet: links[name] = members.compactMap { ($0 as? NSAtomicStoreCacheNode).map(reference) }
                case let value?: values[name] = value
                case nil: break
                }
            }
            return ["entity": node.objectID.entity.name ?? "", "reference": reference(node), "values": values, "links": links]
        }
        let list: [String: Any] = ["metadata": metadata ?? [:], "records": records]
        guard let url else { return }
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url, options: .atomic)
    }

    private func reference(_ node: NSAtomicStoreCacheNode) -> String { referenceObject(for: node.objectID) as? String ?? "?" }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { "\(managedObject.text("name") ?? "nil")-\(UUID().uuidString.prefix(4))" }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) { removed += cacheNodes.count }
}

@Suite struct CustomAtomicStoreTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(ListStore.self, forStoreType: ListStore.type)
    }

    private func open() throws -> (NSManagedObjectContext, ListStore) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let url = folder.url.appendingPathComponent("Store.plist")
        let store = try coordinator.addPersistentStore(ofType: ListStore.type, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, try #require(store as? ListStore))
    }

    /// Two employees in a department, saved.
    private func fill() throws -> [URL] {
        let (context, _) = try open()
        return try context.run { context in
            let sales = context.make("Department", ["name": "Sales"])
            let employees = ["Ann", "Bea"].map { context.make("Employee", ["name": $0, "dept": sales]) }
            try context.save()
            return ([sales] + employees).map { $0.objectID.uriRepresentation() }
        }
    }

    @Test("Records saved by a store class of the program's own come back with relationships and IDs")
    func roundTrip() throws {
        let uris = try fill()
        #expect(uris[0].lastPathComponent.hasPrefix("pSales-"))
        let (context, store) = try open()
        #expect(store.cacheNodes().count == 3 && store.type == ListStore.type)
        try context.run { context in
            #expect(try context.names("Employee", NSPredicate(format: "dept.name == 'Sales'")) == ["Ann", "Bea"])
            let department = try context.only("Department")
            #expect(department.objectID.uriRepresentation() == uris[0] && department.texts("employees", "name") == ["Ann", "Bea"])
            let node = try #require(store.cacheNode(for: department.objectID))
            #expect(node.value(forKey: "name") as? String == "Sales" && (node.propertyCache?["employees"] as? NSSet)?.count == 2)
            #expect((store.referenceObject(for: department.objectID) as? String)?.hasPrefix("Sales-") == true)
            #expect(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uris[1]) != nil)
        }
    }

    @Test("Edits reach the nodes; deletions are told before, and leave none")
    func editing() throws {
        _ = try fill()
        let (context, store) = try open()
        try context.run { context in
            let ann = try context.named("Ann", "Employee")
            ann.setValue(42, forKey: "salary")
            context.delete(try context.named("Bea", "Employee"))
            try context.save()
            #expect(store.removed == 1 && store.saves == 1 && store.cacheNodes().count == 2)
            #expect((store.cacheNode(for: ann.objectID)?.value(forKey: "salary") as? NSNumber)?.intValue == 42)
        }
        let (again, _) = try open()
        try again.run { context in
            let ann = try context.named("Ann", "Employee"), names = try context.names("Employee"), department = try context.only("Department")
            #expect(ann.number("salary") == 42 && names == ["Ann"] && department.texts("employees", "name") == ["Ann"])
        }
    }

    @Test("What save() throws comes out of the context's save; nodes and rows are as they were, changes stay pending")
    func refusal() throws {
        _ = try fill()
        let (context, store) = try open()
        store.refusal = NSError(domain: "ListStore", code: 7)
        try context.run { context in
            let ann = try context.named("Ann", "Employee")
            ann.setValue(42, forKey: "salary")
            context.make("Employee", ["name": "Cid"])
            context.delete(try context.named("Bea", "Employee"))
            let error = try failure { try context.save() }
            #expect(error.domain == "ListStore" && error.code == 7 && context.hasChanges)
            #expect(store.cacheNodes().count == 3 && store.cacheNode(for: ann.objectID)?.value(forKey: "salary") == nil)
            try context.save()
            #expect(store.cacheNodes().count == 3 && !context.hasChanges)
        }
        let (again, _) = try open()
        #expect(try again.run { try $0.names("Employee") } == ["Ann", "Cid"])
    }

    @Test("Metadata goes through the class; records may be added later; batch requests are refused")
    func metadataAndNodes() throws {
        _ = try fill()
        let (context, store) = try open()
        let coordinator = try #require(context.persistentStoreCoordinator)
        let url = try #require(store.url)
        #expect(try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: ListStore.type, at: url)[NSStoreUUIDKey] as? String == store.identifier)
        coordinator.setMetadata(store.metadata.merging(["mine": 1]) { $1 }, for: store)
        try context.run { try $0.save() }
        #expect(try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: ListStore.type, at: url)["mine"] as? Int == 1)
        let employee = try #require(coordinator.managedObjectModel.entitiesByName["Employee"])
        let node = NSAtomicStoreCacheNode(objectID: store.objectID(for: employee, withReferenceObject: "late"))
        node.setValue("Late", forKey: "name")
        store.addCacheNodes([node])
        try context.run { context in
            let names = try context.names("Employee")
            #expect(names == ["Ann", "Bea", "Late"])
            #expect(throws: (any Error).self) { try context.execute(NSBatchInsertRequest(entityName: "Employee", objects: [["name": "No"]])) }
        }
    }
}
