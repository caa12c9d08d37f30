import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// Takes what a store holds to another place, as a store of any of the library's types. The old store stays as it is.
///
/// Rows keep their keys; the new store has a UUID of its own, the old one's other metadata, and is opened under the old one's number.
struct StoreMove {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    /// The new store.
    let request: StoreRequest

    func run() throws -> NSPersistentStore {
        if request.type != NSInMemoryStoreType, let url = request.url, url.path != "/dev/null", coordinator.persistentStore(for: url) != nil {
            throw StoreError.invalidRequest("A store cannot be moved to “\(url.path)”, which is open in the coordinator: name another place.")
        }
        switch request.type {
        case NSSQLiteStoreType: return try toSQLite()
        case NSInMemoryStoreType: return try StoreOpening.memory(request, coordinator, store.entities, begin: content(isArchived: false), metadata: metadata)
        default:
            guard let format = AtomicFormat(type: request.type) else {
                throw StoreError.unsupported("A store can be moved to the library’s own types. For “\(request.type)”, read the objects and insert them there.")
            }
            return try toFile(format)
        }
    }

    /// The old store's metadata but for what says what kind of store it is.
    private var metadata: [String: Any] { store.rowStore.metadata.values.filter { !StoreMetadata.isOurs($0.key) } }

    private func toFile(_ format: AtomicFormat) throws -> NSPersistentStore {
        guard let url = request.url, url.isFileURL else {
            throw StoreError.cannotOpen(path: request.url?.absoluteString ?? "(none)", reason: "a store of the type \(format.type) needs the URL of a file.")
        }
        try StoreOpening.refuseDerived(request, coordinator, store.entities)
        var new = try StoreMetadata.initial(type: format.type, for: coordinator.managedObjectModel, store.entities)
        new.values.merge(metadata) { $1 }
        let content = try content(isArchived: true)
        let bytes = try format.encode(content, new)
        try AtomicFiles(format: format).put(bytes, at: url)
        return NSPersistentStore(
            rowStore: InMemoryRowStore(
                model: coordinator.runtime.resolved, number: store.rowStore.number, reporter: coordinator.reporter(for: url), metadata: new,
                content: content,
                keeper: AtomicFile(format, url, stamp: FileStamp(url.path), isReadOnly: request.flag(NSReadOnlyPersistentStoreOption))),
            type: format.type, url: url, configuration: request.configuration, options: request.options,
            isReadOnly: request.flag(NSReadOnlyPersistentStoreOption), entities: store.entities)
    }

    // MARK: To SQLite

    private func toSQLite() throws -> NSPersistentStore {
        guard let url = request.url, url.isFileURL else {
            throw StoreError.cannotOpen(path: request.url?.absoluteString ?? "(none)", reason: "a SQLite store needs the URL of a file.")
        }
        guard url.path != "/dev/null" else {
            let new = try StoreOpening.open(request, for: coordinator)
            try fill(new)
            return new
        }
        if let rows = store.rowStore as? SQLiteRowStore {
            var new = rows.metadata
            new.identifier = UUID().uuidString
            try rows.copy(to: url, metadata: new)
        } else {
            let part = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString)")
            defer { try? StoreFiles.destroy(part, isForced: true) }
            var beside = request
            beside.url = part
            beside.options[NSReadOnlyPersistentStoreOption] = nil
            let new = try StoreOpening.open(beside, for: coordinator)
            do { try fill(new) } catch {
                try? new.rowStore.close()
                throw error
            }
            try new.rowStore.close()
            try StoreFiles.replace(url, with: part)
        }
        return try StoreOpening.open(request, for: coordinator)
    }

    private func fill(_ new: NSPersistentStore) throws {
        guard let rows = new.rowStore as? SQLiteRowStore else { return }
        let content = try content(isArchived: true)
        var changed = rows.metadata
        changed.values.merge(metadata) { $1 }
        rows.setMetadata(changed)
        _ = try rows.commit(ChangeBatch())
        try rows.load { load in
            for entity in content.model.entities where !entity.isAbstract {
                let linked = entity.properties.filter { $0.mustListMembers(in: content.model) }
                try content.forEachRow(of: entity.index) { row in
                    try load.insert(entity.index, key: row.key.primaryKey, values: row.values)
                    for property in linked {
                        let members = content.members(of: row.key, through: PropertyReference(entity: property.declaringEntity, slot: property.slot))
                        if !members.isEmpty { try load.link(property, owner: row.key, members: members) }
                    }
                }
            }
            return true
        }
        for entity in content.model.entities where entity.rootIndex == entity.index && rows.schema.holds(entity.index) {
            try rows.claim(content.nextKey(of: entity.index) - 1, of: entity.index)
        }
    }

    // MARK: What is there

    private func content(isArchived: Bool) throws -> StoreContent {
        switch store.rowStore {
        case let rows as SQLiteRowStore: return try content(of: rows)
        case let rows as InMemoryRowStore:
            let content = try rows.content()
            return isArchived && !store.archivesObjects ? try archived(content) : content
        default:
            throw StoreError.unsupported("A store of the program’s own cannot be moved by the library, which does not know all its records: read the "
                + "objects and insert them into another store.")
        }
    }

    private func content(of rows: SQLiteRowStore) throws -> StoreContent {
        var builder = StoreContentBuilder(model: rows.model, store: rows.number, sharesKeys: false)
        try rows.atOnce {
            for entity in rows.model.entities where !entity.isAbstract && rows.schema.holds(entity.index) {
                builder.claim(try rows.highestKey(of: entity.index) + 1, entity: entity.index)
                let linked = entity.properties.filter { $0.mustListMembers(in: rows.model) }
                try rows.scan(entity.index) { portion in
                    for row in portion {
                        try row.checkExternalFiles()
                        _ = builder.add(row.key, version: row.version, values: ContiguousArray((0..<row.layout.slotCount).map(row.value)))
                    }
                    for property in linked {
                        let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
                        for (row, members) in zip(portion, try rows.relatedKeys(of: portion.map(\.key), through: reference)) {
                            builder.link(row.key, reference, members)
                        }
                    }
                }
            }
        }
        return builder.finish()
    }

    /// Objects of transformable attributes as the bytes a file has.
    private func archived(_ content: StoreContent) throws -> StoreContent {
        var builder = StoreContentBuilder(content, store: store.rowStore.number)
        for entity in coordinator.runtime.entities where !entity.objectSlots.isEmpty {
            try content.forEachRow(of: entity.index) { row in
                var values = row.values
                for slot in entity.objectSlots {
                    guard case .object(let box) = values[slot], entity.resolved.properties[slot].storage == .object else { continue }
                    let data = try Transformation.data(from: box.value, of: entity.resolved.properties[slot], entity: entity.name)
                    values[slot] = data.map(AttributeValue.data) ?? .null
                }
                _ = builder.add(row.key, version: row.version, values: values)
            }
        }
        return builder.finish()
    }
}
