import CoreData
import Testing

/// The order in which hooks run, across the objects of a context.
@Suite("Order of hooks")
struct HookOrderTests {
    private func stack(_ kind: StoreKind) throws -> Stack { try Stack(Models.household(person: Logging.self, pet: Logging.self), kind) }

    private func log(_ body: () throws -> Void) throws -> [String] {
        let start = Logging.log.count
        try body()
        return Array(Logging.log[start...])
    }

    private func expect(_ hooks: String..., location: SourceLocation = #_sourceLocation, of body: () throws -> Void) throws {
        let log = try log(body)
        #expect(log == hooks, sourceLocation: location)
    }

    @Test("LC01 LC06 LC09 LC11: insert, update and delete run their hooks in this order", arguments: StoreKind.allCases)
    func order(kind: StoreKind) throws {
        try Logging.alone {
            try stack(kind).run { context in
                try expect("p? insert") { context.make("Person", ["name": "p"]) }
                let person = try #require(context.insertedObjects.first)
                try expect("p willSave", "p validateInsert", "p didSave") { try context.save() }
                try expect("q willSave", "q validateUpdate", "q didSave") {
                    person.setValue("q", forKey: "name")
                    try context.save()
                }
                try expect("q willFault", "fault didFault") { context.refresh(person, mergeChanges: false) }
                try expect("q fetch") { _ = person.text("name") }
                try expect("q prepare") { context.delete(person) }
                try expect("q willSave", "q validateDelete", "q didSave") { try context.save() }
                try expect { try context.save() }
            }
        }
    }

    @Test("DR13 LC10: A cascade prepares the children while changes are processed, parents first", arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) throws {
        try Logging.alone {
            let stack = try stack(kind)
            try stack.seed { context in context.make("Pet", ["name": "c", "owner": context.make("Person", ["name": "p"])]) }
            try stack.run { context in
                let (person, pet) = (try context.only("Person"), try context.only("Pet"))
                _ = (person.text("name"), pet.text("name"))
                try expect("p prepare") { context.delete(person) }
                try expect("c prepare") { context.processPendingChanges() }
                let saving = try log { try context.save() }
                #expect(saving.sorted() == ["c didSave", "c validateDelete", "c willSave", "p didSave", "p validateDelete", "p willSave"])
                let steps = saving.compactMap { $0.split(separator: " ").last }
                #expect(steps == ["willSave", "willSave", "validateDelete", "validateDelete", "didSave", "didSave"])
            }
        }
    }

    @Test("LC23: A save that fails runs willSave and no didSave", arguments: StoreKind.allCases)
    func failedSave(kind: StoreKind) throws {
        try Logging.alone {
            let stack = try stack(kind)
            try stack.run { context in
                let person = try #require(context.make("Person", ["name": "bad"]) as? Logging)
                try expect("bad willSave", "bad validateInsert") { _ = try failure { try context.save() } }
                person.setValue("good", forKey: "name")
                try expect("good willSave", "good validateInsert", "good didSave") { try context.save() }
            }
        }
    }

    @Test("LC04 FA07 LC14: awake(fromSnapshotEvents:) says why values changed behind the object's back", arguments: StoreKind.allCases)
    func snapshotEvents(kind: StoreKind) throws {
        try Logging.alone {
            let stack = try stack(kind)
            try stack.seed { $0.make("Person", ["name": "a"]) }
            try stack.run { context in
                context.undoManager = UndoManager()
                let person = try #require(try context.only("Person") as? Logging)
                _ = person.text("name")
                person.setValue("b", forKey: "name")
                context.refresh(person, mergeChanges: true)
                #expect(person.events == [.refresh])
                context.processPendingChanges()
                context.undo()
                #expect(person.text("name") == "a")
                #expect(person.events == [.refresh, .undoUpdate])
                context.delete(person)
                context.processPendingChanges()
                context.undo()
                #expect(!person.isDeleted)
                #expect(person.events == [.refresh, .undoUpdate, .undoDeletion])
                let added = try #require(context.make("Person", ["name": "new"]) as? Logging)
                context.processPendingChanges()
                context.undo()
                #expect(added.events == [.undoInsertion])
                person.setValue("c", forKey: "name")
                context.rollback()
                #expect(person.text("name") == "a")
                #expect(person.events.last == .rollback)
                #expect(!context.hasChanges)
            }
        }
    }

