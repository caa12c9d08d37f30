import CoreData
import Testing

@Suite("Transformable attributes")
struct TransformableTests {
    private func boxes(_ transformer: String?) throws -> Stack {
        let payload = NSAttributeDescription("payload", .transformableAttributeType)
        payload.valueTransformerName = transformer
        return try Stack(model(NSEntityDescription("Box", NSAttributeDescription("name", .stringAttributeType), payload)))
    }

    @Test("TY11: An equal value set after a change in place is not saved; set on a freshly fetched object it is")
    func equalValue() throws {
        let stack = try boxes(nil)
        try stack.run { context in
            let list = NSMutableArray(array: ["a"])
            let box = context.make("Box", ["payload": list])
            try context.save()
            list.add("b")
            box.setValue(["a", "b"] as NSArray, forKey: "payload")
            try context.save()
        }
        let second = try stack.reopened()
        try second.run { context in
            let box = try context.only("Box")
            box.setValue(["a", "b"] as NSArray, forKey: "payload")
            try context.save()
        }
        try second.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") as? [String] == ["a", "b"]) }
    }

    @Test("TY14: A transformer nobody registered reads nil and refuses a save, naming the attribute")
    func missing() throws {
        ValueTransformer.setValueTransformer(Loud(), forName: NSValueTransformerName("ParityVanishing"))
        let stack = try boxes("ParityVanishing")
        try stack.seed { $0.make("Box", ["name": "a", "payload": "hi"]) }
        ValueTransformer.setValueTransformer(nil, forName: NSValueTransformerName("ParityVanishing"))
        let second = try stack.reopened()
        try second.run { context in
            let box = try context.only("Box")
            #expect(box.value(forKey: "payload") == nil)
            box.setValue("renamed", forKey: "name")
            try context.save()
            box.setValue("new", forKey: "payload")
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.localizedDescription.contains("Box.payload") && error.localizedDescription.contains("ParityVanishing"))
        }
        ValueTransformer.setValueTransformer(Loud(), forName: NSValueTransformerName("ParityVanishing"))
        try second.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") as? String == "HI") }
    }

    @Test("TY14: A transformer that answers nil, or something else than data, reads nil and refuses a save")
    func useless() throws {
        ValueTransformer.setValueTransformer(Useless(), forName: NSValueTransformerName("ParityUseless"))
        ValueTransformer.setValueTransformer(Loud(), forName: NSValueTransformerName("ParityBroken"))
        let stack = try boxes("ParityUseless")
        try stack.run { context in
            context.make("Box", ["payload": "hi"])
            let error = try failure { try context.save() }
            #expect(error.localizedDescription.contains("Box.payload"))
        }
        let broken = try boxes("ParityBroken")
        try broken.seed { $0.make("Box", ["payload": "hi"]) }
        ValueTransformer.setValueTransformer(Useless(), forName: NSValueTransformerName("ParityBroken"))
        try broken.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") == nil) }
    }

    @Test("A class the archiver cannot name refuses the save, naming attribute and class")
    func hiddenClass() throws {
        let stack = try boxes(nil)
        try stack.run { context in
            context.make("Box", ["payload": [Hidden()] as NSArray])
            let error = try failure { try context.save() }
            #expect(error.localizedDescription.contains("Box.payload") && error.localizedDescription.contains("Hidden"))
        }
    }

    @Test("DD05: A subclass of the secure transformer archives its own classes and no others")
    func secure() throws {
        ValueTransformer.setValueTransformer(Points(), forName: NSValueTransformerName("ParityPoints"))
        let stack = try boxes("ParityPoints")
        try stack.seed { $0.make("Box", ["payload": ParityPoint(3, 4)]) }
        try stack.reopened().run { context in
            let point = try context.only("Box").value(forKey: "payload") as? ParityPoint
            #expect(point?.x == 3 && point?.y == 4)
        }
        ValueTransformer.setValueTransformer(NSSecureUnarchiveFromDataTransformer(), forName: NSValueTransformerName("ParityPoints"))
        try stack.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") == nil) }
    }
}

/// Writes capitals.
private final class Loud: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { (value as? String).map { Data($0.uppercased().utf8) } }
    override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).map { String(decoding: $0, as: UTF8.self) } }
}

private final class Useless: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { "no data" }
    override func reverseTransformedValue(_ value: Any?) -> Any? { nil }
}

private final class Points: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [ParityPoint.self] }
}

final class ParityPoint: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let x: Int, y: Int

    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
    init?(coder: NSCoder) { (x, y) = (coder.decodeInteger(forKey: "x"), coder.decodeInteger(forKey: "y")) }
    func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
    }
}

private final class Hidden: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}
