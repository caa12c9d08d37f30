import CoreData
import Testing

/// Numbers that are set and that their attributes cannot hold (TY04, VA20).
@Suite("Numbers beyond their attribute")
struct NumberRangeTests {
    private static let large = NSValidationNumberTooLargeError, small = NSValidationNumberTooSmallError

    struct Sample: Sendable, CustomTestStringConvertible {
        let key: String
        let number: @Sendable () -> NSNumber
        let code: Int
        var testDescription: String { "\(key) \(number())" }

        init(_ key: String, _ code: Int, _ number: @escaping @Sendable () -> NSNumber) {
            self.key = key
            self.number = number
            self.code = code
        }
    }

    static let samples = [
        Sample("int16", large) { 40_000 }, Sample("int16", small) { -40_000 }, Sample("int16", large) { 1e300 },
        Sample("int32", large) { NSNumber(value: Int64(Int32.max) + 1) }, Sample("int32", small) { -1e19 },
        Sample("int64", large) { NSNumber(value: UInt64.max) }, Sample("int64", large) { 1e19 }, Sample("int64", small) { -1e19 },
        Sample("int64", large) { NSDecimalNumber(string: "9223372036854775808") },
        Sample("int64", large) { NSNumber(value: Double.infinity) }, Sample("int64", NSManagedObjectValidationError) { NSNumber(value: Double.nan) },
        Sample("int16", NSManagedObjectValidationError) { NSDecimalNumber.notANumber },
        Sample("float", large) { 1e300 }, Sample("float", small) { -1e300 },
        Sample("decimal", large) { 1e300 }, Sample("decimal", small) { NSNumber(value: -Double.infinity) },
    ]

