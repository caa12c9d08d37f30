import NLCoreData
import Testing

@Suite("Oracle rows the README's examples only touch")
struct OracleRowTests {
    @Test("NL06: a count includes what is not saved", arguments: StoreKind.allCases)
    func count(kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            try Person.insert().name = "Eve"
            #expect(try Person.count(in: current()) == 5)
        }
    }

    @Test("NL07: sort keys add up in the order of the calls, with their directions")
    func sortKeys() throws {
        try withOffice { _ in
            let request = NSFetchRequest<Person>(entityName: "Person")
            request.sort(byKey: "age", ascending: false)
            request.sort(byKey: "name")
            #expect(request.sortDescriptors?.map(\.key) == ["age", "name"])
            #expect(request.sortDescriptors?.map(\.ascending) == [false, true])
        }
    }

    @Test("NL09: saving nothing is success and sends nothing; a failure is false, with the error to the handler", arguments: StoreKind.allCases)
    func save(kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let reported = Reported(of: stack), context = current()
            nonisolated(unsafe) var notes = 0
            let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { _ in
                notes += 1
            }
            defer { NotificationCenter.default.removeObserver(token) }
            #expect(context.saveChanges())
            #expect(notes == 0)
            try Department.insert()
            #expect(!context.saveChanges())
            #expect(notes == 0)
            #expect(reported.errors.count == 1)
        }
    }
}
