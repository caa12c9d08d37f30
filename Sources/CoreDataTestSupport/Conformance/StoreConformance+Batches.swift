import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let batchCases: [ConformanceCase] = [
        ConformanceCase("BA12: a batch insert adds exactly the rows given, under fresh keys", batchInsert),
        ConformanceCase("BA14: a row of a batch has the defaults it does not give", batchDefaults),
        ConformanceCase("A batch whose source throws leaves nothing, and the store goes on", batchSourceThrows),
        ConformanceCase("UC09: a batch with a unique value twice throws and leaves nothing", batchDuplicates),
        ConformanceCase("UC10: a batch overwrites the given slots of a stored row, or all of them, in place", batchOverwrite),
        ConformanceCase("A batch that keeps stored rows leaves out the new ones", batchKeepStored),
        ConformanceCase("A batch row overwrites a sibling entity's row only in what both have", batchOverwriteSubentity),
        ConformanceCase("BA02: a batch update counts and names its rows and moves their versions", batchUpdate),
        ConformanceCase("A batch update works values out of the old row, along to-ones too", batchExpressions),
        ConformanceCase("A batch update with a predicate that crosses relationships", batchPaths),
        ConformanceCase("A batch update in which rows exchange unique values", batchExchange),
        ConformanceCase("TY04: a batch update whose result does not fit changes nothing", batchOutOfRange),
        ConformanceCase("FA09: batches leave the row cache alone until rows are fetched", batchCache),
        ConformanceCase("BA05: a batch delete takes what its fetch finds, in its window", batchDelete),
        ConformanceCase("BA10: a batch delete clears to-ones, one-to-ones and members of what it leaves", batchDeleteClears),
        ConformanceCase("A batch delete by keys passes over rows that are gone", batchDeleteKeys),
    ]

    /// Gives rows by name.
    private final class Rows: BatchRowSource {
        private var rows: Array<[(Int, AttributeValue)]>.Iterator
        private let failsAtEnd: Bool

        init(_ run: ConformanceRun, _ entity: String, _ rows: [[String: AttributeValue]], failsAtEnd: Bool = false) throws {
            self.rows = try rows.map { try $0.map { (try run.property(entity, $0.key).slot, $0.value) } }.makeIterator()
            self.failsAtEnd = failsAtEnd
        }

        func next(_ row: BatchRow) throws -> Bool {
            guard let values = rows.next() else {
                if failsAtEnd { throw ConformanceError("the source fails") }
                return false
            }
            for (slot, value) in values { row.set(slot, value) }
            return true
        }
    }

    private static func insertPlan(_ run: ConformanceRun, _ entity: String, _ change: (inout BatchInsertPlan) -> Void = { _ in }) throws -> BatchInsertPlan {
        let entity = try run.entity(entity)
        var plan = BatchInsertPlan(entity: entity.index, defaults: ContiguousArray(repeating: .null, count: entity.properties.count))
        plan.answer = .keys
        change(&plan)
        return plan
    }

    private static func update(
        _ run: ConformanceRun, _ entity: String, _ values: [String: BatchAssignment.Value], where format: String? = nil
    ) throws -> BatchReceipt {
        var plan = BatchUpdatePlan(
            entity: try run.entity(entity).index,
            assignments: try values.map { BatchAssignment(slot: try run.property(entity, $0.key).slot, value: $0.value) })
        plan.predicate = try format.map { try PredicateFormat.parse($0, arguments: []) }
        plan.answer = .keys
        return try run.store.updateBatch(plan)
    }

    private static func function(_ name: String, _ key: String, _ number: Int64) -> BatchAssignment.Value {
        .expression(.function(name, [.key(key), .constant(.integer(number))]))
    }

    private static func delete(_ run: ConformanceRun, _ entity: String, _ format: String? = nil, limit: Int = 0, sort: String? = nil) throws -> BatchReceipt {
        var fetch = try run.plan(entity, format)
        fetch.limit = limit
        if let sort { fetch.sort = [SortTerm(keyPath: [sort], isAscending: false)] }
        var plan = BatchDeletePlan(.fetch(fetch))
        plan.answer = .keys
        return try run.store.deleteBatch(plan)
    }

    private static func products(_ run: ConformanceRun) throws -> [String] {
        try run.rows(run.plan("Product")).map { row in
            try ["sku", "region", "number"].map { try run.value(row, $0).shortText }.joined(separator: " ")
        }
    }

    // MARK: Insert

    private static func batchInsert(_ run: ConformanceRun) throws {
        let before = try run.insert("Tag", ["code": .integer(1)])
        let receipt = try run.store.insertBatch(
            insertPlan(run, "Tag"), from: Rows(run, "Tag", [["code": .integer(2), "name": .string("two")], ["code": .integer(3)]]))
        run.expect(receipt.count, 2, "count")
        run.expect(Set(receipt.keys + [before.key]).count, 3, "keys")
        run.expect(try run.codes(run.rows(run.plan("Tag"))), [1, 2, 3], "rows")
        run.expect(try receipt.keys.map { try run.reread($0)?.version }, [1, 1], "versions")
        let after = try run.insert("Tag", ["code": .integer(4)])
        run.expect(receipt.keys.contains(after.key), false, "the next key is fresh")
    }

    private static func batchDefaults(_ run: ConformanceRun) throws {
        let name = try run.property("Tag", "name").slot
        let plan = try insertPlan(run, "Tag") { $0.defaults[name] = .string("default") }
        _ = try run.store.insertBatch(plan, from: Rows(run, "Tag", [["name": .string("own")], [:], ["name": .null]]))
        run.expect(try run.rows(run.plan("Tag")).map { try run.value($0, "name") }, [.string("own"), .string("default"), .null], "names")
    }

    private static func batchSourceThrows(_ run: ConformanceRun) throws {
        run.expectThrows("insert") {
            _ = try run.store.insertBatch(insertPlan(run, "Tag"), from: Rows(run, "Tag", [["code": .integer(1)]], failsAtEnd: true))
        }
        run.expect(try run.rows(run.plan("Tag")).count, 0, "rows")
        _ = try run.insert("Tag", ["code": .integer(2)])
        run.expect(try run.codes(run.rows(run.plan("Tag"))), [2], "rows afterwards")
    }

    private static func batchDuplicates(_ run: ConformanceRun) throws {
        do {
            _ = try run.store.insertBatch(insertPlan(run, "Product"), from: Rows(run, "Product", [
                ["sku": .string("1")], ["sku": .string("2")], ["sku": .string("1")],
            ]))
            run.fail("nothing was thrown")
        } catch let error as BatchError {
            guard case .notUnique(_, let keys, _, let row) = error else { return run.fail("\(error)") }
            run.expect(keys, ["sku"], "constraint")
            run.expect(row, 3, "row")
        }
        run.expect(try products(run), [], "rows")
    }

    private static func batchOverwrite(_ run: ConformanceRun) throws {
        let stored = try run.insert("Product", ["sku": .string("1"), "region": .string("x"), "number": .integer(7)])
        var receipt = try run.store.insertBatch(insertPlan(run, "Product") { $0.uniqueness = .overwrite }, from: Rows(run, "Product", [
            ["sku": .string("1"), "number": .integer(8)], ["sku": .string("2")], ["sku": .string("1"), "number": .integer(9)],
        ]))
        run.expect(receipt.keys.first, stored.key, "the stored row's key")
        run.expect(receipt.count, 2, "each row once")
        run.expect(try products(run), ["“1” “x” 9", "“2” nil nil"], "rows")
        run.expect(try run.reread(stored.key)?.version, 3, "version")
        receipt = try run.store.insertBatch(insertPlan(run, "Product") {
            $0.uniqueness = .overwrite
            $0.overwritesEverything = true
        }, from: Rows(run, "Product", [["sku": .string("1")]]))
        run.expect(try products(run), ["“1” nil nil", "“2” nil nil"], "everything overwritten")
    }

    private static func batchKeepStored(_ run: ConformanceRun) throws {
        _ = try run.insert("Product", ["sku": .string("1"), "region": .string("x")])
        let receipt = try run.store.insertBatch(insertPlan(run, "Product") { $0.uniqueness = .keepStored }, from: Rows(run, "Product", [
            ["sku": .string("1"), "region": .string("y")], ["sku": .string("2")],
        ]))
        run.expect(receipt.count, 1, "count")
        run.expect(try products(run), ["“1” “x” nil", "“2” nil nil"], "rows")
    }

    private static func batchOverwriteSubentity(_ run: ConformanceRun) throws {
        let stored = try run.insert("Product", ["sku": .string("1")])
        _ = try run.store.insertBatch(insertPlan(run, "Special") { $0.uniqueness = .overwrite }, from: Rows(run, "Special", [
            ["sku": .string("1"), "region": .string("x"), "badge": .string("gold")],
        ]))
        let row = try run.reread(stored.key)
        run.expect(row?.key.entity, stored.key.entity, "entity")
        run.expect(try products(run), ["“1” “x” nil"], "rows")
    }

    // MARK: Update

    private static func batchUpdate(_ run: ConformanceRun) throws {
        let staff = try ConformanceStaff(run)
        let receipt = try update(run, "Person", ["nick": .constant(.string("x")), "flag": .constant(.null)], where: "age == 40")
        run.expect(Set(receipt.keys), [staff.people[1], staff.people[4]], "keys")
        run.expect(receipt.count, 2, "count")
        run.expect(try run.rows(run.plan("Person", "nick == 'x' AND flag == nil")).map(\.version), [2, 2], "versions")
        run.expect(try update(run, "Party", ["name": .constant(.string("all"))]).count, 6, "of an abstract entity")
    }

    private static func batchExpressions(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        _ = try update(run, "Person", [
            "age": function("add:to:", "age", 1), "salary": function("multiply:by:", "salary", 2),
            "nick": .expression(.function("uppercase:", [.key("name")])),
        ])
        var people = try run.plan("Person")
        people.sort = [SortTerm(keyPath: ["code"], isAscending: true)]
        run.expect(try run.rows(people).map { try run.value($0, "age") },
                   [.integer(21), .integer(41), .null, .integer(31), .integer(41), .integer(2)], "ages")
        run.expect(try run.rows(run.plan("Person", "salary > 20")).map { try run.value($0, "nick") }, [.string("ALICE"), .string("DAVE")], "nicks")
        _ = try update(run, "Person", ["nick": .expression(.key("dept.name"))], where: "dept != nil")
        run.expect(try run.rows(run.plan("Person", "dept != nil")).map { try run.value($0, "nick") },
                   [.string("Sales"), .string("Sales"), .string("Lab"), .string("Lab")], "along a to-one")
    }

    private static func batchPaths(_ run: ConformanceRun) throws {
        let staff = try ConformanceStaff(run)
        run.expect(try Set(update(run, "Person", ["age": .constant(.integer(9))], where: "dept.name == 'Lab'").keys),
                   [staff.people[2], staff.people[4]], "to-one")
        run.expect(try Set(update(run, "Person", ["age": .constant(.integer(8))], where: "ANY tags.name == 'red'").keys),
                   [staff.people[0], staff.people[1]], "to-many")
        run.expect(try update(run, "Person", ["age": .constant(.integer(7))], where: "name MATCHES '.*l.*'").count, 2, "a pattern")
    }

    private static func batchExchange(_ run: ConformanceRun) throws {
        _ = try run.insert((1...3).map { try run.row("Product", ["region": .string("x"), "number": .integer($0)]) })
        _ = try update(run, "Product", ["number": function("add:to:", "number", 1)])
        run.expect(try products(run), ["nil “x” 2", "nil “x” 3", "nil “x” 4"], "rows")
        do {
            _ = try update(run, "Product", ["number": .constant(.integer(1))])
            run.fail("nothing was thrown")
        } catch is BatchError {}
        run.expect(try products(run), ["nil “x” 2", "nil “x” 3", "nil “x” 4"], "nothing changed")
    }

    private static func batchOutOfRange(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        run.expectThrows("Integer 32") { _ = try update(run, "Person", ["age": function("multiply:by:", "age", 1_000_000_000)]) }
        run.expectThrows("a text for a number") { _ = try update(run, "Person", ["age": .expression(.key("name"))]) }
        run.expect(try run.rows(run.plan("Person", "age == 40")).count, 2, "nothing changed")
        _ = try update(run, "Tag", ["code": .constant(.integer(.max))])
        run.expectThrows("Integer 64") { _ = try update(run, "Tag", ["code": function("add:to:", "code", 1)]) }
    }

    private static func batchCache(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", ["code": .integer(1)])
        _ = try update(run, "Tag", ["code": .constant(.integer(2))])
        run.expect(try run.codes(run.store.rows(for: [row.key], staleAfter: -1)), [1], "from the cache")
        run.expect(try run.codes(run.store.rows(for: [row.key], staleAfter: 0)), [2], "read again")
        _ = try update(run, "Tag", ["code": .constant(.integer(3))])
        run.expect(try run.codes(run.rows(run.plan("Tag"))), [3], "fetched")
        run.expect(try run.codes(run.store.rows(for: [row.key], staleAfter: -1)), [3], "from the cache after a fetch")
        switch try run.store.commit(changing(row, run)) {
        case .conflicts: break
        default: run.fail("BA17: a stale change was written")
        }
    }

    private static func changing(_ row: RowBlock, _ run: ConformanceRun) throws -> ChangeBatch {
        var batch = ChangeBatch()
        batch.updated = [try run.update(row, ["name": .string("stale")])]
        return batch
    }

    // MARK: Delete

    private static func batchDelete(_ run: ConformanceRun) throws {
        let rows = try run.insert((1...5).map { try run.row("Dept", ["code": .integer($0)]) })
        run.expect(try delete(run, "Dept", "code > 1", limit: 2, sort: "code").keys.map(\.primaryKey).sorted(),
                   [rows[3], rows[4]].map(\.key.primaryKey).sorted(), "keys")
        run.expect(try run.codes(run.rows(run.plan("Dept"))), [1, 2, 3], "rows")
        run.expect(try delete(run, "Dept").count, 3, "all")
        run.expect(try run.rows(run.plan("Dept")).count, 0, "no rows")
    }

    private static func batchDeleteClears(_ run: ConformanceRun) throws {
        let staff = try ConformanceStaff(run)
        _ = try delete(run, "Dept", "name == 'Sales'")
        let bob = try run.reread(staff.people[1])
        run.expect(try bob.map { [try run.value($0, "dept"), try run.value($0, "leads")] }, [.null, .null], "to-one and one-to-one")
        run.expect(try run.reread(staff.people[2]).map { try run.value($0, "dept") }, .reference(staff.depts[1]), "others stay")
        _ = try delete(run, "Tag", "name == 'red'")
        run.expect(try run.related(staff.people[0], "tags"), [staff.tags[1]], "many-to-many")
        _ = try delete(run, "Person", "name == 'Alice'")
        run.expect(try run.related(staff.people[1], "friends"), [], "reflexive")
        run.expect(try run.reread(staff.people[4]).map { try run.value($0, "mentor") }, .null, "to-one within the entity")
        run.expect(try run.related(staff.tags[1], "people"), [staff.people[4]], "the other way")
    }

    private static func batchDeleteKeys(_ run: ConformanceRun) throws {
        let rows = try run.insert((1...3).map { try run.row("Tag", ["code": .integer($0)]) })
        var plan = BatchDeletePlan(.keys([rows[0].key, rows[0].key, rows[2].key]))
        plan.answer = .count
        run.expect(try run.store.deleteBatch(plan).count, 2, "count")
        run.expect(try run.store.deleteBatch(plan).count, 0, "again")
        run.expect(try run.codes(run.rows(run.plan("Tag"))), [2], "rows")
    }
}
