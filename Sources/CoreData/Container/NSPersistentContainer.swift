/// A model, its coordinator and its contexts, put together.
///
/// Unchecked Sendable: everything but `persistentStoreDescriptions` is set once; change that only before loading.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    private let parts: (name: String, model: NSManagedObjectModel, coordinator: NSPersistentStoreCoordinator, viewContext: NSManagedObjectContext)
    open var name: String { parts.name }
    open var managedObjectModel: NSManagedObjectModel { parts.model }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { parts.coordinator }
    /// The main queue's context.
    open var viewContext: NSManagedObjectContext { parts.viewContext }
    /// The stores `loadPersistentStores` adds; one SQLite file in `defaultDirectoryURL()` at first.
    open var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// A container for the model found under the name in the main bundle or in resource bundles beside the executable.
    /// A model that is not there stops the program; `init(validating:)` reports it.
    public convenience init(name: String) {
        do { try self.init(validating: name) } catch { raise(.invalidArgument, error.localizedDescription) }
    }

    /// As `init(name:)`, throwing when there is no such model or it cannot be read.
    public convenience init(validating name: String, bundle: Bundle? = nil) throws {
        self.init(name: name, managedObjectModel: try ModelDiscovery.model(named: name, bundle: bundle))
    }

    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        viewContext.persistentStoreCoordinator = coordinator
        viewContext.name = "viewContext"
        parts = (name, model, coordinator, viewContext)
        let folder = type(of: self).defaultDirectoryURL()
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("\(name).sqlite"))
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        persistentStoreDescriptions = [description]
    }

    /// Where stores go by default: the program's folder in the XDG data folder (`$XDG_DATA_HOME`, or `~/.local/share`),
    /// made when it is first needed. Without HOME, a path that loading reports as missing.
    open class func defaultDirectoryURL() -> URL { DefaultFolder.url }

    /// Adds the described stores, calling the block once for each (DD02), on the calling thread unless a description asks
    /// to be added asynchronously.
    open func loadPersistentStores(completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void) {
        for description in persistentStoreDescriptions {
            if description.type != NSInMemoryStoreType, let url = description.url, url.path != "/dev/null",
               url.deletingLastPathComponent().path == DefaultFolder.url.path {
                do { try DefaultFolder.create() } catch {
                    block(description, error)
                    continue
                }
            }
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// A private-queue context on the coordinator (not a child of `viewContext`).
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs the block later, on the queue of a new background context.
    open func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs the block on the queue of a new background context and returns what it returns or throws.
    @available(swift, introduced: 6)
    nonisolated(nonsending) public func performBackgroundTask<Result: Sendable, Failure: Error>(
        _ block: @escaping @Sendable (NSManagedObjectContext) throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let context = newBackgroundContext()
        return try await context.perform(schedule: .immediate) { () throws(Failure) -> Result in try block(context) }
    }

    /// As the other, for code of Swift 5, which checks nothing: declared as Apple's, so that what compiles there compiles here.
    @available(swift, obsoleted: 6)
    nonisolated(nonsending) public func performBackgroundTask<Result>(
        _ block: @escaping (NSManagedObjectContext) throws -> Result
    ) async rethrows -> Result {
        let context = newBackgroundContext(), run = { try block(context) }
        return try await context.outcome(of: .immediate, run).rethrown(from: { try block(context) }) { throw $0 }
    }
}

/// The program's data folder.
enum DefaultFolder {
    static var url: URL {
        let environment = ProcessInfo.processInfo.environment
        let base: URL
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            base = URL(fileURLWithPath: data)
        } else {
            base = URL(fileURLWithPath: environment["HOME"] ?? "/nonexistent").appendingPathComponent(".local/share")
        }
        return base.appendingPathComponent(ProcessInfo.processInfo.processName)
    }

    /// Throws, saying what to set, when there is no home or it cannot be written.
    static func create() throws {
        let environment = ProcessInfo.processInfo.environment
        guard environment["HOME"].map({ !$0.isEmpty }) ?? false || environment["XDG_DATA_HOME"] != nil else {
            throw problem("neither HOME nor XDG_DATA_HOME is set")
        }
        do { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) } catch {
            throw problem(error.localizedDescription)
        }
    }

    private static func problem(_ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: CocoaError.fileWriteNoPermission.rawValue, userInfo: [
            NSLocalizedDescriptionKey: "The default folder for stores (\(url.path)) cannot be made: \(reason). "
                + "Set XDG_DATA_HOME to a writable folder, or give the store description a URL of its own.",
            NSFilePathErrorKey: url.path,
        ])
    }
}
