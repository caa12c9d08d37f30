import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

extension SQLiteRowStore {
    /// Opens the store at `url`, or makes one when there is none (its folder must exist). A file that cannot be used is
    /// left exactly as it was.
    package static func open(
        _ url: URL, model: ResolvedModel, configuration: String? = nil, number: Int32 = 1,
        options: SQLiteStoreOptions = SQLiteStoreOptions()
    ) throws -> SQLiteRowStore {
        let planned = try StoreSchemaBuilder.build(
            model: model, numbers: StoreSchemaBuilder.numbers(model: model, configuration: configuration))
        do {
            let store = try openOrCreate(url, planned: planned, number: number, options: options)
            store.reportOpening()
            return store
        } catch let error as SQLiteError {
            // SQLite finds out that it may not make the log beside a file when it first writes.
            if error.isReadOnly, !options.isReadOnly {
                throw StoreError.cannotOpen(path: url.path, reason: OpeningObstacle.reason(url.path, message: error.message))
            }
            throw StoreError(error, path: url.path, busyTimeout: options.busyTimeout)
        }
    }

    private static func openOrCreate(
        _ url: URL, planned: StoreSchema, number: Int32, options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        func derived() throws -> [DerivedColumn] {
            DerivedTriggerBuilder.columns(try Derivation.all(in: planned.model, entities: planned.holds), schema: planned)
        }
        if url.path == "/dev/null" { return try createInMemory(url, schema: planned, derived: derived(), number: number, options: options) }
        switch try StoreProbe.find(url.path) {
        case .missing:
            guard !options.isReadOnly else {
                throw StoreError.cannotOpen(path: url.path, reason: "there is no such file, and a read-only store is not created.")
            }
            return try create(url, path: url.path, schema: planned, derived: derived(), number: number, options: options)
        case .file:
            return try openExisting(url, planned: planned, number: number, options: options)
        }
    }

    // MARK: a new file

    /// A store without a file, external ones included.
    private static func createInMemory(
        _ url: URL, schema: StoreSchema, derived: [DerivedColumn], number: Int32, options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        var options = options
        options.externalThreshold = .max
        return try create(url, path: ":memory:", schema: schema, derived: derived, number: number, options: options)
    }

    private static func create(
        _ url: URL, path: String, schema: StoreSchema, derived: [DerivedColumn], number: Int32, options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        let initial = try StoreMetadataFile.initial(for: schema, known: options.versionHashes)
        let existed = StoreFiles.exists(url)
        let connection = try SQLiteConnection(path: path, access: .create)
        if options.reporter != nil { connection.watch() }
        let derivedRows = DerivedRows()
        do {
            connection.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
            try connection.execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=2")
            try configure(connection, options: options, derivedRows: derivedRows)
            let metadata = try connection.transaction(.immediate) { () -> (StoreMetadata?, SQLiteConnection.TransactionEnd) in
                // Another process may have made it while we waited for the lock.
                if try connection.integer("SELECT COUNT(*) FROM sqlite_master") != 0 { return (nil, .rollBack) }
                try define(schema, derived: derived, metadata: initial, on: connection)
                try writeModel(options.modelArchive(), on: connection)
                return (initial, .commit)
            }
            guard let metadata else {
                connection.close()
                return try openExisting(url, planned: schema, number: number, options: options)
            }
            try DerivedColumn.install(derived, on: connection)
            return SQLiteRowStore(
                model: schema.model, number: number, url: url, options: options, schema: schema, connection: connection,
                derivedRows: derivedRows, metadata: metadata)
        } catch {
            connection.close()
            if !existed { try? StoreFiles.destroy(url) }
            throw error
        }
    }

    private static func define(
        _ schema: StoreSchema, derived: [DerivedColumn], metadata: StoreMetadata, on connection: SQLiteConnection
    ) throws {
        for statement in StoreDefinition.statements(for: schema, derived: derived) { try connection.execute(statement) }
        for entity in schema.model.entities where schema.holds(entity.index) {
            try connection.withStatement("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)") { row in
                try row.bind(1, schema.entityNumbers[entity.index])
                try row.bind(2, entity.name)
                try row.bind(3, entity.superIndex.map { schema.entityNumbers[$0] } ?? 0)
                try row.run()
            }
        }
        try StoreMetadataFile.write(metadata, to: connection)
    }

