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

    @Test("An archive without a predicate is an error or nil, never a predicate")
    func foreign() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: "text" as NSString, requiringSecureCoding: true)
        let predicate = try? NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data)
        #expect(predicate == nil)
    }
}
