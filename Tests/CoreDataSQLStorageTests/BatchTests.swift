import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite("Batches in SQL")
struct BatchTests {
    private final class Rows: BatchRowSource {
        private let values: (Int) -> [(Int, AttributeValue)]?
        private var next = 0

        init(_ values: @escaping (Int) -> [(Int, AttributeValue)]?) { self.values = values }

        func next(_ row: BatchRow) -> Bool {
            guard let given = values(next) else { return false }
            next += 1
            for (slot, value) in given { row.set(slot, value) }
            return true
        }
    }

    private func plan(_ fixture: StoreFixture, _ entity: String) throws -> BatchInsertPlan {
        let entity = try fixture.entity(entity)
        return BatchInsertPlan(entity: entity.index, defaults: ContiguousArray(repeating: .null, count: entity.properties.count))
    }

    @Test("A batch insert writes what a save writes: every type, Z_ENT, Z_OPT, Z_MAX")
    func sameRows() throws {
        let fixture = try StoreFixture()
        let entity = try fixture.entity("Person")
        try fixture.insert("Person", CommitTests.everything)
        let given = CommitTests.everything.compactMap { name, value in entity.slotByName[name].map { ($0, value) } }
        let receipt = try fixture.store.insertBatch(plan(fixture, "Person"), from: Rows { $0 == 0 ? given : nil })
        #expect(receipt.count == 1 && receipt.keys.isEmpty)
        let columns = try fixture.shell("SELECT group_concat(name) FROM pragma_table_info('ZPERSON') WHERE name != 'Z_PK'")[0]
        let rows = try fixture.shell("SELECT \(columns) FROM ZPERSON ORDER BY Z_PK")
        #expect(rows.count == 2 && rows[0] == rows[1])
        #expect(try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0") == ["Person|2"])
    }

    @Test("Texts longer than the room kept for them arrive whole, beside short ones")
    func longTexts() throws {
        let fixture = try StoreFixture()
        let entity = try fixture.entity("Person")
        let name = try #require(entity.slotByName["name"])
        let texts = ["a", String(repeating: "é", count: 20_000), "", String(repeating: "x", count: 16_384), "z"]
        _ = try fixture.store.insertBatch(plan(fixture, "Person"), from: Rows { $0 < texts.count ? [(name, .string(texts[$0]))] : nil })
        #expect(try fixture.shell("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") == texts)
        // The statement is free for a save afterwards.
        try fixture.insert("Person", ["name": .string("saved")])
        #expect(try fixture.shell("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK DESC LIMIT 1") == ["saved"])
    }

    @Test("A batch update is one UPDATE of the table, and its predicate is in the WHERE")
    func oneUpdate() throws {
        let fixture = try StoreFixture()
        for age in 1...3 { try fixture.insert("Person", ["age": .integer(Int64(age))]) }
        let entity = try fixture.entity("Person")
        let age = try #require(entity.slotByName["age"])
        var update = BatchUpdatePlan(entity: entity.index, assignments: [
            BatchAssignment(slot: age, value: .expression(.function("add:to:", [.key("age"), .constant(.integer(10))]))),
        ])
        update.predicate = try PredicateFormat.parse("age > 1", arguments: [])
        update.answer = .count
        #expect(try fixture.store.updateBatch(update).count == 2)
        #expect(try fixture.shell("SELECT ZAGE, Z_OPT FROM ZPERSON ORDER BY Z_PK") == ["1|1", "12|2", "13|2"])
    }

    @Test("A batch on a read-only store is refused")
    func readOnly() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Person", ["name": .string("a")])
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        try fixture.reopen(options: options)
        let entity = try fixture.entity("Person")
        #expect(throws: StoreError.self) { try fixture.store.deleteBatch(BatchDeletePlan(.fetch(FetchPlan(entity: entity.index)))) }
        #expect(throws: StoreError.self) { try fixture.store.insertBatch(plan(fixture, "Person"), from: Rows { _ in nil }) }
        #expect(try fixture.shell("SELECT COUNT(*) FROM ZPERSON") == ["1"])
    }

    @Test("A handler that reads the store while its batch runs sees the rows before it; one that saves is refused")
    func handlerUsesStore() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Person", ["name": .string("before")])
        let entity = try fixture.entity("Person")
        let name = try #require(entity.slotByName["name"])
        var found = 0, isRefused = false
        _ = try fixture.store.insertBatch(plan(fixture, "Person"), from: Rows { index in
            guard index < 1 else { return nil }
            if case .count(let count)? = try? fixture.store.fetch({
                var plan = FetchPlan(entity: entity.index)
                plan.result = .count
                return plan
            }()) { found = count }
            do { try fixture.insert("Person", ["name": .string("within")]) } catch { isRefused = true }
            return [(name, .string("batch"))]
        })
        #expect(found == 1 && isRefused)
        #expect(try fixture.shell("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") == ["before", "batch"])
    }
}
