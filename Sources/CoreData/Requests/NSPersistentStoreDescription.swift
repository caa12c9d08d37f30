import Foundation

/// What a container or coordinator needs to know to open a store.
open class NSPersistentStoreDescription: NSObject, NSCopying {
    /// The store's type, such as `NSSQLiteStoreType`, which is the default.
    open var type: String = NSSQLiteStoreType
    /// The model configuration whose entities the store holds; nil is all.
    open var configuration: String?
    /// Where the store is. `init()` sets `/dev/null`, which keeps a SQLite store in memory.
    open var url: URL?
    /// Whether the container returns before the store is open. Default false.
    open var shouldAddStoreAsynchronously: Bool = false
    /// The options the store is opened with.
    open private(set) var options: [String: NSObject] = [:]

    /// A SQLite store at a file URL, migrated and with the mapping inferred when that is needed.
    public init(url: URL) {
        self.url = url
        super.init()
        shouldMigrateStoreAutomatically = true
        shouldInferMappingModelAutomatically = true
    }

    public override convenience init() { self.init(url: URL(fileURLWithPath: "/dev/null")) }

    /// Sets an option the store is opened with; nil removes it.
    open func setOption(_ option: NSObject?, forKey key: String) { options[key] = option }

    /// Sets a SQLite pragma, such as "WAL" for "journal_mode"; nil removes it.
    open func setValue(_ value: NSObject?, forPragmaNamed name: String) {
        var pragmas = sqlitePragmas
        pragmas[name] = value
        options[NSSQLitePragmasOption] = pragmas.isEmpty ? nil : pragmas as NSDictionary
    }

    /// The SQLite pragmas that were set.
    open var sqlitePragmas: [String: NSObject] { options[NSSQLitePragmasOption] as? [String: NSObject] ?? [:] }

    /// Whether the store is opened for reading only. Default false.
    open var isReadOnly: Bool {
        get { flag(NSReadOnlyPersistentStoreOption) }
        set { setFlag(newValue, NSReadOnlyPersistentStoreOption) }
    }

    /// Seconds to wait while another connection locks the store. Default 240.
    open var timeout: TimeInterval {
        get { (options[NSPersistentStoreTimeoutOption] as? NSNumber)?.doubleValue ?? 240 }
        set { options[NSPersistentStoreTimeoutOption] = NSNumber(value: newValue) }
    }

    /// Whether a store of an older model is migrated. Default true.
    open var shouldMigrateStoreAutomatically: Bool {
        get { flag(NSMigratePersistentStoresAutomaticallyOption) }
        set { setFlag(newValue, NSMigratePersistentStoresAutomaticallyOption) }
    }

    /// Whether the mapping of a migration is inferred when none is found. Default true.
    open var shouldInferMappingModelAutomatically: Bool {
        get { flag(NSInferMappingModelAutomaticallyOption) }
        set { setFlag(newValue, NSInferMappingModelAutomaticallyOption) }
    }

    private func flag(_ key: String) -> Bool { (options[key] as? NSNumber)?.boolValue ?? false }
    private func setFlag(_ value: Bool, _ key: String) { options[key] = NSNumber(value: value) }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentStoreDescription()
        copy.type = type
        copy.configuration = configuration
        copy.url = url
        copy.shouldAddStoreAsynchronously = shouldAddStoreAsynchronously
        copy.options = options
        return copy
    }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentStoreDescription else { return false }
        return self === other
            || (type == other.type && configuration == other.configuration && url == other.url && options == other.options)
    }

    open override var hash: Int { url?.hashValue ?? 0 }

    open override var description: String {
        "<NSPersistentStoreDescription type: \(type), url: \(url?.absoluteString ?? "none")>"
    }
}
