import CoreDataModelFile
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// What somebody wants opened.
struct StoreRequest {
    var type: String
    var configuration: String? = nil
    var url: URL?
    var options: [AnyHashable: Any]
    /// The number another store hands over (`StoreMove`); nil for a new one.
    var number: Int32? = nil

    func flag(_ key: String) -> Bool {
        switch options[key] {
        case let number as NSNumber: number.boolValue
        case let flag as Bool: flag
        default: false
        }
    }

    /// A positive number of seconds; nil when none is given.
    func seconds(_ key: String) throws -> Double? {
        guard let value = options[key] else { return nil }
        guard let number = value as? NSNumber, number.doubleValue.isFinite else { throw wrong(key, "a number of seconds", value) }
        return number.doubleValue > 0 ? number.doubleValue : nil
    }

    /// SQLite pragmas, name to value.
    func pragmas() throws -> [String: String] {
        guard let value = options[NSSQLitePragmasOption] else { return [:] }
        guard let pragmas = value as? [String: Any] else { throw wrong(NSSQLitePragmasOption, "a dictionary of texts and numbers", value) }
        return pragmas.mapValues { "\($0)" }
    }

    private func wrong(_ key: String, _ wanted: String, _ value: Any) -> StoreError {
        .invalidRequest("The store option \(key) must be \(wanted); it is a \(Swift.type(of: value)).")
    }
}

/// Opens stores by type.
enum StoreOpening {
    static func open(_ request: StoreRequest, for coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
        SQLDebug.start()
        let entities = try entities(of: request.configuration, in: coordinator)
        if request.flag(NSPersistentHistoryTrackingKey) || request.options[NSPersistentHistoryTrackingKey] is NSDictionary {
            throw StoreError.unsupported("Persistent history is not kept by this version. Remove NSPersistentHistoryTrackingKey from the "
                + "store’s options to use it without.")
        }
        switch request.type {
        case NSInMemoryStoreType: return try memory(request, coordinator, entities)
        case NSSQLiteStoreType:
            guard let url = request.url else {
                throw StoreError.cannotOpen(path: "(none)", reason: "a SQLite store needs the URL of a file.")
            }
            return try sqlite(request, url, coordinator, entities)
        default:
            if let format = AtomicFormat(type: request.type) { return try atomic(format, request, coordinator, entities) }
            guard let storeClass = StoreClasses.storeClass(ofType: request.type) else { throw unknownType(request.type) }
            return try registered(storeClass, request, coordinator, entities)
        }
    }

    private static func entities(of configuration: String?, in coordinator: NSPersistentStoreCoordinator) throws -> Set<Int> {
        let model = coordinator.runtime.resolved
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else { return Set(model.entities.indices) }
        guard let found = model.schema.configurations.first(where: { $0.name == configuration }) else {
            let known = model.schema.configurations.map(\.name).joined(separator: ", ")
            throw StoreError.invalidRequest("The model has no configuration “\(configuration)”. It has: "
                + (known.isEmpty ? "none" : known) + ".")
        }
        return Set(found.entityNames.compactMap { model.indexByName[$0] })
    }

    static func memory(
        _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>, begin content: StoreContent? = nil,
        metadata values: [String: Any] = [:]
    ) throws -> NSPersistentStore {
        try refuseDerived(request, coordinator, entities)
        var metadata = try StoreMetadata.initial(type: NSInMemoryStoreType, for: coordinator.managedObjectModel, entities)
        metadata.values.merge(values) { $1 }
        return NSPersistentStore(
            rowStore: InMemoryRowStore(
                model: coordinator.runtime.resolved, number: request.number ?? coordinator.reserveNumber(),
                reporter: coordinator.reporter(for: request.url), metadata: metadata, content: content),
            type: NSInMemoryStoreType, url: request.url, configuration: request.configuration, options: request.options,
            isReadOnly: request.flag(NSReadOnlyPersistentStoreOption), entities: entities)
    }

    /// A binary or XML store: read whole, or new, which makes a file with its first save.
    private static func atomic(
        _ format: AtomicFormat, _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>
    ) throws -> NSPersistentStore {
        try refuseDerived(request, coordinator, entities)
        guard let url = request.url, url.isFileURL else {
            throw StoreError.cannotOpen(path: request.url?.absoluteString ?? "(none)", reason: "a store of the type \(format.type) needs the URL of a file.")
        }
        let model = coordinator.runtime.resolved, number = request.number ?? coordinator.reserveNumber()
        let isReadOnly = request.flag(NSReadOnlyPersistentStoreOption)
        let stamp = FileStamp(url.path)
        let file = try AtomicFile.read(url)
        var metadata = try StoreMetadata.initial(type: format.type, for: coordinator.managedObjectModel, entities)
        var content = StoreContent.empty(model: model, store: number, sharesKeys: format.sharesKeys)
        if let file {
            // The model first: objects of another one cannot be understood.
            if !request.flag(NSIgnorePersistentStoreVersioningOption) {
                try format.metadata(of: file, path: url.path).check(against: coordinator, entities, path: url.path)
            }
            (metadata, content) = try format.decode(file, path: url.path, model: model, number: number)
        } else if isReadOnly {
            throw StoreError.cannotOpen(path: url.path, reason: "there is no such file, and a read-only store is not created.")
        }
        return NSPersistentStore(
            rowStore: InMemoryRowStore(
                model: model, number: number, reporter: coordinator.reporter(for: url), metadata: metadata, content: content,
                keeper: AtomicFile(format, url, stamp: file == nil ? nil : stamp, isReadOnly: isReadOnly)),
            type: format.type, url: url, configuration: request.configuration, options: request.options, isReadOnly: isReadOnly, entities: entities)
    }

