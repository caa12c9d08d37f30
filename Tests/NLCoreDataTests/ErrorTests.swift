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

/// `catch let error as NSError`, as older code has it, over every one-liner.
@Suite struct CaughtErrorTests {
    @Test("Every one-liner's error is caught as an NSError")
    func oneLiners() throws {
        try withOffice { stack in
            try insertPeople()
            let context = current()
            let nothing: NSPredicate? = nil
            let broken = "age >", unknown = "shoe == 1"
            let lab = try Department.insert()
            lab.name = "Lab"
            try context.save()
            let attempts: [(String, () throws -> Void)] = [
                ("fetch", { _ = try Person.fetch(broken) }), ("fetch, unknown", { _ = try Person.fetch(unknown) }),
                ("fetch in", { _ = try Person.fetch(broken, in: context) }), ("count", { _ = try Person.count(broken) }),
                ("count, unknown", { _ = try Person.count(unknown) }), ("single", { _ = try Person.fetchSingle(broken) }),
                ("at", { _ = try Person.fetchSingle(at: -1) }), ("range", { _ = try Person.fetch(range: -2..<1) }),
                ("or insert", { _ = try Person.fetchOrInsertSingle(broken) }), ("delete", { _ = try Person.delete(broken, in: context) }),
                ("delete nil", { _ = try Person.delete(with: nothing, in: context) }),
                ("sorted", { _ = try Person.fetch(sortedByKey: "shoe") }), ("aggregate", { _ = try Person.aggregate(.sum, on: "shoe") }),
                ("wrong class", { _ = try Tag.fetch(objectID: try #require(try Person.fetchSingle()).objectID, in: context) }),
                ("setPredicate", { try NSFetchRequest(entity: Person.self, in: context).setPredicate(broken) }),
                ("seed", { try stack.usePreSeededFile("/nowhere/seed.sqlite") }), ("file", { try stack.useDatabaseFile("/nowhere/seed.sqlite") }),
                ("save", {
                    _ = try Department.insert()
                    defer { context.rollback() }
                    try context.saveNested(timeout: 60)
                }),
                ("detached", {
                    context.delete(lab)
                    try context.save()
                    try lab.delete()
                }),
                ("model", { _ = try NLCoreData(modelName: "Nowhere").loadManagedObjectModel() }),
                ("coordinator", { _ = try NLCoreData(modelName: "Nowhere").loadStoreCoordinator() }),
            ]
            for (name, attempt) in attempts {
                do {
                    try attempt()
                    Issue.record("\(name): nothing was thrown")
                } catch let error as NSError {
                    #expect([NSCocoaErrorDomain, NLCoreDataError.errorDomain].contains(error.domain) && error.code != 0, "\(name): \(error)")
                    #expect(!error.localizedDescription.contains("could not be completed"), "\(name): \(error)")
                } catch { Issue.record("\(name): \(type(of: error)) is not caught as an NSError") }
            }
        }
    }

    @Test("… and by its type, from the NSError too")
    func byType() throws {
        try withOffice { _ in
            let context = current()
            do { _ = try Person.delete(with: nil, in: context) } catch NLCoreDataError.nilPredicate(let name) { #expect(name == "Person") }
            do { _ = try Person.delete(with: nil, in: context) } catch let error as NSError {
                #expect(error.domain == NLCoreDataError.errorDomain && error.code == 13)
                #expect((error as any Error) as? NLCoreDataError == .nilPredicate(className: "Person"))
            }
        }
    }
}
