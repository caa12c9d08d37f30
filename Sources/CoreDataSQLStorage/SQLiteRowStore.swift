import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver
import Synchronization

/// A store in Apple's SQLite format.
///
/// Invariants: `connection` and everything prepared on it are touched only under `lock`; rows enter the row cache under
/// the same lock that read or wrote them, so the cache never goes back to an older row. Fetches that
/// find the lock taken may read beside it (`ReadLanes`); their rows enter the cache only if nothing was written meanwhile (`clock`).
///
/// Unchecked Sendable: the mutable state (`connection`, plans, metadata) is guarded by `lock`.
package final class SQLiteRowStore: RowStore, @unchecked Sendable {
    package let model: ResolvedModel
    package let number: Int32
    package let rowCache: RowCache
    /// Changes under `lock`, with the connection (`move(to:)`).
    package private(set) var url: URL
    package let options: SQLiteStoreOptions
    package let schema: StoreSchema
    /// Why nothing can be written; nil when it can.
    package let refusal: StoreError?
    /// `RowLayout` by entity.
    let layouts: [RowLayout]

    /// Recursive: an archiver of the app's may come back to the store.
    let lock = NSRecursiveLock()
    let lanes: ReadLanes
    let clock = CommitClock()
    /// Fetches let them have the connection.
    let writersWaiting = Atomic<Int>(0)
    private(set) var openConnection: SQLiteConnection?
    private var currentMetadata: StoreMetadata
    /// The metadata the next commit writes; nil when it is what the file has.
    var pendingMetadata: StoreMetadata?
    // Unchecked exclusivity: under `lock`, looked at for each row written.
    @exclusivity(unchecked) var decoders: [DecoderKey: RowDecoder] = [:]
    @exclusivity(unchecked) var writers: [EntityWriter?]
    @exclusivity(unchecked) var selects: [KnownSelect] = []
    private(set) var external: ExternalBlobs
    private(set) var derivedRows: DerivedRows
    /// Calls at work, one inside the other, and what the outermost is to report; only while somebody listens.
    var watchedCalls = 0
    var pendingReports: [StoreReport] = []

    init(
        model: ResolvedModel, number: Int32, url: URL, options: SQLiteStoreOptions, schema: StoreSchema,
        connection: SQLiteConnection, derivedRows: DerivedRows, metadata: StoreMetadata, refusal: StoreError? = nil
    ) {
        self.model = model
        self.number = number
        self.url = url
        self.options = options
        self.schema = schema
        rowCache = RowCache(model: model)
        layouts = model.entities.map { RowLayout($0, in: model) }
        openConnection = connection
        self.derivedRows = derivedRows
        self.refusal = refusal ?? (options.isReadOnly ? .readOnly(path: url.path) : nil)
        currentMetadata = metadata
        writers = Array(repeating: nil, count: model.entities.count)
        external = ExternalBlobs(
            folder: StoreFiles.externalFolder(of: url), other: StoreFiles.externalFolderBesideLink(url), threshold: options.externalThreshold)
        lanes = ReadLanes(ReadLanes.Source(
            connection, options, ReadLane.Surroundings(schema: schema, layouts: layouts, number: number, url: url)))
        OpenStores.add(url.path)
    }

    deinit {
        // Before the store's own connection, which takes the log into the file as the last one.
        lanes.close()
        if openConnection != nil { OpenStores.remove(url.path) }
    }

    /// Runs `body` alone, with the connection; SQLite's errors come out as the contract's. `call` says what for.
    func serialised<Result>(_ call: StoreCall, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        // What it changes becomes visible at any time.
        if call == .other { clock.begin() }
        defer { if call == .other { clock.end() } }
        if options.reporter != nil, !DiagnosticInterests.wanted.isDisjoint(with: .ofStores) { return try watched(call, body) }
        let isWriting = call == .commit || call == .keys || call == .other
        if isWriting { writersWaiting.add(1, ordering: .relaxed) }
        lock.lock()
        if isWriting { writersWaiting.subtract(1, ordering: .relaxed) }
        defer { lock.unlock() }
        if let openConnection, openConnection.trace != nil { openConnection.stopTracing() }
        return try translated(body)
    }

    func translated<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        guard let openConnection else { throw StoreError.closed(path: url.path) }
        // Rows that triggers changed and nobody read again since.
        defer { if !derivedRows.isEmpty { rowCache.remove(takeDerivedKeys()) } }
        do {
            return try body(openConnection)
        } catch let error as SQLiteError {
            throw StoreError(error, path: url.path, busyTimeout: options.busyTimeout)
        } catch let error as ImpossibleKey {
            throw StoreError.notADatabase(path: url.path, reason: "a row has the primary key \(error.number)")
        }
    }

    package var metadata: StoreMetadata {
        lock.lock()
        defer { lock.unlock() }
        return currentMetadata
    }

    package func setMetadata(_ metadata: StoreMetadata) {
        lock.lock()
        defer { lock.unlock() }
        let metadata = metadata.keepingFrameworkValues(of: currentMetadata)
        currentMetadata = metadata
        pendingMetadata = metadata
    }

    package func close() throws {
        lanes.close()
        lock.lock()
        defer { lock.unlock() }
        guard let connection = openConnection else { return }
        writers = Array(repeating: nil, count: model.entities.count)
        selects = []
        connection.close()
        openConnection = nil
        rowCache.removeAll()
        OpenStores.remove(url.path)
    }

    /// Goes on with the store at another place: a copy, or the file itself after it was moved. Throws, and stays, when there is no
    /// store of the same model and layout.
    package func move(to place: URL) throws {
        let other = try SQLiteRowStore.openAgain(place, as: self)
        guard (other.refusal == nil) == (refusal == nil), other.schema.entityNumbers == schema.entityNumbers,
              StoreDefinition.statements(for: other.schema) == StoreDefinition.statements(for: schema) else {
            try other.close()
            throw StoreError.invalidRequest("The store “\(place.path)” has its tables laid out otherwise than “\(url.path)”: add it as a store.")
        }
        try close()
        lock.lock()
        defer { lock.unlock() }
        (url, external, derivedRows) = (other.url, other.external, other.derivedRows)
        (openConnection, other.openConnection) = (other.openConnection, nil)
        currentMetadata = other.currentMetadata
        pendingMetadata = nil
        decoders = [:]
        lanes.open(other.lanes)
    }
}
