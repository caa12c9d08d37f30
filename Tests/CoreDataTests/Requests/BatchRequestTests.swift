import CoreData
import Testing

@Suite("Batch, save and asynchronous requests")
struct BatchRequestTests {
    @Test("Request kinds and result types are Apple's numbers")
    func numbers() {
        #expect(NSBatchInsertRequest(entityName: "A", objects: []).requestType.rawValue == 5)
        #expect(NSBatchUpdateRequest(entityName: "A").requestType.rawValue == 6)
        #expect(NSBatchDeleteRequest(objectIDs: []).requestType.rawValue == 7)
        #expect(NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil).requestType.rawValue == 2)
        #expect(NSBatchUpdateRequestResultType.updatedObjectsCountResultType.rawValue == 2)
        #expect(NSBatchDeleteRequestResultType.resultTypeObjectIDs.rawValue == 1)
        #expect(NSBatchInsertRequestResultType.objectIDs.rawValue == 1)
    }

    @Test("Batch inserts carry rows or a handler")
    func inserts() throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        let rows = NSBatchInsertRequest(entity: firm, objects: [["name": "A"]])
        #expect(rows.objectsToInsert?.first?["name"] as? String == "A" && rows.dictionaryHandler == nil && rows.entity === firm)
        let handler = NSBatchInsertRequest(entityName: "Firm", dictionaryHandler: { row in
            row["name"] = "B"
            return true
        })
        let row = NSMutableDictionary()
        #expect(handler.dictionaryHandler?(row) == true && row["name"] as? String == "B" && handler.entityName == "Firm")
        #expect(try handler.subject.resolve(in: model) === firm)
        #expect(throws: FetchRequestError.self) { try NSBatchInsertRequest(entityName: "X", objects: []).subject.resolve(in: model) }
        handler.resultType = .count
        #expect((handler.copy() as? NSBatchInsertRequest)?.resultType == .count)
    }

    @Test("Batch updates carry predicate and values, and copy")
    func updates() {
        let request = NSBatchUpdateRequest(entityName: "Firm")
        #expect(request.includesSubentities && request.resultType == .statusOnlyResultType && request.predicate == nil)
        request.propertiesToUpdate = ["name": "x"]
        request.includesSubentities = false
        let copy = request.copy() as? NSBatchUpdateRequest
        #expect(copy?.propertiesToUpdate?["name"] as? String == "x" && copy?.includesSubentities == false)
    }

    @Test("Batch deletes copy their fetch, and find the common entity of IDs")
    func deletes() throws {
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Firm")
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        fetch.fetchLimit = 4
        #expect(request.fetchRequest.entityName == "Firm" && request.fetchRequest.fetchLimit == 0 && request.objectIDs == nil)
        let model = ModelSamples.firms()
        let ids = try ["Person", "Firm"].enumerated().map { number, name in
            NSManagedObjectID(
                key: .init(primaryKey: Int64(number + 1), entity: 0), entity: try #require(model.entitiesByName[name]),
                storeIdentifier: "S", store: nil)
        }
        let byID = NSBatchDeleteRequest(objectIDs: ids)
        #expect(byID.fetchRequest.entityName == "Party" && byID.objectIDs == ids)
        #expect((byID.copy() as? NSBatchDeleteRequest)?.objectIDs == ids)
    }
}
