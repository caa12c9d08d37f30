import CoreDataPredicate
import Foundation
import Testing

@Suite("NSPredicate evaluated")
struct FoundationEvaluationTests {
    private class Base { var inherited = 7 }
    private final class Plain: Base {
        var name: String? = "Ann"
        var tags = ["a", "b"]
        var friend: Plain?
        var computed: Int { 1 }
    }
    private struct Value {
        var width = 3
        var inner = Inner()
        struct Inner { var depth = 2 }
    }

    private func holds(_ format: String, _ args: Any?..., for object: Any?) -> Bool {
        NSPredicate(format: format, argumentArray: args).evaluate(with: object)
    }

    @Test("Dictionaries answer for their keys, nested ones too; a missing key is nil")
    func dictionaries() {
        let row: [String: Any] = [
            "name": "Ann", "age": 30, "address": ["city": "Bern"], "tags": ["x", "y"], "empty": NSNull(), "kids": [["age": 3], ["age": 9]],
        ]
        for object in [row, row as NSDictionary] as [Any] {
            #expect(holds("name == 'Ann' AND age > 18", for: object))
            #expect(holds("address.city BEGINSWITH 'B'", for: object))
            #expect(holds("'x' IN tags AND tags.@count == 2", for: object))
            #expect(holds("empty == nil AND missing == nil", for: object))
            #expect(holds("ANY kids.age > 8 AND NOT ALL kids.age > 8", for: object))
            #expect(holds("kids.@sum.age == 12", for: object))
            #expect(holds("SUBQUERY(kids, $k, $k.age < 5).@count == 1", for: object))
            #expect(!holds("name != 'Ann'", for: object))
        }
    }

    @Test("Plain values are SELF")
    func values() {
        #expect(holds("SELF CONTAINS 'b'", for: "abc"))
        #expect(holds("SELF > 3", for: 5))
        #expect(holds("SELF > 3", for: NSNumber(value: 5)))
        #expect(holds("length == 3", for: "abc"))
        #expect(holds("SELF IN %@", [1, 2], for: 2))
        #expect(holds("SELF == nil", for: nil))
        #expect(holds("ANY SELF > 2", for: [1, 3]))
        #expect(holds("SELF.@count == 2", for: [1, 3]))
        let optional: Int? = 5
        #expect(holds("SELF == 5", for: optional as Any))
        #expect(holds("timeIntervalSinceReferenceDate >= 5", for: Date(timeIntervalSinceReferenceDate: 5)))
    }

    @Test("Stored properties of Swift's objects and structs are keys, inherited and nested too")
    func plainObjects() {
        let object = Plain()
        object.friend = Plain()
        object.friend?.name = nil
        #expect(holds("name == 'Ann' AND inherited == 7", for: object))
        #expect(holds("friend.name == nil AND friend.inherited == 7 AND friend.friend == nil", for: object))
        #expect(holds("ANY tags == 'b'", for: object))
        #expect(holds("width == 3 AND inner.depth == 2", for: Value()))
        #expect(holds("friend == %@", object.friend, for: object))
    }

    @Test("A key that is not there is a typed error that names the type")
    func unknownKey() {
        #expect { try NSPredicate(format: "computed == 1").tree.evaluate(with: Plain(), variables: nil) } throws: {
            "\($0)".contains("computed") && "\($0)".contains("Plain")
        }
        #expect(throws: (any Error).self) { try NSPredicate(format: "nope == 1").tree.evaluate(with: Value(), variables: nil) }
        #expect(throws: (any Error).self) { try NSPredicate(format: "nope == 1").tree.evaluate(with: 5, variables: nil) }
    }

    @Test("PR39: variables are bound by evaluate(with:substitutionVariables:), unbound ones are errors")
    func variables() {
        let predicate = NSPredicate(format: "age > $AGE")
        #expect(predicate.evaluate(with: ["age": 20], substitutionVariables: ["AGE": 18]))
        #expect(!predicate.evaluate(with: ["age": 20], substitutionVariables: ["AGE": 21]))
        #expect(throws: (any Error).self) { try predicate.tree.evaluate(with: ["age": 20], variables: nil) }
    }

    @Test("Blocks inside compounds of ours get the object and the variables")
    func blocks() {
        let block = NSPredicate { object, variables in (object as? Int ?? 0) > (variables?["N"] as? Int ?? 0) }
        let both = NSPredicate.make(.and([NSPredicate(format: "SELF < 10").tree, block.tree]))
        #expect(both.evaluate(with: 5, substitutionVariables: ["N": 4]))
        #expect(!both.evaluate(with: 5, substitutionVariables: ["N": 6]))
        #expect(!both.evaluate(with: 12, substitutionVariables: ["N": 6]))
    }

    @Test("Arrays, sets and ordered sets filter by predicates of ours")
    func filtering() {
        let predicate = NSPredicate(format: "SELF BEGINSWITH 'a'")
        #expect(NSArray(array: ["ab", "ba", "ac"]).filtered(using: predicate) as? [String] == ["ab", "ac"])
        #expect(NSSet(array: ["ab", "ba"]).filtered(using: predicate) == ["ab"])
        #expect(NSOrderedSet(array: ["ba", "ab"]).filtered(using: predicate).array as? [String] == ["ab"])
    }

    @Test("Predicates evaluate on managed objects through relationships")
    func managed() {
        let citizen = Citizen(["name": "Ann", "age": 5, "firm": Firm(["name": "Acme"]), "tags": Set([Tag(["text": "red"])])])
        #expect(holds("firm.name == 'Acme' AND ANY tags.text == 'red'", for: citizen))
        #expect(holds("SELF == %@", citizen, for: citizen))
        #expect(holds("SELF == %@", citizen.objectID, for: citizen))
        #expect(holds("SELF IN %@", [citizen], for: citizen))
    }

    @Test("A key path goes through a list that was given for %@, dictionaries included")
    func keysOfConstants() {
        let known: [[String: Any]] = [["id": 4, "name": "a"], ["id": 5]]
        #expect(!holds("NONE %@.id == id", known, for: ["id": 4]))
        #expect(holds("NONE %@.id == id", known, for: ["id": 6]))
        #expect(holds("id IN %@.id", NSArray(array: known.map { NSDictionary(dictionary: $0) }), for: ["id": 5]))
        #expect(holds("SELF IN %@", known, for: ["id": 5]))
        #expect(holds("id IN %@", ["a": 4], for: ["id": 4]))
    }
}
