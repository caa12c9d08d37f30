import CoreData
import Testing

/// What the random fetch test found, in small.
@Suite("Findings of random fetches") @MainActor
struct FetchFindingTests {
    /// Items 1 “abc”, its boss 2 “ABC”, 3 without name below 1, and 4 alone; 1 is at town 11, which has no chief.
    private var world: PlainWorld {
        var world = PlainWorld()
        for number in 1...4 { world.insert(number, .item) }
        world.insert(11, .town)
        world.insert(21, .tag)
        world.set(1, "name", .text("abc"))
        world.set(1, "amount", .whole(5))
        world.set(2, "name", .text("ABC"))
        world.set(1, "price", .exact(3))
        world.set(3, "ratio", .real(-4))
        world.set(4, "höhe", .real(5.5))
        world.set(4, "name", .text("x"))
        world.set(11, "size", .whole(3))
        let links = FetchKind.item.links
        for (number, name, members) in [(1, "boss", [2]), (3, "boss", [1]), (1, "place", [11]), (1, "tags", [21])] {
            if let link = links.first(where: { $0.name == name }) { world.link(number, link, to: members) }
        }
        return world
    }

    @Test("Both stores find the same", arguments: [
        ("name BETWEEN[c] {'abc', 'abc'}", [1, 2]),
        // A list that is nil, and nil in a list, leave it unknown.
        ("NOT (name IN nil)", []), ("name IN {name, nil}", [1, 2, 4]), ("NOT (name IN {'abc', nil, title})", []),
        // A member without a link leads nowhere; one whose value is nil is an element.
        ("ALL staff.place.size > 2", [1, 2, 3, 4]), ("ANY staff.place.size == nil", []), ("ANY staff.name == nil", [1]),
        ("ANY staff.place.chief == nil", [2]),
        // Who belongs to a relationship is always known, nil or not.
        ("NOT (staff CONTAINS boss)", [1, 2, 3, 4]), ("NOT (boss.staff CONTAINS pointer)", [1, 2, 3, 4]),
        ("NOT ('y' IN boss.tags.label)", [1, 2, 3, 4]), ("NOT ('y' IN boss.name)", [1, 3]),
        // ANY of a to-one knows too.
        ("NONE boss.name == 'abc'", [1, 2, 4]),
        // No answer is nil.
        ("sqrt(ratio) == nil", [1, 2, 3, 4]), ("NOT (ln(ratio + 4) < 0)", []),
        // A power is real.
        ("(amount ** 2) / 3 > 8.3", [1]),
        // Decimals are divided as such, though a whole one is an integer in the file; rests have fractions.
        ("price / 2 > 1.4", [1]), ("(price + 2) / 2 == 2.5", [1]), ("amount / 2 == 2", [1]), ("modulus:by:(höhe, 2) == 1.5", [4]),
    ])
    func stores(_ format: String, _ expected: [Int]) throws {
        for sqlite in [true, false] {
            let stack = try FetchStack(FetchRun.model, sqlite: sqlite)
            stack.show(world)
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = try NSPredicate(validating: format)
            #expect(try stack.context.fetch(request).map(\.ident).sorted() == expected, "\(sqlite ? "SQLite" : "in memory")")
        }
    }
}
