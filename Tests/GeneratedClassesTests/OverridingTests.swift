import CoreData
import Foundation
import Testing

/// What people derive from a generated class.
final class LoudTag: Tag {
    private(set) var sets = 0

    override var name: String? {
        get { super.name?.uppercased() }
        set {
            sets += 1
            super.name = newValue
        }
    }

    /// Only the class has this.
    var length: Int {
        get { name?.count ?? 0 }
        set { name = String(repeating: "x", count: newValue) }
    }

    override class var _keyPathNames: [AnyKeyPath: String] {
        var names = super._keyPathNames
        names[\LoudTag.name] = "name"
        names[\LoudTag.length] = "length"
        return names
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "length" ? ["name"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        if key == "name", value.pointee as? String == "FORBIDDEN" { throw NSError(domain: "LoudTag", code: 7) }
        if key == "name", value.pointee as? String == "FIX ME" { value.pointee = "fixed" as AnyObject }
    }
}

@Suite("Overridden properties of generated classes")
@MainActor
struct OverridingTests {
    private let store: Store
    init() throws { store = try Store() }

    private func tag(_ name: String?) throws -> LoudTag {
        let tag = try store.insert(LoudTag.self)
        tag.setValue(name, forKey: "name")
        return tag
    }

    @Test("FA18: Key-value coding reads and writes through what a subclass overrides")
    func overridden() throws {
        let tag = try tag("a")
        #expect(tag.value(forKey: "name") as? String == "A" && tag.sets == 1)
        #expect(tag.primitiveValue(forKey: "name") as? String == "a")
        tag.setValue(nil, forKey: "name")
        #expect(tag.value(forKey: "name") == nil && tag.sets == 2)
        tag.setValuesForKeys(["name": "b"])
        #expect(tag.sets == 3 && NSArray(array: [tag]).value(forKey: "name") as? [String] == ["B"])
        // What it does not override is read as ever, relationships too.
        let golden = try store.insert(Golden.self)
        tag.setValue(NSSet(array: [golden]), forKey: "golden")
        tag.setValue(golden, forKey: "oneOwner")
        tag.setValue(golden, forKey: "orderedOwner")
        #expect(tag.value(forKey: "golden") as? Set<Golden> == [golden] && golden.many == [tag])
        #expect(tag.value(forKey: "oneOwner") as? Golden === golden && golden.one === tag && golden.ordered == [tag])
        tag.setValue(NSNull(), forKey: "oneOwner")
        #expect(tag.value(forKey: "oneOwner") == nil && golden.one == nil)
    }

    @Test("Properties only the class has are read, written, observed and compared by key")
    func unmodeled() throws {
        let tag = try tag("abc")
        var lengths: [Int?] = []
        let token = tag.observe(\.length, options: .new) { lengths.append($1.newValue) }
        #expect(tag.value(forKey: "length") as? Int == 3)
        tag.setValue(2, forKey: "length")
        #expect(tag.primitiveValue(forKey: "name") as? String == "xx")
        tag.name = "four"
        #expect(lengths.last == 4 && lengths.contains(2))
        #expect(NSPredicate(format: "length == 4").evaluate(with: tag))
        #expect(NSPredicate(format: "name == 'FOUR'").evaluate(with: tag))
        #expect(!LoudTag.automaticallyNotifiesObservers(forKey: "name") && LoudTag.automaticallyNotifiesObservers(forKey: "length"))
        withExtendedLifetime(token) {}
    }

    @Test("Unsaved objects are found and sorted by what their class answers")
    func pendingObjects() throws {
        _ = try tag("a")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
        request.predicate = NSPredicate(format: "name == 'A'")
        #expect(try store.context.fetch(request).count == 1)
    }

    @Test("A subclass that overrides nothing reads every kind of value as its generated class does")
    func nothingOverridden() throws {
        let plain = try store.insert(Golden.self), derived = try store.insert(QuietGolden.self)
        let values: [String: Any] = [
            "int16Optional": 1, "int32Required": 2, "int64Optional": 3, "boolRequired": true, "boolOptional": false, "doubleOptional": 0.5,
            "floatRequired": 0.25, "decimalOptional": Decimal(string: "0.1") ?? 0, "decimalRequired": 7, "stringRequired": "s",
            "dateOptional": Foundation.Date(timeIntervalSinceReferenceDate: 5), "dateOptionalScalar": Foundation.Date(timeIntervalSinceReferenceDate: 6),
            "dataRequired": Data([1]), "uuidOptional": UUID(), "urlOptional": URL(string: "a:b") as Any, "objectList": ["a"],
        ]
        for name in plain.entity.attributesByName.keys where name != "place" {
            // Never set: nil, though the property may say zero or empty.
            #expect((plain.value(forKey: name) == nil) == (derived.value(forKey: name) == nil), "\(name)")
            guard let value = values[name] else { continue }
            plain.setValue(value, forKey: name)
            derived.setValue(value, forKey: name)
            let (left, right) = (plain.value(forKey: name) as? NSObject, derived.value(forKey: name) as? NSObject)
            #expect(left != nil && left == right, "\(name)")
            plain.setValue(nil, forKey: name)
            derived.setValue(nil, forKey: name)
            #expect(plain.value(forKey: name) == nil && derived.value(forKey: name) == nil, "\(name)")
        }
    }

    @Test("VA18: What a subclass's own rule throws comes out of validateForInsert as it is; a corrected value is set")
    func ownRules() throws {
        let tag = try tag("forbidden")
        let error = try #require(throws: (any Error).self) { try tag.validateForInsert() } as NSError
        #expect(error.domain == "LoudTag" && error.code == 7)
        tag.name = "fix me"
        try tag.validateForInsert()
        #expect(tag.primitiveValue(forKey: "name") as? String == "fixed")
    }
}

final class QuietGolden: Golden {}
