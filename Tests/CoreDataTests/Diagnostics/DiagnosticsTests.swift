@testable import CoreData
import Foundation
import Synchronization
import Testing

/// Events as they come, from any thread.
final class EventLog: Sendable {
    private let log = Mutex<[CoreDataDiagnostics.Event]>([])

    func add(_ event: CoreDataDiagnostics.Event) { log.withLock { $0.append(event) } }
    var events: [CoreDataDiagnostics.Event] { log.withLock { $0 } }
    var statements: [CoreDataDiagnostics.Statement] { events.compactMap { if case .statement(let found) = $0 { found } else { nil } } }
    var faults: [CoreDataDiagnostics.Fault] { events.compactMap { if case .fault(let found) = $0 { found } else { nil } } }
    var scans: [CoreDataDiagnostics.TableScan] { events.compactMap { if case .tableScan(let found) = $0 { found } else { nil } } }
    var conflicts: [CoreDataDiagnostics.Conflict] { events.compactMap { if case .conflict(let found) = $0 { found } else { nil } } }
    var saves: [CoreDataDiagnostics.Save] { events.compactMap { if case .save(let found) = $0 { found } else { nil } } }
    var transactions: [CoreDataDiagnostics.Transaction] { events.compactMap { if case .transaction(let found) = $0 { found } else { nil } } }
    var trips: [CoreDataDiagnostics.RoundTrip] { events.compactMap { if case .roundTrip(let found) = $0 { found } else { nil } } }
    var evaluations: [CoreDataDiagnostics.Evaluation] { events.compactMap { if case .evaluation(let found) = $0 { found } else { nil } } }
}

