import CoreData
import Testing

@Suite("Validation")
struct ValidationTests {
    @Test("VA01: The validation codes have Apple's numbers")
    func codes() {
        let codes = [
            (NSManagedObjectValidationError, 1550), (NSManagedObjectConstraintValidationError, 1551),
            (NSValidationMultipleErrorsError, 1560), (NSValidationMissingMandatoryPropertyError, 1570),
            (NSValidationRelationshipLacksMinimumCountError, 1580), (NSValidationRelationshipExceedsMaximumCountError, 1590),
            (NSValidationRelationshipDeniedDeleteError, 1600), (NSValidationNumberTooLargeError, 1610),
            (NSValidationNumberTooSmallError, 1620), (NSValidationDateTooLateError, 1630), (NSValidationDateTooSoonError, 1640),
            (NSValidationInvalidDateError, 1650), (NSValidationStringTooLongError, 1660), (NSValidationStringTooShortError, 1670),
            (NSValidationStringPatternMatchingError, 1680),
        ]
        for (constant, number) in codes { #expect(constant == number) }
        #expect(NSCocoaErrorDomain == "NSCocoaErrorDomain")
    }

    @Test("VA02: The userInfo keys have Apple's texts")
    func keys() {
        #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
        #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
        #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
        #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
        #expect(NSPersistentStoreSaveConflictsErrorKey == "conflictList")
    }

    @Test("VA03: A required value left nil fails alone with 1570, object and key", arguments: StoreKind.allCases)
    func requiredValue(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker")
            for error in [try failure { try worker.validateForInsert() }, try failure { try context.save() }] {
                #expect(error.isCocoa)
                #expect(error.code == NSValidationMissingMandatoryPropertyError)
                #expect(error.object === worker)
                #expect(error.key == "name")
                #expect(error.userInfo[NSDetailedErrorsKey] == nil)
            }
        }
    }

