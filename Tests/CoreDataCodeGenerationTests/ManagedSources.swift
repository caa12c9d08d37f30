/// A module with `@NSManaged` declarations of every kind, one it depends on, and what stands in for CoreData: Swift compiles them as they are.
enum ManagedSources {
    static let coreData = ####"""
    import Foundation
    open class NSManagedObject: NSObject { public required override init() { super.init() } }
    open class NSManagedObjectID: NSObject {}
    """####

    static let other = ####"""
    import CoreData
    public class Stock: NSManagedObject {}
    public enum Colour: Int32 { case red, green = 4 }
    public typealias Kin = Stock
    """####

    static let main = ####"""
    import CoreData
    import Foundation
    import Other

    typealias Alias = Person
    enum Kind: Int16 { case a = 3, b = -1 }
    enum Text: String { case first, second = "two" }

    /* class Ghost { @NSManaged var ghost: Int } */
    open class Person: NSManagedObject {
        // @NSManaged var comment: Int
        let text = "class X { @NSManaged var s: Int } \("}") #if"
        let more = """
            } @NSManaged var t: String " \( "}" )
            """, raw = #"" } "#
        public class Nested: NSManagedObject {
            enum Mode: Int { case on, off }
            @NSManaged var outer: Person?, mode: Mode, inner: Nested, optionalMode: Mode?
        }
        @NSManaged public private(set) var name: String?
        @NSManaged public internal(set) final var finalName: String!
        @NSManaged public var odd: Int
        @NSManaged open var boss: Person?
        @available(*, deprecated, message: "}{ \"") @NSManaged dynamic var old: Swift.String
        @NSManaged private var secret: String?
        @NSManaged fileprivate var primitiveCount: NSNumber?
        @NSManaged var a: Int16, b: Int32, c: [Int64]
        @NSManaged var kind: Kind, text2: Text?, colour: Colour, colours: Colour?
        @NSManaged var `class`: String, `default`: Int, `init`: Bool
        @NSManaged var any: Any?, object: AnyObject?, coding: (any NSCoding)?, error: Error?, plainCoding: NSCoding?
        @NSManaged var dictionary: [String: Int]!, mixed: [String: Any], nested: [[String]: Set<Int>?]
        @NSManaged var datas: [Data], urls: [URL: Date], id: NSManagedObjectID?
        @NSManaged var personName: String, pERSONName: String, person_name: Person, naïve: String, größe2: Person, x9Person: Int, CoreDataKit: Int
        @NSManaged var URLString: String, uRL: Int, _under: Int, tags2Person: Int, HTMLPerson: Int, aPerson: Int, PersonKit: Int, Person: Int
        @NSManaged var 名前: String, é: Alias, tagPersonTagPerson: Int, a1b2C3d4: Int, _1: Int, personPersonKitPerson: Int
        @NSManaged var set: Set<Person>, optionalSet: Set<Person.Nested>?, list: [Nested], map: [String: Person], kin: Kin?, stocks: Set<Stock>
        @NSManaged var indexes: IndexSet, range: NSRange, float: CGFloat, size: CGSize, zone: TimeZone, locale: Locale, interval: TimeInterval
        @NSManaged var length: Measurement<UnitLength>, decimal: Decimal, number: NSDecimalNumber, attributed: NSAttributedString?, dates: DateComponents
        @NSManaged var own: PersonKit.Person, theirs: Other.Stock?, swift: Swift.Int, foundation: Foundation.Date?, path: IndexPath, hash2: AnyHashable
        @NSManaged var f: Float, d: Double, u8: UInt8, i8: Int8, u: UInt, bool: Bool, character: Character, uuid: UUID?, characters: CharacterSet
        @NSManaged func addToTags(_ value: Nested)
        @NSManaged public func addToTags(_ values: NSSet)
        @NSManaged func addToTags(_ values: Set<Nested>)
        @NSManaged func removeFromTags(_ values: NSOrderedSet)
        @NSManaged func insertIntoTags(_ value: Nested, at idx: Int)
        @NSManaged func insertIntoTags(_ values: [Nested], at indexes: NSIndexSet)
        @NSManaged func removeFromTags(at idx: Int)
        @NSManaged func removeFromTags(at indexes: IndexSet)
        @NSManaged func replaceTags(at idx: Int, with value: Nested)
        @NSManaged func replaceTags(at indexes: NSIndexSet, with values: [Nested])
        @NSManaged func addPersonsObject(_ value: Person)
        @NSManaged private func removePersons(_ values: NSSet)
        @NSManaged func replacePerson(at idx: Int, with value: Person)
        #if canImport(UIKit)
        @NSManaged var image: UIImage
        #elseif os(Linux) && !os(macOS) || swift(<5)
        @NSManaged var linux: Int
        #else
        @NSManaged var neither: Missing
        #endif
        #if DEBUG
        @NSManaged var debugging: Int
        #else
        @NSManaged var releasing: Int
        #endif
        func body() -> Int { let block = { (x: Int) -> Int in struct Local { var y = 1 }; return x / 2 }; return block(1) / 3 }
        var computed: String { get { "a" } set { if case .some = Optional(newValue) { } } }
    }

    private class Hidden: NSManagedObject {
        @NSManaged var a: String
        class In: NSManagedObject { @NSManaged var b: In; @NSManaged private var p: Int }
    }
    private extension Person { @NSManaged var inPrivateExtension: Int }
    extension Person.Nested { @NSManaged var inExtension: Person.Nested; class Deeper: NSManagedObject { @NSManaged var deep: Deeper; @NSManaged var up: Person.Nested } }
    extension Alias { @NSManaged var throughAlias: Int }
    extension Stock { @NSManaged var foreign: Person; }
    extension NSManagedObject { @NSManaged var everywhere: Bool }
    func use(_ p: Person, _ n: Person.Nested, _ s: Stock) {
        p.inPrivateExtension = 1; n.inExtension = n; p.throughAlias = p.inPrivateExtension; s.foreign = p; p.everywhere = true
        _ = (n.inExtension, p.throughAlias, s.foreign, p.everywhere)
    }
    """####
}
