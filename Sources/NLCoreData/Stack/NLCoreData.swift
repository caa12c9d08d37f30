/// One model, one store, and the contexts the one-liners use: what the original's singleton was.
///
/// `NLCoreData.shared` serves a whole program. A program (or test) that wants several makes its own and puts it to work with
/// `NLCoreData.withStack(_:_:)`. Everything is made when it is first needed: set what you want to set before that.
///
/// Unchecked Sendable: all stored state is in `state`, touched under `lock` only; the contexts in it may be passed about and
/// say themselves on which queue or thread they are used.
public final class NLCoreData: @unchecked Sendable {
    /// The stack of the whole program.
    public static let shared = NLCoreData()

    let lock = NSRecursiveLock()
    var state = State()

    struct State {
        var modelName: String?
        var modelBundle: Bundle?
        var storeURL: URL?
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        var storeType = NSSQLiteStoreType
        var model: NSManagedObjectModel?
        /// Set from outside: not thrown away by a reset.
        var isModelGiven = false
        var coordinator: NSPersistentStoreCoordinator?
        var contexts = Contexts()
        var mergePolicy = NSMergePolicy.error
        var includesSubentities = true
        var errorHandler: ((any Error) -> Void)?
        var saveObserver: (any NSObjectProtocol)?
        /// Saves to be taken into the main contexts, oldest first, by whoever is next on main.
        var merges: [PendingMerge] = []
        var isDrainScheduled = false
    }

    struct Contexts {
        var store: NSManagedObjectContext?
        var main: NSManagedObjectContext?
        var background: NSManagedObjectContext?
        var mainThread: NSManagedObjectContext?
        var byThread: [UInt64: NSManagedObjectContext] = [:]
    }

    /// A stack for the model of that name, with its store at `storeURL`; nil is the default for either.
    public init(modelName: String? = nil, storeURL: URL? = nil) {
        state.modelName = modelName
        state.storeURL = storeURL
        ThreadRegistry.shared.add(self)
    }

    deinit {
        if let observer = state.saveObserver { NotificationCenter.default.removeObserver(observer) }
    }

    func locked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&state)
    }

    // MARK: Settings

    /// The model's name, without extension. Default: the main bundle's name, which for a program without a bundle is the
    /// executable's. Set it before first use.
    public var modelName: String {
        get { locked { $0.modelName } ?? Self.bundleName }
        set {
            configure("modelName", isChange: newValue != modelName) { $0.model != nil && !$0.isModelGiven } change: { $0.modelName = newValue }
        }
    }

    /// The only bundle the model is looked for in; nil is the main bundle, then the resource bundles beside the executable.
    public var modelBundle: Bundle? {
        get { locked { $0.modelBundle } }
        set {
            configure("modelBundle", isChange: newValue != modelBundle) { $0.model != nil && !$0.isModelGiven } change: { $0.modelBundle = newValue }
        }
    }

    /// Where the store is. Default: `<modelName>.sqlite` in the program's data folder (on Apple's platforms the library folder).
    public var storeURL: URL {
        get { locked { $0.storeURL } ?? Platform.dataFolder.appendingPathComponent("\(modelName).sqlite") }
        set { configure("storeURL", isChange: newValue != storeURL) { $0.coordinator != nil } change: { $0.storeURL = newValue } }
    }

    /// The options the store is opened with. Default: automatic migration with an inferred mapping.
    public var persistentStoreOptions: [AnyHashable: Any] {
        get { locked { $0.options } }
        set { configure("persistentStoreOptions", isChange: true) { $0.coordinator != nil } change: { $0.options = newValue } }
    }

    /// The store's type. Default `NSSQLiteStoreType`; `NSInMemoryStoreType` needs no file.
    public var persistentStoreType: String {
        get { locked { $0.storeType } }
        set {
            configure("persistentStoreType", isChange: newValue != persistentStoreType) { $0.coordinator != nil } change: { $0.storeType = newValue }
        }
    }

    /// How the contexts made from now on settle conflicts. Default `NSMergePolicy.error`: the save throws.
    public var mergePolicy: NSMergePolicy {
        get { locked { $0.mergePolicy } }
        set { locked { $0.mergePolicy = newValue } }
    }

    /// Whether requests of the one-liners find objects of subentities too. Default true; the original's was false, which made
    /// one on an abstract entity always empty.
    public var includesSubentitiesByDefault: Bool {
        get { locked { $0.includesSubentities } }
        set { locked { $0.includesSubentities = newValue } }
    }

    /// Called with each failure that a call without `throws` cannot throw (`saveChanges()`, `storeCoordinator`…), on the
    /// thread it happened on. nil: `shared`'s handler, and if that has none either, standard error.
    public var errorHandler: ((any Error) -> Void)? {
        get { locked { $0.errorHandler } }
        set { locked { $0.errorHandler = newValue } }
    }

    private func configure(_ setting: String, isChange: Bool, isTooLate: (State) -> Bool, change: (inout State) -> Void) {
        let isLate = locked { state in
            change(&state)
            return isTooLate(state)
        }
        if isChange, isLate { report(NLCoreDataError.configuredTooLate(setting: setting)) }
    }

    private static var bundleName: String {
        if let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String { return name }
        return Bundle.main.executableURL?.deletingPathExtension().lastPathComponent ?? ProcessInfo.processInfo.processName
    }

    // MARK: Failures

    /// Gives a failure to the handler, or prints it: never silence.
    func report(_ error: any Error) {
        if let handler = errorHandler ?? (self === Self.shared ? nil : Self.shared.errorHandler) { return handler(error) }
        FileHandle.standardError.write(Data("NLCoreData: \(ErrorText.describe(error))\n".utf8))
    }
}
