import CoreDataPredicate
import Foundation
import Testing

@Suite("Predicates: arrays and sets beside one another")
struct EvaluateListTests {
    private func holds(_ format: String, _ arguments: Any?..., for object: Any? = nil) -> Bool {
        NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() }).evaluate(with: object)
    }

    @Test("Arrays are equal in their order, as Foundation's are")
    func arrays() {
        let row: [String: Any] = ["list": ["a", "b", "c"], "other": ["c", "b", "a"], "nested": [["a"], ["b"]]]
        #expect(holds("list == %@", ["a", "b", "c"], for: row))
        #expect(!holds("list == %@", ["c", "b", "a"], for: row))
        #expect(holds("list != %@", ["c", "b", "a"], for: row))
        #expect(holds("list == {'a', 'b', 'c'} AND NOT list == {'b', 'a', 'c'}", for: row))
        #expect(holds("list != other AND {1, 2} == {1, 2} AND {1, 2} != {2, 1}", for: row))
        #expect(!holds("list == {'a', 'b'} OR list == {'a', 'b', 'c', 'c'}", for: row))
        #expect(holds("list ==[c] {'A', 'B', 'C'} AND NOT list ==[c] {'C', 'B', 'A'}", for: row))
        #expect(holds("nested == %@ AND nested != %@", [["a"], ["b"]], [["b"], ["a"]], for: row))
        #expect(holds("{'b'} IN nested AND NOT {'a', 'b'} IN nested AND %@ IN %@", [1, 2], [[1, 2]], for: row))
        #expect(!holds("%@ IN %@", [1, 2], [[2, 1]]))
    }

    @Test("Ordered sets are equal in their order")
    func orderedSets() {
        let row: [String: Any] = ["list": NSOrderedSet(array: [1, 2, 3])]
        #expect(holds("list == %@", NSOrderedSet(array: [1, 2, 3]), for: row))
        #expect(!holds("list == %@", NSOrderedSet(array: [3, 2, 1]), for: row))
        #expect(holds("list == %@ AND list != %@", [1, 2, 3], [3, 2, 1], for: row))
    }

    @Test("Sets are equal by their members, and never equal to an array")
    func sets() {
        let letters = (0..<40).map { "key\($0)" }
        let row: [String: Any] = ["set": NSSet(array: letters), "swift": Set(letters), "list": letters, "few": Set([1, 2])]
        #expect(holds("set == %@ AND swift == %@ AND set == swift", Set(letters.reversed()), NSSet(array: letters.shuffled()), for: row))
        #expect(!holds("set == %@", Set(letters.dropLast()), for: row))
        #expect(!holds("set == list OR list == set OR set == %@ OR list == %@", letters, Set(letters), for: row))
        #expect(holds("few ==[c] %@ AND few != %@", Set([2, 1]), Set([1]), for: row))
        #expect(holds("set UNION few != list AND few UNION {2, 3} == %@", Set([3, 2, 1]), for: row))
        #expect(holds("list.@distinctUnionOfObjects.self == list AND set.@distinctUnionOfObjects.self == swift", for: row))
        #expect(holds("SUBQUERY(list, $x, $x BEGINSWITH 'key3') == %@", letters.filter { $0.hasPrefix("key3") }, for: row))
        #expect(holds("SUBQUERY(set, $x, $x BEGINSWITH 'key3') == %@", Set(letters.filter { $0.hasPrefix("key3") }), for: row))
    }

    @Test("Predicates are equal as their lists are, and a set that is printed reads as the list it prints")
    func equality() {
        let letters = (0..<40).map { "key\($0)" }
        let one = NSPredicate(format: "a IN %@", argumentArray: [Set(letters)])
        let other = NSPredicate(format: "a IN %@", argumentArray: [Set(letters.reversed())])
        #expect(one == other && one.hash == other.hash)
        #expect(one == NSPredicate(format: one.predicateFormat))
        #expect(one.hash == NSPredicate(format: one.predicateFormat).hash)
        #expect(NSPredicate(format: "a == {1, 2}") != NSPredicate(format: "a == {2, 1}"))
        #expect(NSPredicate(format: "a == %@", argumentArray: [[1, 2]]) == NSPredicate(format: "a == {1, 2}"))
    }

    @Test("An archive keeps whether a collection is a set")
    func archives() throws {
        let predicate = NSPredicate(format: "a == %@", argumentArray: [Set(["x", "y", "z"])])
        let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
        let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
        #expect(read.evaluate(with: ["a": Set(["z", "y", "x"])]))
        #expect(!read.evaluate(with: ["a": ["x", "y", "z"]]))
    }
}