    /// As at Apple's (TY17): SQLite stores alone have triggers that keep the values.
    static func refuseDerived(_ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>) throws {
        guard let attribute = derivedAttribute(in: coordinator, entities) else { return }
        throw DerivationError.storeCannotDerive(store: request.type, attribute: attribute)
    }

    /// A store of a class the program registered.
    private static func registered(
        _ storeClass: NSPersistentStore.Type, _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator,
        _ entities: Set<Int>
    ) throws -> NSPersistentStore {
        try refuseDerived(request, coordinator, entities)
        let url = request.url ?? URL(fileURLWithPath: "/dev/null")
        let store = storeClass.init(
            persistentStoreCoordinator: coordinator, configurationName: request.configuration, at: url, options: request.options)
        store.entities = entities
        try store.loadMetadata()
        let metadata: [String: Any] = store.metadata
        if metadata[NSStoreModelVersionHashesKey] != nil, !request.flag(NSIgnorePersistentStoreVersioningOption),
           !coordinator.managedObjectModel.isConfiguration(
               withName: request.configuration, compatibleWithStoreMetadata: metadata) {
            throw ErrorTranslation.cocoa(NSPersistentStoreIncompatibleVersionHashError, "The model used to open the store at “\(url)” is "
                + "not the one its metadata was made with.", [ErrorTranslation.metadataKey: metadata], path: url.path)
        }
        try (store as? NSAtomicStore)?.loadNodes()
        return store
    }

    static func unknownType(_ type: String) -> NSError {
        let known = ([NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType] + StoreClasses.all.keys.sorted()).joined(separator: ", ")
        return ErrorTranslation.cocoa(NSPersistentStoreInvalidTypeError, "There is no store type “\(type)”. There are: \(known). A store "
            + "class of the program’s own is made known by NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:).")
    }

    /// A derived attribute among the entities, if there is one.
    private static func derivedAttribute(in coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>) -> String? {
        for index in entities.sorted() {
            let entity = coordinator.runtime.resolved.entities[index]
            if let property = entity.properties.first(where: \.isDerived) { return "\(entity.name).\(property.name)" }
        }
        return nil
    }

    private static func sqlite(
        _ request: StoreRequest, _ url: URL, _ coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>
    ) throws -> NSPersistentStore {
        guard url.isFileURL else {
            throw StoreError.cannotOpen(path: url.absoluteString, reason: "a store’s URL must be a file URL.")
        }
        var options = SQLiteStoreOptions()
        options.reporter = coordinator.reporter(for: url)
        options.isReadOnly = request.flag(NSReadOnlyPersistentStoreOption)
        options.ignoresVersionHashes = request.flag(NSIgnorePersistentStoreVersioningOption)
        options.isStrict = request.flag(OnlySQLStoreOption)
        if let timeout = try request.seconds(NSPersistentStoreTimeoutOption) { options.busyTimeout = timeout }
        options.pragmas = try request.pragmas()
        options.analyzes = request.flag(NSSQLiteAnalyzeOption)
        options.vacuums = request.flag(NSSQLiteManualVacuumOption)
        options.modelArchive = { [model = coordinator.runtime.resolved] in ArchivedModelWriter.archive(of: model) }
        options.versionHashes = try coordinator.managedObjectModel.versionHashes().mapValues { Array($0) }
        let rows = try rowStore(url, request, coordinator, options)
        coordinator.managedObjectModel.learnHashes(of: rows.metadata)
        return NSPersistentStore(
            rowStore: rows, type: NSSQLiteStoreType, url: url, configuration: request.configuration, options: request.options,
            isReadOnly: rows.refusal != nil, entities: entities)
    }

    /// Version hashes that only Apple's framework can compute are taken from the store if the model it keeps says that they are
    /// those of this model; other differences are named in detail where that model tells them.
    private static func rowStore(
        _ url: URL, _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator, _ options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        let model = coordinator.runtime.resolved, number = request.number ?? coordinator.reserveNumber()
        func open(_ options: SQLiteStoreOptions) throws -> SQLiteRowStore {
            try SQLiteRowStore.open(
                url, model: model, configuration: request.configuration, number: number, options: options)
        }
        do { return try open(options) } catch StoreError.incompatibleModel(let path, let differences, let storeHashes, let modelHashes) {
            let comparison = StoredModelComparison(
                of: url, with: model.schema, storeHashes: storeHashes, modelHashes: modelHashes)
            if let adopted = comparison?.adoptedHashes() {
                var options = options
                options.versionHashes = adopted
                return try open(options)
            }
            throw StoreError.incompatibleModel(
                path: path, differences: comparison?.detailed(differences) ?? differences, storeHashes: storeHashes, modelHashes: modelHashes)
        }
    }
}
