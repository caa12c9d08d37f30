import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let constraintCases: [ConformanceCase] = [
        ConformanceCase("UC01: a value that a stored row has is a conflict that names both, and nothing is written", storedDuplicate),
        ConformanceCase("UC04: two new rows with one value are a conflict without a stored row", newDuplicates),
        ConformanceCase("UC06: a compound constraint collides only as a whole", compound),
        ConformanceCase("UC07: nils are distinct", nils),
        ConformanceCase("DD03: values that differ only in Unicode form both stay", literalValues),
        ConformanceCase("DD11: deleting and inserting one value in one commit is valid", replaced),
        ConformanceCase("DD11: swapping two values in one commit is valid", swapped),
        ConformanceCase("An update onto a taken value is a conflict", updatedDuplicate),
        ConformanceCase("An update that keeps its own value is none", keepsOwn),
        ConformanceCase("Subentities share the constraints they inherit and have their own", inherited),
    ]

    private static func sku(_ run: ConformanceRun, _ text: String, region: String? = nil, number: Int64? = nil) throws -> InsertedRow {
        try run.row("Product", [
            "sku": .string(text), "region": region.map(AttributeValue.string) ?? .null, "number": number.map(AttributeValue.integer) ?? .null,
        ])
    }

    private static func conflicts(_ run: ConformanceRun, _ batch: ChangeBatch) throws -> [ConstraintConflict] {
        switch try run.store.commit(batch) {
        case .constraintConflicts(let conflicts): return conflicts
        case .committed:
            run.fail("committed in spite of a constraint")
            return []
        case .conflicts(let conflicts):
            run.fail("row conflicts instead of constraint conflicts: \(conflicts.map(\.key))")
            return []
        }
    }

    private static func storedDuplicate(_ run: ConformanceRun) throws {
        let stored = try run.insert([sku(run, "1")])[0]
        var batch = ChangeBatch()
        batch.inserted = [try sku(run, "2"), try sku(run, "1")]
        let found = try conflicts(run, batch)
        run.expect(found.map(\.values), [[.string("1")]], "values")
        run.expect(found.map(\.constraint), [[try run.property("Product", "sku").slot]], "constraint")
        run.expect(found.map(\.entity), [try run.entity("Product").index], "entity")
        run.expect(found.map(\.conflicting), [[batch.inserted[1].key]], "conflicting keys as they stand in the batch")
        run.expect(found.map { $0.stored?.key }, [stored.key], "stored row")
        run.expect(try run.rows(run.plan("Product")).count, 1, "rows")
    }

    private static func newDuplicates(_ run: ConformanceRun) throws {
        var batch = ChangeBatch()
        batch.inserted = [try sku(run, "1"), try sku(run, "2"), try sku(run, "1")]
        let found = try conflicts(run, batch)
        run.expect(found.map { Set($0.conflicting) }, [[batch.inserted[0].key, batch.inserted[2].key]], "conflicting keys")
        run.expect(found.map { $0.stored == nil }, [true], "no stored row")
        run.expect(try run.rows(run.plan("Product")).count, 0, "rows")
    }

    private static func compound(_ run: ConformanceRun) throws {
        _ = try run.insert([sku(run, "a", region: "x", number: 1), sku(run, "b", region: "x", number: 2), sku(run, "c", region: "y", number: 1)])
        var batch = ChangeBatch()
        batch.inserted = [try sku(run, "d", region: "x", number: 1)]
        let slots = [try run.property("Product", "region").slot, try run.property("Product", "number").slot]
        run.expect(try conflicts(run, batch).map(\.constraint), [slots], "constraint")
    }

    private static func nils(_ run: ConformanceRun) throws {
        _ = try run.insert([run.row("Product", [:]), run.row("Product", [:])])
        _ = try run.insert([run.row("Product", ["region": .string("x")]), run.row("Product", ["region": .string("x")])])
        run.expect(try run.rows(run.plan("Product")).count, 4, "rows")
    }

    private static func literalValues(_ run: ConformanceRun) throws {
        _ = try run.insert([sku(run, "\u{e9}"), sku(run, "e\u{301}"), sku(run, "E"), sku(run, "e")])
        run.expect(try run.rows(run.plan("Product")).count, 4, "rows")
    }

    private static func replaced(_ run: ConformanceRun) throws {
        let old = try run.insert([sku(run, "1")])[0]
        var batch = ChangeBatch()
        batch.deleted = [DeletedRow(key: old.key, expectedVersion: 1)]
        batch.inserted = [try sku(run, "1")]
        let new = try run.commit(batch).inserted[0]
        run.expect(try run.rows(run.plan("Product", "sku == '1'")).map(\.key), [new.key], "rows")
        batch = ChangeBatch()
        batch.inserted = [try sku(run, "1")]
        run.expect(try conflicts(run, batch).count, 1, "the value is taken again")
    }

    private static func swapped(_ run: ConformanceRun) throws {
        let rows = try run.insert([sku(run, "1"), sku(run, "2"), sku(run, "3")])
        var batch = ChangeBatch()
        batch.updated = [try run.update(rows[0], ["sku": .string("2")]), try run.update(rows[1], ["sku": .string("3")]), try run.update(rows[2], ["sku": .string("1")])]
        let receipt = try run.commit(batch)
        run.expect(try receipt.updated.map { try run.value($0, "sku") }, [.string("2"), .string("3"), .string("1")], "rotated")
        run.store.rowCache.removeAll()
        run.expect(try run.rows(run.plan("Product", "sku == '1'")).map(\.key), [rows[2].key], "in the store")
        batch = ChangeBatch()
        batch.inserted = [try sku(run, "2")]
        run.expect(try conflicts(run, batch).map { $0.stored?.key }, [rows[0].key], "the new holder is known")
    }

    private static func updatedDuplicate(_ run: ConformanceRun) throws {
        let rows = try run.insert([sku(run, "1"), sku(run, "2")])
        var batch = ChangeBatch()
        batch.updated = [try run.update(rows[1], ["sku": .string("1")])]
        let found = try conflicts(run, batch)
        run.expect(found.map(\.conflicting), [[rows[1].key]], "conflicting key")
        run.expect(found.map { $0.stored?.key }, [rows[0].key], "stored row")
        run.store.rowCache.removeAll()
        run.expect(try run.reread(rows[1].key).map { try run.value($0, "sku") }, .string("2"), "nothing was written")
    }

    private static func keepsOwn(_ run: ConformanceRun) throws {
        let row = try run.insert([sku(run, "1", region: "x", number: 1)])[0]
        var batch = ChangeBatch()
        batch.updated = [try run.update(row, ["sku": .string("1"), "region": .string("y")])]
        run.expect(try run.commit(batch).updated.map(\.version), [2], "version")
    }

    private static func inherited(_ run: ConformanceRun) throws {
        let special = try run.insert([run.row("Special", ["sku": .string("1"), "badge": .string("gold")])])[0]
        var batch = ChangeBatch()
        batch.inserted = [try sku(run, "1")]
        run.expect(try conflicts(run, batch).map { $0.stored?.key }, [special.key], "inherited constraint, across entities")
        batch.inserted = [try run.row("Special", ["sku": .string("2"), "badge": .string("gold")])]
        run.expect(try conflicts(run, batch).map(\.constraint), [[try run.property("Special", "badge").slot]], "own constraint")
    }
}
