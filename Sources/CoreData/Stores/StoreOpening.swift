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
            guard let storeClass = StoreClasses.storeClass(ofType: request.type) else { throw unknownType(request.type) }
            return try incremental(storeClass, request, coordinator, entities)
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

    private static func memory(
        _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>
    ) throws -> NSPersistentStore {
        // As at Apple's (TY17): there are no triggers that would keep the values.
        if let attribute = derivedAttribute(in: coordinator, entities) {
            throw DerivationError.storeCannotDerive(store: request.type, attribute: attribute)
        }
        return NSPersistentStore(
            rowStore: InMemoryRowStore(
                model: coordinator.runtime.resolved, number: coordinator.reserveNumber(), reporter: coordinator.reporter(for: request.url)),
            type: NSInMemoryStoreType, url: request.url, configuration: request.configuration, options: request.options,
            isReadOnly: request.flag(NSReadOnlyPersistentStoreOption), entities: entities)
    }

    private static func incremental(
        _ storeClass: NSIncrementalStore.Type, _ request: StoreRequest, _ coordinator: NSPersistentStoreCoordinator,
        _ entities: Set<Int>
    ) throws -> NSPersistentStore {
        // As at Apple's: SQLite stores alone keep derived values.
        if let attribute = derivedAttribute(in: coordinator, entities) {
            throw DerivationError.storeCannotDerive(store: request.type, attribute: attribute)
        }
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
        return store
    }

    static func unknownType(_ type: String) -> NSError {
        let known = ([NSSQLiteStoreType, NSInMemoryStoreType] + StoreClasses.all.keys.sorted()).joined(separator: ", ")
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
        let rows = try rowStore(url, request.configuration, coordinator, options)
        coordinator.managedObjectModel.learnHashes(of: rows.metadata)
        return NSPersistentStore(
            rowStore: rows, type: NSSQLiteStoreType, url: url, configuration: request.configuration, options: request.options,
            isReadOnly: rows.refusal != nil, entities: entities)
    }

    /// Version hashes that only Apple's framework can compute are taken from the store if the model it keeps says that they are
    /// those of this model; other differences are named in detail where that model tells them.
    private static func rowStore(
        _ url: URL, _ configuration: String?, _ coordinator: NSPersistentStoreCoordinator, _ options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        let model = coordinator.runtime.resolved
        func open(_ options: SQLiteStoreOptions) throws -> SQLiteRowStore {
            try SQLiteRowStore.open(
                url, model: model, configuration: configuration, number: coordinator.reserveNumber(), options: options)
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
