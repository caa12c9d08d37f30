import CoreData
import Foundation
import Testing

/// Members of coordinators, objects, models, requests and results that subclasses override; callers get the override.
@Suite("API surface: overriding members")
struct OverridingMembersTests {
    private let calls = Calls()

    @Test("A coordinator's members that open, move, describe and remove stores are what callers get")
    func coordinator() throws {
        let coordinator = LoggingCoordinator(managedObjectModel: SurfaceModel.make())
        coordinator.calls = calls
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("overriding-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let plain: NSPersistentStoreCoordinator = coordinator
        let first = folder.appendingPathComponent("a.sqlite"), second = folder.appendingPathComponent("b.sqlite")
        let store = try plain.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: first, options: nil)
        plain.setMetadata(plain.metadata(for: store), for: store)
        _ = plain.setURL(first, for: store)
        let id = store.identifier ?? ""
        _ = plain.managedObjectID(forURIRepresentation: try #require(URL(string: "x-coredata://\(id)/SurfaceTag/p1")))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = plain
        try context.performAndWait {
            let found = try plain.execute(NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson"), with: context)
            #expect((found as? [NSManagedObject])?.isEmpty == true)
        }
        let moved = try plain.migratePersistentStore(store, to: second, options: nil, withType: NSSQLiteStoreType)
        try plain.replacePersistentStore(
            at: first, destinationOptions: nil, withPersistentStoreFrom: second, sourceOptions: nil, ofType: NSSQLiteStoreType)
        try plain.remove(moved)
        try plain.destroyPersistentStore(at: second, ofType: NSSQLiteStoreType, options: nil)
        #expect(calls.names == [
            "add", "metadata", "setMetadata", "setURL", "managedObjectID", "execute", "migrate", "replace", "remove", "destroy",
        ])
    }

    @Test("A container's loading passes through its coordinator's overridden methods, and a refusal there is the block's error")
    func loading() throws {
        let model = SurfaceModel.make(), coordinator = LoggingCoordinator(managedObjectModel: model)
        coordinator.calls = calls
        let container = LoggingContainer(name: "Overriding", managedObjectModel: model)
        container.coordinator = coordinator
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        coordinator.failure = CocoaError(.fileReadNoPermission)
        var failures: [CocoaError.Code?] = []
        container.loadPersistentStores { failures.append(($1 as? CocoaError)?.code) }
        coordinator.failure = nil
        container.loadPersistentStores { failures.append(($1 as? CocoaError)?.code) }
        #expect(failures == [.fileReadNoPermission, nil])
        #expect(calls.names == ["describe", "add", "describe", "add"])
    }

    @Test("Class members of coordinators, models, entities, policies and containers are found through the subclass")
    func classMembers() throws {
        let kind: NSPersistentStoreCoordinator.Type = CannedCoordinator.self
        let nowhere = URL(fileURLWithPath: "/nonexistent/store")
        #expect(try kind.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: nowhere, options: nil)["canned"] as? Bool == true)
        try kind.setMetadata([:], forPersistentStoreOfType: NSSQLiteStoreType, at: nowhere, options: nil)
        kind.registerStoreClass(nil, forStoreType: "Canned")
        #expect(kind.registeredStoreTypes.isEmpty)
        let model: NSManagedObjectModel.Type = CannedModel.self
        #expect(model.mergedModel(from: nil)?.versionChecksum == "canned")
        #expect(model.mergedModel(from: nil, forStoreMetadata: [:]) == nil)
        let policy: NSMergePolicy.Type = CannedPolicy.self
        #expect(policy.error.mergeType == .rollbackMergePolicyType)
        let entity: NSEntityDescription.Type = CannedEntity.self
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        #expect(entity.entity(forEntityName: "Any", in: context)?.name == "Canned")
    }

