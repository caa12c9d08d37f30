import CoreData
import Foundation
import Testing

/// `fetchBatchSize` and `includesPropertyValues`: what is read, and when.
@Suite("Batches of a fetch")
struct BatchSizeTests {
    private func batched(_ context: NSManagedObjectContext, _ size: Int, _ predicate: NSPredicate? = nil) -> NSFetchRequest<NSManagedObject> {
        let request = context.request("Person", predicate)
        request.fetchBatchSize = size
        return request
    }

    private func names(_ objects: [NSManagedObject]) -> [String] { objects.map { $0.value(forKey: "name") as? String ?? "nil" } }

    private func counts(_ body: () throws -> Void) rethrows -> CoreDataDiagnostics.Counts { try CoreDataDiagnostics.counting(body) }

    @Test("FE25: a batched fetch reads keys; the first touch of an object reads its batch, a second one nothing")
    func trips() throws {
        let context = try RequestStore().context()
        var found: [NSManagedObject] = []
        let fetching = try counts { found = try context.fetch(batched(context, 4)) }
        #expect(fetching.roundTrips == 1 && fetching.statements == 1 && fetching.faultsFired == 0)
        #expect(found.count == 15 && found.allSatisfy(\.isFault))
        let first = counts { _ = found[5].value(forKey: "name") }
        #expect(first.roundTrips == 1 && first.rowsRead == 4)
        let second = counts { _ = names(Array(found[4..<8])) }
        #expect(second.roundTrips == 0)
        let walking = counts { #expect(names(found) == (0..<3).flatMap { d in (0..<5).map { "p\(d)\($0)" } }) }
        // 15 objects are 4 batches, one of which is there.
        #expect(walking.roundTrips == 3 && walking.rowsRead == 11)
        let again = counts { _ = names(found) }
        #expect(again.roundTrips == 0)
    }

    @Test("A batched fetch within limit and offset reads no more than the window")
    func window() throws {
        let context = try RequestStore().context()
        let request = batched(context, 2)
        request.fetchOffset = 3
        request.fetchLimit = 5
        let counts = try counts { try #expect(context.names(request) == ["p03", "p04", "p10", "p11", "p12"]) }
        #expect(counts.roundTrips == 1 + 3 && counts.rowsRead == 5 + 5)
    }

    @Test("Unsaved changes decide a batched fetch's membership and order")
    func pending() throws {
        let context = try RequestStore().context()
        let all = try context.fetch(context.request("Person"))
        all[0].setValue("z", forKey: "name")
        context.delete(all[1])
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue("p001", forKey: "name")
        let request = batched(context, 3)
        let found = try context.fetch(request)
        #expect(names(found).prefix(3) == ["p001", "p02", "p03"] && names(found).last == "z" && found.count == 15)
        request.predicate = NSPredicate(format: "name BEGINSWITH 'z' OR age == 3")
        #expect(try context.names(request) == ["p03", "p13", "p23", "z"])
    }

    @Test("B15: a child context's batched fetch gives what its parent's gives, in batches", arguments: [false, true])
    func child(parentHasChanges: Bool) throws {
        let (child, parent) = try RequestStore().child()
        if parentHasChanges {
            try parent.performAndWait { try parent.fetch(parent.request("Person"))[14].setValue("a", forKey: "name") }
        }
        let expected = try parent.performAndWait { try parent.names(batched(parent, 4)) }
        parent.performAndWait { parent.refreshAllObjects() }
        #expect(try child.names(batched(child, 4)) == expected)
        #expect(expected.count == 15 && expected[0] == (parentHasChanges ? "a" : "p00"))
    }

    @Test("A batched fetch over two stores reads each batch once")
    func severalStores() throws {
        let store = try RequestStore()
        _ = try store.addStore(departments: 2)
        let context = store.context()
        let found = try context.fetch(batched(context, 10))
        #expect(names(found) == names(found).sorted() && found.count == 25)
    }

    @Test("Objects that are edited, deleted elsewhere or refreshed before their batch is read come out right")
    func edges() throws {
        let store = try RequestStore()
        let context = store.context(), other = store.context()
        let found = try context.fetch(batched(context, 4))
        other.delete(try #require(other.existingObject(with: found[1].objectID) as NSManagedObject?))
        try other.save()
        found[0].setValue("edited", forKey: "name")
        #expect(found[2].value(forKey: "name") as? String == "p02")
        #expect(found[1].value(forKey: "name") == nil)
        context.refresh(found[2], mergeChanges: false)
        #expect(found[2].value(forKey: "name") as? String == "p02")
        #expect(found[0].value(forKey: "name") as? String == "edited" && found[0].value(forKey: "age") as? Int == 0)
        context.reset()
        #expect(try context.names(batched(context, 4)).count == 14)
    }

    @Test("Prefetched relationships of a batched fetch come with each batch")
    func prefetching() throws {
        let context = try RequestStore().context()
        let request = batched(context, 5)
        request.relationshipKeyPathsForPrefetching = ["dept", "tags"]
        let found = try context.fetch(request)
        _ = found[0].value(forKey: "name")
        let counts = counts {
            for object in found[0..<5] {
                _ = (object.value(forKey: "dept") as? NSManagedObject)?.value(forKey: "name")
                for tag in object.value(forKey: "tags") as? Set<NSManagedObject> ?? [] { _ = tag.value(forKey: "name") }
            }
        }
        #expect(counts.roundTrips == 0)
    }

    @Test("Without property values only keys are read; objects load when they are touched")
    func withoutValues() throws {
        let context = try RequestStore().context()
        let request = context.request("Person", NSPredicate(format: "age > 2"))
        request.includesPropertyValues = false
        request.returnsObjectsAsFaults = false
        var found: [NSManagedObject] = []
        let counts = try counts { found = try context.fetch(request) }
        #expect(counts.roundTrips == 1 && counts.faultsFired == 0 && found.allSatisfy(\.isFault))
        #expect(names(found) == ["p03", "p04", "p13", "p14", "p23", "p24"])
    }

    @Test("Loaded objects are asked for at once, whatever the batch size")
    func loaded() throws {
        let context = try RequestStore().context()
        let request = batched(context, 4)
        request.returnsObjectsAsFaults = false
        let counts = try counts { try #expect(context.fetch(request).allSatisfy { !$0.isFault }) }
        #expect(counts.roundTrips == 1)
    }

    @Test("A limited fetch with pending changes reads no more rows than the window and the changes")
    func limitedOverlay() throws {
        let context = try RequestStore(departments: 20).context()
        let all = try context.fetch(context.request("Person"))
        all[0].setValue("zz", forKey: "name")
        context.delete(all[1])
        // Delete rules read what is around the object.
        context.processPendingChanges()
        let request = context.request("Person")
        request.fetchLimit = 3
        let counts = try counts { try #expect(context.names(request) == ["p02", "p03", "p04"]) }
        #expect(counts.rowsRead <= 3 + 2)
        request.fetchOffset = 97
        #expect(try context.names(request) == ["p94", "zz"])
    }
}
