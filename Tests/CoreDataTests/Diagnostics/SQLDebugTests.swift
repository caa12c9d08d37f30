import CoreData
import Foundation
import Testing

@Suite("SQLDebug")
struct SQLDebugTests {
    /// Opens a filled store with the setting on and fetches one employee.
    static func fetch(level: Int) throws {
        setenv("com.apple.CoreData.SQLDebug", "\(level)", 1)
        let store = try FirmStore.filled(employees: 3)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSPredicate(format: "name == %@", "employee 0.2")
        let context = store.context()
        if try context.fetch(request).first?.name != "employee 0.2" { exit(2) }
    }

    private func lines(_ result: ExitTest.Result?) throws -> [String] {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("CoreData: ") || $0.hasPrefix("    ") }
    }

    @Test("Level 1 writes statements and times in Apple's words on standard error, and no values")
    func level1() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { try SQLDebugTests.fetch(level: 1) }
        let lines = try lines(result)
        #expect(lines.contains { $0.hasPrefix("CoreData: sql: SELECT ") && $0.contains("FROM ZEMPLOYEE") })
        #expect(lines.contains { $0.hasPrefix("CoreData: annotation: sql connection fetch time: 0.") && $0.hasSuffix("s") })
        #expect(lines.contains { $0.hasPrefix("CoreData: annotation: total fetch execution time: ") && $0.hasSuffix("s for 1 rows.") })
        #expect(!lines.contains { $0.contains("employee 0.2") || $0.contains("values bound") })
    }

    @Test("Level 2 adds counts, faults and scans; level 3 bound values; level 4 query plans")
    func levels() async throws {
        let second = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { try SQLDebugTests.fetch(level: 2) }
        let two = try lines(second)
        #expect(two.contains("CoreData: annotation: returned 1 rows"))
        #expect(two.contains("CoreData: details: 1 values bound"))
        #expect(two.contains { $0.hasPrefix("CoreData: annotation: fault fired: x-coredata://") })
        #expect(two.contains { $0.hasPrefix("CoreData: annotation: full scan of table ZEMPLOYEE") })
        #expect(!two.contains { $0.contains("employee 0.2") })
        let fourth = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { try SQLDebugTests.fetch(level: 4) }
        let four = try lines(fourth)
        #expect(four.contains("CoreData: details: SQLite bind[0] = 'employee 0.2'"))
        #expect(four.contains { $0.hasPrefix("CoreData: details: SQLite: EXPLAIN QUERY PLAN SELECT") })
        #expect(four.contains { $0.hasPrefix("    SCAN") })
    }

    @Test("Without the setting nothing is written")
    func off() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { try SQLDebugTests.fetch(level: 0) }
        #expect(try lines(result).isEmpty)
    }
}
