import CoreData
import Testing

/// Every way code names `NSFetchRequestResult`: that this file compiles is half of the test.
@Suite("Shapes of fetch results")
struct FetchResultShapeTests {
    private func employees(_ kind: StoreKind = .sqlite, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let model = Models.office()
        model.entitiesByName["Employee"]?.managedObjectClassName = NSStringFromClass(Clerk.self)
        let stack = try Stack(model, kind)
        try stack.seed { context in
            for (name, salary) in [("alpha", 22), ("bravo", 25)] { context.make("Employee", ["name": name, "salary": salary]) }
        }
        try stack.run(body)
    }

    @Test("A protocol of the application's takes the results of its conforming classes")
    func managed() throws {
        try employees { (context) throws in
            #expect(try Clerk.fetch(in: context) { $0.predicate = NSPredicate(format: "salary > 22") }.map { $0.text("name") } == ["bravo"])
            #expect(try Clerk.count(in: context) == 2)
            #expect(try Repository<Clerk>(context: context).first()?.text("name") == "alpha")
            #expect(Clerk.all().entityName == "Employee" && Clerk.entityName == "Employee")
        }
    }

    @Test("Every result type Apple's protocol is conformed to by")
    func types() throws {
        try employees { (context) throws in
            #expect(try rows(NSFetchRequest<NSManagedObject>(entityName: "Employee"), in: context).count == 2)
            let identifiers = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
            identifiers.resultType = .managedObjectIDResultType
            #expect(try rows(identifiers, in: context).allSatisfy { !$0.isTemporaryID })
            let dictionaries = NSFetchRequest<NSDictionary>(entityName: "Employee")
            dictionaries.resultType = .dictionaryResultType
            dictionaries.propertiesToFetch = ["name"]
            #expect(try Set(rows(dictionaries, in: context).compactMap { $0["name"] as? String }) == ["alpha", "bravo"])
            let count = NSFetchRequest<NSNumber>(entityName: "Employee")
            count.resultType = .countResultType
            #expect(try rows(count, in: context) == [2])
        }
    }

    @Test("A request of whatever there is: the existential is a result type itself")
    func existential() throws {
        try employees { (context) throws in
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
            let found: [any NSFetchRequestResult] = try context.fetch(request)
            #expect(found.compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted() == ["alpha", "bravo"])
            let any: [Any] = try context.fetch(request)
            #expect(any.count == 2 && any is [NSManagedObject])
            let objects = try context.fetch(request) as? [NSManagedObject]
            #expect(objects?.count == 2)
            let clerks = try context.fetch(request) as! [Clerk]
            #expect(clerks.count == 2)
            #expect(try rows(request, in: context).count == 2)
            for case let clerk as Clerk in try context.fetch(request) { #expect(clerk.salary > 20) }
            request.resultType = .dictionaryResultType
            let dictionaries = try context.fetch(request) as? [[String: Any]]
            #expect(dictionaries?.count == 2)
            let first = try context.fetch(request).first as? [String: Any]
            #expect(first?["name"] is String)
            request.resultType = .countResultType
            let count = try context.fetch(request).first as? Int
            #expect(count == 2)
            _ = NSBatchDeleteRequest(fetchRequest: request)
        }
    }

    @Test("An existential request's results in a controller and in an asynchronous fetch")
    func controllers() throws {
        try employees { (context) throws in
            let request: NSFetchRequest<any NSFetchRequestResult> = NSFetchRequest(entityName: "Employee")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController<NSFetchRequestResult>(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try controller.performFetch()
            let first: any NSFetchRequestResult = controller.object(at: IndexPath(item: 0, section: 0))
            #expect(controller.indexPath(forObject: first)?.item == 0)
            #expect((first as? NSManagedObject)?.text("name") == "alpha")
            #expect(controller.fetchedObjects?.count == 2 && controller.sections?.first?.numberOfObjects == 2)
            let block: NSPersistentStoreAsynchronousFetchResultCompletionBlock = { _ in }
            let asynchronous = NSAsynchronousFetchRequest<NSFetchRequestResult>(fetchRequest: request, completionBlock: block)
            #expect(asynchronous.fetchRequest === request)
        }
    }

    @Test("Extensions of the protocol, of requests by result type, opaque and composed parameters")
    func extensions() throws {
        try employees { (context) throws in
            let clerk = try #require(try Clerk.request(named: "alpha").first(in: context))
            #expect(clerk.itself === clerk && opaque(clerk) && composed(Clerk.self) == "Clerk")
            #expect(NSFetchRequest<NSDictionary>(entityName: "Employee").onlyNames.propertiesToFetch?.count == 1)
            #expect(NSFetchRequest<NSFetchRequestResult>(entityName: "Employee").limited.fetchLimit == 1)
            let holder = Holder<NSFetchRequestResult>(clerk)
            #expect(holder.weakly === clerk && holder.all.count == 1)
            let kinds: [any NSFetchRequestResult.Type] = [Clerk.self, NSManagedObjectID.self, NSNumber.self, NSDictionary.self]
            #expect(kinds.first == Clerk.self)
        }
    }

    private func rows<Result: NSFetchRequestResult>(
        _ request: NSFetchRequest<Result>, in context: NSManagedObjectContext
    ) throws -> [Result] { try context.fetch(request) }
    private func opaque(_ result: some NSFetchRequestResult) -> Bool { result is NSManagedObject }
    private func composed<Object: NSManagedObject & Managed>(_: Object.Type) -> String { "\(Object.self)" }
}

protocol Managed: AnyObject, NSFetchRequestResult {
    static var entityName: String { get }
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
}

extension Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [] }

