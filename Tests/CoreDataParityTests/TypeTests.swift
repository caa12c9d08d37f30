import CoreData
import Testing

@Suite("Attribute types and defaults")
struct TypeTests {
    /// Saves values in one object and hands out the object as a stack reads it that never saw it.
    private func roundTrip(_ kind: StoreKind, _ values: [String: Any], _ check: (NSManagedObject) throws -> Void) throws {
        let stack = try Stack(Models.scalars(), kind)
        try stack.seed { $0.make("Sample", values) }
        try stack.reopened().run { try check(try $0.only("Sample")) }
    }

    @Test("TY01: A default is there after the insert; nil set explicitly overrides it", arguments: StoreKind.allCases)
    func defaults(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.run { context in
            let person = context.make("Person", ["name": "Alice"])
            #expect(person.text("nickname") == "buddy")
            person.setValue(nil, forKey: "nickname")
            #expect(person.value(forKey: "nickname") == nil)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Person").value(forKey: "nickname") == nil) }
    }

    @Test("TY02 TY03: Zero and nil are two values, each found by its own predicate", arguments: StoreKind.allCases)
    func zeroAndNil(kind: StoreKind) throws {
        let stack = try Stack(Models.scalars(), kind)
        try stack.seed { context in
            context.make("Sample", ["text": "zero", "int32": 0, "flag": false, "double": 0.0])
            context.make("Sample", ["text": "nil"])
        }
        try stack.reopened().run { context in
            for key in ["int32", "flag", "double"] {
                let zero = try context.all("Sample", NSPredicate(format: "%K == 0", key), by: "text")
                let none = try context.all("Sample", NSPredicate(format: "%K == nil", key), by: "text")
                #expect(zero.map { $0.text("text") } == ["zero"])
                #expect(none.map { $0.text("text") } == ["nil"])
                #expect(none.first?.value(forKey: key) == nil)
            }
        }
    }

    @Test("TY04: The ends of Int16 and Int32 round trip", arguments: StoreKind.allCases)
    func narrowIntegers(kind: StoreKind) throws {
        for (small, wide) in [(Int16.max, Int32.max), (Int16.min, Int32.min)] {
            try roundTrip(kind, ["int16": small, "int32": wide]) { object in
                #expect((object.value(forKey: "int16") as? NSNumber)?.int16Value == small)
                #expect((object.value(forKey: "int32") as? NSNumber)?.int32Value == wide)
            }
        }
    }

    @Test("TY04: A number beyond the attribute's width is refused by the save, not changed", arguments: StoreKind.allCases)
    func tooWide(kind: StoreKind) throws {
        let stack = try Stack(Models.scalars(), kind)
        try stack.run { context in
            let object = context.make("Sample", ["int16": 40_000])
            #expect(object.number("int16") == 40_000)
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == NSValidationNumberTooLargeError && error.key == "int16")
        }
    }