    private static func writeModel(_ archive: Data?, on connection: SQLiteConnection) throws {
        guard let archive, let content = RawDeflate.deflate(archive) else { return }
        try connection.withStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)") { row in
            try content.withUnsafeBytes { try row.bindBlob(1, $0) }
            try row.run()
        }
    }

    // MARK: a file that is there

    private static func openExisting(
        _ url: URL, planned: StoreSchema, number: Int32, options: SQLiteStoreOptions
    ) throws -> SQLiteRowStore {
        let path = url.path
        var options = options
        var refusal: StoreError?
        let probe = try StoreProbe.open(path, busyTimeout: options.busyTimeout)
        defer { probe.close() }
        try StoreProbe.checkSystemTables(probe.connection, path: path)
        let metadata = try StoreMetadataFile.read(probe.connection, path: path)
        if !options.ignoresVersionHashes {
            try StoreMetadataFile.check(metadata, against: planned, known: options.versionHashes, path: path)
        }
        let layout = try ExistingLayout(probe.connection)
        let schema = try fitted(planned, to: layout, probe.connection, path: path, options)
        probe.close()
        if layout.hasHistory, !options.tracksHistory, !options.isReadOnly {
            options.isReadOnly = true
            refusal = .historyNotTracked(path: path)
        }
        let connection = try connect(path, options: options)
        if options.reporter != nil { connection.watch() }
        let derivedRows = DerivedRows()
        do {
            connection.setBusyTimeout(milliseconds: options.busyTimeoutMilliseconds)
            try configure(connection, options: options, derivedRows: derivedRows)
            if !options.isReadOnly {
                try TriggerFunctions.register(on: connection)
                let derivations = try Derivation.all(in: schema.model, entities: schema.holds)
                try DerivedColumn.install(DerivedTriggerBuilder.columns(derivations, schema: schema), on: connection)
            }
            try maintain(connection, options, path: path)
        } catch {
            connection.close()
            throw error
        }
        return SQLiteRowStore(
            model: schema.model, number: number, url: url, options: options, schema: schema, connection: connection,
            derivedRows: derivedRows, metadata: metadata, refusal: refusal)
    }

    /// Another file of a store's model and options; never makes one.
    static func openAgain(_ url: URL, as store: SQLiteRowStore) throws -> SQLiteRowStore {
        guard try StoreProbe.find(url.path) == .file else { throw StoreError.cannotOpen(path: url.path, reason: "there is no such file.") }
        do { return try openExisting(url, planned: store.schema, number: store.number, options: store.options) } catch let error as SQLiteError {
            throw StoreError(error, path: url.path, busyTimeout: store.options.busyTimeout)
        }
    }

    /// The planned tables with the numbers and names the file really uses.
    private static func fitted(
        _ planned: StoreSchema, to layout: ExistingLayout, _ connection: SQLiteConnection, path: String, _ options: SQLiteStoreOptions
    ) throws -> StoreSchema {
        let tolerates = options.toleratesMissing
        let model = planned.model
        let numbers = try StoredEntity.numbers(for: model, planned: planned.entityNumbers, connection)
        for entity in model.entities where planned.holds(entity.index) && numbers[entity.index] == 0 && !tolerates {
            throw StoreError.notACoreDataStore(
                path: path, reason: "its Z_PRIMARYKEY has no row for the model's entity “\(entity.name)”")
        }
        let schema = numbers == planned.entityNumbers ? planned : try StoreSchemaBuilder.build(model: model, numbers: numbers)
        let (result, missing) = SchemaFitting.fit(schema, to: layout)
        guard missing.isEmpty || tolerates else {
            throw StoreError.notACoreDataStore(
                path: path, reason: "what its model needs is missing: \(missing.joined(separator: ", "))")
        }
        return options.omitsMissing && !missing.isEmpty ? SchemaFitting.present(of: result, in: layout) : result
    }

    private static func connect(_ path: String, options: SQLiteStoreOptions) throws -> SQLiteConnection {
        guard options.isReadOnly else {
            let connection = try SQLiteConnection(path: path, access: .readWrite)
            if connection.fileIsReadOnly {
                connection.close()
                throw StoreError.cannotOpen(
                    path: path, reason: "it is not writable. Change its permissions, or open the store for reading only.")
            }
            return connection
        }
        // What a killed program had begun must be undone before anything is read, which a copy is for.
        if options.leavesNoTrace || TracelessReading.hasJournal(path) { return try TracelessReading.connect(path) }
        // A database in WAL mode needs a place for its siblings even to be read; on media that nobody can write, none.
        let folder = (path as NSString).deletingLastPathComponent
        if FileManager.default.isWritableFile(atPath: folder.isEmpty ? "." : folder) {
            return try SQLiteConnection(path: path, access: .readOnly)
        }
        return try TracelessReading.connect(path)
    }

    /// What the options ask to be done once, when the store is opened.
    private static func maintain(_ connection: SQLiteConnection, _ options: SQLiteStoreOptions, path: String) throws {
        guard options.analyzes || options.vacuums else { return }
        if options.isReadOnly { throw StoreError.readOnly(path: path) }
        if options.vacuums { try connection.execute("VACUUM") }
        if options.analyzes { try connection.execute("ANALYZE") }
    }

    private static func configure(_ connection: SQLiteConnection, options: SQLiteStoreOptions, derivedRows: DerivedRows) throws {
        try connection.applyStandardPragmas()
        for (name, value) in options.pragmas.sorted(by: { $0.key < $1.key }) {
            guard (name + value).allSatisfy({ $0.isLetter || $0.isNumber || "_-.".contains($0) }) else {
                throw StoreError.invalidRequest("“\(name) = \(value)” is not a SQLite pragma: names and values are words and numbers.")
            }
            try connection.execute("PRAGMA \(name)=\(value)")
        }
        try SQLFunctions.register(on: connection, derivedRows: derivedRows)
    }
}

extension SQLiteStoreOptions {
    var busyTimeoutMilliseconds: Int32 { Int32(clamping: Int(max(0, min(busyTimeout, 86_400)) * 1000)) }
}