    @Test("A model's computed members and templates can be overridden")
    func model() {
        let model: NSManagedObjectModel = CannedModel()
        #expect(model.entityVersionHashesByName == ["Canned": Data([1])] && model.versionChecksum == "canned")
        #expect(model.isConfiguration(withName: "None", compatibleWithStoreMetadata: [:]))
        #expect(model.fetchRequestTemplate(forName: "x")?.entityName == "Canned")
        #expect(model.fetchRequestFromTemplate(withName: "x", substitutionVariables: [:])?.fetchLimit == 1)
        #expect(model.fetchRequestTemplatesByName.isEmpty)
        model.setFetchRequestTemplate(nil, forName: "x")
        #expect(model.localizationDictionary == ["set": "x"])
    }

    @Test("Members of an object that tell of its state, changes and relationships can be overridden, and super does the work")
    func object() throws {
        let model = NSManagedObjectModel(), entity = NSEntityDescription(), link = NSRelationshipDescription(), back = NSRelationshipDescription()
        entity.name = "Logging"
        entity.managedObjectClassName = NSStringFromClass(LoggingObject.self)
        (link.name, link.destinationEntity, link.maxCount, link.isOptional) = ("links", entity, 0, true)
        (back.name, back.destinationEntity, back.maxCount, back.isOptional, back.isOrdered) = ("backs", entity, 0, true, true)
        (link.inverseRelationship, back.inverseRelationship) = (back, link)
        entity.properties = [SurfaceModel.attribute("name", .stringAttributeType), link, back]
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let logging = LoggingObject(entity: entity, insertInto: context), object: NSManagedObject = logging
            object.setValuesForKeys(["name": "Ada"])
            #expect(object.isInserted && object.hasChanges && !object.isUpdated && !object.isDeleted && object.hasPersistentChangedValues)
            object.mutableSetValue(forKey: "links").add(object)
            object.mutableOrderedSetValue(forKey: "backs").remove(object)
            object.mutableSetValue(forKeyPath: "links").removeAllObjects()
            object.mutableOrderedSetValue(forKeyPath: "backs").removeAllObjects()
            try context.save()
            logging.calls.names = []
            object.setValue("Bob", forKey: "name")
            #expect(object.changedValues()["name"] as? String == "Bob" && !object.changedValuesForCurrentEvent().isEmpty)
            #expect(object.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
            #expect(object.dictionaryWithValues(forKeys: ["name"])["name"] as? String == "Bob")
            #expect(!object.hasFault(forRelationshipNamed: "links") && object.objectIDs(forRelationshipNamed: "links").isEmpty)
            object.setPrimitiveValue("Cy", forKey: "name")
            #expect(object.primitiveValue(forKey: "name") as? String == "Cy")
            var value: AnyObject? = "Dan" as NSString
            try object.validateValue(&value, forKeyPath: "name")
            #expect(!object.isFault && object.faultingState == 0 && object.managedObjectContext === context)
            #expect(object.entity === entity && !object.objectID.isTemporaryID)
            #expect(logging.calls.names == [
                "changedValues", "changedValuesForCurrentEvent", "committedValues", "dictionaryWithValues", "hasFault", "objectIDs",
                "setPrimitiveValue", "primitiveValue", "validateValue",
            ])
        }
    }

    @Test("A transformer may say its class as classes say it, and be registered by an overridden method")
    func transformer() {
        #expect(CannedTransformer.transformedValueClass() is NSString.Type)
        let kind: ValueTransformer.Type = CannedTransformer.self
        #expect(kind.valueTransformerNames().isEmpty)
    }

    @Test("What a fetch, a batch and a controller give can be made up by a subclass")
    func results() throws {
        let request: NSFetchRequest<SurfacePerson> = EmptyRequest(entityName: "Nowhere")
        #expect(try request.execute().isEmpty)
        let deleted: NSBatchDeleteResult = CannedDeletion(), inserted: NSBatchInsertResult = CannedInsertion(), updated: NSBatchUpdateResult = CannedUpdate()
        #expect(deleted.result as? Int == 3 && deleted.resultType == .resultTypeCount)
        #expect(inserted.result as? Int == 4 && inserted.resultType == .count)
        #expect(updated.result as? Int == 5 && updated.resultType == .updatedObjectsCountResultType)
        let sorted = NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")
        sorted.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let controller: NSFetchedResultsController<SurfacePerson> = CannedController(
            fetchRequest: sorted, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        #expect(controller.fetchedObjects == [] && controller.sections?.isEmpty == true && controller.sectionIndexTitles == ["A"])
        #expect(controller.sectionIndexTitle(forSectionName: "x") == "Canned" && controller.section(forSectionIndexTitle: "A", at: 0) == 7)
        let deletion = CannedBatch(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "A"))
        #expect((deletion as NSBatchDeleteRequest).fetchRequest.entityName == "B")
    }
}

