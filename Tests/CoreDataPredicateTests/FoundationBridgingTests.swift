import CoreDataPredicate
import CoreDataSchema
import Foundation
import Testing

@Suite("Values from Swift and Foundation")
struct FoundationBridgingTests {
    enum Suit: Int { case hearts = 3 }
    struct Point { var x = 1 }

    private func bridge(_ any: Any?) throws -> PredicateValue { try PredicateBridging.value(of: any) }

    @Test("Swift's Booleans and numbers keep their kind")
    func numbers() throws {
        #expect(try bridge(true) == .boolean(true))
        #expect(try bridge(false) == .boolean(false))
        for one: Any in [1, Int8(1), Int16(1), Int32(1), Int64(1), UInt(1), UInt8(1), UInt16(1), UInt32(1), UInt64(1)] {
            #expect(try bridge(one) == .integer(1), "\(type(of: one))")
        }
        #expect(try bridge(1.0) == .real(1))
        #expect(try bridge(Float(1.5)) == .real(1.5))
        #expect(try bridge(CGFloat(2.5)) == .real(2.5))
        #expect(try bridge(Decimal(string: "1.10")) == .decimal(Decimal(string: "1.10")!))
        #expect(try bridge(UInt64.max) == .decimal(Decimal(UInt64.max)))
        #expect(try bridge(Int.min) == .integer(.min))
    }

    @Test("NSNumber is a Boolean only when made from one")
    func nsNumbers() throws {
        #expect(try bridge(NSNumber(value: true)) == .boolean(true))
        #expect(try bridge(NSNumber(value: false)) == .boolean(false))
        #expect(try bridge(true as NSNumber) == .boolean(true))
        #expect(try bridge(NSNumber(value: 1)) == .integer(1))
        #expect(try bridge(NSNumber(value: 0)) == .integer(0))
        #expect(try bridge(NSNumber(value: Int8(1))) == .integer(1))
        #expect(try bridge(NSNumber(value: UInt8(200))) == .integer(200))
        #expect(try bridge(NSNumber(value: 1.0)) == .real(1))
        #expect(try bridge(NSNumber(value: Float(0.5))) == .real(0.5))
        #expect(try bridge(NSNumber(value: UInt64.max)) == .decimal(Decimal(UInt64.max)))
        #expect(try bridge(NSDecimalNumber(string: "2.50")) == .decimal(Decimal(string: "2.5")!))
    }

    @Test("nil in every wrapping is null")
    func nulls() throws {
        let none: Int? = nil
        let nested: Int?? = .some(nil)
        #expect(try bridge(nil) == .null)
        #expect(try bridge(NSNull()) == .null)
        #expect(try bridge(none) == .null)
        #expect(try bridge(none as Any) == .null)
        #expect(try bridge(nested as Any) == .null)
        #expect(try bridge(Optional(Optional(5)) as Any) == .integer(5))
        #expect(try bridge(AnyHashable(5)) == .integer(5))
    }

    @Test("Text, dates, data, UUIDs and URLs come from Swift and from Foundation alike")
    func pairs() throws {
        let date = Date(timeIntervalSinceReferenceDate: 12.5)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.org/a"))
        #expect(try bridge("é") == .string("é"))
        #expect(try bridge("abc".dropFirst()) == .string("bc"))
        #expect(try bridge(Character("a")) == .string("a"))
        #expect(try bridge(NSString("abc")) == .string("abc"))
        #expect(try bridge(NSMutableString(string: "abc")) == .string("abc"))
        #expect(try bridge(date) == .date(date))
        #expect(try bridge(date as NSDate) == .date(date))
        #expect(try bridge(Data([1, 2])) == .data(Data([1, 2])))
        #expect(try bridge(NSData(data: Data([1, 2]))) == .data(Data([1, 2])))
        #expect(try bridge(uuid) == .uuid(uuid))
        #expect(try bridge(uuid as NSUUID) == .uuid(uuid))
        #expect(try bridge(url) == .url(url))
        #expect(try bridge(url as NSURL) == .url(url))
    }

