import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct CommitTests {
    static let everything: [String: AttributeValue] = [
        "name": .string("Zoë “Z” \u{1F600}"), "age": .integer(-32768), "number": .integer(.max), "height": .real(1.7), "weight": .real(1.3300000429153442),
        "hired": .real(1000), "isActive": .integer(1), "wage": .decimal(Decimal(string: "10.11") ?? 0),
        "token": .uuid(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF") ?? UUID()), "site": .string("https://example.org/a?b"),
        "photo": .data(Data([0, 1, 255])), "extra": .data(Data("bytes".utf8)),
    ]

    @Test("TY04–TY09: a row of every type comes back as it went in, from the file")
    func roundTrip() throws {
        let fixture = try StoreFixture()
        let key = try fixture.insert("Person", CommitTests.everything).key
        #expect(key.primaryKey == 1 && !key.isTemporary)
        try fixture.reopen()
        let row = try #require(try fixture.store.rows(for: [key], staleAfter: -1).first)
        for (name, value) in CommitTests.everything { #expect(try fixture.value(row, name) == value, "\(name)") }
        #expect(row.version == 1)
        #expect(try fixture.shell("SELECT ZNAME, ZAGE, ZHIRED, ZISACTIVE, ZWAGE, hex(ZTOKEN), Z_ENT, Z_OPT FROM ZPERSON")
            == ["Zoë “Z” \u{1F600}|-32768|1000|1|10.11|00112233445566778899AABBCCDDEEFF|4|1"])
        #expect(try fixture.shell("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX > 0") == ["Person|1"])
    }

    @Test("TY09: nil stays nil, and empty text and data are not nil")
    func nils() throws {
        let fixture = try StoreFixture()
        let empty = try fixture.insert("Person", ["name": .string(""), "photo": .data(Data()), "age": .integer(0), "height": .real(0)]).key
        let none = try fixture.insert("Person", [:]).key
        try fixture.reopen()
        let rows = try fixture.store.rows(for: [empty, none], staleAfter: 0).sorted { $0.key.primaryKey < $1.key.primaryKey }
        #expect(try fixture.value(rows[0], "name") == .string(""))
        #expect(try fixture.value(rows[0], "photo") == .data(Data()))
        #expect(try fixture.value(rows[0], "age") == .integer(0))
        #expect(try fixture.value(rows[0], "height") == .real(0))
        for name in CommitTests.everything.keys { #expect(try fixture.value(rows[1], name).isNull, "\(name)") }
    }

    @Test("Rows inserted together refer to one another, whatever their order")
    func references() throws {
        let fixture = try StoreFixture()
        var batch = ChangeBatch()
        let department = try fixture.row("Department", ["name": .string("D")])
        let manager = try fixture.row("Manager", ["name": .string("M"), "level": .integer(3), "dept": .reference(department.key)])
        batch.inserted = [try fixture.row("Clerk", ["name": .string("C"), "level": .string("low"), "mentor": .reference(manager.key)]), manager, department]
        let receipt = try fixture.committed(batch)
        #expect(try fixture.value(receipt.inserted[0], "mentor") == .reference(receipt.inserted[1].key))
        #expect(try fixture.shell("SELECT Z_ENT, ZNAME, ZLEVEL, ZLEVEL1, ZMENTOR, ZDEPT FROM ZPERSON ORDER BY Z_PK")
            == ["5|C|low|NULL|2|NULL", "6|M|NULL|3|NULL|1"])
        let people = try fixture.store.relatedKeys(of: [receipt.inserted[2].key], through: try fixture.reference("Department", "people"))
        #expect(people == [[receipt.inserted[1].key]])
    }

    @Test("A reference to a row outside the save and the store is refused, not written")
    func dangling() throws {
        let fixture = try StoreFixture()
        #expect(throws: StoreError.self) {
            try fixture.insert("Person", ["dept": .reference(RowKey(primaryKey: -99, entity: 0))])
        }
        #expect(try fixture.shell("SELECT COUNT(*) FROM ZPERSON") == ["0"])
    }

    @Test("An update writes only its slots and moves the version")
    func update() throws {
        let fixture = try StoreFixture()
        let row = try fixture.insert("Person", ["name": .string("A"), "age": .integer(1)])
        try fixture.execute("UPDATE ZPERSON SET ZNUMBER = 77")
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(row, ["age": .integer(2)])]
        let new = try #require(try fixture.committed(batch).updated.first)
        #expect(new.version == 2)
        #expect(try fixture.shell("SELECT ZNAME, ZAGE, ZNUMBER, Z_OPT FROM ZPERSON") == ["A|2|77|2"])
        batch.updated = [try fixture.update(new, [:])]
        #expect(try fixture.committed(batch).updated.first?.version == 3)
    }

    @Test("ME02: a snapshot older than the row cache is a conflict with the cached row, and nothing is written")
    func cacheConflict() throws {
        let fixture = try StoreFixture()
        let row = try fixture.insert("Person", ["name": .string("Alice")])
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(row, ["name": .string("C1")])]
        _ = try fixture.committed(batch)
        batch.updated = [try fixture.update(row, ["name": .string("C2")])]
        batch.inserted = [try fixture.row("Tag", ["name": .string("x")])]
        guard case .conflicts(let conflicts) = try fixture.store.commit(batch) else { throw Unexpected("no conflict") }
        #expect(conflicts.count == 1)
        let cached = try #require(conflicts[0].cached)
        #expect(try fixture.value(cached, "name") == .string("C1"))
        #expect(conflicts[0].persisted == nil && !conflicts[0].isDeletedInStore)
        #expect(try fixture.shell("SELECT ZNAME, Z_OPT FROM ZPERSON") == ["C1|2"])
        #expect(try fixture.shell("SELECT COUNT(*) FROM ZTAG") == ["0"])
    }

    @Test("ME14: a row changed through another connection is a conflict with the store's row")
    func storeConflict() throws {
        let fixture = try StoreFixture()
        let first = try fixture.insert("Person", ["name": .string("A")])
        let second = try fixture.insert("Person", ["name": .string("B")])
        let third = try fixture.insert("Person", ["name": .string("C")])
        try fixture.execute("UPDATE ZPERSON SET ZNAME = 'P1', Z_OPT = 2 WHERE Z_PK = 1; DELETE FROM ZPERSON WHERE Z_PK = 2; UPDATE ZPERSON SET Z_OPT = 5 WHERE Z_PK = 3")
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(first, ["name": .string("mine")]), try fixture.update(second, ["name": .string("mine")])]
        batch.deleted = [DeletedRow(key: third.key, expectedVersion: third.version)]
        guard case .conflicts(let conflicts) = try fixture.store.commit(batch) else { throw Unexpected("no conflict") }
        let byKey = Dictionary(uniqueKeysWithValues: conflicts.map { ($0.key.primaryKey, $0) })
        #expect(byKey.count == 3)
        let persisted = try #require(byKey[1]?.persisted)
        #expect(try fixture.value(persisted, "name") == .string("P1"))
        #expect(byKey[1]?.cached == nil && byKey[1]?.isDeletedInStore == false)
        #expect(byKey[2]?.isDeletedInStore == true && byKey[2]?.persisted == nil)
        #expect(byKey[3]?.isDelete == true && byKey[3]?.persisted?.version == 5)
        #expect(try fixture.shell("SELECT COUNT(*) FROM ZPERSON") == ["2"])
    }

    @Test("Overriding writes over whatever version is there; a row that is gone stays a conflict")
    func overriding() throws {
        let fixture = try StoreFixture()
        let row = try fixture.insert("Person", ["name": .string("A"), "age": .integer(1)])
        let gone = try fixture.insert("Person", ["name": .string("B")])
        try fixture.execute("UPDATE ZPERSON SET ZAGE = 9, Z_OPT = 7 WHERE Z_PK = 1; DELETE FROM ZPERSON WHERE Z_PK = 2")
        var batch = ChangeBatch()
        var update = try fixture.update(row, ["name": .string("mine")])
        update.overridesConflicts = true
        var delete = DeletedRow(key: gone.key, expectedVersion: 1)
        delete.overridesConflicts = true
        batch.updated = [update]
        batch.deleted = [delete]
        let receipt = try fixture.committed(batch)
        #expect(receipt.updated.first?.version == 8)
        #expect(try fixture.shell("SELECT ZNAME, ZAGE, Z_OPT FROM ZPERSON") == ["mine|9|8"])
        var late = try fixture.update(gone, ["name": .string("back")])
        late.overridesConflicts = true
        batch = ChangeBatch()
        batch.updated = [late]
        guard case .conflicts(let conflicts) = try fixture.store.commit(batch) else { throw Unexpected("no conflict") }
        #expect(conflicts.first?.isDeletedInStore == true)
    }

    @Test("UC01, UC04, UC07: constraint conflicts name the stored row and the batch's rows; nils never collide")
    func uniqueness() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Department", ["code": .integer(1), "name": .string("old")])
        try fixture.insert("Department", [:])
        try fixture.insert("Department", [:])
        var batch = ChangeBatch()
        batch.inserted = [
            try fixture.row("Department", ["code": .integer(1)]), try fixture.row("Department", ["code": .integer(2)]),
            try fixture.row("Department", ["code": .integer(2)]), try fixture.row("Department", ["code": .integer(3)]),
        ]
        guard case .constraintConflicts(let conflicts) = try fixture.store.commit(batch) else { throw Unexpected("no conflict") }
        #expect(conflicts.map(\.values) == [[.integer(1)], [.integer(2)]])
        let stored = try #require(conflicts[0].stored)
        #expect(try fixture.value(stored, "name") == .string("old"))
        #expect(conflicts[0].conflicting == [batch.inserted[0].key])
        #expect(conflicts[1].stored == nil)
        #expect(conflicts[1].conflicting == [batch.inserted[1].key, batch.inserted[2].key])
        #expect(try fixture.shell("SELECT COUNT(*) FROM ZDEPARTMENT") == ["3"])
    }

    @Test("DD11: deleting a unique value and inserting it again, and swapping two, are valid ends")
    func swaps() throws {
        let fixture = try StoreFixture()
        let one = try fixture.insert("Department", ["code": .integer(1)])
        let two = try fixture.insert("Department", ["code": .integer(2)])
        let three = try fixture.insert("Department", ["code": .integer(3)])
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(one, ["code": .integer(2)]), try fixture.update(two, ["code": .integer(1)])]
        batch.deleted = [DeletedRow(key: three.key, expectedVersion: 1)]
        batch.inserted = [try fixture.row("Department", ["code": .integer(3)])]
        _ = try fixture.committed(batch)
        #expect(try fixture.shell("SELECT Z_PK, ZCODE, Z_OPT FROM ZDEPARTMENT ORDER BY Z_PK") == ["1|2|2", "2|1|2", "4|3|1"])
    }

    @Test("Reserved keys are fresh, survive reopening and are used by the insert")
    func reserved() throws {
        let fixture = try StoreFixture()
        let keys = try fixture.store.reserveKeys(entity: try fixture.entity("Manager").index, count: 2)
        #expect(keys.map(\.primaryKey) == [1, 2])
        #expect(try fixture.insert("Person", [:]).key.primaryKey == 3)
        var batch = ChangeBatch()
        batch.inserted = [InsertedRow(key: keys[1], values: try fixture.values("Manager", ["name": .string("M")]))]
        #expect(try fixture.committed(batch).inserted.first?.key == keys[1])
        #expect(try fixture.shell("SELECT Z_PK, Z_ENT FROM ZPERSON ORDER BY 1") == ["2|6", "3|4"])
    }

    @Test("Inserting an abstract entity, or a row of the wrong width, is refused")
    func badRows() throws {
        var schema = StaffModel.schema()
        schema.entities[1].isAbstract = true
        let fixture = try StoreFixture(try ResolvedModel(schema))
        #expect(throws: StoreError.self) { try fixture.insert("Person", [:]) }
        var batch = ChangeBatch()
        batch.inserted = [InsertedRow(key: RowKey(primaryKey: -1, entity: 0), values: [])]
        #expect(throws: StoreError.self) { try fixture.store.commit(batch) }
    }
}
