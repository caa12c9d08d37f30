import CoreData
import Foundation
import Testing

@Suite("Executing requests")
struct ExecutingTests {
    @Test("An asynchronous fetch calls its block with the objects, on the context's queue", .timeLimit(.minutes(1)))
    func asynchronous() async throws {
        let context = try RuntimeStack().context()
        try await context.perform {
            NSEntityDescription.insertNewObject(forEntityName: "Department", into: context).setValue("A", forKey: "name")
            try context.save()
        }
        let names: [String] = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Department")) { result in
                    continuation.resume(returning: (result.finalResult ?? []).compactMap { $0.value(forKey: "name") as? String })
                }
                do { try context.execute(request) } catch { continuation.resume(throwing: error) }
            }
        }
        #expect(names == ["A"])
    }

    @Test("What cannot be executed is refused: requests of no kind, history")
    func refused() throws {
        let stack = try RuntimeStack()
        let context = stack.context()
        let batch = NSPersistentStoreRequest()
        let error = try #require(throws: (any Error).self) { try context.performAndWait { _ = try context.execute(batch) } }
        #expect((error as NSError).code == NSPersistentStoreUnsupportedRequestTypeError)
        #expect(throws: (any Error).self) {
            try stack.coordinator.addPersistentStore(
                ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: [NSPersistentHistoryTrackingKey: NSNumber(value: true)])
        }
    }
}