    @Test("TY05: The ends of Int64 round trip exactly", arguments: StoreKind.allCases, [Int64.max, .min, 9_007_199_254_740_993])
    func wideIntegers(kind: StoreKind, number: Int64) throws {
        try roundTrip(kind, ["int64": number]) { #expect(($0.value(forKey: "int64") as? NSNumber)?.int64Value == number) }
    }

    @Test("TY06: A decimal of up to 15 digits comes back exactly", arguments: StoreKind.allCases, ["3.33", "0.1", "5.1", "-123456789.012345", "100"])
    func decimals(kind: StoreKind, text: String) throws {
        let number = NSDecimalNumber(string: text)
        try roundTrip(kind, ["decimal": number]) { object in
            #expect(object.value(forKey: "decimal") as? NSDecimalNumber == number)
        }
    }

    @Test("TY06: NaN round trips; digits beyond the format's reach are exact in memory and near in a file", arguments: StoreKind.allCases)
    func extremeDecimals(kind: StoreKind) throws {
        try roundTrip(kind, ["decimal": NSDecimalNumber.notANumber]) { object in
            #expect((object.value(forKey: "decimal") as? NSDecimalNumber)?.decimalValue.isNaN == true)
        }
        for text in ["12345678901234567890.12", "9223372036854775808"] {
            let number = NSDecimalNumber(string: text)
            try roundTrip(kind, ["decimal": number]) { object in
                let read = try #require(object.value(forKey: "decimal") as? NSDecimalNumber)
                if kind == .memory { #expect(read == number) }
                // The column has NUMERIC affinity, as Apple's: 15 digits and more, never a jump.
                #expect(abs(read.doubleValue / number.doubleValue - 1) < 1e-14)
            }
        }
    }

    @Test("NaN in a Double is nil in a file, which has no NaN", arguments: StoreKind.allCases)
    func notANumber(kind: StoreKind) throws {
        try roundTrip(kind, ["double": Double.nan]) { object in
            let read = object.value(forKey: "double") as? NSNumber
            #expect(kind == .sqlite ? read == nil : read?.doubleValue.isNaN == true)
        }
    }

    @Test("TY07: Booleans come back as booleans, nil as nil", arguments: StoreKind.allCases)
    func booleans(kind: StoreKind) throws {
        for flag in [true, false] {
            try roundTrip(kind, ["flag": flag]) { object in
                #expect(object.value(forKey: "flag") as? NSNumber == NSNumber(value: flag))
                #expect((object.value(forKey: "flag") as? NSNumber)?.boolValue == flag)
            }
        }
        try roundTrip(kind, [:]) { #expect($0.value(forKey: "flag") == nil) }
    }

    @Test("TY08: A date comes back to the bit", arguments: StoreKind.allCases, [1000.0, 0, -1.5, 726_000_000.123456])
    func dates(kind: StoreKind, seconds: Double) throws {
        try roundTrip(kind, ["date": Date(timeIntervalSinceReferenceDate: seconds)]) { object in
            #expect((object.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate == seconds)
        }
    }

    @Test("TY09: UUID, URL, data and text come back equal, and empty is not nil", arguments: StoreKind.allCases)
    func objects(kind: StoreKind) throws {
        let (uuid, url) = (UUID(), try #require(URL(string: "https://example.org/a%20b?c=d#e")))
        let bytes = Data([0, 1, 2, 255, 0])
        try roundTrip(kind, ["uuid": uuid, "url": url, "data": bytes, "text": "a\u{0}b\u{1F600}", "double": 0.1, "float": Float(0.1)]) { object in
            #expect(object.value(forKey: "uuid") as? UUID == uuid)
            #expect(object.value(forKey: "url") as? URL == url)
            #expect(object.value(forKey: "data") as? Data == bytes)
            #expect(object.text("text") == "a\u{0}b\u{1F600}")
            #expect((object.value(forKey: "double") as? NSNumber)?.doubleValue == 0.1)
            #expect((object.value(forKey: "float") as? NSNumber)?.floatValue == 0.1)
        }
        try roundTrip(kind, ["data": Data(), "text": ""]) { object in
            #expect(object.value(forKey: "data") as? Data == Data())
            #expect(object.text("text") == "")
        }
    }

    @Test("TY19: A transient attribute is not stored, but undone and validated", arguments: StoreKind.allCases)
    func transients(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice", "scratch": 7]) }
        try stack.reopened().run { try #require(try $0.only("Employee").number("scratch") == 0) }
        try stack.run { context in
            context.undoManager = UndoManager()
            let object = try context.only("Employee")
            object.setValue(1, forKey: "scratch")
            context.processPendingChanges()
            object.setValue(2, forKey: "scratch")
            context.undo()
            #expect(object.number("scratch") != 2)
        }
        let mood = NSAttributeDescription("mood", .integer64AttributeType, transient: true).validated(
            ("SELF < 10", NSNumber(value: NSValidationNumberTooLargeError)))
        try Stack(model(NSEntityDescription("Person", mood)), kind).run { context in
            context.make("Person", ["mood": 11])
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationNumberTooLargeError)
            #expect(error.key == "mood")
        }
    }

    // MARK: Transformable

    fileprivate func boxes(_ kind: StoreKind, default value: Any? = nil, transformer: String? = nil) throws -> Stack {
        let payload = NSAttributeDescription("payload", .transformableAttributeType, default: value)
        payload.valueTransformerName = transformer
        return try Stack(model(NSEntityDescription("Box", NSAttributeDescription("name", .stringAttributeType), payload)), kind)
    }

    @Test("TY10: A change inside of a transformable's object is not seen, setting another one is", arguments: StoreKind.allCases)
    func changeInPlace(kind: StoreKind) throws {
        let stack = try boxes(kind)
        try stack.run { context in
            let list = NSMutableArray(array: ["a"])
            let box = context.make("Box", ["payload": list])
            try context.save()
            list.add("b")
            #expect(!box.hasChanges)
            try context.save()
        }
        guard kind == .sqlite else { return }
        let second = try stack.reopened()
        try second.run { context in
            let box = try context.only("Box")
            #expect(box.value(forKey: "payload") as? [String] == ["a"])
            box.setValue(["a", "c"] as NSArray, forKey: "payload")
            #expect(box.hasPersistentChangedValues)
            try context.save()
        }
        try second.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") as? [String] == ["a", "c"]) }
    }

    @Test("TY12: A transformable's default is visible, and explicit nil overrides it", arguments: StoreKind.allCases)
    func transformableDefault(kind: StoreKind) throws {
        let stack = try boxes(kind, default: ["x"] as NSArray)
        try stack.run { context in
            let box = context.make("Box")
            #expect(box.value(forKey: "payload") as? [String] == ["x"])
            box.setValue(nil, forKey: "payload")
            #expect(box.value(forKey: "payload") == nil)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") == nil) }
    }

    @Test("TY13: Property-list objects round trip without a transformer's name", arguments: StoreKind.allCases)
    func archivedObjects(kind: StoreKind) throws {
        let stack = try boxes(kind)
        try stack.seed { $0.make("Box", ["payload": ["k": ["a", "b"], "n": 5] as NSDictionary]) }
        try stack.reopened().run { context in
            let payload = try context.only("Box").value(forKey: "payload") as? NSDictionary
            #expect(payload?["k"] as? [String] == ["a", "b"])
            #expect((payload?["n"] as? NSNumber)?.intValue == 5)
        }
    }

    @Test("DD05: A plain transformer runs forwards on saving and backwards on reading")
    func plainTransformer() throws {
        ValueTransformer.setValueTransformer(Reversing(), forName: NSValueTransformerName("ParityReversing"))
        let stack = try boxes(.sqlite, transformer: "ParityReversing")
        try stack.seed { $0.make("Box", ["payload": "abc"]) }
        try stack.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") as? String == "abc<cba") }
    }
}

extension TypeTests {
    @Test("DD05: A secure unarchiving transformer runs backwards on saving and forwards on reading")
    func secureTransformer() throws {
        let name = NSValueTransformerName("ParitySecure")
        ValueTransformer.setValueTransformer(Recording(), forName: name)
        let stack = try boxes(.sqlite, transformer: name.rawValue)
        Recording.calls = []
        try stack.seed { $0.make("Box", ["payload": ["a", "b"] as NSArray]) }
        #expect(Recording.calls == ["reverse"])
        try stack.reopened().run { try #require(try $0.only("Box").value(forKey: "payload") as? [String] == ["a", "b"]) }
        #expect(Recording.calls == ["reverse", "forward"])
    }

    @Test("DD05: An in-memory store keeps the object itself")
    func untransformed() throws {
        let stack = try boxes(.memory, transformer: "ParityReversing")
        let payload = NSMutableArray(array: ["a"])
        try stack.seed { $0.make("Box", ["payload": payload]) }
        try stack.run { try #require(try $0.only("Box").value(forKey: "payload") as? NSMutableArray === payload) }
    }
}

/// Notes which way it was asked to go; used by one test only.
private final class Recording: NSSecureUnarchiveFromDataTransformer {
    nonisolated(unsafe) static var calls: [String] = []

    override func transformedValue(_ value: Any?) -> Any? {
        Self.calls.append("forward")
        return super.transformedValue(value)
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        Self.calls.append("reverse")
        return super.reverseTransformedValue(value)
    }
}

/// Writes a text backwards; reading shows what was written.
private final class Reversing: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data(($0 + "<" + String($0.reversed())).utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0, as: UTF8.self) }
    }
}
