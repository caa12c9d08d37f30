import CoreData
import Testing

@Suite("FA18, LC30, VA18: key-value observing, and accessors and rules of a class")
struct KeyValueParityTests {
    @Test("LC30: Each set of an observed attribute is told, before any save", arguments: StoreKind.allCases)
    func oneNoteASet(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Mirror.self), kind)
        try stack.seed { $0.make("Person", ["name": "a"]) }
        try stack.run { context in
            let observer = try #require(context.make("Person") as? Mirror), person = try context.named("a", "Person")
            person.addObserver(observer, forKeyPath: "name", options: [.new], context: nil)
            person.setValue("b", forKey: "name")
            person.setValue("c", forKey: "name")
            #expect(observer.seen == ["b", "c"])
            try context.save()
            #expect(observer.seen == ["b", "c"])
            person.removeObserver(observer, forKeyPath: "name")
            person.setValue("d", forKey: "name")
            #expect(observer.seen == ["b", "c"])
        }
    }

    @Test("FA18: value(forKey:) asks the class's own getter of a modeled property", arguments: StoreKind.allCases)
    func ownGetter(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.seed { $0.make("Person", ["name": "a"]) }
        try stack.run { context in
            let person = try context.named("a", "Person")
            #expect(person.value(forKey: "shout") as? String == "A!")
            #expect(person.primitiveValue(forKey: "shout") == nil)
            #expect(NSPredicate(format: "shout == 'A!'").evaluate(with: person))
        }
    }

    @Test("VA18: What a class's own rule throws comes out of validateForInsert and save untouched", arguments: StoreKind.allCases)
    func ownRule(kind: StoreKind) throws {
        try Stack(Self.people(), kind).run { context in
            let person = context.make("Person", ["name": "a", "salary": -1])
            for attempt in [{ try person.validateForInsert() }, { try context.save() }] {
                let error = try failure { try attempt() }
                #expect(error.domain == Shouting.domain && error.code == 42 && error.userInfo["why"] as? String == "salary")
            }
            // Beside another failure it is one of the details, the same.
            person.setValue(nil, forKey: "name")
            let both = try failure { try person.validateForInsert() }
            #expect(both.isCocoa && both.code == NSValidationMultipleErrorsError && both.details.count == 2)
            #expect(both.details.contains { $0.domain == Shouting.domain && $0.code == 42 })
            #expect(both.details.contains { $0.code == NSValidationMissingMandatoryPropertyError && $0.key == "name" })
            person.setValuesForKeys(["name": "a", "salary": 1])
            try context.save()
            person.setValue(-1, forKey: "salary")
            #expect(try failure { try person.validateForUpdate() }.code == 42)
        }
    }

    private static func people() -> NSManagedObjectModel {
        model(NSEntityDescription(
            "Person", of: Shouting.self,
            NSAttributeDescription("name", .stringAttributeType, optional: false),
            NSAttributeDescription("salary", .integer64AttributeType),
            NSAttributeDescription("shout", .stringAttributeType, transient: true)))
    }
}

/// Has a getter for a transient attribute, and a rule for its salary.
final class Shouting: NSManagedObject {
    static let domain = "Shouting"

    #if canImport(ObjectiveC)
    @objc var shout: String? { (primitiveValue(forKey: "name") as? String).map { $0.uppercased() + "!" } }
    #else
    var shout: String? { (primitiveValue(forKey: "name") as? String).map { $0.uppercased() + "!" } }
    override class var _keyPathNames: [AnyKeyPath: String] { [\Shouting.shout: "shout"] }
    #endif

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        try super.validateValue(value, forKey: key)
        guard key == "salary", let salary = value.pointee as? NSNumber, salary.intValue < 0 else { return }
        throw NSError(domain: Self.domain, code: 42, userInfo: ["why": "salary"])
    }
}

/// Keeps the new names it is told of.
final class Mirror: NSManagedObject {
    private(set) var seen: [String] = []

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        if let name = change?[.newKey] as? String { seen.append(name) }
    }
}
