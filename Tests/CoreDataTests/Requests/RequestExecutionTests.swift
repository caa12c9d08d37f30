import CoreData
import Foundation
import Testing

/// The ways to run a request, and what several stores and children make of it.
@Suite("Running requests")
struct RequestExecutionTests {
    @Test("execute() runs in the context of the innermost block, of whatever queue")
    func execute() throws {
        let store = try RequestStore()
        func make(_ type: NSManagedObjectContextConcurrencyType) -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: type)
            context.persistentStoreCoordinator = store.coordinator
            return context
        }
        let outer = make(.privateQueueConcurrencyType), inner = make(.privateQueueConcurrencyType)
        try outer.performAndWait {
            let request = outer.request("Person")
            try #expect(request.execute().first?.managedObjectContext === outer)
            try inner.performAndWait {
                try #expect(request.execute().first?.managedObjectContext === inner)
                try outer.performAndWait { try #expect(request.execute().first?.managedObjectContext === outer) }
            }
            try #expect(request.execute().first?.managedObjectContext === outer)
        }
        let error = try #require(throws: (any Error).self) { try NSFetchRequest<NSManagedObject>(entityName: "Person").execute() } as NSError
        #expect(error.code == NSCoreDataError && error.localizedDescription.contains("outside of a context’s block"))
    }

    @Test("execute() runs in an asynchronous perform too")
    func executeAsynchronously() async throws {
        let store = try RequestStore()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        let count = try await context.perform { try NSFetchRequest<NSManagedObject>(entityName: "Person").execute().count }
        #expect(count == 15)
    }

    // MARK: Asynchronous fetches

    private func queued(_ store: RequestStore) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        return context
    }

    @Test("An asynchronous fetch moves the caller's progress to its end", .timeLimit(.minutes(1)))
    func progress() async throws {
        let context = queued(try RequestStore(departments: 40)), parent = Progress(totalUnitCount: 10)
        let found: Int = try await withCheckedThrowingContinuation { done in
            context.perform {
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person")) { result in
                    #expect(result.progress?.isFinished == true)
                    done.resume(returning: result.finalResult?.count ?? -1)
                }
                request.estimatedResultCount = 200
                parent.becomeCurrent(withPendingUnitCount: 10)
                do {
                    let result = try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
                    #expect(result?.progress?.totalUnitCount == 200 && result?.finalResult == nil)
                } catch { done.resume(throwing: error) }
                parent.resignCurrent()
            }
        }
        #expect(found == 200)
        await context.perform {}
        #expect(parent.fractionCompleted == 1)
    }

    @Test("A cancelled asynchronous fetch ends with CocoaError.userCancelled and no result", .timeLimit(.minutes(1)), arguments: [true, false])
    func cancellation(byProgress: Bool) async throws {
        let context = queued(try RequestStore()), parent = Progress(totalUnitCount: 1)
        let outcome: (Bool, Int) = try await withCheckedThrowingContinuation { done in
            context.perform {
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Person")) { result in
                    done.resume(returning: (result.finalResult == nil, (result.operationError as? CocoaError)?.code.rawValue ?? 0))
                }
                if byProgress { parent.becomeCurrent(withPendingUnitCount: 1) }
                do {
                    let result = try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
                    if byProgress { parent.cancel() } else { result?.cancel() }
                } catch { done.resume(throwing: error) }
                if byProgress { parent.resignCurrent() }
            }
        }
        #expect(outcome.0 && outcome.1 == CocoaError.Code.userCancelled.rawValue)
    }

    @Test("Cancelling stops a statement that is at work", .timeLimit(.minutes(1)))
    func interruption() async throws {
        let store = try RequestStore(departments: 60), context = queued(store)
        // 150 × 150 comparisons for each of 300 rows, none of them true, take longer than anybody waits.
        let slow = "SUBQUERY(tags.owners, $b, SUBQUERY(tags.owners, $c, $c.name CONTAINS[cd] 'q' AND $c.name != $b.name).@count > 0).@count > 0"
        let started = Date()
        let code: Int = try await withCheckedThrowingContinuation { done in
            context.perform {
                let fetch = NSFetchRequest<NSManagedObject>(entityName: "Person")
                fetch.predicate = NSPredicate(format: slow)
                let request = NSAsynchronousFetchRequest(fetchRequest: fetch) { result in
                    done.resume(returning: (result.operationError as? CocoaError)?.code.rawValue ?? 0)
                }
                do {
                    let result = try context.execute(request)
                    let running = result as? NSPersistentStoreAsynchronousResult
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) { running?.cancel() }
                } catch { done.resume(throwing: error) }
            }
        }
        #expect(code == CocoaError.Code.userCancelled.rawValue)
        #expect(Date().timeIntervalSince(started) < 20)
        // The store works on as before.
        let names = try await context.perform { try context.names("Person", NSPredicate(format: "age == 1")).count }
        #expect(names == 60)
    }

    // MARK: Several stores

    @Test("Sorted by attribute, path, SELF and with ties, cut by limit and offset, over two stores")
    func severalStores() throws {
        let store = try RequestStore()
        _ = try store.addStore(departments: 2)
        let context = store.context()
        func names(_ sort: [String], _ offset: Int, _ limit: Int) throws -> [String] {
            let request = context.request("Person", by: sort)
            (request.fetchOffset, request.fetchLimit) = (offset, limit)
            let found = try context.names(request)
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            (ids.resultType, ids.sortDescriptors, ids.fetchOffset, ids.fetchLimit) = (.managedObjectIDResultType, request.sortDescriptors, offset, limit)
            #expect(try context.fetch(ids).map { context.object(with: $0).value(forKey: "name") as? String } == found)
            #expect(try context.count(for: request) == found.count)
            return found
        }
        #expect(try names(["name"], 4, 3) == ["p04", "p10", "p100"])
        #expect(try names(["-dept.name", "name"], 4, 2) == ["p24", "p110"])
        #expect(try names(["age", "-name"], 0, 2) == ["p20", "p110"])
        #expect(try names(["name"], 24, 5) == ["p24"])
        #expect(try names(["name"], 30, 5) == [])
        #expect(try names(["self"], 0, 0).count == 25)
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue("p101x", forKey: "name")
        #expect(try names(["name"], 5, 4) == ["p10", "p100", "p101", "p101x"])
    }

    @Test("Counts in all combinations agree with what is fetched", arguments: [false, true])
    func counts(pending: Bool) throws {
        let store = try RequestStore()
        _ = try store.addStore(departments: 1)
        let context = store.context()
        if pending {
            let all = try context.fetch(context.request("Person"))
            all[0].setValue(9, forKey: "age")
            context.delete(all[1])
            NSEntityDescription.insertNewObject(forEntityName: "Manager", into: context).setValue(2, forKey: "age")
        }
        for format in ["TRUEPREDICATE", "age >= 2", "age > 100", "NOT (age IN {1, 2})"] {
            for (offset, limit) in [(0, 0), (0, 3), (2, 0), (2, 3), (50, 3), (0, 1_000)] {
                for (subentities, includesPending) in [(true, true), (false, true), (true, false)] {
                    let request = context.request("Person", NSPredicate(format: format))
                    (request.fetchOffset, request.fetchLimit) = (offset, limit)
                    (request.includesSubentities, request.includesPendingChanges) = (subentities, includesPending)
                    let counted = try context.count(for: request)
                    #expect(try context.fetch(request).count == counted, "\(format) \(offset) \(limit) \(subentities) \(includesPending)")
                }
            }
        }
    }

    @Test("A child's requests show its parent's unsaved changes: objects, IDs, counts, windows; dictionaries show the store")
    func children() throws {
        let (child, parent) = try RequestStore().child()
        try parent.performAndWait {
            let all = try parent.fetch(parent.request("Person"))
            all[0].setValue("zz", forKey: "name")
            parent.delete(all[1])
            NSEntityDescription.insertNewObject(forEntityName: "Person", into: parent).setValue("new", forKey: "name")
        }
        let request = child.request("Person", by: ["-name"])
        request.fetchLimit = 2
        #expect(try child.names(request) == ["zz", "p24"])
        #expect(try child.count(for: child.request("Person")) == 15)
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: child).setValue("zzz", forKey: "name")
        #expect(try child.names(request) == ["zzz", "zz"])
        #expect(try child.count(for: child.request("Person", NSPredicate(format: "name BEGINSWITH 'z'"))) == 2)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
        ids.resultType = .managedObjectIDResultType
        #expect(try child.fetch(ids).count == 16)
        #expect(try child.dictionaries("Person", ["name"]).count == 15)
    }
}
