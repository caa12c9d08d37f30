import NLCoreData
import Testing

@Suite struct ErrorTests {
    @Test("A format that is no predicate is thrown with its position, and nothing is deleted", arguments: StoreKind.allCases)
    func formats(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let context = current()
            for format in ["age >", "age == == 3", "(age > 3", "age > 'x"] {
                let error = #expect(throws: (any Error).self) { try Person.fetch(format) }
                #expect(error?.localizedDescription.contains(format) == true)
                #expect(throws: (any Error).self) { try Person.count(format) }
                #expect(throws: (any Error).self) { try Person.fetchSingle(format) }
                #expect(throws: (any Error).self) { try Person.fetchOrInsertSingle(format) }
                #expect(throws: (any Error).self) { try Person.delete(format, in: context) }
            }
            #expect(throws: (any Error).self) { try Person.fetch("age > %@") }
            #expect(throws: (any Error).self) { try Person.fetch("age > %@", 1, 2) }
            #expect(try Person.count() == 4)
        }
    }

    @Test("§1.3: an unknown key is thrown from every call, named; never swallowed", arguments: StoreKind.allCases)
    func unknownKey(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let error = #expect(throws: (any Error).self) { try Person.fetch("shoe == 44") }
            #expect(error?.localizedDescription.contains("shoe") == true)
            #expect(throws: (any Error).self) { try Person.count("shoe == 44") }
            #expect(throws: (any Error).self) { try Person.delete("shoe == 44", in: current()) }
            #expect(throws: (any Error).self) { try Person.fetch(sortedByKey: "shoe") }
            #expect(try Person.count() == 4)
        }
    }

    @Test("Arguments: nil, arrays, dates, decimals, objects and their IDs", arguments: StoreKind.allCases)
    func arguments(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let lab = try Department.insert(), ada = try #require(try Person.fetchSingle("name == 'Ada'"))
            lab.name = "Lab"
            ada.department = lab
            ada.birthday = Date(timeIntervalSinceReferenceDate: 100)
            ada.salary = 10
            try current().save()
            let missing: Date? = nil
            #expect(try Person.count("birthday == %@", nil) == 3)
            #expect(try Person.count("birthday == %@", missing) == 3)
            #expect(try Person.count("birthday <= %@", Date(timeIntervalSinceReferenceDate: 100)) == 1)
            #expect(try Person.count("salary == %@", Decimal(10)) == 1)
            #expect(try Person.count("name IN %@", ["Ada", "Bob"]) == 2)
            #expect(try Person.fetch("department == %@", lab) == [ada])
            #expect(try Person.fetch("department == %@", lab.objectID) == [ada])
            #expect(try Person.fetch("SELF IN %@", [ada.objectID]) == [ada])
            #expect(try Person.fetch("%K == %@", "department.name", "Lab") == [ada])
        }
    }
}

/// One after the other: the shared handler and standard error are the whole process's.
@Suite(.serialized) struct HandlerTests {
    @Test("With no handler a failed save is told on standard error, each failure once")
    func standardError() throws {
        try withOffice { _ in
            _ = try Department.insert()
            let context = current()
            let text = try capturingStandardError {
                #expect(!context.saveChanges())
            }
            #expect(text.components(separatedBy: "NLCoreData: ").count == 2, "\(text)")
        }
    }

    @Test("A stack without a handler uses the shared one's")
    func sharedHandler() throws {
        try withOffice { stack in
            let seen = Calls<Int>()
            let old = NLCoreData.shared.errorHandler
            NLCoreData.shared.errorHandler = { error in seen.note((error as NSError).code) }
            defer { NLCoreData.shared.errorHandler = old }
            _ = try Department.insert()
            #expect(!current().saveChanges())
            #expect(seen.all.contains(NSValidationMissingMandatoryPropertyError))
        }
    }
}