    @Test("VA04: Two failures of an object come as 1560 with both details", arguments: StoreKind.allCases)
    func twoFailures(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker", ["salary": -1])
            let error = try failure { try worker.validateForInsert() }
            #expect(error.isCocoa)
            #expect(error.code == NSValidationMultipleErrorsError)
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(details.count == 2)
            #expect(Set(details.compactMap(\.key)) == ["name", "salary"])
            #expect(details.first { $0.key == "name" }?.code == NSValidationMissingMandatoryPropertyError)
            #expect(details.first { $0.key == "salary" }?.code == NSManagedObjectValidationError)
        }
    }

    @Test("VA05: One failure in each of two objects comes as 1560 with both objects", arguments: StoreKind.allCases)
    func twoObjects(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let workers: Set = [context.make("Worker"), context.make("Worker")]
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMultipleErrorsError)
            #expect(error.details.count == 2)
            #expect(Set(error.details.compactMap(\.object)) == workers)
        }
    }

    @Test("VA06: A violated predicate fails with 1550, value, predicate and the warning as text", arguments: StoreKind.allCases)
    func predicateWithText(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker", ["name": "Alice", "salary": -1])
            let error = try failure { try worker.validateForInsert() }
            #expect(error.code == NSManagedObjectValidationError)
            #expect(error.key == "salary")
            #expect((error.userInfo[NSValidationValueErrorKey] as? NSNumber)?.intValue == -1)
            #expect((error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate)?.evaluate(with: NSNumber(value: 1)) == true)
            #expect(error.localizedDescription == "Salary must not be negative")
            #expect(error.object === worker)
        }
    }

    static let bounds: [(key: String, value: any Sendable, code: Int?)] = [
        ("number", 0, nil), ("number", 10, nil), ("number", -1, 1620), ("number", 11, 1610),
        ("text", "", 1670), ("text", "a", 1670), ("text", "ab", nil), ("text", "abcde", 1660),
        ("letter", "\u{1F600}", 1660), ("letter", "é", nil),
        ("digits", "12", nil), ("digits", "a12", 1680), ("digits", "12\n", 1680),
        ("day", Date(timeIntervalSinceReferenceDate: 999), 1640), ("day", Date(timeIntervalSinceReferenceDate: 2001), 1630),
        ("day", Date(timeIntervalSinceReferenceDate: 1000), nil), ("day", Date(timeIntervalSinceReferenceDate: 2000), nil),
    ]

    @Test("VA07 VA08 VA09 VA10 VA11 VA12: A violated bound fails with the code of its warning", arguments: bounds.indices)
    func violatedBounds(index: Int) throws {
        let (key, value, code) = Self.bounds[index]
        try Stack(Models.rules(), .memory).run { context in
            let object = context.make("Bounds", [key: value])
            guard let code else { return try context.save() }
            let error = try failure { try context.save() }
            #expect(error.code == code, "\(key) = \(value)")
            #expect(error.key == key)
            #expect(error.object === object)
        }
    }

    @Test("VA09: Bounds are skipped for nil", arguments: StoreKind.allCases)
    func boundsOfNil(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            context.make("Bounds")
            try context.save()
        }
    }

    @Test("VA13: An empty text satisfies required", arguments: StoreKind.allCases)
    func emptyText(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            context.make("Worker", ["name": ""])
            try context.save()
        }
    }

    @Test("VA14: A required to-one left nil fails with 1570 and its name", arguments: StoreKind.allCases)
    func requiredToOne(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            context.make("Contract")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.key == "signer")
        }
    }

    @Test("VA15: A required to-many with a minimum fails with 1580 when empty", arguments: StoreKind.allCases)
    func requiredToMany(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            context.make("Team")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationRelationshipLacksMinimumCountError)
            #expect(error.key == "starters")
        }
    }

    @Test("VA16: A to-many above its maximum fails with 1590", arguments: StoreKind.allCases)
    func maximum(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let team = context.make("Team", ["starters": NSSet(object: context.make("Player"))])
            team.setValue(NSSet(array: (0..<3).map { _ in context.make("Player") }), forKey: "pair")
            let error = try failure { try team.validateForInsert() }
            #expect(error.code == NSValidationRelationshipExceedsMaximumCountError)
            #expect(error.key == "pair")
        }
    }

    @Test("VA17: An optional to-many may be empty, but not below its minimum", arguments: StoreKind.allCases, [0, 1, 2])
    func optionalMinimum(kind: StoreKind, count: Int) throws {
        try Stack(Models.rules(), kind).run { context in
            let team = context.make("Team", ["starters": NSSet(object: context.make("Player"))])
            team.setValue(NSSet(array: (0..<count).map { _ in context.make("Player") }), forKey: "duo")
            guard count == 1 else { return try context.save() }
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationRelationshipLacksMinimumCountError)
            #expect(error.key == "duo")
        }
    }

    @Test("VA19: validateValue checks one value", arguments: StoreKind.allCases)
    func validateValue(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker")
            var value: AnyObject? = NSNumber(value: -1)
            #expect(try failure { try worker.validateValue(&value, forKey: "salary") }.code == NSManagedObjectValidationError)
            value = NSNumber(value: 1)
            try worker.validateValue(&value, forKey: "salary")
        }
    }

    @Test("VA20: Setting an invalid value is no error yet", arguments: StoreKind.allCases)
    func settingIsFree(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker", ["name": "Alice"])
            worker.setValue(-1, forKey: "salary")
            context.processPendingChanges()
            #expect(worker.number("salary") == -1)
        }
    }

    @Test("VA21: validateForUpdate misses a required value set to nil", arguments: StoreKind.allCases)
    func validateForUpdate(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker", ["name": "Alice"])
            try context.save()
            worker.setValue(nil, forKey: "name")
            #expect(try failure { try worker.validateForUpdate() }.code == NSValidationMissingMandatoryPropertyError)
        }
    }

    @Test("VA22: validateForUpdate reports every failure", arguments: StoreKind.allCases)
    func allFailures(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            let worker = context.make("Worker", ["name": "Alice"])
            try context.save()
            worker.setValue(nil, forKey: "name")
            worker.setValue(-1, forKey: "salary")
            #expect(Set(try failure { try worker.validateForUpdate() }.details.compactMap(\.key)) == ["name", "salary"])
        }
    }

    @Test("VA23: One invalid object keeps the others out of the store too", arguments: StoreKind.allCases)
    func allOrNothing(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.run { context in
            context.make("Worker")
            let good = context.make("Worker", ["name": "Bob"])
            _ = try failure { try context.save() }
            #expect(good.objectID.isTemporaryID)
        }
        try stack.reopened().run { try #require(try $0.count("Worker") == 0) }
    }

    @Test("VA25: A deleted invalid object is only asked validateForDelete", arguments: StoreKind.allCases)
    func deletedInvalidObject(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.seed { $0.make("Worker", ["name": "Alice"]) }
        try stack.run { context in
            let worker = try context.only("Worker")
            worker.setValue(nil, forKey: "name")
            context.delete(worker)
            try context.save()
            #expect(try context.count("Worker") == 0)
        }
    }

    @Test("VA24: Only changed objects are validated", arguments: StoreKind.allCases)
    func unchangedObjects(kind: StoreKind) throws {
        let model = Models.household()
        let stack = try Stack(model, kind)
        try stack.seed { context in
            context.make("Person", ["name": "Alice"])
            context.make("Pet", ["name": "Rex"])
        }
        // A realised object that would refuse, were it asked.
        try stack.run { context in
            let person = try #require(try context.only("Person") as? Counting)
            _ = person.text("name")
            try context.only("Pet").setValue("Tom", forKey: "name")
            try context.save()
            #expect(person.count(.willSave) == 0)
            #expect(person.count(.didSave) == 0)
        }
    }

    @Test("VA26: A reference to an object that was inserted and deleted again does not reach the store", arguments: StoreKind.allCases)
    func danglingReference(kind: StoreKind) throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [End.one("page").property(to: page)]
        let stack = try Stack(model(note, page), kind)
        try stack.run { context in
            let page = context.make("Page", ["name": "one"])
            let note = context.make("Note", ["page": page])
            context.delete(page)
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectValidationError)
            #expect(error.key == "page")
            #expect(error.object === note)
        }
        try stack.reopened().run { try #require(try $0.count("Note") == 0) }
    }
}
