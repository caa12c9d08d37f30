import CoreData
import Testing

@Suite("Transformable attributes whose data cannot be read", .serialized)
struct UnreadableTransformableTests {
    private func boxes(_ transformer: String?, className: String? = nil, optional: Bool = true) throws -> Stack {
        let payload = NSAttributeDescription("payload", .transformableAttributeType, optional: optional)
        payload.valueTransformerName = transformer
        if let className { payload.attributeValueClassName = className }
        return try Stack(model(NSEntityDescription("Box", NSAttributeDescription("name", .stringAttributeType), payload)))
    }

    private func register(_ transformer: ValueTransformer?, _ name: String) {
        ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(name))
    }

    /// A store whose only box holds what a transformer wrote that knows more classes than the one that reads it.
    private func unreadable(_ name: String, optional: Bool = true) throws -> Stack {
        register(AllowingPoints(), name)
        let stack = try boxes(name, optional: optional)
        try stack.seed { $0.make("Box", ["name": "a", "payload": ParityPoint(1, 2)]) }
        register(NSSecureUnarchiveFromDataTransformer(), name)
        return try stack.reopened()
    }

    @Test("TY13: Data that cannot be read are nil, and throwing functions name attribute, object and class")
    func refusal() throws {
        let stack = try unreadable("ParityForgetful")
        try stack.run { context in
            let box = try context.only("Box")
            #expect(box.value(forKey: "payload") == nil)
            let id = box.objectID
            let error = try failure { _ = try context.existingObject(with: id) }
            #expect(error.isCocoa && error.code == CocoaError.Code.coderReadCorrupt.rawValue)
            for part in ["Box.payload", "ParityPoint", id.uriRepresentation().absoluteString] {
                #expect(error.localizedDescription.contains(part))
            }
            #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
            let request = context.request("Box")
            request.returnsObjectsAsFaults = false
            #expect(try failure { _ = try context.fetch(request) }.code == CocoaError.Code.coderReadCorrupt.rawValue)
            #expect(context.object(with: id).text("name") == "a")
        }
    }

    @Test("TY13: Saving another property keeps data that cannot be read; setting the attribute replaces them", arguments: [true, false])
    func kept(optional: Bool) throws {
        let stack = try unreadable("ParityKeeping", optional: optional)
        try stack.run { context in
            let box = try context.only("Box")
            #expect(box.value(forKey: "payload") == nil)
            box.setValue("renamed", forKey: "name")
            #expect(Set(box.changedValues().keys) == ["name"])
            try context.save()
            context.refresh(box, mergeChanges: false)
            box.setValue("again", forKey: "name")
            try context.save()
        }
        register(AllowingPoints(), "ParityKeeping")
        try stack.reopened().run { context in
            let box = try context.only("Box")
            #expect(box.text("name") == "again")
            #expect((box.value(forKey: "payload") as? ParityPoint)?.y == 2)
            box.setValue(ParityPoint(5, 6), forKey: "payload")
            try context.save()
        }
        try stack.reopened().run { try #require((try $0.only("Box").value(forKey: "payload") as? ParityPoint)?.x == 5) }
    }

    @Test("TY13: A transformer with classes of its own keeps them, in collections and within one another")
    func named() throws {
        register(AllowingPoints(), "ParityNamedPoints")
        let stack = try boxes("ParityNamedPoints")
        let line = ParityLine([ParityPoint(1, 2), ParityPoint(3, 4)], NSDate(timeIntervalSinceReferenceDate: 5))
        try stack.seed { $0.make("Box", ["payload": ["a": [line, ParityPoint(7, 8)], "b": [NSDecimalNumber(string: "-12.50")]] as NSDictionary]) }
        try stack.reopened().run { context in
            let payload = try #require(try context.only("Box").value(forKey: "payload") as? [String: [Any]])
            let read = try #require(payload["a"]?.first as? ParityLine)
            #expect(read.points.map(\.y) == [2, 4] && read.drawn.timeIntervalSinceReferenceDate == 5)
            #expect((payload["a"]?.last as? ParityPoint)?.x == 7)
            #expect((payload["b"]?.first as? NSDecimalNumber)?.stringValue == "-12.5")
        }
    }

    @Test("TY13: A transformer whose list is its own class alone reads what an object of that class holds")
    func onlyOwnClass() throws {
        register(OnlyLines(), "ParityOnlyLines")
        let stack = try boxes("ParityOnlyLines")
        try stack.seed { $0.make("Box", ["payload": ParityLine([ParityPoint(1, 2)], NSDate())]) }
        try stack.reopened().run { context in
            let box = try context.only("Box")
            #expect((box.value(forKey: "payload") as? ParityLine)?.points.count == 1)
            box.setValue([1, 2] as NSArray, forKey: "payload")
            #expect(try failure { try context.save() }.localizedDescription.contains("NSArray"))
        }
    }

    @Test("TY13: Attributes without a transformer take the classes registered for the default names", arguments: [
        "NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData",
    ])
    func extended(name: String) throws {
        let stack = try boxes(nil)
        try stack.run { context in
            context.make("Box", ["payload": ParityPoint(1, 2)])
            let error = try failure { try context.save() }
            #expect(error.localizedDescription.contains("Box.payload") && error.localizedDescription.contains("ParityPoint"))
        }
        register(AllowingPoints(), name)
        try stack.seed { $0.make("Box", ["payload": [ParityPoint(1, 2), "text"] as NSArray]) }
        try stack.reopened().run { context in
            let payload = try context.only("Box").value(forKey: "payload") as? [Any]
            #expect((payload?.first as? ParityPoint)?.y == 2 && payload?.last as? String == "text")
        }
        register(nil, name)
        try stack.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") == nil) }
    }

    @Test("TY13: The class the model gives an attribute is allowed in it, even one that is not coded securely")
    func classOfTheModel() throws {
        let stack = try boxes(nil, className: NSStringFromClass(ParityNote.self))
        try stack.seed { $0.make("Box", ["payload": ParityNote("hello")]) }
        try stack.reopened().run { try #require((try $0.only("Box").value(forKey: "payload") as? ParityNote)?.text == "hello") }
    }

    @Test("TY13: Reading twice answers the same object, which a change in place leaves in memory only")
    func sameObject() throws {
        let stack = try boxes(nil)
        try stack.seed { $0.make("Box", ["name": "a", "payload": NSMutableArray(array: ["x"])]) }
        let second = try stack.reopened()
        try second.run { context in
            let box = try context.only("Box")
            let list = try #require(box.value(forKey: "payload") as? NSMutableArray)
            list.add("y")
            #expect(box.value(forKey: "payload") as AnyObject === list)
            #expect(!box.hasChanges)
            box.setValue("b", forKey: "name")
            #expect(Set(box.changedValuesForCurrentEvent().keys) == ["name"])
            try context.save()
            #expect(box.value(forKey: "payload") as? [String] == ["x", "y"])
            context.refresh(box, mergeChanges: false)
            #expect(box.value(forKey: "payload") as? [String] == ["x"])
        }
    }

    @Test("TY13: Values that nobody can archive refuse the save: no coding, not secure, an error", arguments: [0, 1, 2])
    func unwritable(which: Int) throws {
        let value: NSObject = [NSObject(), ParityNote("a"), NSError(domain: "d", code: 1)][which]
        register(NSSecureUnarchiveFromDataTransformer(), "ParityPlainSecure")
        for name in [nil, "ParityPlainSecure"] {
            let stack = try boxes(name)
            try stack.run { context in
                context.make("Box", ["payload": [value] as NSArray])
                let error = try failure { try context.save() }
                #expect(error.localizedDescription.contains("Box.payload"))
            }
        }
    }
}

private final class AllowingPoints: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [ParityPoint.self, ParityLine.self] }
}

private final class OnlyLines: NSSecureUnarchiveFromDataTransformer {
    override class var allowedTopLevelClasses: [AnyClass] { [ParityLine.self] }
}

final class ParityLine: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    let points: [ParityPoint], drawn: NSDate

    init(_ points: [ParityPoint], _ drawn: NSDate) { (self.points, self.drawn) = (points, drawn) }
    init?(coder: NSCoder) {
        points = coder.decodeObject(of: [NSArray.self, ParityPoint.self], forKey: "points") as? [ParityPoint] ?? []
        drawn = coder.decodeObject(of: NSDate.self, forKey: "drawn") ?? NSDate()
    }
    func encode(with coder: NSCoder) {
        coder.encode(points as NSArray, forKey: "points")
        coder.encode(drawn, forKey: "drawn")
    }
}

final class ParityNote: NSObject, NSCoding {
    let text: String
    init(_ text: String) { self.text = text }
    init?(coder: NSCoder) { text = coder.decodeObject(forKey: "text") as? String ?? "" }
    func encode(with coder: NSCoder) { coder.encode(text as NSString, forKey: "text") }
}
