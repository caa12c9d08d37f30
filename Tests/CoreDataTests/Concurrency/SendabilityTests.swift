import Foundation
import Testing

/// What the compiler lets pass. A line of wrong code ends in `// wrong`: it and no other must be refused.
@Suite("Sendability", .enabled(if: SnippetCompiler.isThere, "there is no swiftc on the PATH, or no modules beside the tests"))
struct SendabilityTests {
    private let compiler: SnippetCompiler

    init() throws { compiler = try SnippetCompiler.find().get() }

    @Test("Correct code of Swift 6 compiles without a warning")
    func correct() throws {
        let found = try compiler.diagnose(Snippets.correct, mode: 6)
        #expect(found.isEmpty, "\(found)")
    }

    @Test("Code of Swift 5 compiles as it is, objects keep their types: what Swift 6 would refuse is a warning at most")
    func older() throws {
        let found = try compiler.diagnose(Snippets.older, mode: 5).filter { $0.text.hasPrefix("error") }
        #expect(found.isEmpty, "\(found)")
    }

    @Test("What leaves its queue is refused", arguments: [Snippets.captured, Snippets.sent])
    func wrong(source: String) throws {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let wrong = Set(lines.indices.filter { lines[$0].hasSuffix("// wrong") }.map { $0 + 1 })
        let found = try compiler.diagnose(source, mode: 6).filter { $0.text.hasPrefix("error") }
        #expect(!wrong.isEmpty)
        for line in wrong { #expect(found.contains { $0.line == line }, "passes: \(lines[line - 1])") }
        for error in found { #expect(wrong.contains(error.line), "refused: \(error)") }
    }
}

private enum Snippets {
    static let correct = """
        import CoreData

        final class Person: NSManagedObject {
            var name: String? { value(forKey: "name") as? String }
        }

        /// What may go anywhere.
        struct Handed: Sendable {
            let identifier: NSManagedObjectID
            let context: NSManagedObjectContext
            let container: NSPersistentContainer
            let coordinator: NSPersistentStoreCoordinator
            let model: NSManagedObjectModel
            let entity: NSEntityDescription
            let store: NSPersistentStore
            let policy: NSMergePolicy
            let type: NSManagedObjectContextConcurrencyType
            let schedule: NSManagedObjectContext.ScheduledTaskType
        }

        struct Refusal: Error {}

        @MainActor
        final class PeopleList {
            let container: NSPersistentContainer
            var names: [String] = []

            init(container: NSPersistentContainer) { self.container = container }

            func load() throws {
                let request = NSFetchRequest<Person>(entityName: "Person")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                names = try container.viewContext.fetch(request).compactMap(\\.name)
                let list = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: container.viewContext, sectionNameKeyPath: nil, cacheName: nil)
                try list.performFetch()
            }

            func add(_ name: String) async throws {
                let identifier = try await container.performBackgroundTask { context in
                    let person = Person(context: context)
                    person.setValue(name, forKey: "name")
                    try context.save()
                    return person.objectID
                }
                let person = container.viewContext.object(with: identifier)
                names.append((person as? Person)?.name ?? "")
                let context = container.viewContext
                let count = try await context.perform { try context.count(for: NSFetchRequest<Person>(entityName: "Person")) }
                names.append("\\(count)")
            }

            func later() {
                container.viewContext.perform { MainActor.assumeIsolated { self.names = [] } }
            }

            func inner() throws -> Int {
                let request = NSFetchRequest<Person>(entityName: "Person")
                var found = 0
                try container.viewContext.performAndWait {
                    found = try container.viewContext.count(for: request)
                    names.append("found")
                }
                return found
            }
        }

        actor Importer {
            private let context: NSManagedObjectContext
            private var count = 0

            init(container: NSPersistentContainer) { context = container.newBackgroundContext() }

            func run(_ rows: [String]) async throws -> [NSManagedObjectID] {
                let made = try await context.perform(schedule: .enqueued) { [context] in
                    let people = rows.map { row in
                        let person = Person(context: context)
                        person.setValue(row, forKey: "name")
                        return person
                    }
                    try context.obtainPermanentIDs(for: people)
                    try context.save()
                    return people.map(\\.objectID)
                }
                count += made.count
                return made
            }
        }

        func tasks(_ handed: Handed) async throws -> Int {
            let context = handed.context
            Task { handed.identifier.uriRepresentation() }
            Task.detached { context.perform { handed.context.reset() } }
            async let first = context.perform { context.registeredObjects.count }
            async let second = handed.container.performBackgroundTask { $0.registeredObjects.count }
            async let third = handed.coordinator.perform { handed.coordinator.persistentStores.count }
            return try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 { group.addTask { await context.perform { context.hasChanges ? 1 : 0 } } }
                var sum = 0
                for try await part in group { sum += part }
                return sum
            } + first + second + third
        }

        func typed(_ context: NSManagedObjectContext) async throws(Refusal) -> Int {
            try await context.perform { () throws(Refusal) -> Int in throw Refusal() }
        }

        func waiting(_ context: NSManagedObjectContext, _ person: Person) throws -> [String] {
            var names: [String] = []
            let request = NSFetchRequest<Person>(entityName: "Person")
            context.performAndWait { names.append(person.name ?? "") }
            try context.performAndWait {
                names += try context.fetch(request).compactMap(\\.name)
            }
            return try context.performAndWait { try context.fetch(request).compactMap(\\.name) } + names
        }

        func watch(_ context: NSManagedObjectContext) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { note in
                let identifiers = (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.map(\\.objectID) ?? []
                Task { print(identifiers.count) }
            }
        }
        """

    static let older = """
        import CoreData

        class Person: NSManagedObject {
            var name: String? { value(forKey: "name") as? String }
        }

        class Store {
            let container: NSPersistentContainer
            var people: [Person] = []
            init(container: NSPersistentContainer) { self.container = container }

            func load(_ person: Person, completion: @escaping ([Person]) -> Void) {
                let request = NSFetchRequest<Person>(entityName: "Person")
                let context = container.newBackgroundContext()
                context.perform {
                    _ = person.name
                    self.people = (try? context.fetch(request)) ?? []
                    completion(self.people)
                }
                container.performBackgroundTask { background in
                    self.people = []
                    try? background.save()
                }
                DispatchQueue.main.async { self.people = [person] }
            }

            func fetch(_ request: NSFetchRequest<Person>) async throws -> [Person] {
                let context = container.viewContext
                let first = try await context.perform { try context.fetch(request).first }
                print(first?.name ?? "")
                let made = await container.performBackgroundTask { Person(context: $0) }
                let rest = try await context.perform(schedule: .enqueued) { try context.fetch(request) }
                return rest + [made] + (first.map { [$0] } ?? [])
            }

            func save<T>(_ work: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
                try await container.performBackgroundTask { context in
                    let result = try work(context)
                    try context.save()
                    return result
                }
            }
        }

        extension NSManagedObjectContext {
            func run<T>(_ work: @escaping () throws -> T) async rethrows -> T { try await perform(work) }
            func wait<T>(_ work: (NSManagedObjectContext) throws -> T) rethrows -> T {
                try helped(function: performAndWait, execute: work, rescue: { throw $0 })
            }
            private func helped<T>(
                function: (() -> Void) -> Void, execute work: (NSManagedObjectContext) throws -> T, rescue: (Error) throws -> T
            ) rethrows -> T {
                var outcome: Result<T, Error>?
                withoutActuallyEscaping(work) { work in function { outcome = Result { try work(self) } } }
                switch outcome! {
                case .success(let value): return value
                case .failure(let error): return try rescue(error)
                }
            }
        }
        """

    /// Refused by the types alone.
    static let captured = """
        import CoreData

        final class Person: NSManagedObject {}
        func take<Value: Sendable>(_ value: Value) {}

        func captures(_ person: Person, _ context: NSManagedObjectContext, _ container: NSPersistentContainer) {
            context.perform { _ = person.objectID } // wrong
            container.performBackgroundTask { _ in _ = person.objectID } // wrong
            let request = NSFetchRequest<Person>(entityName: "Person")
            context.perform { _ = try? context.fetch(request) } // wrong
            take(person) // wrong
            take(request) // wrong
            take([person]) // wrong
            take(context)
            take(person.objectID)
        }

        func captures(_ list: NSFetchedResultsController<Person>, _ context: NSManagedObjectContext) async throws {
            try await context.perform { try list.performFetch() } // wrong
        }

        func returns(_ context: NSManagedObjectContext, _ container: NSPersistentContainer) async throws {
            _ = await context.perform { Person(context: context) } // wrong
            let people = try await context.perform { try context.fetch(NSFetchRequest<Person>(entityName: "Person")) } // wrong
            _ = await container.performBackgroundTask { Person(context: $0) } // wrong
            _ = people.count
        }

        struct Row: Sendable {
            let person: Person // wrong
        }

        final class Holder: Sendable {
            let object: NSManagedObject // wrong
            let context: NSManagedObjectContext
            init(_ object: NSManagedObject, _ context: NSManagedObjectContext) {
                self.object = object
                self.context = context
            }
        }

        struct Fetch: Sendable {
            let request: NSFetchRequest<Person> // wrong
        }

        @MainActor
        final class PeopleList {
            var names: [String] = []
            func load(_ context: NSManagedObjectContext) {
                context.perform { self.names = [] } // wrong
            }
        }
        """

    /// Refused by what happens to the objects.
    static let sent = """
        import CoreData

        final class Person: NSManagedObject {}

        actor Keeper {
            var people: [Person] = []
            func keep(_ person: Person) { people.append(person) }
            func first() -> NSManagedObjectID? { people.first?.objectID }
        }

        func toTask(_ person: Person) {
            Task { _ = person.objectID } // wrong
        }

        func toDetached(_ person: Person) {
            Task.detached { _ = person.managedObjectContext } // wrong
        }

        func toActor(_ person: Person, _ keeper: Keeper) async {
            await keeper.keep(person) // wrong
        }

        func fetchedToTask(_ context: NSManagedObjectContext) throws {
            for person in try context.fetch(NSFetchRequest<Person>(entityName: "Person")) {
                Task { _ = person.objectID } // wrong
                _ = person.objectID
            }
        }

        func request(_ request: NSFetchRequest<Person>, _ context: NSManagedObjectContext) {
            Task { _ = try? context.fetch(request) } // wrong
        }

        func identifier(_ person: Person, _ keeper: Keeper) async {
            let identifier = person.objectID
            Task { _ = identifier.isTemporaryID }
            _ = await keeper.first()
        }
        """
}
