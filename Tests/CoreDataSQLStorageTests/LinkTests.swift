import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct LinkTests {
    private func link(
        _ fixture: StoreFixture, _ owner: RowKey, _ entity: String, _ name: String, added: [RowKey] = [], removed: [RowKey] = [],
        order: [RowKey]? = nil
    ) throws -> LinkChange {
        LinkChange(owner: owner, relationship: try fixture.reference(entity, name), added: added, removed: removed, order: order)
    }

    private func commit(_ fixture: StoreFixture, _ links: [LinkChange], inserted: [InsertedRow] = [], deleted: [RowBlock] = []) throws -> [RowKey] {
        var batch = ChangeBatch()
        batch.links = links
        batch.inserted = inserted
        batch.deleted = deleted.map { DeletedRow(key: $0.key, expectedVersion: $0.version) }
        return try fixture.committed(batch).inserted.map(\.key)
    }

    @Test("A many-to-many is one join row, whichever end reports it and however often")
    func manyToMany() throws {
        let fixture = try StoreFixture()
        let person = try fixture.row("Person", ["name": .string("A")])
        let tags = [try fixture.row("Tag", [:]), try fixture.row("Tag", [:])]
        let keys = try commit(fixture, [
            link(fixture, person.key, "Person", "tags", added: tags.map(\.key)), link(fixture, tags[0].key, "Tag", "owners", added: [person.key], order: [person.key]),
        ], inserted: [person] + tags)
        #expect(try fixture.shell("SELECT Z_4OWNERS, Z_7TAGS, Z_FOK_4OWNERS FROM Z_4TAGS ORDER BY 2") == ["1|1|2048", "1|2|NULL"])
        #expect(try fixture.store.relatedKeys(of: [keys[0]], through: fixture.reference("Person", "tags")) == [[keys[1], keys[2]]])
        #expect(try fixture.store.relatedKeys(of: [keys[2], keys[1], keys[2]], through: fixture.reference("Tag", "owners")) == [[keys[0]], [keys[0]], [keys[0]]])
        _ = try commit(fixture, [link(fixture, keys[1], "Tag", "owners", removed: [keys[0]], order: [])])
        #expect(try fixture.shell("SELECT Z_7TAGS FROM Z_4TAGS") == ["2"])
    }

    @Test("Appending, moving and inserting keep the order keys there are, and take keys between them")
    func order() throws {
        let fixture = try StoreFixture()
        let tag = try fixture.insert("Tag", [:]).key
        let people = try (0..<4).map { _ in try fixture.insert("Person", [:]).key }
        let reference = try fixture.reference("Tag", "owners")
        func orders() throws -> [String] { try fixture.shell("SELECT Z_4OWNERS, Z_FOK_4OWNERS FROM Z_4TAGS ORDER BY 2") }
        _ = try commit(fixture, [link(fixture, tag, "Tag", "owners", added: [people[1], people[0]], order: [people[1], people[0]])])
        #expect(try orders() == ["2|2048", "1|3072"])
        try fixture.execute("UPDATE Z_4TAGS SET Z_FOK_4OWNERS = 5000 WHERE Z_4OWNERS = 1")
        _ = try commit(fixture, [link(fixture, tag, "Tag", "owners", added: [people[2]], order: [people[1], people[0], people[2]])])
        #expect(try orders() == ["2|2048", "1|5000", "3|6024"])
        _ = try commit(fixture, [link(fixture, tag, "Tag", "owners", added: [people[3]], order: [people[3], people[1], people[2], people[0]])])
        #expect(try fixture.store.relatedKeys(of: [tag], through: reference) == [[people[3], people[1], people[2], people[0]]])
        #expect(try orders() == ["4|1024", "2|2048", "3|3524", "1|5000"])
    }

    @Test("An ordered one-to-many keeps its order beside the key, without moving the members' versions")
    func orderedOneToMany() throws {
        let fixture = try StoreFixture()
        let department = try fixture.row("Department", [:])
        let people = try (0..<3).map { _ in try fixture.row("Person", ["rankedIn": .reference(department.key)]) }
        let keys = try commit(
            fixture, [link(fixture, department.key, "Department", "ranking", added: people.map(\.key), order: [people[2].key, people[0].key, people[1].key])],
            inserted: [department] + people)
        #expect(try fixture.store.relatedKeys(of: [keys[0]], through: fixture.reference("Department", "ranking")) == [[keys[3], keys[1], keys[2]]])
        _ = try commit(fixture, [link(fixture, keys[0], "Department", "ranking", order: [keys[1], keys[2], keys[3]])])
        #expect(try fixture.shell("SELECT Z_FOK_RANKEDIN, Z_OPT FROM ZPERSON ORDER BY Z_PK") == ["3072|1", "4096|1", "5120|1"])
    }

    @Test("A to-many without inverse lives in a hidden column of its members")
    func hidden() throws {
        let fixture = try StoreFixture()
        let department = try fixture.insert("Department", [:])
        let notes = try (0..<2).map { _ in try fixture.insert("Note", [:]).key }
        _ = try commit(fixture, [link(fixture, department.key, "Department", "notes", added: notes)])
        #expect(try fixture.shell("SELECT Z1NOTES FROM ZNOTE") == ["1", "1"])
        _ = try commit(fixture, [link(fixture, department.key, "Department", "notes", removed: [notes[0]])])
        #expect(try fixture.store.relatedKeys(of: [department.key], through: fixture.reference("Department", "notes")) == [[notes[1]]])
        _ = try commit(fixture, [], deleted: [department])
        #expect(try fixture.shell("SELECT Z1NOTES FROM ZNOTE") == ["NULL", "NULL"])
    }

    @Test("A relationship that is its own inverse holds both ways; a deleted row leaves no join row")
    func reflexive() throws {
        let fixture = try StoreFixture()
        let people = try (0..<3).map { _ in try fixture.insert("Person", [:]) }
        let friends = try fixture.reference("Person", "friends")
        _ = try commit(fixture, [link(fixture, people[0].key, "Person", "friends", added: [people[1].key, people[2].key])])
        #expect(try fixture.store.relatedKeys(of: people.map(\.key), through: friends) == [[people[1].key, people[2].key], [people[0].key], [people[0].key]])
        _ = try commit(fixture, [link(fixture, people[2].key, "Person", "friends", removed: [people[0].key])], deleted: [people[1]])
        #expect(try fixture.shell("SELECT COUNT(*) FROM Z_4FRIENDS") == ["0"])
    }

    @Test("1,200 owners are answered in their order, temporary and unknown ones with nothing")
    func manyOwners() throws {
        let fixture = try StoreFixture()
        var batch = ChangeBatch()
        batch.inserted = try (0..<1200).map { try fixture.row("Department", ["code": .integer(Int64($0))]) }
        batch.inserted += try batch.inserted.map { try fixture.row("Clerk", ["dept": .reference($0.key)]) }
        let keys = try fixture.committed(batch).inserted.map(\.key)
        let owners = Array(keys[..<1200].reversed()) + [RowKey(primaryKey: -1, entity: 0), RowKey(primaryKey: 99_999, entity: 0)]
        let related = try fixture.store.relatedKeys(of: owners, through: fixture.reference("Department", "people"))
        #expect(Array(related[..<1200]) == keys[1200...].reversed().map { [$0] })
        #expect(related[1200] == [] && related[1201] == [])
        #expect(try fixture.store.rows(for: keys, staleAfter: 0).count == 2400)
        #expect(throws: StoreError.self) { try fixture.store.relatedKeys(of: keys, through: PropertyReference(entity: 0, slot: 0)) }
    }

    @Test("Prefetching brings rows at the end of relationship paths into the cache")
    func prefetch() throws {
        let fixture = try StoreFixture()
        let boss = try fixture.row("Manager", ["name": .string("M")])
        let department = try fixture.row("Department", ["boss": .reference(boss.key)])
        let keys = try commit(fixture, [], inserted: [boss, department, fixture.row("Person", ["name": .string("P"), "dept": .reference(department.key)])])
        try fixture.reopen()
        var plan = try fixture.plan("Person", "name == 'P'")
        plan.prefetch = [["dept", "boss"], ["dept", "people"]]
        _ = try fixture.store.fetch(plan)
        guard case .rows(let rows) = try fixture.store.fetch(plan) else { throw Unexpected("no rows") }
        #expect(rows.count == 1)
        for key in keys { #expect(fixture.store.rowCache.row(for: key) != nil) }
    }
}
