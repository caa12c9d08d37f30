import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let relationshipCases: [ConformanceCase] = [
        ConformanceCase("RE08: one-to-many: the to-many resolves through the to-one, in one call for all owners", oneToMany),
        ConformanceCase("One-to-many: moving and clearing the to-one moves the membership", oneToManyMoves),
        ConformanceCase("One-to-one keeps both sides", oneToOne),
        ConformanceCase("RE07: many-to-many reads from both sides; removing one link leaves the rest", manyToMany),
        ConformanceCase("Many-to-many told from both sides at once is one link", manyToManyTwice),
        ConformanceCase("Many-to-many with itself", manyToManySelf),
        ConformanceCase("A to-one with itself and its to-many", treeOfPeople),
        ConformanceCase("RE12: ordered one-to-many keeps and changes its order", orderedOneToMany),
        ConformanceCase("RE14: an ordered to-many loses a deleted member", orderedDelete),
        ConformanceCase("Ordered many-to-many keeps the order of its ordered side", orderedManyToMany),
        ConformanceCase("Many-to-many ordered on both sides keeps two orders", doublyOrdered),
        ConformanceCase("A to-many without inverse, unordered and ordered", withoutInverse),
        ConformanceCase("RE10: a to-one without inverse", toOneWithoutInverse),
        ConformanceCase("A destination that is a subentity comes back as what it is", polymorphicDestinations),
        ConformanceCase("A batch refers to its own new rows before they have keys", forwardReferences),
        ConformanceCase("Deleted rows leave every membership", deletedMembers),
    ]

    private static func oneToMany(_ run: ConformanceRun) throws {
        let depts = try run.insert((1...3).map { try run.row("Dept", ["code": .integer($0)]) })
        let people = try run.insert((1...4).map {
            try run.row("Person", ["code": .integer($0), "dept": .reference(depts[$0 == 4 ? 1 : 0].key)])
        })
        let related = try run.store.relatedKeys(of: depts.map(\.key), through: run.reference("Dept", "members"))
        run.expect(related.map(Set.init), [Set(people[0...2].map(\.key)), [people[3].key], []], "members")
        run.expect(related.map(\.count), [3, 1, 0], "each once")
        run.store.rowCache.removeAll()
        run.expect(try run.reread(people[3].key).map { try run.value($0, "dept") }, .reference(depts[1].key), "to-one")
    }

    private static func oneToManyMoves(_ run: ConformanceRun) throws {
        let depts = try run.insert([run.row("Dept", [:]), run.row("Dept", [:])])
        let person = try run.insert("Person", ["dept": .reference(depts[0].key)])
        var batch = ChangeBatch()
        batch.updated = [try run.update(person, ["dept": .reference(depts[1].key)])]
        let moved = try run.commit(batch).updated[0]
        run.expect(try run.related(depts[0].key, "members"), [], "old owner")
        run.expect(try run.related(depts[1].key, "members"), [person.key], "new owner")
        batch.updated = [try run.update(moved, ["dept": .null])]
        run.expect(try run.value(run.commit(batch).updated[0], "dept"), .null, "cleared")
        run.expect(try run.related(depts[1].key, "members"), [], "no owner")
    }

    private static func oneToOne(_ run: ConformanceRun) throws {
        let badge = try run.temporaryKey("Badge"), person = try run.temporaryKey("Person")
        let made = try run.insert([
            run.row("Badge", key: badge, ["holder": .reference(person)]), run.row("Person", key: person, ["badge": .reference(badge)]),
        ])
        run.store.rowCache.removeAll()
        run.expect(try run.reread(made[0].key).map { try run.value($0, "holder") }, .reference(made[1].key), "one side")
        run.expect(try run.reread(made[1].key).map { try run.value($0, "badge") }, .reference(made[0].key), "other side")
    }

    private static func manyToMany(_ run: ConformanceRun) throws {
        let tags = try run.insert((1...3).map { try run.row("Tag", ["code": .integer($0)]) }).map(\.key)
        let pen = try run.temporaryKey("Person"), book = try run.temporaryKey("Person")
        let people = try run.insert(
            [run.row("Person", key: pen, [:]), run.row("Person", key: book, [:])],
            links: [run.link(pen, "tags", added: [tags[0], tags[1]]), run.link(book, "tags", added: [tags[0]])]).map(\.key)
        func expectTags(_ owner: RowKey, _ expected: [RowKey], _ what: String) throws {
            let keys = try run.related(owner, "tags")
            run.expect(keys.count, expected.count, "\(what): count")
            run.expect(Set(keys), Set(expected), what)
        }
        try expectTags(people[0], [tags[0], tags[1]], "pen")
        try expectTags(people[1], [tags[0]], "book")
        run.expect(Set(try run.related(tags[0], "people")), Set(people), "from the other side")
        run.expect(try run.related(tags[2], "people"), [], "nobody")
        var batch = ChangeBatch()
        batch.links = [try run.link(people[0], "tags", added: [tags[2]], removed: [tags[0]])]
        try run.commit(batch)
        try expectTags(people[0], [tags[1], tags[2]], "pen afterwards")
        run.expect(try run.related(tags[0], "people"), [people[1]], "red afterwards")
        batch.links = [try run.link(tags[0], "people", removed: [people[1]])]
        try run.commit(batch)
        try expectTags(people[1], [], "book after a removal from the other side")
    }

    private static func manyToManyTwice(_ run: ConformanceRun) throws {
        let tag = try run.insert("Tag", [:]).key, person = try run.insert("Person", [:]).key
        var batch = ChangeBatch()
        batch.links = [try run.link(person, "tags", added: [tag]), try run.link(tag, "people", added: [person])]
        try run.commit(batch)
        run.expect(try run.related(person, "tags"), [tag], "tags")
        run.expect(try run.related(tag, "people"), [person], "people")
        batch.links = [try run.link(person, "tags", removed: [tag]), try run.link(tag, "people", removed: [person])]
        try run.commit(batch)
        run.expect(try run.related(person, "tags"), [], "tags afterwards")
    }

    private static func manyToManySelf(_ run: ConformanceRun) throws {
        let people = try run.insert((0..<3).map { _ in try run.row("Person", [:]) }).map(\.key)
        var batch = ChangeBatch()
        batch.links = [try run.link(people[0], "friends", added: [people[1], people[2]])]
        try run.commit(batch)
        run.expect(Set(try run.related(people[0], "friends")), [people[1], people[2]], "told side")
        run.expect(try run.related(people[1], "friends"), [people[0]], "other side")
        batch.links = [try run.link(people[1], "friends", removed: [people[0]])]
        try run.commit(batch)
        run.expect(try run.related(people[0], "friends"), [people[2]], "after a removal from the other side")
        run.expect(try run.related(people[1], "friends"), [], "the remover")
    }

    private static func treeOfPeople(_ run: ConformanceRun) throws {
        let keys = try (0..<3).map { _ in try run.temporaryKey("Person") }
        let people = try run.insert([
            run.row("Person", key: keys[0], ["mentor": .reference(keys[0]), "partner": .reference(keys[1])]),
            run.row("Person", key: keys[1], ["mentor": .reference(keys[0]), "partner": .reference(keys[0])]),
            run.row("Person", key: keys[2], ["mentor": .reference(keys[1])]),
        ]).map(\.key)
        run.expect(Set(try run.related(people[0], "pupils")), [people[0], people[1]], "pupils, self among them")
        run.expect(try run.related(people[1], "pupils"), [people[2]], "pupils")
        run.store.rowCache.removeAll()
        run.expect(try run.reread(people[1]).map { try run.value($0, "partner") }, .reference(people[0]), "partner")
    }

    private static func orderedOneToMany(_ run: ConformanceRun) throws {
        let list = try run.insert("Playlist", [:]).key
        let temporary = try (0..<3).map { _ in try run.temporaryKey("Song") }
        let songs = try run.insert(
            temporary.map { try run.row("Song", key: $0, ["playlist": .reference(list)]) },
            links: [run.link(list, "songs", added: temporary, order: [temporary[2], temporary[0], temporary[1]])])
        let keys = songs.map(\.key)
        run.expect(try run.related(list, "songs"), [keys[2], keys[0], keys[1]], "order of insertion")
        var batch = ChangeBatch()
        batch.links = [try run.link(list, "songs", order: [keys[0], keys[1], keys[2]])]
        try run.commit(batch)
        run.expect(try run.related(list, "songs"), [keys[0], keys[1], keys[2]], "moved")
        run.store.rowCache.removeAll()
        let current = try run.store.rows(for: [keys[1]], staleAfter: 0)
        batch.updated = try current.map { try run.update($0, ["playlist": .null]) }
        batch.links = [try run.link(list, "songs", removed: [keys[1]], order: [keys[2], keys[0]])]
        try run.commit(batch)
        run.expect(try run.related(list, "songs"), [keys[2], keys[0]], "one removed, the rest moved")
        run.expect(try run.reread(keys[2]).map { try run.value($0, "playlist") }, .reference(list), "inverse unaffected")
    }

    private static func orderedDelete(_ run: ConformanceRun) throws {
        let list = try run.insert("Playlist", [:]).key
        let temporary = try (0..<3).map { _ in try run.temporaryKey("Song") }
        let songs = try run.insert(
            temporary.map { try run.row("Song", key: $0, ["playlist": .reference(list)]) },
            links: [run.link(list, "songs", added: temporary, order: temporary.reversed())])
        var batch = ChangeBatch()
        batch.deleted = [DeletedRow(key: songs[1].key, expectedVersion: try run.reread(songs[1].key)?.version ?? 1)]
        try run.commit(batch)
        run.expect(try run.related(list, "songs"), [songs[2].key, songs[0].key], "members")
    }

    private static func orderedManyToMany(_ run: ConformanceRun) throws {
        let songs = try run.insert((0..<3).map { _ in try run.row("Song", [:]) }).map(\.key)
        let albums = try run.insert((0..<2).map { _ in try run.row("Album", [:]) }).map(\.key)
        var batch = ChangeBatch()
        batch.links = [
            try run.link(albums[0], "tracks", added: songs, order: [songs[1], songs[2], songs[0]]),
            try run.link(albums[1], "tracks", added: [songs[1], songs[0]], order: [songs[1], songs[0]]),
        ]
        try run.commit(batch)
        run.expect(try run.related(albums[0], "tracks"), [songs[1], songs[2], songs[0]], "first album")
        run.expect(try run.related(albums[1], "tracks"), [songs[1], songs[0]], "second album")
        run.expect(Set(try run.related(songs[0], "albums")), Set(albums), "albums of a song")
        batch.links = [try run.link(albums[0], "tracks", removed: [songs[2]], order: [songs[0], songs[1]])]
        try run.commit(batch)
        run.expect(try run.related(albums[0], "tracks"), [songs[0], songs[1]], "moved and removed")
        run.expect(try run.related(albums[1], "tracks"), [songs[1], songs[0]], "the other album's order stays")
    }

    private static func doublyOrdered(_ run: ConformanceRun) throws {
        let artists = try run.insert((0..<2).map { _ in try run.row("Artist", [:]) }).map(\.key)
        let albums = try run.insert((0..<2).map { _ in try run.row("Album", [:]) }).map(\.key)
        var batch = ChangeBatch()
        batch.links = [
            try run.link(albums[0], "artists", added: artists, order: [artists[1], artists[0]]),
            try run.link(albums[1], "artists", added: artists, order: [artists[0], artists[1]]),
            try run.link(artists[0], "albums", added: albums, order: [albums[1], albums[0]]),
            try run.link(artists[1], "albums", added: albums, order: [albums[0], albums[1]]),
        ]
        try run.commit(batch)
        run.expect(try run.related(albums[0], "artists"), [artists[1], artists[0]], "artists of one album")
        run.expect(try run.related(albums[1], "artists"), [artists[0], artists[1]], "artists of the other")
        run.expect(try run.related(artists[0], "albums"), [albums[1], albums[0]], "albums of one artist")
        run.expect(try run.related(artists[1], "albums"), [albums[0], albums[1]], "albums of the other")
    }

    private static func withoutInverse(_ run: ConformanceRun) throws {
        let tags = try run.insert((0..<3).map { _ in try run.row("Tag", [:]) }).map(\.key)
        let people = try run.insert((0..<2).map { _ in try run.row("Person", [:]) }).map(\.key)
        var batch = ChangeBatch()
        batch.links = [try run.link(people[0], "hobbies", added: [tags[0], tags[1]]), try run.link(people[1], "hobbies", added: [tags[2]])]
        try run.commit(batch)
        run.expect(Set(try run.related(people[0], "hobbies")), [tags[0], tags[1]], "hobbies")
        run.expect(try run.related(people[1], "hobbies"), [tags[2]], "hobbies of the other")
        batch.links = [try run.link(people[0], "hobbies", removed: [tags[0]])]
        try run.commit(batch)
        run.expect(try run.related(people[0], "hobbies"), [tags[1]], "after a removal")
        let list = try run.insert("Playlist", [:]).key
        let songs = try run.insert((0..<3).map { _ in try run.row("Song", [:]) }).map(\.key)
        batch.links = [try run.link(list, "extras", added: songs, order: [songs[2], songs[0], songs[1]])]
        try run.commit(batch)
        run.expect(try run.related(list, "extras"), [songs[2], songs[0], songs[1]], "ordered without inverse")
    }

    private static func toOneWithoutInverse(_ run: ConformanceRun) throws {
        let tag = try run.insert("Tag", [:]), person = try run.insert("Person", ["favourite": .reference(tag.key)])
        run.store.rowCache.removeAll()
        run.expect(try run.reread(person.key).map { try run.value($0, "favourite") }, .reference(tag.key), "kept")
    }

    private static func polymorphicDestinations(_ run: ConformanceRun) throws {
        let made = try run.insert([run.row("Manager", ["code": .integer(1)]), run.row("Firm", ["code": .integer(2)]), run.row("Person", ["code": .integer(3)])])
        let depts = try run.insert(made.map { try run.row("Dept", ["owner": .reference($0.key)]) })
        run.store.rowCache.removeAll()
        for (dept, owner) in zip(depts, made) {
            run.expect(try run.reread(dept.key).map { try run.value($0, "owner") }, .reference(owner.key), "concrete entity of the to-one")
        }
        let dept = try run.insert("Dept", [:]).key
        var batch = ChangeBatch()
        batch.updated = try [made[0], made[2]].map { try run.update($0, ["dept": .reference(dept)]) }
        batch.links = [try run.link(made[0].key, "friends", added: [made[2].key])]
        try run.commit(batch)
        run.expect(Set(try run.related(dept, "members")), [made[0].key, made[2].key], "concrete entities of the to-many")
        run.expect(try run.related(made[2].key, "friends"), [made[0].key], "concrete entity of a many-to-many")
    }

    private static func forwardReferences(_ run: ConformanceRun) throws {
        let dept = try run.temporaryKey("Dept"), boss = try run.temporaryKey("Manager"), tag = try run.temporaryKey("Tag")
        let old = try run.insert("Person", [:])
        var batch = ChangeBatch()
        batch.inserted = [
            try run.row("Dept", key: dept, ["boss": .reference(boss)]),
            try run.row("Manager", key: boss, ["dept": .reference(dept), "leads": .reference(dept)]), try run.row("Tag", key: tag, [:]),
        ]
        batch.updated = [try run.update(old, ["dept": .reference(dept)])]
        batch.links = [try run.link(boss, "tags", added: [tag]), try run.link(old.key, "tags", added: [tag])]
        let receipt = try run.commit(batch), keys = receipt.inserted.map(\.key)
        run.expect(try run.value(receipt.inserted[0], "boss"), .reference(keys[1]), "reference in the receipt")
        run.expect(try run.value(receipt.updated[0], "dept"), .reference(keys[0]), "reference of an updated row")
        run.expect(Set(try run.related(keys[0], "members")), [keys[1], old.key], "members")
        run.expect(Set(try run.related(keys[2], "people")), [keys[1], old.key], "links")
    }

    private static func deletedMembers(_ run: ConformanceRun) throws {
        let tag = try run.insert("Tag", [:]), dept = try run.insert("Dept", [:])
        let people = try run.insert((0..<2).map { _ in try run.row("Person", ["dept": .reference(dept.key)]) })
        var batch = ChangeBatch()
        batch.links = try people.map { try run.link($0.key, "tags", added: [tag.key]) } + [
            run.link(people[0].key, "friends", added: [people[1].key]), run.link(people[0].key, "hobbies", added: [tag.key]),
        ]
        try run.commit(batch)
        batch.links = [try run.link(people[1].key, "tags", removed: [tag.key]), try run.link(people[1].key, "friends", removed: [people[0].key])]
        batch.deleted = [DeletedRow(key: people[1].key, expectedVersion: try run.reread(people[1].key)?.version ?? 1)]
        try run.commit(batch)
        run.expect(try run.related(tag.key, "people"), [people[0].key], "many-to-many")
        run.expect(try run.related(dept.key, "members"), [people[0].key], "one-to-many")
        run.expect(try run.related(people[0].key, "friends"), [], "friends")
        batch.links = []
        batch.deleted = [DeletedRow(key: tag.key, expectedVersion: try run.reread(tag.key)?.version ?? 1)]
        try run.commit(batch)
        run.expect(try run.related(people[0].key, "tags"), [], "many-to-many whose links nobody removed")
        run.expect(try run.related(people[0].key, "hobbies"), [], "without inverse")
    }
}
