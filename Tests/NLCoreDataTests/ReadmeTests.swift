import NLCoreData
import Testing

/// SEED.md, line by line, and the issue's table of Swift forms.
@Suite struct ReadmeTests {
    @Test("Every object, those of a predicate, of a format and of a typed predicate are fetched", arguments: StoreKind.allCases)
    func fetching(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            #expect(try Person.fetch().count == 4)
            #expect(try Person.fetch(with: nil).count == 4)
            let predicate = NSPredicate(format: "age < %@", 18)
            #expect(Set(names(try Person.fetch(with: predicate))) == ["Bob", "Dan"])
            #expect(Set(names(try Person.fetch("age > %@", 18))) == ["Ada", "Cleo"])
            #expect(names(try Person.fetch("age > %@ AND name BEGINSWITH %@", 18, "C")) == ["Cleo"])
            #expect(Set(names(try Person.fetch(where: #Predicate { $0.age > 18 }))) == ["Ada", "Cleo"])
        }
    }

    @Test("Sorted: first key primary, second secondary, in all three forms", arguments: StoreKind.allCases)
    func sorting(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let order: [SortDescriptor<Person>] = [SortDescriptor(\.age), SortDescriptor(\.name, order: .reverse)]
            #expect(names(try Person.fetch(sortedBy: order)) == ["Dan", "Bob", "Ada", "Cleo"])
            #expect(names(try Person.fetch("age < %@", 40, sortedBy: order)) == ["Dan", "Bob", "Ada"])
            #expect(names(try Person.fetch(where: #Predicate { $0.age < 40 }, sortedBy: order)) == ["Dan", "Bob", "Ada"])
            #expect(names(try Person.fetch(sortedByKey: "name", ascending: false)) == ["Dan", "Cleo", "Bob", "Ada"])
        }
    }

    @Test("A named context is used instead of the thread's, in all forms", arguments: StoreKind.allCases)
    func namedContext(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let other = stack.newContext()
            try other.performAndWait {
                let person = try Person.insert(in: other)
                person.name = "Eve"
                person.age = 30
                #expect(person.managedObjectContext === other)
                #expect(try Person.fetch().isEmpty)
                #expect(try Person.fetch(in: other) == [person])
                #expect(try Person.fetch("name == %@", "Eve", in: other) == [person])
                #expect(try Person.fetch(where: #Predicate { $0.name == "Eve" }, in: other) == [person])
                #expect(try Person.count(in: other) == 1)
                #expect(try Person.fetchSingle(in: other) == person)
                #expect(try Person.fetchOrInsertSingle(in: other) == person)
            }
        }
    }

    @Test("Counting: all, by predicate, format and typed predicate, unsaved objects included", arguments: StoreKind.allCases)
    func counting(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            #expect(try Person.count() == 4)
            #expect(try Person.count(with: NSPredicate(format: "age == 17")) == 2)
            #expect(try Person.count("age == %@", 17) == 2)
            #expect(try Person.count(where: #Predicate { $0.age == 17 }) == 2)
            try Person.insert().age = 17
            #expect(try Person.count("age == %@", 17) == 3, "NL06: unsaved inserts count")
        }
    }

    @Test("Deleting: all, by block, predicate, format and typed predicate; nothing is saved yet", arguments: StoreKind.allCases)
    func deleting(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try insertPeople()
            let context = current()
            #expect(try Person.delete("name == %@", "Ada", in: context) == 1)
            #expect(try Person.delete(where: #Predicate { $0.name == "Bob" }, in: context) == 1)
            #expect(try Person.delete(with: NSPredicate(format: "name == 'Cleo'"), in: context) == 1)
            #expect(names(try Person.fetch()) == ["Dan"])
            #expect(try elsewhere(stack) { try Person.count(in: $0) } == 4, "not saved yet")
            #expect(try Person.delete(in: context) == 1)
            #expect(try Person.fetch().isEmpty)
            try context.save()
            #expect(try elsewhere(stack) { try Person.count(in: $0) } == 0)
        }
    }

    @Test("A single object at an index, nil past the end", arguments: StoreKind.allCases)
    func single(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let byName: [SortDescriptor<Person>] = [SortDescriptor(\.name)]
            #expect(try Person.fetchSingle(at: 0, with: nil) != nil)
            #expect(try Person.fetchSingle(at: 2, with: nil, sortedBy: byName)?.name == "Cleo")
            #expect(try Person.fetchSingle(at: 4, with: nil, sortedBy: byName) == nil)
            #expect(try Person.fetchSingle("age == %@", 17, sortedBy: byName)?.name == "Bob")
            #expect(try Person.fetchSingle(at: 1, "age == %@", 17, sortedBy: byName)?.name == "Dan")
            #expect(try Person.fetchSingle(where: #Predicate { $0.age > 40 })?.name == "Cleo")
            #expect(try Person.fetchSingle(at: 1, sortedByKey: "age", ascending: false)?.name == "Ada")
            #expect(throws: NLCoreDataError.negativeIndex(-1)) { try Person.fetchSingle(at: -1) }
        }
    }

    @Test("Fetch or insert: finds what is there, inserts once what is not", arguments: StoreKind.allCases)
    func fetchOrInsert(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let predicate = NSPredicate(format: "name == %@", "Ada")
            #expect(try Person.fetchOrInsertSingle(at: 0, with: predicate).age == 36)
            #expect(try Person.count() == 4)
            let new = try Person.fetchOrInsertSingle("name == %@", "Zoe")
            #expect(try Person.count() == 5)
            #expect(try Person.fetchOrInsertSingle("name == %@", "Zoe") == new)
            #expect(try Person.count() == 5)
        }
    }

    @Test("A request made with the class; sorted by key and by key path", arguments: StoreKind.allCases)
    func requests(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let request = NSFetchRequest<Person>(entity: Person.self)
            #expect(request.entityName == "Person")
            request.sort(byKey: "age", ascending: true)
            request.sort(by: \.name, ascending: false)
            #expect(request.sortDescriptors?.map(\.key) == ["age", "name"], "NL07")
            #expect(request.sortDescriptors?.map(\.ascending) == [true, false])
            #expect(names(try current().fetch(request)) == ["Dan", "Bob", "Ada", "Cleo"])
        }
    }

    @Test("save() throws; saveChanges() answers true and false, the error goes to the handler", arguments: StoreKind.allCases)
    func saving(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let reported = Reported(of: stack)
            let context = current()
            #expect(context.saveChanges(), "NL09: nothing to save is success")
            try Person.insert()
            #expect(context.saveChanges())
            #expect(reported.errors.isEmpty)
            let department = try Department.insert()
            #expect(department.isInserted)
            #expect(!context.saveChanges(), "the name is required")
            #expect(reported.errors.map { ($0 as NSError).code } == [NSValidationMissingMandatoryPropertyError])
            #expect(throws: (any Error).self) { try context.save() }
            #expect(try elsewhere(stack) { try Person.count(in: $0) } == 1)
        }
    }

    @Test("A thread's context is one, its own, and sits on the coordinator", arguments: StoreKind.allCases)
    func threads(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let here = current()
            #expect(here === current())
            #expect(here === NSManagedObjectContext.contextForThread(Thread.current))
            #expect(here.parent == nil && here.persistentStoreCoordinator === stack.storeCoordinator)
            #expect(here !== stack.mainContext)
            let isOther = try onThread(stack) { current() !== here && current() === current() }
            #expect(isOther)
            #expect(NSManagedObjectContext.contextForThread(.main) === stack.contextForThread(.main))
            #expect(NSManagedObjectContext.contextForThread(.main).concurrencyType == .mainQueueConcurrencyType)
        }
    }

    @Test("What a thread saved, another thread's context finds", arguments: StoreKind.allCases)
    func acrossThreads(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try onThread(stack) { try insertPeople() }
            #expect(try Person.count() == 4)
        }
    }

    @Test("performBackgroundTask saves beside the other contexts and returns values")
    func background() async throws {
        for kind in StoreKind.allCases {
            try await withOffice(kind) { stack in
                let count = try await stack.performBackgroundTask { context in
                    #expect(context.parent == nil, "§1.3, issue 20: imports go beside the main context, not through it")
                    #expect(NLCoreData.current === stack)
                    for index in 0..<10 { try Person.insert(in: context).age = Int64(index) }
                    return try Person.count(in: context)
                }
                #expect(count == 10)
                let saved = try await stack.performBackgroundTask { try Person.count("age > %@", 4, in: $0) }
                #expect(saved == 5)
                await #expect(throws: CancellationError.self) {
                    try await stack.performBackgroundTask { context in
                        try Person.insert(in: context)
                        throw CancellationError()
                    }
                }
                #expect(try await stack.performBackgroundTask { try Person.count(in: $0) } == 10)
            }
        }
    }
}