    @Test("LC07: willSave may insert, delete and relate; all of it is saved", arguments: StoreKind.allCases)
    func reachingOut(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Adopter.self), kind)
        try stack.seed { context in
            context.make("Pet", ["name": "old"])
        }
        try stack.run { context in
            context.make("Person", ["name": "p"])
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { context in
            try #require(try context.names("Pet") == ["new"])
            try #require(try context.only("Person").texts("pets", "name") == ["new"])
        }
    }

    @Test("LC01: awakeFromInsert may insert and relate other objects", arguments: StoreKind.allCases)
    func insertingMore(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Founder.self), kind)
        try stack.run { context in
            let person = context.make("Person", ["name": "p"])
            #expect(context.insertedObjects.count == 2)
            #expect(person.texts("pets", "name") == ["first"])
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Pet").one("owner")?.text("name") == "p") }
    }

    @Test("LC10: prepareForDeletion may cut relationships and delete others", arguments: StoreKind.allCases)
    func preparing(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Releasing.self), kind)
        try stack.seed { context in
            let person = context.make("Person", ["name": "p"])
            for name in ["kept", "gone"] { context.make("Pet", ["name": name, "owner": person]) }
        }
        try stack.run { context in
            context.delete(try context.only("Person"))
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.names("Pet") == ["kept"])
            try #require(try context.count("Person") == 0)
        }
    }

    @Test("Objects may delete one another in prepareForDeletion: each is asked once", arguments: StoreKind.allCases)
    func deletingOneAnother(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Inseparable.self), kind)
        try stack.seed { context in for name in ["a", "b", "c"] { context.make("Person", ["name": name]) } }
        try stack.run { context in
            let people = try context.fetch(NSFetchRequest<Inseparable>(entityName: "Person"))
            context.delete(try #require(people.first))
            #expect(people.map(\.asked) == [1, 1, 1] && people.allSatisfy(\.isDeleted))
            try context.save()
            #expect(try context.count("Person") == 0)
        }
    }
}

/// Logs each hook with its name at the time.
final class Logging: NSManagedObject {
    nonisolated(unsafe) static var log: [String] = []
    private static let lock = NSRecursiveLock()
    private(set) var events: [NSSnapshotEventType] = []

    /// Runs with the log to itself.
    static func alone(_ body: () throws -> Void) throws {
        lock.lock()
        defer { lock.unlock() }
        try body()
    }

    private func note(_ hook: String) {
        let name = isFault ? "fault" : (primitiveValue(forKey: "name") as? String) ?? "p?"
        Self.log.append("\(name) \(hook)")
    }

    override func awakeFromInsert() { super.awakeFromInsert(); note("insert") }
    override func awakeFromFetch() { super.awakeFromFetch(); note("fetch") }
    override func willSave() { super.willSave(); note("willSave") }
    override func didSave() { super.didSave(); note("didSave") }
    override func willTurnIntoFault() { super.willTurnIntoFault(); note("willFault") }
    override func didTurnIntoFault() { super.didTurnIntoFault(); note("didFault") }
    override func prepareForDeletion() { super.prepareForDeletion(); note("prepare") }
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        events.append(flags)
    }
    override func validateForInsert() throws {
        note("validateInsert")
        try super.validateForInsert()
        if text("name") == "bad" { throw NSError(domain: "Logging", code: 1) }
    }
    override func validateForUpdate() throws { note("validateUpdate"); try super.validateForUpdate() }
    override func validateForDelete() throws { note("validateDelete"); try super.validateForDelete() }
}

/// Replaces all pets by a new one of its own when saved.
final class Adopter: NSManagedObject {
    override func willSave() {
        super.willSave()
        guard let context = managedObjectContext, many("pets").isEmpty, let pets = try? context.all("Pet") else { return }
        for pet in pets { context.delete(pet) }
        context.make("Pet", ["name": "new", "owner": self])
    }
}

/// Comes with a pet.
final class Founder: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        managedObjectContext?.make("Pet", ["name": "first", "owner": self])
    }
}

/// Lets the pet called “kept” go before the cascade takes the others.
final class Releasing: NSManagedObject {
    override func prepareForDeletion() {
        super.prepareForDeletion()
        for pet in many("pets") where pet.text("name") == "kept" { pet.setValue(nil, forKey: "owner") }
    }
}

/// Takes everybody along.
final class Inseparable: NSManagedObject {
    var asked = 0

    override func prepareForDeletion() {
        super.prepareForDeletion()
        asked += 1
        for case let other as Inseparable in managedObjectContext?.registeredObjects ?? [] where !other.isDeleted {
            managedObjectContext?.delete(other)
        }
    }
}
