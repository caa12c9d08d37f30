import CoreData
import Testing

enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, memory

    var type: String { self == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType }
    var testDescription: String { rawValue }
}

/// A coordinator with one store, SQLite in a folder of its own or in memory, and private-queue contexts on it.
final class Stack {
    let coordinator: NSPersistentStoreCoordinator
    let kind: StoreKind
    let store: NSPersistentStore
    /// The context of `run`.
    let context: NSManagedObjectContext
    /// Objects a test wants to stay registered.
    var held: [NSManagedObject] = []
    private let folder: TemporaryFolder

    convenience init(_ model: NSManagedObjectModel, _ kind: StoreKind = .sqlite) throws {
        try self.init(model, kind, in: TemporaryFolder())
    }

    private init(_ model: NSManagedObjectModel, _ kind: StoreKind, in folder: TemporaryFolder) throws {
        self.kind = kind
        self.folder = folder
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let url = kind == .sqlite ? folder.url.appendingPathComponent("Store.sqlite") : nil
        store = try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func newContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func newChild(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.parent = parent
        return context
    }

    /// Runs on the queue of the stack's own context.
    @discardableResult
    func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result { try context.run(body) }

    /// Runs in a context that is gone afterwards, and saves.
    @discardableResult
    func seed<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let context = newContext()
        return try context.performAndWait {
            let result = try body(context)
            try context.save()
            return result
        }
    }

    /// A stack that never saw this one's objects: another coordinator on the same file. Memory ends with its coordinator,
    /// so there it is only another context on the same one.
    func reopened() throws -> Stack {
        guard kind == .sqlite else { return Stack(sharing: self) }
        guard let copy = coordinator.managedObjectModel.copy() as? NSManagedObjectModel else {
            throw CocoaError(.featureUnsupported)
        }
        return try Stack(copy, kind, in: folder)
    }

    private init(sharing other: Stack) {
        coordinator = other.coordinator
        kind = other.kind
        store = other.store
        folder = other.folder
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }
}

/// A folder that goes with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("parity-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

extension NSManagedObjectContext {
    /// `performAndWait` for a body that may throw. (The compiler does not see a `try` inside of `#expect`, so that it would
    /// take a closure of expectations for one that does not throw.)
    @discardableResult
    func run<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
        try performAndWait { try body(self) }
    }
}
