import CoreData
import Testing

@Suite("Fetch requests")
struct FetchRequestTests {
    @Test("FE01: A new request has Apple's defaults")
    func defaults() {
        let request = NSFetchRequest<NSFetchRequestResult>()
        #expect(request.fetchLimit == 0 && request.fetchOffset == 0 && request.fetchBatchSize == 0)
        #expect(request.resultType == .managedObjectResultType)
        #expect(request.includesSubentities && request.includesPendingChanges)
        #expect(request.includesPropertyValues && request.returnsObjectsAsFaults)
        #expect(!request.returnsDistinctResults && !request.shouldRefreshRefetchedObjects)
        #expect(request.propertiesToFetch == nil && request.propertiesToGroupBy == nil && request.havingPredicate == nil)
        #expect(request.predicate == nil && request.sortDescriptors == nil && request.affectedStores == nil)
        #expect(request.relationshipKeyPathsForPrefetching == nil && request.entityName == nil && request.entity == nil)
        #expect(request.requestType == .fetchRequestType)
    }

    @Test("Result types are Apple's numbers")
    func resultTypes() {
        #expect(NSFetchRequestResultType.managedObjectResultType.rawValue == 0)
        #expect(NSFetchRequestResultType.managedObjectIDResultType.rawValue == 1)
        #expect(NSFetchRequestResultType.dictionaryResultType.rawValue == 2)
        #expect(NSFetchRequestResultType.countResultType.rawValue == 4)
    }

    @Test("LC32: The entity of a request made with a name is nil until it was executed, then the resolved one")
    func entity() throws {
        let model = ModelSamples.firms()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Firm")
        #expect(request.entity == nil && request.entityName == "Firm")
        let found = try request.settings.resolveEntity(in: model)
        #expect(found === model.entitiesByName["Firm"] && request.entity === found)
    }

    @Test("LC31: An unknown entity is an error that names it and what there is")
    func unknownEntity() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "NoSuch")
        let error = try #require(throws: FetchRequestError.self) { try request.settings.resolveEntity(in: ModelSamples.firms()) }
        #expect(error == .unknownEntity("NoSuch", known: ["Firm", "Party", "Person"]))
        let translated = ErrorTranslation.error(error)
        #expect(translated.code == NSCoreDataError && translated.localizedDescription.contains("“NoSuch”"))
        #expect(throws: FetchRequestError.noEntity) {
            try NSFetchRequest<NSManagedObject>().settings.resolveEntity(in: ModelSamples.firms())
        }
    }

    @Test("One request serves several models")
    func severalModels() throws {
        let first = ModelSamples.firms(), second = ModelSamples.firms()
        let named = NSFetchRequest<NSManagedObject>(entityName: "Firm")
        #expect(try named.settings.resolveEntity(in: first) === first.entitiesByName["Firm"])
        #expect(try named.settings.resolveEntity(in: second) === second.entitiesByName["Firm"])
        let set = NSFetchRequest<NSManagedObject>()
        set.entity = first.entitiesByName["Person"]
        #expect(set.entityName == "Person")
        #expect(try set.settings.resolveEntity(in: second) === second.entitiesByName["Person"])
        #expect(set.entity === first.entitiesByName["Person"], "an entity that was set stays")
    }

    @Test("A copy has every setting and changes apart")
    func copying() throws {
        let request = NSFetchRequest<NSDictionary>(entityName: "Firm")
        request.predicate = NSPredicate(value: true)
        request.fetchLimit = 1
        request.fetchOffset = 2
        request.fetchBatchSize = 3
        request.resultType = .dictionaryResultType
        request.includesSubentities = false
        request.includesPropertyValues = false
        request.includesPendingChanges = false
        request.returnsObjectsAsFaults = false
        request.returnsDistinctResults = true
        request.shouldRefreshRefetchedObjects = true
        request.relationshipKeyPathsForPrefetching = ["staff"]
        request.propertiesToFetch = ["name"]
        request.propertiesToGroupBy = ["name"]
        request.havingPredicate = NSPredicate(value: false)
        request.sortDescriptors = []
        request.affectedStores = []
        let copy = try #require(request.copy() as? NSFetchRequest<NSDictionary>)
        request.fetchLimit = 99
        #expect(copy.entityName == "Firm" && copy.predicate === request.predicate && copy.havingPredicate === request.havingPredicate)
        #expect(copy.fetchLimit == 1 && copy.fetchOffset == 2 && copy.fetchBatchSize == 3)
        #expect(copy.resultType == .dictionaryResultType && copy.returnsDistinctResults && copy.shouldRefreshRefetchedObjects)
        #expect(!copy.includesSubentities && !copy.includesPropertyValues)
        #expect(!copy.includesPendingChanges && !copy.returnsObjectsAsFaults)
        #expect(copy.relationshipKeyPathsForPrefetching == ["staff"] && copy.propertiesToFetch as? [String] == ["name"])
        #expect(copy.propertiesToGroupBy as? [String] == ["name"] && copy.sortDescriptors == [] && copy.affectedStores == [])
    }

    @Test("The settings are reached without knowing the result type")
    func core() {
        let request: NSPersistentStoreRequest = NSFetchRequest<NSNumber>(entityName: "Firm")
        #expect(request.fetchSettings?.entityName == "Firm")
        #expect(NSBatchUpdateRequest(entityName: "Firm").fetchSettings == nil)
    }

    @Test("Code of all shapes compiles: existential results, protocols and generics over NSFetchRequestResult")
    func shapes() {
        func generic<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) -> String? { request.entityName }
        let erased: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest(entityName: "Firm")
        let spelled = NSFetchRequest<any NSFetchRequestResult>(entityName: "Firm")
        #expect(generic(erased) == "Firm" && generic(spelled) == "Firm" && generic(NSFetchRequest<Firm>(entityName: "Firm")) == "Firm")
    }
}