    static func all() -> NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        return request
    }
}

extension Managed where Self: NSManagedObject {
    static var entityName: String { "Employee" }

    static func fetch(
        in context: NSManagedObjectContext, configurationBlock: (NSFetchRequest<Self>) -> Void = { _ in }
    ) throws -> [Self] {
        let request = NSFetchRequest<Self>(entityName: Self.entityName)
        configurationBlock(request)
        return try context.fetch(request)
    }

    static func count(in context: NSManagedObjectContext) throws -> Int {
        try context.count(for: NSFetchRequest<Self>(entityName: entityName))
    }
}

final class Clerk: NSManagedObject, Managed {
    static var defaultSortDescriptors: [NSSortDescriptor] { [NSSortDescriptor(key: "name", ascending: true)] }
    var salary: Int { value(forKey: "salary") as? Int ?? 0 }
}

private struct Repository<Entity: Managed> {
    let context: NSManagedObjectContext

    func first() throws -> Entity? {
        let request = Entity.all()
        request.fetchLimit = 1
        return try context.fetch(request).first
    }
}

private final class Holder<Result: NSFetchRequestResult> {
    weak var weakly: Result?
    let all: [Result]
    init(_ result: Result) { (weakly, all) = (result, [result]) }
}

extension NSFetchRequestResult {
    fileprivate var itself: Self { self }
}

extension NSFetchRequestResult where Self: NSManagedObject {
    fileprivate static func request(named name: String) -> NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: "Employee")
        request.predicate = NSPredicate(format: "name == %@", name)
        return request
    }
}

extension NSFetchRequest where ResultType: NSManagedObject {
    fileprivate func first(in context: NSManagedObjectContext) throws -> ResultType? { try context.fetch(self).first }
}

extension NSFetchRequest where ResultType == NSDictionary {
    fileprivate var onlyNames: NSFetchRequest<NSDictionary> {
        propertiesToFetch = ["name"]
        return self
    }
}

extension NSFetchRequest where ResultType == NSFetchRequestResult {
    fileprivate var limited: NSFetchRequest<NSFetchRequestResult> {
        fetchLimit = 1
        return self
    }
}
