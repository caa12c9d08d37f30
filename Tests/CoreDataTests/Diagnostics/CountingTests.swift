import CoreData
import Foundation
import Testing

@Suite("Counting")
struct CountingTests {
    private func read(_ store: FirmStore) throws { _ = try store.context().all("Employee") }

    @Test("A block counts its own work only, while others are busy on the same store")
    func parallel() async throws {
        let store = try FirmStore.filled(employees: 5)
        try await withThrowingTaskGroup(of: CoreDataDiagnostics.Counts.self) { group in
            for trips in 1...8 {
                group.addTask {
                    try CoreDataDiagnostics.counting { for _ in 0..<trips { try read(store) } }
                }
            }
            var found: [Int] = []
            for try await counts in group {
                #expect(counts.rowsRead == counts.roundTrips * 5)
                found.append(counts.roundTrips)
            }
            #expect(found.sorted() == Array(1...8))
        }
    }

    @Test("perform, performAndWait, tasks and saves into parents are followed; nothing counts after the end")
    func followed() async throws {
        let store = try FirmStore.filled(employees: 5)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = store.coordinator
        let counts = try await CoreDataDiagnostics.counting {
            try context.performAndWait { _ = try context.all("Employee") }
            try await context.perform { _ = try context.all("Employee") }
            await withCheckedContinuation { done in
                context.perform {
                    _ = try? context.all("Employee")
                    done.resume()
                }
            }
            try await Task { try await context.perform { _ = try context.all("Employee") } }.value
        }
        #expect(counts.roundTrips == 4)
        var late = CoreDataDiagnostics.Counts()
        late = try CoreDataDiagnostics.counting { try read(store) }
        try read(store)
        #expect(late.roundTrips == 1)
    }

    @Test("With a coordinator, everything of its stores counts, on any thread")
    func bound() async throws {
        let store = try FirmStore.filled(employees: 5), other = try FirmStore.filled(employees: 5)
        let counts = try await CoreDataDiagnostics.counting(of: store.coordinator) {
            await withCheckedContinuation { done in
                DispatchQueue.global().async {
                    try? read(store)
                    try? read(other)
                    done.resume()
                }
            }
            try read(other)
        }
        #expect(counts.roundTrips == 1)
    }

    @Test("A block inside another counts for both; a thread of the program's own counts for none")
    func nested() throws {
        let store = try FirmStore.filled(employees: 5)
        var inner = CoreDataDiagnostics.Counts()
        let outer = try CoreDataDiagnostics.counting {
            try read(store)
            inner = try CoreDataDiagnostics.counting { try read(store) }
            let done = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                try? read(store)
                done.signal()
            }
            done.wait()
        }
        #expect(inner.roundTrips == 1)
        #expect(outer.roundTrips == 2)
        #expect(outer.description.hasPrefix("2 round trips, 2 statements, 10 rows read"))
    }

    @Test("A block that throws passes its error on, and counting ends")
    func throwing() throws {
        #expect(throws: CocoaError.self) { try CoreDataDiagnostics.counting { throw CocoaError(.fileNoSuchFile) } }
    }

    @Test("A store in memory counts the same trips, without statements")
    func memory() throws {
        let store = try FirmStore.filled(employees: 5, type: NSInMemoryStoreType)
        let context = store.context()
        let counts = try CoreDataDiagnostics.counting {
            for employee in try context.all("Employee") { _ = employee.name }
            let department = try context.all("Department")[0]
            _ = department.related("employees")
            _ = department.related("employees")
            department.setValue("new", forKey: "name")
            try context.save()
        }
        #expect(counts.roundTrips == 4)
        #expect(counts.statements == 0)
        #expect(counts.rowsRead == 11 && counts.rowsWritten == 1)
        #expect(counts.saves == 1 && counts.transactions == 1)
    }
}
