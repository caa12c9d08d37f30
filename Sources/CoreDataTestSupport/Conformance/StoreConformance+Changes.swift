import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let changeCases: [ConformanceCase] = [
        ConformanceCase("Inserted rows get permanent, distinct keys and version 1, in the batch's order", insertsRows),
        ConformanceCase("Reserved keys are fresh and are kept by the insert", reservesKeys),
        ConformanceCase("Each update moves the version by one, an empty one too", movesVersions),
        ConformanceCase("Only the changed slots are written", writesChangedSlots),
        ConformanceCase("A deleted row is gone by key, by fetch and from the cache", deletesRows),
        ConformanceCase("A key is not used again after its row was deleted", neverReusesKeys),
        ConformanceCase("Keys without a row are left out", leavesOutMissing),
        ConformanceCase("An update on an old version is a conflict that writes nothing", refusesStaleUpdates),
        ConformanceCase("A delete on an old version is a conflict", refusesStaleDeletes),
        ConformanceCase("An update or delete of a row that is gone is a conflict", refusesMissingRows),
        ConformanceCase("overridesConflicts writes over any version", overrides),
        ConformanceCase("An abstract entity's row is refused", refusesAbstract),
        ConformanceCase("The cache knows the newest row after each commit", fillsCache),
        ConformanceCase("Metadata is kept", keepsMetadata),
        ConformanceCase("After close every call throws", refusesAfterClose),
        ConformanceCase("Subentities share keys with their root and keep their own properties", keepsSubentities),
    ]

    private static func insertsRows(_ run: ConformanceRun) throws {
        let rows = try (1...5).map { try run.row("Tag", ["code": .integer($0)]) }
        let made = try run.insert(rows)
        run.expect(try run.codes(made), [1, 2, 3, 4, 5], "receipt order")
        run.expect(Set(made.map(\.key)).count, 5, "distinct keys")
        run.expect(made.allSatisfy { $0.key.primaryKey > 0 && $0.key.store == run.store.number }, true, "permanent keys of this store")
        run.expect(made.map(\.version), [1, 1, 1, 1, 1], "versions")
        run.expect(try run.codes(run.rows(run.plan("Tag"))).sorted(), [1, 2, 3, 4, 5], "fetched")
    }

    private static func reservesKeys(_ run: ConformanceRun) throws {
        let first = try run.insert("Tag", ["code": .integer(1)])
        let keys = try run.store.reserveKeys(entity: run.entity("Tag").index, count: 2)
        let other = try run.insert("Tag", ["code": .integer(2)])
        run.expect(Set(keys + [first.key, other.key]).count, 4, "no key twice")
        let made = try run.insert([run.row("Tag", key: keys[1], ["code": .integer(3)])])
        run.expect(made.map(\.key), [keys[1]], "key of the inserted row")
        run.expect(try run.reread(keys[0])?.key, nil, "a reserved key has no row")
    }

    private static func movesVersions(_ run: ConformanceRun) throws {
        var row = try run.insert("Tag", ["code": .integer(1)])
        for version in 2...4 {
            var batch = ChangeBatch()
            batch.updated = [try run.update(row, version == 3 ? [:] : ["weight": .integer(Int64(version))])]
            row = try run.commit(batch).updated[0]
            run.expect(row.version, Int64(version), "version in the receipt")
            run.store.rowCache.removeAll()
            run.expect(try run.reread(row.key)?.version, Int64(version), "version in the store")
        }
        run.expect(try run.value(row, "weight"), .integer(4), "value")
    }

    private static func writesChangedSlots(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", ["code": .integer(1), "name": .string("old"), "weight": .integer(1)])
        var update = try run.update(row, ["weight": .integer(2)])
        update.values[try run.property("Tag", "name").slot] = .string("not to be written")
        var batch = ChangeBatch()
        batch.updated = [update]
        run.expect(try run.value(run.commit(batch).updated[0], "name"), .string("old"), "receipt")
        run.store.rowCache.removeAll()
        run.expect(try run.reread(row.key).map { try run.value($0, "name") }, .string("old"), "store")
    }

    private static func deletesRows(_ run: ConformanceRun) throws {
        let rows = try run.insert((1...3).map { try run.row("Tag", ["code": .integer($0)]) })
        var batch = ChangeBatch()
        batch.deleted = [DeletedRow(key: rows[1].key, expectedVersion: 1)]
        try run.commit(batch)
        run.expect(try run.store.rows(for: rows.map(\.key), staleAfter: -1).map(\.key), [rows[0].key, rows[2].key], "by key")
        run.expect(try run.codes(run.rows(run.plan("Tag"))).sorted(), [1, 3], "fetched")
        run.expect(run.store.rowCache.row(for: rows[1].key) == nil, true, "gone from the cache")
    }

    private static func neverReusesKeys(_ run: ConformanceRun) throws {
        let first = try run.insert("Tag", [:])
        var batch = ChangeBatch()
        batch.deleted = [DeletedRow(key: first.key, expectedVersion: 1)]
        try run.commit(batch)
        run.expect(try run.insert("Tag", [:]).key == first.key, false, "key used again")
    }

    private static func leavesOutMissing(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", [:])
        var missing = row.key
        missing.primaryKey += 1_000
        run.expect(try run.store.rows(for: [missing, row.key], staleAfter: -1).map(\.key), [row.key], "rows")
        run.expect(try run.store.rows(for: [], staleAfter: -1).count, 0, "no keys, no rows")
        run.expect(try run.store.relatedKeys(of: [], through: run.reference("Tag", "people")).count, 0, "no owners")
    }

    private static func refusesStaleUpdates(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", ["name": .string("first")])
        var winner = ChangeBatch(), loser = ChangeBatch()
        winner.updated = [try run.update(row, ["name": .string("winner")])]
        loser.updated = [try run.update(row, ["name": .string("loser")])]
        loser.inserted = [try run.row("Tag", ["name": .string("never")])]
        try run.commit(winner)
        guard case .conflicts(let conflicts) = try run.store.commit(loser) else { return run.fail("no conflict") }
        run.expect(conflicts.map(\.key), [row.key], "conflicting keys")
        run.expect(conflicts.map(\.isDelete), [false], "isDelete")
        run.expect(conflicts.map(\.isDeletedInStore), [false], "isDeletedInStore")
        if let conflict = conflicts.first {
            // The row cache has the winner's row: a conflict with the cache, not between cache and store (ME02, ME13).
            run.expect(try conflict.cached.map { try run.value($0, "name") }, .string("winner"), "cached row")
            run.expect(conflict.cached?.version, 2, "cached version")
            run.expect(conflict.persisted == nil, true, "no persisted row")
        }
        run.store.rowCache.removeAll()
        run.expect(try run.rows(run.plan("Tag")).map { try run.value($0, "name") }, [.string("winner")], "nothing was written")
    }

    private static func refusesStaleDeletes(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", ["name": .string("first")])
        var batch = ChangeBatch()
        batch.updated = [try run.update(row, ["name": .string("second")])]
        try run.commit(batch)
        var delete = ChangeBatch()
        delete.deleted = [DeletedRow(key: row.key, expectedVersion: 1)]
        guard case .conflicts(let conflicts) = try run.store.commit(delete) else { return run.fail("no conflict") }
        run.expect(conflicts.map(\.key), [row.key], "conflicting keys")
        run.expect(conflicts.map(\.isDelete), [true], "isDelete")
        run.expect(try run.reread(row.key)?.version, 2, "row is still there")
    }

    private static func refusesMissingRows(_ run: ConformanceRun) throws {
        let rows = try run.insert([run.row("Tag", [:]), run.row("Tag", [:])])
        var batch = ChangeBatch()
        batch.deleted = rows.map { DeletedRow(key: $0.key, expectedVersion: 1) }
        try run.commit(batch)
        var late = ChangeBatch()
        late.updated = [try run.update(rows[0], ["name": .string("late")])]
        late.deleted = [DeletedRow(key: rows[1].key, expectedVersion: 1)]
        guard case .conflicts(let conflicts) = try run.store.commit(late) else { return run.fail("no conflict") }
        run.expect(Set(conflicts.map(\.key)), Set(rows.map(\.key)), "conflicting keys")
        run.expect(conflicts.allSatisfy(\.isDeletedInStore), true, "isDeletedInStore")
        run.expect(conflicts.allSatisfy { $0.persisted == nil }, true, "no persisted row")
        late.deleted[0].overridesConflicts = true
        late.updated = []
        try run.commit(late)
    }

    private static func overrides(_ run: ConformanceRun) throws {
        let rows = try run.insert([run.row("Tag", ["name": .string("a")]), run.row("Tag", ["name": .string("b")])])
        var batch = ChangeBatch()
        batch.updated = try rows.map { try run.update($0, ["weight": .integer(9)]) }
        try run.commit(batch)
        var stale = ChangeBatch()
        stale.updated = [try run.update(rows[0], ["name": .string("forced")])]
        stale.updated[0].overridesConflicts = true
        stale.deleted = [DeletedRow(key: rows[1].key, expectedVersion: 1)]
        stale.deleted[0].overridesConflicts = true
        let receipt = try run.commit(stale)
        run.expect(receipt.updated.map(\.version), [3], "version goes on from the store's")
        run.expect(try run.value(receipt.updated[0], "name"), .string("forced"), "forced value")
        run.expect(try run.value(receipt.updated[0], "weight"), .integer(9), "the other's value of an unchanged slot")
        run.expect(try run.rows(run.plan("Tag")).count, 1, "rows left")
    }

    private static func refusesAbstract(_ run: ConformanceRun) throws {
        run.expectThrows("insert of Party") { _ = try run.insert("Party", [:]) }
        run.expect(try run.rows(run.plan("Party")).count, 0, "rows")
    }

    private static func fillsCache(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", ["name": .string("a")])
        run.expect(run.store.rowCache.row(for: row.key)?.version, 1, "after insert")
        let before = run.store.rowCache.generation
        var batch = ChangeBatch()
        batch.updated = [try run.update(row, ["name": .string("b")])]
        try run.commit(batch)
        run.expect(run.store.rowCache.row(for: row.key)?.version, 2, "after update")
        run.expect(run.store.rowCache.generation > before, true, "the generation moves when a row is replaced")
        run.store.rowCache.removeAll()
        _ = try run.rows(run.plan("Tag"))
        run.expect(run.store.rowCache.row(for: row.key)?.version, 2, "after fetch")
    }

    private static func keepsMetadata(_ run: ConformanceRun) throws {
        var metadata = run.store.metadata
        run.expect(metadata.identifier.isEmpty, false, "identifier is empty")
        metadata.values["Key"] = "value"
        run.store.setMetadata(metadata)
        _ = try run.insert("Tag", [:])
        run.expect(run.store.metadata.values["Key"] as? String, "value", "value after commit")
        run.expect(run.store.metadata.identifier, metadata.identifier, "identifier")
    }

    private static func refusesAfterClose(_ run: ConformanceRun) throws {
        let row = try run.insert("Tag", [:])
        try run.store.close()
        run.expectThrows("fetch") { _ = try run.rows(run.plan("Tag")) }
        run.expectThrows("rows") { _ = try run.store.rows(for: [row.key], staleAfter: 0) }
        run.expectThrows("commit") { _ = try run.insert("Tag", [:]) }
        run.expectThrows("reserveKeys") { _ = try run.store.reserveKeys(entity: run.entity("Tag").index, count: 1) }
        run.expectThrows("relatedKeys") { _ = try run.related(row.key, "people") }
    }

    private static func keepsSubentities(_ run: ConformanceRun) throws {
        let made = try run.insert([
            run.row("Person", ["code": .integer(1)]), run.row("Manager", ["code": .integer(2), "bonus": .integer(7)]),
            run.row("Firm", ["code": .integer(3), "city": .string("Rome")]),
        ])
        run.expect(Set(made.map(\.key.primaryKey)).count, 3, "keys distinct within the root")
        func codes(_ entity: String, subentities: Bool = true) throws -> [Int64] {
            var plan = try run.plan(entity)
            plan.includesSubentities = subentities
            return try run.codes(run.rows(plan)).sorted()
        }
        run.expect(try codes("Party"), [1, 2, 3], "FE24: abstract parent")
        run.expect(try codes("Party", subentities: false), [], "abstract parent alone")
        run.expect(try codes("Person"), [1, 2], "FE22: parent")
        run.expect(try codes("Person", subentities: false), [1], "FE22: parent alone")
        run.expect(try codes("Manager"), [2], "FE23: subentity")
        run.expect(try codes("Firm"), [3], "sibling")
        run.store.rowCache.removeAll()
        let manager = try run.rows(run.plan("Manager"))
        run.expect(try manager.map { try run.value($0, "bonus") }, [.integer(7)], "own property")
        run.expect(try run.rows(run.plan("Person", "code == 2")).map(\.key), manager.map(\.key), "same row by its parent")
        run.expect(try run.reread(made[2].key).map { try run.value($0, "city") }, .string("Rome"), "by key")
    }
}