private final class Calls: @unchecked Sendable { var names: [String] = [] }

private final class LoggingCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var calls: Calls?
    var failure: (any Error)?
    private func note(_ name: String) { calls?.names.append(name) }

    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        note("add")
        if let failure { throw failure }
        return try super.addPersistentStore(ofType: storeType, configurationName: configuration, at: storeURL, options: options)
    }
    override func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription, completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        note("describe")
        super.addPersistentStore(with: storeDescription, completionHandler: block)
    }
    override func remove(_ store: NSPersistentStore) throws {
        note("remove")
        try super.remove(store)
    }
    override func metadata(for store: NSPersistentStore) -> [String: Any] {
        note("metadata")
        return super.metadata(for: store)
    }
    override func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        note("setMetadata")
        super.setMetadata(metadata, for: store)
    }
    override func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        note("setURL")
        return super.setURL(url, for: store)
    }
    override func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        note("managedObjectID")
        return super.managedObjectID(forURIRepresentation: url)
    }
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        note("execute")
        return try super.execute(request, with: context)
    }
    override func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore {
        note("migrate")
        return try super.migratePersistentStore(store, to: URL, options: options, withType: storeType)
    }
    override func destroyPersistentStore(at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil) throws {
        note("destroy")
        try super.destroyPersistentStore(at: url, ofType: storeType, options: options)
    }
    override func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        note("replace")
        try super.replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
            ofType: storeType)
    }
}

private final class CannedCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    override class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] { ["canned": true] }
    override class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {}
    override class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {}
    override class var registeredStoreTypes: [String: AnyClass] { [:] }
}

private final class LoggingContainer: NSPersistentContainer, @unchecked Sendable {
    var coordinator: NSPersistentStoreCoordinator?
    override var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator ?? super.persistentStoreCoordinator }
}

private final class CannedModel: NSManagedObjectModel, @unchecked Sendable {
    override class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? { CannedModel() }
    override class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? { nil }
    override var entityVersionHashesByName: [String: Data] { ["Canned": Data([1])] }
    override var versionChecksum: String { "canned" }
    override func isConfiguration(withName configuration: String?, compatibleWithStoreMetadata metadata: [String: Any]) -> Bool { true }
    override var fetchRequestTemplatesByName: [String: NSFetchRequest<NSFetchRequestResult>] { [:] }
    override func fetchRequestTemplate(forName name: String) -> NSFetchRequest<NSFetchRequestResult>? { NSFetchRequest(entityName: "Canned") }
    override func setFetchRequestTemplate(_ fetchRequestTemplate: NSFetchRequest<NSFetchRequestResult>?, forName name: String) {
        localizationDictionary = ["set": name]
    }
    override func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: Any]
    ) -> NSFetchRequest<NSFetchRequestResult>? {
        let request = fetchRequestTemplate(forName: name)
        request?.fetchLimit = 1
        return request
    }
}

private final class CannedPolicy: NSMergePolicy, @unchecked Sendable {
    override class var error: NSMergePolicy { CannedPolicy(merge: .errorMergePolicyType) }
    override var mergeType: NSMergePolicyType { .rollbackMergePolicyType }
}

private final class CannedEntity: NSEntityDescription, @unchecked Sendable {
    override class func entity(forEntityName entityName: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
        let entity = NSEntityDescription()
        entity.name = "Canned"
        return entity
    }
    override class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject {
        super.insertNewObject(forEntityName: entityName, into: context)
    }
}