@Suite("Diagnostics")
struct DiagnosticsTests {
    private func employees(_ format: String, _ arguments: Any?...) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
        return request
    }

    @Test("A statement comes with its values, rows and time, and the call after its statements")
    func statement() throws {
        let store = try FirmStore.filled()
        let context = store.context(), log = EventLog()
        let observation = CoreDataDiagnostics.observe(of: store.coordinator) { log.add($0) }
        #expect(try context.fetch(employees("name == %@ AND salary > %@", "employee 0.3", 1)).count == 1)
        observation.cancel()
        let statement = try #require(log.statements.first)
        #expect(log.statements.count == 1)
        #expect(statement.sql.hasPrefix("SELECT") && statement.sql.contains("ZEMPLOYEE"))
        #expect(statement.boundValues.contains("'employee 0.3'") && statement.boundValues.contains("1"))
        #expect(statement.boundValues.count == statement.sql.count(where: { $0 == "?" }))
        #expect(statement.rowsRead == 1 && statement.rowsChanged == 0)
        #expect(statement.seconds > 0 && statement.seconds < 60)
        #expect(!statement.queryPlan.isEmpty)
        #expect(statement.store == store.url)
        guard case .roundTrip(let trip)? = log.events.last else { Issue.record("the call is the last event"); return }
        #expect(trip.purpose == .fetch && trip.statements == 1 && trip.rowsRead == 1)
        #expect(trip.seconds >= statement.seconds)
    }

    @Test("Values of every kind are read back from the statement", arguments: [
        ("SELECT ?, '?' , \"a?\" FROM t WHERE a=? AND b=?", "SELECT 'it''s ?', '?' , \"a?\" FROM t WHERE a=-1.5e+20 AND b=NULL",
         ["'it''s ?'", "-1.5e+20", "NULL"]),
        ("VALUES (?,?)", "VALUES (x'00ff',zeroblob(0))", ["x'00ff'", "zeroblob(0)"]),
        ("?", "''", ["''"]),
    ])
    func boundValues(sql: String, expanded: String, values: [String]) {
        #expect(BoundValues.read(from: expanded, of: sql) == values)
    }

    @Test("An observation ends when it is cancelled or released, and nothing is traced any more")
    func ending() throws {
        let store = try FirmStore.filled(employees: 2)
        let context = store.context(), log = EventLog()
        var observation: CoreDataDiagnostics.Observation? = CoreDataDiagnostics.observe(.statements, of: store.coordinator) { log.add($0) }
        _ = try context.all("Employee")
        #expect(log.statements.count == 1)
        observation?.cancel()
        _ = try context.all("Employee")
        #expect(log.statements.count == 1)
        observation = CoreDataDiagnostics.observe(.statements, of: store.coordinator) { log.add($0) }
        _ = try context.all("Employee")
        #expect(log.statements.count == 2)
        observation = nil
        _ = try context.all("Employee")
        #expect(log.statements.count == 2)
        _ = observation
    }

    @Test("Only what is of interest is reported, and only of the coordinator named")
    func interests() throws {
        let store = try FirmStore.filled(employees: 2), other = try FirmStore.filled(employees: 2)
        let log = EventLog()
        let observation = CoreDataDiagnostics.observe(.statements, of: store.coordinator) { log.add($0) }
        _ = try other.context().all("Employee")
        #expect(log.events.isEmpty)
        let context = store.context()
        _ = try context.all("Employee").map(\.name)
        #expect(log.events.count == 1)
        #expect(log.statements.first?.boundValues == [])
        #expect(log.statements.first?.queryPlan == [])
        observation.cancel()
    }

    /// In a process of its own: reading the image list must not meet stores that other tests close meanwhile.
    @Test("A fault says what fired, and where in the program")
    func faults() async {
        await #expect(processExitsWith: .success) { try fireFaultsAndCheck() }
    }

    @Test("Objects asked for loaded, and existing objects, fire nothing")
    func noFaults() throws {
        let store = try FirmStore.filled(employees: 3)
        let context = store.context()
        let counts = try CoreDataDiagnostics.counting {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.returnsObjectsAsFaults = false
            for employee in try context.fetch(request) { _ = employee.name }
            let other = store.context()
            let id = try #require(try context.all("Employee").first).objectID
            _ = try other.existingObject(with: id).value(forKey: "name")
        }
        #expect(counts.faultsFired == 0)
    }

    @Test("A table read from end to end is reported with its name each time; a look-up by key is none")
    func scans() throws {
        let store = try FirmStore.filled(employees: 3)
        let context = store.context(), log = EventLog()
        let observation = CoreDataDiagnostics.observe(.tableScans, of: store.coordinator) { log.add($0) }
        let found = try context.fetch(employees("salary > %@", 0))
        #expect(log.scans.map(\.table) == ["ZEMPLOYEE"])
        _ = try context.fetch(employees("salary > %@", 1))
        #expect(log.scans.count == 2)
        let other = store.context()
        _ = try other.existingObject(with: found[0].objectID)
        _ = try context.fetch(employees("SELF == %@", found[0]))
        _ = try context.fetch(employees("dept == %@", found[0].target("dept")))
        #expect(log.scans.count == 2)
        observation.cancel()
    }

    @Test("A predicate SQL cannot say is reported with its part and the rows it was tested on")
    func evaluations() throws {
        let store = try FirmStore.filled(employees: 4)
        let context = store.context(), log = EventLog()
        let observation = CoreDataDiagnostics.observe(.evaluations, of: store.coordinator) { log.add($0) }
        _ = try context.fetch(employees("salary > 0"))
        #expect(log.evaluations.isEmpty)
        #expect(try context.fetch(employees("salary > 0 AND median:(dept.employees.salary) > 1")).count == 3)
        observation.cancel()
        #expect(log.evaluations.map(\.entityName) == ["Employee"])
        #expect(log.evaluations.first?.predicateFormat == "median:(dept.employees.salary) > 1")
        #expect(log.evaluations.first?.rowsTested == 3)
    }

    @Test("Conflicts, saves and transactions are reported, rolled back ones too")
    func conflicts() throws {
        let store = try FirmStore.filled(employees: 2)
        let mine = store.context(), theirs = store.context(), log = EventLog()
        mine.name = "mine"
        let observation = CoreDataDiagnostics.observe([.conflicts, .saves, .transactions], of: store.coordinator) { log.add($0) }
        let a = try #require(try mine.all("Employee").first), b = try #require(try theirs.all("Employee").first)
        _ = (a.name, b.name)
        b.setValue(70, forKey: "salary")
        try theirs.save()
        a.setValue(71, forKey: "salary")
        #expect(throws: (any Error).self) { try mine.save() }
        observation.cancel()
        #expect(log.conflicts.map(\.objectIDs) == [[a.objectID]])
        #expect(log.conflicts.first?.kind == .merge(oldVersion: 1, newVersion: 2))
        #expect(log.conflicts.first?.contextName == "mine")
        #expect(log.saves.map(\.updated) == [1, 0])
        #expect(log.saves.map { $0.failure == nil } == [true, false])
        #expect(log.transactions.map(\.isCommitted) == [true, false])
        #expect(log.transactions.map(\.updated) == [1, 1])
    }

    @Test("Opening a store is shown, and is no round trip")
    func opening() throws {
        let log = EventLog()
        let store = try FirmStore.filled(employees: 1)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.coordinator.managedObjectModel)
        let observation = CoreDataDiagnostics.observe([.statements, .roundTrips], of: coordinator) { log.add($0) }
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store.url, options: nil)
        observation.cancel()
        #expect(log.statements.contains { $0.sql.contains("PRAGMA") })
        #expect(log.trips.isEmpty)
    }
}

/// What the test of callers does; a plain function, whose frame has lines.
private func fireFaultsAndCheck() throws {
    let store = try FirmStore.filled(employees: 3)
    let context = store.context(), log = EventLog()
    let department = try #require(try context.all("Department").first)
    let observation = CoreDataDiagnostics.observe([.faults, .callers], of: store.coordinator) { log.add($0) }
    _ = department.value(forKey: "name"); let line = #line
    _ = department.mutableSetValue(forKey: "employees").count; let second = #line
    _ = department.value(forKey: "name")
    observation.cancel()
    #expect(log.faults.map(\.entityName) == ["Department", "Department"])
    #expect(log.faults.map(\.relationship) == [nil, "employees"])
    #expect(log.faults.allSatisfy { $0.objectID == department.objectID })
    #expect(log.faults.map { $0.caller?.line } == [line, second])
    #expect(log.faults.allSatisfy { $0.caller?.file?.hasSuffix("DiagnosticsTests.swift") == true })
}
