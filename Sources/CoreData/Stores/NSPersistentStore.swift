import CoreDataSchema
import CoreDataStorage

/// One store of a coordinator: a file, or memory.
///
/// Unchecked Sendable: immutable but for `url`, which the coordinator changes under its lock.
open class NSPersistentStore: NSObject, @unchecked Sendable {
    package let rowStore: any RowStore
    public internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    /// The configuration the store was added for; `PF_DEFAULT_CONFIGURATION_NAME` when none was named.
    public let configurationName: String
    public let type: String
    public internal(set) var url: URL?
    public let options: [AnyHashable: Any]?
    public let isReadOnly: Bool
    /// Indices of the entities the store holds.
    package let entities: Set<Int>

    init(
        rowStore: any RowStore, type: String, url: URL?, configuration: String?, options: [AnyHashable: Any]?, isReadOnly: Bool,
        entities: Set<Int>
    ) {
        self.rowStore = rowStore
        self.type = type
        self.url = url
        configurationName = configuration ?? "PF_DEFAULT_CONFIGURATION_NAME"
        self.options = options
        self.isReadOnly = isReadOnly
        self.entities = entities
    }

    /// `NSStoreUUID`.
    open var identifier: String! { rowStore.metadata.identifier }

    /// The store's metadata, `NSStoreUUID` and `NSStoreType` included. Setting it takes effect with the next save.
    open var metadata: [String: Any]! {
        get { MetadataBridging.dictionary(rowStore.metadata) }
        set { rowStore.setMetadata(MetadataBridging.metadata(newValue ?? [:], type: type, identifier: identifier)) }
    }

    /// Transformables are archived by every store but those in memory, which keep the objects (DD05).
    var archivesObjects: Bool { type != NSInMemoryStoreType }
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
