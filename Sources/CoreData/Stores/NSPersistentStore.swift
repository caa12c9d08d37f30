import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// One store of a coordinator: a file, memory, or what the program makes of it (`NSIncrementalStore`).
///
/// Unchecked Sendable: immutable once it is attached, but for `url`, which the coordinator changes under its lock.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    package let rowStore: any RowStore
    /// For object IDs.
    let anchor = StoreAnchor()
    open internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    /// The configuration the store was added for; `PF_DEFAULT_CONFIGURATION_NAME` when none was named.
    open private(set) var configurationName: String
    private let storedType: String
    /// The store's type; a subclass that overrides it should say what it was registered as.
    open var type: String { storedType }
    open var url: URL?
    open private(set) var options: [AnyHashable: Any]?
    /// Whether saves are refused; to be set before the store is added.
    open var isReadOnly: Bool
    /// Indices of the entities the store holds.
    package internal(set) var entities: Set<Int>

    init(
        rowStore: any RowStore, type: String, url: URL?, configuration: String?, options: [AnyHashable: Any]?, isReadOnly: Bool,
        entities: Set<Int>
    ) {
        self.rowStore = rowStore
        storedType = type
        self.url = url
        configurationName = configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.options = options
        self.isReadOnly = isReadOnly
        self.entities = entities
        super.init()
        anchor.store = self
    }

    /// How coordinators make a store of a class the program registered: override it, saying `required`, to set one up.
    ///
    /// Throws nothing: `loadMetadata()`, which is called next, is the place to refuse.
    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        guard let root else { raise(.invalidArgument, "A store is made for a coordinator: none was given.") }
        let type = StoreClasses.type(of: Self.self)
        let number = root.reserveNumber()
        if Self.self is NSAtomicStore.Type {
            rowStore = InMemoryRowStore(
                model: root.runtime.resolved, number: number, reporter: root.reporter(for: url),
                metadata: StoreMetadata(identifier: UUID().uuidString, type: type, values: [:]),
                content: .empty(model: root.runtime.resolved, store: number), keeper: NodeKeeper())
        } else {
            rowStore = IncrementalRowStore(runtime: root.runtime, number: number, type: type)
        }
        storedType = type
        self.url = url
        configurationName = name ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.options = options
        isReadOnly = StoreRequest(type: type, url: url, options: options ?? [:]).flag(NSReadOnlyPersistentStoreOption)
        entities = Set(root.runtime.resolved.entities.indices)
        super.init()
        anchor.store = self
        persistentStoreCoordinator = root
        (rowStore as? IncrementalRowStore)?.store = self as? NSIncrementalStore
    }

    // MARK: What the program's own stores override

    /// Reads or makes the store's metadata: sets `metadata`, with `NSStoreUUIDKey` and `NSStoreTypeKey` in it. Called once,
    /// before the store is attached; what it throws comes out of `addPersistentStore`.
    open func loadMetadata() throws {}
    /// Called when a coordinator has attached the store.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}
    /// Called before a coordinator takes the store off.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    /// The metadata of a store that nobody opens for it. Every store class of a program's own must override it to be asked by
    /// `NSPersistentStoreCoordinator.metadataForPersistentStore(ofType:at:options:)`.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] { throw missing("metadataForPersistentStore(with:)") }

    /// Replaces the metadata of a store that nobody opens for it; to be overridden likewise.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw missing("setMetadata(_:forPersistentStoreAt:)")
    }

    private static func missing(_ method: String) -> NSError {
        ErrorTranslation.error(StoreError.unsupported("The store class \(self) does not override \(method). For a store of the library’s own, "
            + "ask NSPersistentStoreCoordinator, naming its type."))
    }

    /// Goes on at another place, where the kind of store can.
    func move(to place: URL) throws {
        switch rowStore {
        case let rows as SQLiteRowStore: try rows.move(to: place)
        case let rows as InMemoryRowStore: try (rows.keeper as? AtomicFile)?.move(to: place)
        default: break
        }
        url = place
    }

    /// Why a store that is open for reading only takes no changes.
    var refusal: StoreError { (rowStore as? SQLiteRowStore)?.refusal ?? .readOnly(path: url?.path ?? type) }

    /// `NSStoreUUID`. Setting it takes effect with the next save; IDs made from then on name the new one.
    open var identifier: String! {
        get { rowStore.metadata.identifier }
        set {
            guard let newValue else { return }
            var metadata = rowStore.metadata
            metadata.identifier = newValue
            rowStore.setMetadata(metadata)
        }
    }

    /// The store's metadata, `NSStoreUUID` and `NSStoreType` included. Setting it takes effect with the next save.
    open var metadata: [String: Any]! {
        get { MetadataBridging.dictionary(rowStore.metadata) }
        set { rowStore.setMetadata(MetadataBridging.metadata(newValue ?? [:], type: type, identifier: identifier)) }
    }

    /// Transformables are archived by every store but those in memory, which keep the objects (DD05).
    var archivesObjects: Bool { type != NSInMemoryStoreType }

    // MARK: Names of records

    /// Whether records have names of the store's own (`NSIncrementalStore`), which objects must have before they are written.
    var namesItsObjects: Bool { false }
    /// What stands behind "p" in the URI of a record; nil where that is the primary key.
    func referenceText(of key: RowKey) -> String? { nil }
    /// The record of an ID made by another run or coordinator; nil where primary keys name records.
    func key(forReferenceText text: String, entity: Int) -> RowKey? { nil }
    /// Keys new objects keep.
    func reserveKeys(for objects: [NSManagedObject]) throws -> [RowKey] {
        // One call an entity; each takes the next of its entity's.
        var free: [Int: ArraySlice<RowKey>] = [:]
        for (entity, objects) in Dictionary(grouping: objects, by: \.runtime.index) {
            free[entity] = try rowStore.reserveKeys(entity: entity, count: objects.count)[...]
        }
        return objects.compactMap { free[$0.runtime.index]?.popFirst() }
    }
}

/// Store metadata as the dictionary Apple hands out.
enum MetadataBridging {
    static func dictionary(_ metadata: StoreMetadata) -> [String: Any] {
        var result = metadata.values
        result[NSStoreUUIDKey] = metadata.identifier
        result[NSStoreTypeKey] = metadata.type
        return result
    }

    static func metadata(_ dictionary: [String: Any], type: String, identifier: String) -> StoreMetadata {
        var values = dictionary
        let uuid = values.removeValue(forKey: NSStoreUUIDKey) as? String ?? identifier
        values.removeValue(forKey: NSStoreTypeKey)
        return StoreMetadata(identifier: uuid, type: type, values: values)
    }
}
