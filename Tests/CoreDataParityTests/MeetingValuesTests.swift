import CoreData
import Testing

/// Values of kinds that SQL keeps otherwise than memory holds them: both must answer alike.
@Suite("Values in stores and in memory")
struct MeetingValuesTests {
    static func zoo() -> NSManagedObjectModel {
        let keeper = NSEntityDescription("Keeper", NSAttributeDescription("name", .stringAttributeType))
        let animal = NSEntityDescription(
            "Animal", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("weight", .doubleAttributeType),
            NSAttributeDescription("price", .decimalAttributeType), NSAttributeDescription("count", .integer64AttributeType),
            NSAttributeDescription("tags", .transformableAttributeType))
        relate(animal, .one("keeper"), keeper, .many("animals"))
        return model(keeper, animal)
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        let rows: [(String, Double, String, [String]?)] = [
            ("a", 10, "0.1", ["x", "y"]), ("b", 10.5, "0.3", ["z"]), ("c", 1e20, "12.34", nil), ("d", 0.1, "3", []),
        ]
        for (name, weight, price, tags) in rows {
            let animal = context.make("Animal", ["name": name, "weight": weight, "price": NSDecimalNumber(string: price), "count": 3])
            animal.setValue(tags, forKey: "tags")
            if name == "a" { animal.setValue(context.make("Keeper", ["name": "Kim"]), forKey: "keeper") }
        }
    }

    /// The names a predicate finds in the store, and among the objects by `evaluate(with:)`.
    private func both(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> (store: [String], memory: [String]) {
        let memory = try context.all("Animal").filter { predicate.evaluate(with: $0) }.compactMap { $0.text("name") }
        return (try context.names("Animal", predicate), memory)
    }

    @Test("A transformable is found by an equal value", arguments: StoreKind.allCases)
    func transformables(kind: StoreKind) throws {
        let stack = try Stack(Self.zoo(), kind)
        try stack.seed(fill)
        try stack.run { context in
            let cases: [(NSPredicate, [String])] = [
                (NSPredicate(format: "tags == %@", ["x", "y"] as NSArray), ["a"]), (NSPredicate(format: "tags == %@", [] as NSArray), ["d"]),
                (NSPredicate(format: "%@ == tags AND name == 'b'", ["z"] as NSArray), ["b"]),
                (NSPredicate(format: "tags == %@ OR name == 'c'", ["x", "y"] as NSArray), ["a", "c"]),
                (NSPredicate(format: "tags == nil"), ["c"]), (NSPredicate(format: "tags != nil"), ["a", "b", "d"]),
            ]
            for (predicate, expected) in cases {
                let found = try both(context, predicate)
                #expect(found.store == expected && found.memory == expected, "\(predicate.predicateFormat): \(found)")
                #expect(try context.count(for: context.request("Animal", predicate)) == expected.count)
            }
            let window = context.request("Animal", NSPredicate(format: "tags != %@", ["q"] as NSArray), by: "name")
            window.fetchLimit = 1
            window.fetchOffset = 1
            #expect(try context.fetch(window).map { $0.text("name") } == ["b"])
            context.make("Animal", ["name": "e", "tags": ["x", "y"] as NSArray])
            #expect(try context.names("Animal", NSPredicate(format: "tags == %@", ["x", "y"] as NSArray)) == ["a", "e"])
        }
    }

    @Test("A number written out reads as NSNumber writes it", arguments: StoreKind.allCases)
    func numbersAsTexts(kind: StoreKind) throws {
        let stack = try Stack(Self.zoo(), kind)
        try stack.seed(fill)
        try stack.run { context in
            for (format, expected) in [
                ("CAST(weight, 'NSString') == '10'", ["a"]), ("CAST(weight, 'NSString') == '10.5'", ["b"]),
                ("CAST(weight, 'NSString') == '0.1'", ["d"]), ("CAST(price, 'NSString') == '3'", ["d"]),
                ("CAST(count, 'NSString') == '3'", ["a", "b", "c", "d"]), ("CAST(price, 'NSString') BEGINSWITH '12'", ["c"]),
                ("weight LIKE '10'", ["a"]), ("weight BEGINSWITH '10'", ["a", "b"]), ("weight MATCHES '10|0.1'", ["a", "d"]),
            ] as [(String, [String])] {
                let found = try both(context, NSPredicate(format: format))
                #expect(found.store == expected && found.memory == expected, "\(format): \(found)")
            }
        }
    }

    @Test("Arithmetic of decimals is decimal", arguments: StoreKind.allCases)
    func decimals(kind: StoreKind) throws {
        let stack = try Stack(Self.zoo(), kind)
        try stack.seed(fill)
        try stack.run { context in
            for (format, expected) in [
                ("price * 3 == 0.3", ["a"]), ("price * 3 == 0.9", ["b"]), ("price + price + price == 0.3", ["a"]),
                ("price * count == 0.3", ["a"]), ("price / 3 == 0.1", ["b"]), ("price - 3 == 0", ["d"]), ("price / 0 == 0", []),
                ("price * 100 == 1234", ["c"]),
            ] as [(String, [String])] {
                let found = try both(context, NSPredicate(format: format))
                #expect(found.store == expected && found.memory == expected, "\(format): \(found)")
            }
        }
    }

    @Test("One value beside a collection is refused by every store, with IN as advice", arguments: StoreKind.allCases)
    func collections(kind: StoreKind) throws {
        let stack = try Stack(Self.zoo(), kind)
        try stack.seed(fill)
        try stack.run { context in
            let keeper = try context.only("Keeper")
            for predicate in [
                NSPredicate(format: "keeper == %@", [keeper] as NSArray), NSPredicate(format: "keeper != %@", NSSet(object: keeper)),
                NSPredicate(format: "name == %@", ["a"] as NSArray), NSPredicate(format: "SELF == %@", [keeper] as NSArray),
                NSPredicate(format: "weight == {1, 2}"),
            ] {
                let error = try failure { _ = try context.all("Animal", predicate) }
                #expect(error.code == NSCoreDataError && error.localizedDescription.contains("IN"), "\(error)")
            }
            #expect(try context.names("Animal", NSPredicate(format: "keeper IN %@", [keeper] as NSArray)) == ["a"])
        }
    }

    @Test("A path of very many relationships is refused by name, not by SQLite")
    func longPaths() throws {
        let stack = try Stack(Self.zoo())
        try stack.seed(fill)
        try stack.run { context in
            for steps in [10, 40, 80] {
                let path = (0..<steps).map { $0.isMultiple(of: 2) ? "animals" : "keeper" }.joined(separator: ".")
                let predicate = NSPredicate(format: "ANY \(path).name == 'Kim'")
                let request = context.request("Keeper", predicate)
                if steps < 62 {
                    #expect(try context.fetch(request).count == 1, "\(steps)")
                } else {
                    let error = try failure { _ = try context.fetch(request) }
                    #expect(error.isCocoa && error.code == NSCoreDataError, "\(error)")
                    #expect(error.localizedDescription.contains("ANY animals.keeper.animals"), "\(error)")
                }
            }
        }
    }
}
