import CoreDataPredicate
import Foundation
import Testing

@Suite("NSPredicate in archives")
struct FoundationArchiveTests {
    @Test("Predicates of every class and constant come back equal from a secure archive")
    func roundTrip() throws {
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.org"))
        let predicates = [
            NSPredicate(format: "TRUEPREDICATE"),
            NSPredicate(format: "name ==[cd] %@ AND NOT age > %@", "O'Neil \"x\" \\", 18),
            NSPredicate(format: "a == %@ OR b == %@", Date(timeIntervalSinceReferenceDate: 0.123456789), Data([1, 2, 255])),
            NSPredicate(format: "a == %@ AND b == %@ AND c == %@", uuid, url, Decimal(string: "1.10")),
            NSPredicate(format: "a IN %@", [1, 2.5, nil, "x", true, [uuid]] as [Any?]),
            NSPredicate(format: "a BETWEEN %@", [Date(timeIntervalSinceReferenceDate: 1), Date(timeIntervalSinceReferenceDate: 2)]),
            NSPredicate(format: "a == %@ AND b == 1 AND c == $X", true),
            NSPredicate(format: "SUBQUERY(tags, $t, $t.when > %@).@count > 0", Date(timeIntervalSinceReferenceDate: 7.5)),
            NSPredicate(format: "x == %@", nil),
            NSPredicate(format: "x == %@", 0.1),
        ]
        for predicate in predicates {
            let data = try NSKeyedArchiver.archivedData(withRootObject: predicate, requiringSecureCoding: true)
            let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data))
            #expect(back.tree == predicate.tree, "\(predicate)")
            #expect(type(of: back) == type(of: predicate))
            let any = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSPredicate.self], from: data)
            #expect((any as? NSPredicate)?.tree == predicate.tree)
        }
    }

    @Test("Expressions come back equal from a secure archive, alone and in a collection", arguments: [
        "1", "name", "boss.name", "SELF", "$X", "a + b * 2", "{1, 'x', nil}", "SUBQUERY(tags, $t, $t.when > 5).@count", "TERNARY(a > 1, b, 'c')",
        "sum:(wages)", "CAST(a, 'NSDate')", "list[FIRST]", "list[2]", "FUNCTION(a, 'lowercaseString')", "a UNION b", "ANYKEY", "uppercase:(name)",
    ])
    func expressions(_ format: String) throws {
        let expression = try NSExpression(validating: format)
        let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data))
        #expect(back == expression && back.description == expression.description)
        let list = try NSKeyedArchiver.archivedData(withRootObject: [expression, expression] as NSArray, requiringSecureCoding: true)
        let both = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSExpression.self], from: list) as? NSArray
        #expect(both?.count == 2 && both?.firstObject as? NSExpression == expression)
    }

    @Test("Constants of every kind in an expression come back")
    func constants() throws {
        let values: [Any?] = [nil, true, 5, 2.5, Decimal(string: "1.10"), "x", Date(timeIntervalSinceReferenceDate: 7.25), Data([1, 2]), UUID(), [1, "a"]]
        for value in values {
            let expression = NSExpression(forConstantValue: value)
            let data = try NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
            let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data))
            #expect(back == expression)
        }
    }

    @Test("What cannot be archived stops nothing, and reading it says why")
    func refused() throws {
        let typed = try NSPredicate(validating: #Predicate<Citizen> { $0.name == "Ada" })
        let closure = NSPredicate(format: "a == 1 AND SELF == %@", NSObject())
        let block = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
        let inside = NSPredicate(format: "SUBQUERY(tags, $t, $t == %@).@count > 0", NSObject())
        for (object, part) in [(typed, "#Predicate"), (closure, "constant"), (block, "closure"), (inside, "constant")] as [(NSObject, String)] {
            let archiver = NSKeyedArchiver(requiringSecureCoding: true)
            archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
            archiver.finishEncoding()
            let data = archiver.encodedData
            #expect(throws: (any Error).self) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSPredicate.self, NSExpression.self], from: data)
            }
            let error = #expect(throws: (any Error).self) {
                if object is NSExpression {
                    _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSExpression.self, from: data)
                } else {
                    _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
                }
            }
            #expect((error as NSError?)?.localizedDescription.contains(part) == true, "\(String(describing: error))")
        }
    }

    @Test("An archive without a predicate is an error or nil, never a predicate")
    func foreign() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
        let predicate = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        #expect(predicate == nil)
    }
}
