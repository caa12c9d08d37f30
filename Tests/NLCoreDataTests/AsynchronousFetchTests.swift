import NLCoreData
import Testing

@Suite struct AsynchronousFetchTests {
    @Test("NL16: found in the background, handed over in the main context on main, in order", arguments: StoreKind.allCases)
    func asynchronous(_ kind: StoreKind) async throws {
        try await withOffice(kind) { stack in
            try onMain(stack) { try insertPeople() }
            try await found(stack, ["Dan", "Bob"]) { request in
                request.predicate = NSPredicate(format: "age == 17")
                request.sort(by: \.name, ascending: false)
            }
        }
    }

    @Test("§1.3: limit, offset and order of an asynchronous fetch count once, together")
    func window() async throws {
        try await withOffice { stack in
            try onMain(stack) { try insertPeople() }
            try await found(stack, ["Cleo", "Bob"]) { request in
                request.sort(by: \.name, ascending: false)
                request.fetchOffset = 1
                request.fetchLimit = 2
            }
        }
    }

    @Test("NL16: what the background context has not saved does not match")
    func unsaved() async throws {
        try await withOffice { stack in
            try onMain(stack) { try insertPeople() }
            let background = stack.backgroundContext
            try await background.perform { try Person.insert(in: background).age = 17 }
            try await found(stack, ["Bob", "Dan"]) { request in
                request.predicate = NSPredicate(format: "age == 17")
                request.sort(by: \.name)
            }
        }
    }

    @Test("A failure comes to the completion, once")
    func failing() async throws {
        try await withOffice { stack in
            let calls = Calls<Bool>()
            NLCoreData.withStack(stack) {
                Person.fetchAsynchronously(with: NSPredicate(format: "shoe == 1")) { result in
                    if case .failure = result { calls.note(true) } else { calls.note(false) }
                }
            }
            await waitUntil { !calls.all.isEmpty }
            #expect(calls.all == [true])
        }
    }

    @Test("The async form, on the main actor")
    @MainActor
    func mainActor() async throws {
        try await withOffice { stack in
            for age in [3, 1, 2] { try Person.insert(in: stack.mainContext).age = Int64(age) }
            try await stack.mainContext.saveNested(timeout: 60)
            let people = try await Person.fetchAsynchronously(with: NSPredicate(format: "age > 1"), sortedBy: [SortDescriptor(\.age)])
            #expect(people.map(\.age) == [2, 3])
            #expect(people.allSatisfy { $0.managedObjectContext === stack.mainContext })
        }
    }

    private func found(
        _ stack: NLCoreData, _ expected: [String], _ configure: @escaping (NSFetchRequest<Person>) throws -> Void
    ) async throws {
        let calls = Calls<[String]>()
        NLCoreData.withStack(stack) {
            Person.fetchAsynchronouslyToMainContext(configure) { result in
                let people = (try? result.get()) ?? []
                let isMain = people.allSatisfy { $0.managedObjectContext === stack.mainContext }
                calls.note(isMain ? people.map { $0.name ?? "nil" } : ["elsewhere"])
            }
        }
        await waitUntil { !calls.all.isEmpty }
        #expect(calls.all == [expected])
    }
}
