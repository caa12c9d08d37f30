import CoreDataSchema
import CoreDataStorage
import Foundation

/// A store the program reads and writes whole: subclass it, register the class with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`, and add a store of that type.
///
/// The records are `NSAtomicStoreCacheNode`s; fetches, faults and conflicts are the library's. The methods are called one at a time,
/// on the queue of the context that saves.
open class NSAtomicStore: NSPersistentStore, @unchecked Sendable {
    /// Records by key, and references by number. Touched by the thread that adds the store or saves into it.
    private var nodes: [RowKey: NSAtomicStoreCacheNode] = [:]
    private lazy var references = ReferenceTable(store: rows.number)
    /// Nodes that are not rows yet.
    private var added: [NSAtomicStoreCacheNode] = []
    private var isLoading = false

    public required init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        (rows.keeper as? NodeKeeper)?.store = self
    }

    // MARK: What subclasses override

    /// Reads the records: makes a node of each and adds it with `addCacheNodes`; must be overridden. Called once, before the store is
    /// attached. What it throws comes out of `addPersistentStore`.
    open func load() throws { throw missing("load()") }

    /// Writes all nodes and the metadata; must be overridden. Called by a save after the nodes were changed; when it throws, the
    /// save fails with that error and the nodes are as they were.
    open func save() throws { throw missing("save()") }

    /// A unique name for a new object's record, such as a text or a number; must be overridden by stores that can be written to.
    open func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        raise(.invalidArgument, "The store class \(Swift.type(of: self)) does not override newReferenceObject(for:).")
    }

    /// The node of a new object, which has its permanent ID. By default one with the object's values.
    open func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    /// Takes a changed object's values over into its node. By default all of them.
    open func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        for (name, property) in managedObject.entity.propertiesByName where !property.isTransient && !(property is NSFetchedPropertyDescription) {
            if let relationship = property as? NSRelationshipDescription {
                fill(relationship, of: node, from: managedObject)
            } else {
                node.setValue(managedObject.value(forKey: name), forKey: name)
            }
        }
    }

    /// Called before nodes are taken out of the store, with a save that deletes their objects.
    open func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {}

    // MARK: What subclasses call

    open func cacheNodes() -> Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

    /// Takes records in: those `load()` reads, or others that came up since.
    open func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        for node in cacheNodes {
            guard let key = key(of: node.objectID) else {
                raise(.invalidArgument, "The node’s ID \(node.objectID.uriRepresentation()) is not one of this store’s.")
            }
            nodes[key] = node
            added.append(node)
        }
        guard !isLoading else { return }
        // Nobody to tell: what cannot be read stays out, and is told by the next load.
        try? takeIn()
    }

    open func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { key(of: objectID).flatMap { nodes[$0] } }

    /// The ID of a record: the same entity and reference (a text, a number, or what prints unmistakably) give the same ID.
    open func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        guard let index = rows.model.indexByName[entity.name ?? ""] else {
            raise(.invalidArgument, "The store’s model has no entity “\(entity.name ?? "")”.")
        }
        return objectID(of: references.key(for: data, entity: index))
    }

    /// The reference an ID of this store was made with.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        guard let key = key(of: objectID), let reference = references.reference(of: key.primaryKey) else {
            raise(.invalidArgument, "The object ID \(objectID.uriRepresentation()) is not one of this store’s.")
        }
        return reference
    }

    // MARK: For the engine

    final var rows: InMemoryRowStore {
        guard let rows = rowStore as? InMemoryRowStore else { preconditionFailure("an atomic store was made with another store's rows") }
        return rows
    }

    override var archivesObjects: Bool { false }
    override var namesItsObjects: Bool { true }

    override func referenceText(of key: RowKey) -> String? { references.text(of: key.primaryKey) }

    override func key(forReferenceText text: String, entity: Int) -> RowKey? {
        RowKey(primaryKey: references.key(forText: text, entity: entity), entity: Int32(entity), store: rows.number)
    }

    override func reserveKeys(for objects: [NSManagedObject]) throws -> [RowKey] {
        let keys = objects.map { references.key(for: newReferenceObject(for: $0), entity: $0.runtime.index) }
        guard Set(keys).count == keys.count, keys.allSatisfy({ nodes[$0] == nil }) else {
            throw StoreError.invalidRequest("The store \(Swift.type(of: self)) gave two objects one reference: newReferenceObject(for:) must give a "
                + "new one each time.")
        }
        try rows.claim(keys)
        return keys
    }

    /// Reads the records when the store is added.
    final func loadNodes() throws {
        isLoading = true
        defer { isLoading = false }
        try load()
        var metadata = rows.metadata
        if let identifier, identifier != metadata.identifier {
            metadata.identifier = identifier
            rows.setMetadata(metadata)
        }
        try takeIn()
    }

    private func takeIn() throws {
        let new = added
        added = []
        guard let root = persistentStoreCoordinator, !new.isEmpty else { return }
        try rows.replaceContent(NodeReading(store: self, runtime: root.runtime).content(of: new, addedTo: rows.content()))
    }

    final func key(of objectID: NSManagedObjectID) -> RowKey? {
        guard !objectID.isTemporaryID, let text = objectID.referenceText, let index = rows.model.indexByName[objectID.entity.name ?? ""],
              objectID.storeIdentifier == identifier || objectID.key.store == rows.number else { return nil }
        return key(forReferenceText: text, entity: index)
    }

    private func objectID(of key: RowKey) -> NSManagedObjectID {
        guard let root = persistentStoreCoordinator else {
            raise(.invalidArgument, "The store was taken off its coordinator: it has no object IDs any more.")
        }
        return NSManagedObjectID(
            key: key, entity: root.runtime.entities[Int(key.entity)].entity, storeIdentifier: identifier, store: self,
            referenceText: references.text(of: key.primaryKey))
    }

    private func missing(_ method: String) -> NSError {
        ErrorTranslation.error(StoreError.unsupported("The store class \(Swift.type(of: self)) does not override \(method)."))
    }

    // MARK: A save

    private func fill(_ relationship: NSRelationshipDescription, of node: NSAtomicStoreCacheNode, from object: NSManagedObject) {
        switch object.value(forKey: relationship.name) {
        case let other as NSManagedObject: node.setValue(cacheNode(for: other.objectID), forKey: relationship.name)
        case let members as NSOrderedSet: node.setValue(NSOrderedSet(array: found(members.array)), forKey: relationship.name)
        case let members as NSSet: node.setValue(NSSet(array: found(members.allObjects)), forKey: relationship.name)
        case let members as Set<NSManagedObject>: node.setValue(NSSet(array: found(Array(members))), forKey: relationship.name)
        default: node.setValue(nil, forKey: relationship.name)
        }
    }

    private func found(_ objects: [Any]) -> [NSAtomicStoreCacheNode] {
        objects.compactMap { ($0 as? NSManagedObject).flatMap { cacheNode(for: $0.objectID) } }
    }

    /// Changes the nodes as a batch says, and saves; what fails is undone.
    final func keep(_ batch: ChangeBatch, for context: NSManagedObjectContext) throws {
        let before = nodes
        let changed = batch.updated.compactMap { nodes[$0.key] }
        let caches = changed.map { $0.propertyCache?.mutableCopy() as? NSMutableDictionary }
        let inserted = batch.inserted.compactMap { context.registered($0.key) }
        for object in inserted { if let key = key(of: object.objectID) { nodes[key] = newCacheNode(for: object) } }
        // Nodes of new objects could not name one another before all were there.
        for object in inserted {
            guard let node = cacheNode(for: object.objectID) else { continue }
            for (name, relationship) in object.entity.relationshipsByName where !relationship.isTransient && isIncomplete(node.value(forKey: name), relationship) {
                fill(relationship, of: node, from: object)
            }
        }
        for row in batch.updated {
            guard let node = nodes[row.key], let object = context.registered(row.key) else { continue }
            updateCacheNode(node, from: object)
        }
        let removed = Set(batch.deleted.compactMap { nodes[$0.key] })
        if !removed.isEmpty { willRemoveCacheNodes(removed) }
        for row in batch.deleted { nodes[row.key] = nil }
        do { try save() } catch {
            for (node, cache) in zip(changed, caches) { node.propertyCache = cache }
            nodes = before
            throw error
        }
    }

    /// Whether a new node's relationship may lack nodes that were made after it.
    private func isIncomplete(_ value: Any?, _ relationship: NSRelationshipDescription) -> Bool { value == nil || relationship.isToMany }
}

/// Tells an atomic store of the program's own of saves.
///
/// Unchecked Sendable: `store` is written once, before anybody else has this object.
final class NodeKeeper: StoreKeeper, @unchecked Sendable {
    weak var store: NSAtomicStore?

    /// Metadata that changed is told by a save without changes.
    var isUpToDate: Bool { true }

    func keep(_ change: StoreChange) throws {
        guard let store else { throw StoreError.closed(path: change.metadata.identifier) }
        guard let batch = change.batch, let context = AskingContext.current else {
            throw StoreError.unsupported("Batch requests cannot be executed on a store of the program’s own: change objects and save. Leave the store "
                + "out with affectedStores where others are meant.")
        }
        try store.keep(batch, for: context)
    }
}
