import CoreData
import CoreDataSchema
import Testing

@Suite("Object IDs")
struct ObjectIDTests {
    private let model = ModelSamples.firms()

    private func id(_ key: Int64, _ entity: String = "Firm", store: String? = "0F1E", reference: String? = nil) throws -> NSManagedObjectID {
        NSManagedObjectID(
            key: RowKey(primaryKey: key, entity: 1, store: 1), entity: try #require(model.entitiesByName[entity]),
            storeIdentifier: store, store: nil, referenceText: reference)
    }

    @Test("ID04: A permanent ID's URI names store, entity and primary key, and parses back")
    func permanent() throws {
        let uri = try id(12).uriRepresentation()
        #expect(uri.absoluteString == "x-coredata://0F1E/Firm/p12" && uri.lastPathComponent == "p12")
        let parts = try #require(ObjectURI.parse(uri))
        #expect(parts.storeUUID == "0F1E" && parts.entity == "Firm" && parts.reference == .primaryKey(12))
        #expect(try !id(12).isTemporaryID)
    }

    @Test("ID04: A temporary ID's URI has no store and a text that is its own, which this process knows again")
    func temporary() throws {
        let first = try id(-1, store: nil), second = try id(-2, store: nil)
        #expect(first.isTemporaryID)
        let uri = first.uriRepresentation()
        #expect(uri.absoluteString.hasPrefix("x-coredata:///Firm/t") && uri == first.uriRepresentation() && uri != second.uriRepresentation())
        let parts = try #require(ObjectURI.parse(uri))
        guard case .temporary(let text) = parts.reference else { Issue.record("\(parts.reference)"); return }
        #expect(parts.storeUUID == nil && ObjectURI.temporaryKey(text) == -1)
        #expect(ObjectURI.temporaryKey("\(UUID().uuidString)1") == nil)
    }

    @Test("ID05: IDs of one row are equal whoever made them, and hash alike; other rows, stores and entities differ")
    func equality() throws {
        let other = ModelSamples.firms()
        let twin = NSManagedObjectID(
            key: RowKey(primaryKey: 3, entity: 9, store: 7), entity: try #require(other.entitiesByName["Firm"]),
            storeIdentifier: "0F1E", store: nil)
        #expect(try id(3) == twin && id(3).hash == twin.hash)
        #expect(try Set([id(3), twin, id(4)]).count == 2)
        #expect(try id(3) != id(4) && id(3) != id(3, store: "AAAA") && id(3) != id(3, "Person"))
        #expect(try id(-3) != id(3) && id(-3, store: nil) == id(-3))
        #expect(try id(3).copy() as? NSManagedObjectID == twin && !id(3).isEqual("x"))
    }

    @Test("References chosen by a user's store are escaped and come back", arguments: ["abc", "a/b c", "ü", "007"])
    func references(text: String) throws {
        let uri = try id(5, reference: text).uriRepresentation()
        let parts = try #require(ObjectURI.parse(uri))
        #expect(parts.reference == .text(text) && parts.entity == "Firm", "\(uri)")
    }

    @Test("An entity's name may be of any script")
    func names() throws {
        let entity = ModelSamples.entity("Größe")
        let uri = NSManagedObjectID(key: RowKey(primaryKey: 1, entity: 0), entity: entity, storeIdentifier: "S", store: nil).uriRepresentation()
        #expect(ObjectURI.parse(uri)?.entity == "Größe")
    }

    @Test("What is no object URI is refused", arguments: [
        "http://a/b/p1", "x-coredata://S/Firm", "x-coredata://S/Firm/q1", "x-coredata://S/Firm/p", "x-coredata:///Firm/p1",
        "x-coredata://S/Firm/p1/more", "x-coredata:", "file:///tmp",
    ])
    func refusal(text: String) throws {
        #expect(ObjectURI.parse(try #require(URL(string: text))) == nil)
    }

    @Test("IDs pass between tasks")
    func sendable() async throws {
        let value = try id(8)
        let text = await Task.detached { value.uriRepresentation().absoluteString }.value
        #expect(text == "x-coredata://0F1E/Firm/p8" && value.persistentStore == nil)
    }
}