    @Test("Collections of every kind become lists, dictionaries their values")
    func collections() throws {
        let two = PredicateValue.list([.integer(1), .integer(2)])
        #expect(try bridge([1, 2]) == two)
        #expect(try bridge([1, nil] as [Int?]) == .list([.integer(1), .null]))
        #expect(try bridge([1, "a", NSNull()] as [Any]) == .list([.integer(1), .string("a"), .null]))
        #expect(try bridge(ContiguousArray([1, 2])) == two)
        #expect(try bridge([0, 1, 2].dropFirst()) == two)
        #expect(try bridge(Set([7])) == .list([.integer(7)], isOrdered: false))
        #expect(try bridge(NSArray(array: [1, 2])) == two)
        #expect(try bridge(NSSet(array: [7])) == .list([.integer(7)], isOrdered: false))
        #expect(try bridge(NSOrderedSet(array: [1, 2])) == two)
        #expect(try bridge(["k": 7]) == .list([.integer(7)], isOrdered: false))
        #expect(try bridge(["k": 7].keys) == .list([.string("k")]))
        #expect(try bridge(NSDictionary(dictionary: ["k": 7])) == .list([.integer(7)], isOrdered: false))
        #expect(try bridge([[1], [2]]) == .list([.list([.integer(1)]), .list([.integer(2)])]))
        #expect(try bridge([] as [Int]) == .list([]))
    }

    @Test("Managed objects are references; other objects are opaque")
    func objects() throws {
        let citizen = Citizen()
        #expect(try bridge(citizen) == .reference(PredicateReference(citizen)))
        #expect(try bridge(Set([citizen])) == .list([.reference(PredicateReference(citizen))], isOrdered: false))
        let locale = NSLocale(localeIdentifier: "de")
        #expect(try bridge(locale) == .object(OpaqueObject(locale)))
        let stranger = Stranger()
        #expect(try bridge(stranger) == .object(OpaqueObject(stranger)))
    }

    @Test("What cannot be compared is refused with what to pass instead")
    func refusals() {
        #expect { try bridge(Suit.hearts) } throws: { "\($0)".contains("rawValue") }
        #expect { try bridge(Point()) } throws: { "\($0)".contains("Point") }
        #expect { try bridge(1...3) } throws: { "\($0)".contains("bounds") }
        #expect { try bridge([Suit.hearts]) } throws: { "\($0)".contains("rawValue") }
        #expect(throws: PredicateBridgingError.self) { try bridge({ 1 } as () -> Int) }
        #expect(throws: PredicateBridgingError.self) { try bridge((1, 2)) }
    }

    @Test("A property's value is carried even when no predicate can compare it")
    func properties() {
        guard case .object = PredicateBridging.value(ofProperty: Point()) else {
            Issue.record("not an object")
            return
        }
        #expect(PredicateBridging.value(ofProperty: 5) == .integer(5))
    }

    @Test("Values handed out come back as they were", arguments: [
        PredicateValue.null, .boolean(true), .boolean(false), .integer(1), .integer(.max), .real(1), .real(0.5),
        .decimal(Decimal(string: "1.5")!), .string("é"), .date(Date(timeIntervalSinceReferenceDate: 1)), .data(Data([0])),
        .uuid(UUID()), .url(URL(string: "x:y")!), .list([.integer(1), .null, .list([])]),
    ])
    func roundTrip(_ value: PredicateValue) throws {
        #expect(try PredicateBridging.value(of: PredicateBridging.any(value)) == value)
    }

    @Test("Numbers handed out cast to every numeric type")
    func handedOut() {
        let five = PredicateBridging.any(.integer(5))
        #expect(five as? Int == 5)
        #expect(five as? Int64 == 5)
        #expect(five as? Double == 5)
        #expect(PredicateBridging.any(.boolean(true)) as? Bool == true)
    }
}
