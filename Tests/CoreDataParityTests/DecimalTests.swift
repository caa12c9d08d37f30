import CoreData
import Testing

/// On Linux the hash of Foundation's own `NSDecimalNumber` never returns: no set of ours may hold one.
@Suite("Decimals")
struct DecimalTests {
    private func prices(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let owner = NSEntityDescription("Owner", NSAttributeDescription("name", .stringAttributeType))
        let item = NSEntityDescription(
            "Item", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("price", .decimalAttributeType))
        relate(owner, .many("items"), item, .one("owner"))
        relate(owner, .many("ranked", ordered: true), item, .one("ranker"))
        let stack = try Stack(model(owner, item), kind)
        try stack.seed { context in
            let owner = context.make("Owner", ["name": "o"])
            for (name, price) in [("a", "2.5"), ("b", "2.50"), ("c", "3"), ("d", "0.1")] {
                context.make("Item", ["name": name, "price": NSDecimalNumber(string: price), "owner": owner, "ranker": owner])
            }
        }
        try stack.run(body)
    }

    private static let prices: Set<Decimal> = [Decimal(string: "2.5") ?? 0, 3, Decimal(string: "0.1") ?? 0]

    @Test("Of a set's or ordered set's objects, the decimals come once each, as numbers", arguments: StoreKind.allCases)
    func collections(kind: StoreKind) throws {
        try prices(kind) { context in
            let owner = try context.only("Owner")
            for path in ["items.price", "items.@distinctUnionOfObjects.price"] {
                let found = try #require(owner.value(forKeyPath: path) as? NSSet)
                #expect(Set(found.allObjects.compactMap { ($0 as? NSNumber)?.decimalValue }) == Self.prices && found.count == 3)
                #expect(found.contains(NSNumber(value: 3)) && found.contains(NSNumber(value: 2.5)))
                #expect(found.allObjects.compactMap { $0 as? Double }.sorted() == [0.1, 2.5, 3])
            }
            for path in ["ranked.price", "ranked.@distinctUnionOfObjects.price"] {
                let found = try #require(owner.value(forKeyPath: path) as? NSOrderedSet)
                #expect(Set(found.array.compactMap { ($0 as? NSNumber)?.decimalValue }) == Self.prices && found.count == 3)
            }
        }
    }

    @Test("Values, sums and rows stay NSDecimalNumbers that calculate", arguments: StoreKind.allCases)
    func numbers(kind: StoreKind) throws {
        try prices(kind) { context in
            let owner = try context.only("Owner")
            let item = try context.named("a", "Item")
            let two = NSDecimalNumber(string: "2"), price = try #require(item.value(forKey: "price") as? NSDecimalNumber)
            #expect(price.adding(two).subtracting(two).multiplying(by: two).dividing(by: two) == NSDecimalNumber(string: "2.5"))
            #expect(item.committedValues(forKeys: ["price"])["price"] as? NSDecimalNumber == price)
            #expect(owner.value(forKeyPath: "items.@sum.price") as? NSDecimalNumber == NSDecimalNumber(string: "8.1"))
            let request = NSFetchRequest<NSDictionary>(entityName: "Item")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["price"]
            request.returnsDistinctResults = true
            #expect(try Set(context.fetch(request).compactMap { ($0["price"] as? NSDecimalNumber)?.decimalValue }) == Self.prices)
            #expect(try context.names("Item", NSPredicate(format: "price IN %@", [price, NSNumber(value: 3)])) == ["a", "b", "c"])
        }
    }
}