    @Test("The setter takes it, reading answers it, and the save says what is wrong with what", arguments: samples)
    func refused(sample: Sample) throws {
        let stack = try Stack(Models.scalars())
        try stack.run { context in
            let object = context.make("Sample", [sample.key: sample.number(), "text": "kept"])
            #expect(object.value(forKey: sample.key) as? NSNumber == sample.number() || sample.number().doubleValue.isNaN)
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == sample.code && error.key == sample.key && error.object === object)
            let value = error.userInfo[NSValidationValueErrorKey] as? NSNumber
            #expect(value == sample.number() || value?.doubleValue.isNaN == true)
            #expect(error.localizedDescription.contains(sample.key))
            let insertion = try failure { try object.validateForInsert() }
            #expect(insertion.code == sample.code)
            let asked = try failure { try object.validateValue(sample.number(), forKey: sample.key) }
            #expect(asked.code == sample.code && asked.key == sample.key)
            // Nothing is lost by the failure, and the right number saves.
            #expect(object.objectID.isTemporaryID && object.text("text") == "kept")
            object.setValue(7, forKey: sample.key)
            try context.save()
        }
        try stack.reopened().run { context in
            let object = try context.only("Sample")
            #expect(object.number(sample.key) == 7 && object.text("text") == "kept")
        }
    }

    @Test("An update with such a number is refused, by key-value coding, primitive value or key path, and rolls back")
    func update() throws {
        let stack = try Stack(Models.scalars())
        try stack.seed { $0.make("Sample", ["int16": 1]) }
        try stack.run { context in
            let object = try context.only("Sample")
            for set in [{ object.setValue(70_000, forKey: "int16") }, { object.setValue(70_000, forKeyPath: "int16") },
                        { object.setValuesForKeys(["int16": 70_000]) },
                        { object.setPrimitiveValue(70_000, forKey: "int16"); object.setValue("x", forKey: "text") }] {
                set()
                #expect(object.number("int16") == 70_000 && object.changedValues()["int16"] as? Int == 70_000)
                let update = try failure { try object.validateForUpdate() }
                let save = try failure { try context.save() }
                #expect(update.code == Self.large && save.code == Self.large)
                context.rollback()
                #expect(object.number("int16") == 1)
            }
            try context.save()
        }
    }

    @Test("It is found again after undo and redo, and in a child, whose parent never sees it")
    func undone() throws {
        let stack = try Stack(Models.scalars())
        try stack.seed { $0.make("Sample", ["int16": 1]) }
        try stack.run { context in
            context.undoManager = UndoManager()
            let object = try context.only("Sample")
            object.setValue(70_000, forKey: "int16")
            context.processPendingChanges()
            context.undo()
            try context.save()
            context.redo()
            #expect(object.number("int16") == 70_000)
            let error = try failure { try context.save() }
            #expect(error.code == Self.large)
            context.rollback()
            context.undoManager = nil
        }
        let child = stack.newChild(of: stack.context)
        try child.run { context in
            let object = try context.only("Sample")
            object.setValue(70_000, forKey: "int16")
            let error = try failure { try context.save() }
            #expect(error.code == Self.large)
        }
        try stack.run { context in
            let object = try context.only("Sample")
            #expect(!context.hasChanges && object.number("int16") == 1)
        }
    }

    @Test("Rules of the attribute and other failures are told beside it, each attribute once")
    func several() throws {
        let entity = NSEntityDescription(
            "Sample", NSAttributeDescription("name", .stringAttributeType, optional: false),
            NSAttributeDescription("small", .integer16AttributeType).validated(
                ("SELF >= 0", NSNumber(value: Self.small)), ("SELF <= 10", NSNumber(value: Self.large))),
            NSAttributeDescription("other", .integer32AttributeType))
        let stack = try Stack(model(entity))
        try stack.run { context in
            context.make("Sample", ["small": 1e30, "other": NSNumber(value: Int64.max)])
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMultipleErrorsError)
            let found = Dictionary(grouping: error.details, by: \.key).mapValues { $0.map(\.code) }
            #expect(found == ["name": [NSValidationMissingMandatoryPropertyError], "small": [Self.large], "other": [Self.large]])
        }
    }

    @Test("A class that validates nothing cannot save it either; a transient attribute is validated too")
    func careless() throws {
        let entity = NSEntityDescription(
            "Sample", of: CarelessSample.self, NSAttributeDescription("small", .integer16AttributeType),
            NSAttributeDescription("passing", .integer16AttributeType, transient: true))
        let stack = try Stack(model(entity), .memory)
        try stack.run { context in
            let object = context.make("Sample", ["small": 40_000])
            let insert = try failure { try context.save() }
            #expect(insert.code == Self.large && insert.key == "small")
            object.setValue(1, forKey: "small")
            try context.save()
            object.setValue(-40_000, forKey: "passing")
            object.setValue(2, forKey: "small")
            let update = try failure { try context.save() }
            #expect(update.code == Self.small && update.key == "passing")
        }
    }

    @Test("An element of a composite attribute is named by its path")
    func element() throws {
        let address = NSCompositeAttributeDescription()
        address.name = "address"
        address.isOptional = true
        address.elements = [NSAttributeDescription("number", .integer16AttributeType), NSAttributeDescription("city", .stringAttributeType)]
        let stack = try Stack(model(NSEntityDescription("Person", address)))
        try stack.run { context in
            let person = context.make("Person", ["address": ["number": 40_000, "city": "Bonn"] as [String: Any]])
            #expect((person.value(forKeyPath: "address.number") as? NSNumber)?.intValue == 40_000)
            let error = try failure { try context.save() }
            #expect(error.code == Self.large && error.key == "address.number")
            #expect(error.userInfo[NSValidationValueErrorKey] as? NSNumber == 40_000)
            person.setValue(4, forKeyPath: "address.number")
            try context.save()
            #expect(person.value(forKeyPath: "address.city") as? String == "Bonn")
        }
    }

    @Test("Until the save, unsaved objects with such numbers are found and sorted by what they are")
    func pending() throws {
        let stack = try Stack(Models.scalars())
        try stack.run { context in
            context.make("Sample", ["int16": 40_000, "text": "a"])
            context.make("Sample", ["int16": 1e30, "text": "b"])
            context.make("Sample", ["int16": 5, "text": "c"])
            let found = try context.all("Sample", NSPredicate(format: "int16 > 100"), by: "int16")
            #expect(found.map { $0.text("text") } == ["a", "b"])
        }
    }
}

/// Says that everything is valid.
final class CarelessSample: NSManagedObject {
    override func validateForInsert() throws {}
    override func validateForUpdate() throws {}
}