final class LoggingObject: NSManagedObject {
    fileprivate let calls = Calls()
    private func note(_ name: String) { calls.names.append(name) }

    override var isInserted: Bool { super.isInserted }
    override var isUpdated: Bool { super.isUpdated }
    override var isDeleted: Bool { super.isDeleted }
    override var isFault: Bool { super.isFault }
    override var hasChanges: Bool { super.hasChanges }
    override var hasPersistentChangedValues: Bool { super.hasPersistentChangedValues }
    override var faultingState: Int { super.faultingState }
    override var managedObjectContext: NSManagedObjectContext? { super.managedObjectContext }
    override var entity: NSEntityDescription { super.entity }
    override var objectID: NSManagedObjectID { super.objectID }
    override func changedValues() -> [String: Any] {
        note("changedValues")
        return super.changedValues()
    }
    override func changedValuesForCurrentEvent() -> [String: Any] {
        note("changedValuesForCurrentEvent")
        return super.changedValuesForCurrentEvent()
    }
    override func committedValues(forKeys keys: [String]?) -> [String: Any] {
        note("committedValues")
        return super.committedValues(forKeys: keys)
    }
    override func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        note("dictionaryWithValues")
        return super.dictionaryWithValues(forKeys: keys)
    }
    override func setValuesForKeys(_ keyedValues: [String: Any]) {
        note("setValuesForKeys")
        super.setValuesForKeys(keyedValues)
    }
    override func hasFault(forRelationshipNamed key: String) -> Bool {
        note("hasFault")
        return super.hasFault(forRelationshipNamed: key)
    }
    override func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        note("objectIDs")
        return super.objectIDs(forRelationshipNamed: key)
    }
    override func primitiveValue(forKey key: String) -> Any? {
        note("primitiveValue")
        return super.primitiveValue(forKey: key)
    }
    override func setPrimitiveValue(_ value: Any?, forKey key: String) {
        note("setPrimitiveValue")
        super.setPrimitiveValue(value, forKey: key)
    }
    override func mutableSetValue(forKey key: String) -> NSMutableSet { super.mutableSetValue(forKey: key) }
    override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet { super.mutableOrderedSetValue(forKey: key) }
    override func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet { super.mutableSetValue(forKeyPath: keyPath) }
    override func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet { super.mutableOrderedSetValue(forKeyPath: keyPath) }
    override func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String) throws {
        note("validateValue")
        try super.validateValue(ioValue, forKeyPath: inKeyPath)
    }
}

private final class CannedTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSString.classForCoder() }
    override class func valueTransformerNames() -> [NSValueTransformerName] { [] }
}

private final class EmptyRequest: NSFetchRequest<SurfacePerson> {
    override func execute() throws -> [SurfacePerson] { [] }
}

private final class CannedDeletion: NSBatchDeleteResult {
    override var result: Any? { 3 }
    override var resultType: NSBatchDeleteRequestResultType { .resultTypeCount }
}

private final class CannedInsertion: NSBatchInsertResult {
    override var result: Any? { 4 }
    override var resultType: NSBatchInsertRequestResultType { .count }
}

private final class CannedUpdate: NSBatchUpdateResult {
    override var result: Any? { 5 }
    override var resultType: NSBatchUpdateRequestResultType { .updatedObjectsCountResultType }
}

private final class CannedBatch: NSBatchDeleteRequest {
    override var fetchRequest: NSFetchRequest<NSFetchRequestResult> { NSFetchRequest(entityName: "B") }
}

private final class CannedController: NSFetchedResultsController<SurfacePerson> {
    override func performFetch() throws {}
    override var fetchedObjects: [SurfacePerson]? { [] }
    override var sections: [any NSFetchedResultsSectionInfo]? { [] }
    override var sectionIndexTitles: [String] { ["A"] }
    override func object(at indexPath: IndexPath) -> SurfacePerson { super.object(at: indexPath) }
    override func indexPath(forObject object: SurfacePerson) -> IndexPath? { super.indexPath(forObject: object) }
    override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "Canned" }
    override func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int { 7 }
}
