import CoreDataPredicate
import CoreDataSchema
import Foundation

/// A store that keeps its rows in memory: it forgets them when it goes, or has a `StoreKeeper` write them down with every change.
///
/// Invariant: `state` is the truth; fetches work on a snapshot of it outside the lock, so a predicate never runs under it.
/// The row cache holds the newest version of every row of `state`, but for rows that a batch has changed and nobody has
/// fetched since.
package final class InMemoryRowStore: RowStore {
    package let model: ResolvedModel
    package let number: Int32
    package let rowCache: RowCache
    let schema: InMemorySchema
    private let state: LockedValue<Contents>
    private let watch: RoundTripWatch
    package let keeper: (any StoreKeeper)?
    /// Held by a change from its beginning until the keeper has it, for which `state`'s lock would be too long, and too dangerous:
    /// the keeper may be the application's, and asks back. Recursive for that.
    private let changing = NSRecursiveLock()

    private struct Contents: Sendable {
        var rows: InMemoryState
        var metadata: StoreMetadata
        /// Whether the keeper has not seen the metadata yet.
        var isMetadataNew = false
        var isClosed = false
        /// Moves with every change of `rows`.
        var revision = 0
    }

    package init(
        model: ResolvedModel, number: Int32, identifier: String = UUID().uuidString, reporter: StoreReporter? = nil,
        metadata: StoreMetadata? = nil, content: StoreContent? = nil, keeper: (any StoreKeeper)? = nil
    ) {
        self.keeper = keeper
        watch = RoundTripWatch(reporter)
        self.model = model
        self.number = number
        rowCache = RowCache(model: model)
        let schema = content?.schema ?? InMemorySchema(model)
        self.schema = schema
        state = LockedValue(Contents(
            rows: content?.state ?? InMemoryState(schema),
            metadata: metadata ?? StoreMetadata(identifier: identifier, type: "InMemory", values: [:])))
        if let content { rowCache.adopt(content.allRows) }
    }

    /// Everything the store holds, as it is now.
    package func content() throws -> StoreContent { StoreContent(schema: schema, state: try snapshot()) }

    /// Takes other content in: what a store of the application's own has read.
    package func replaceContent(_ content: StoreContent) throws {
        try state.withLock { contents in
            try Self.checkOpen(contents)
            contents.rows = content.state
            contents.revision += 1
            rowCache.removeAll()
            rowCache.adopt(content.allRows)
        }
    }

    /// Takes keys a store of the application's own gave out for handed out.
    package func claim(_ keys: [RowKey]) throws {
        changing.lock()
        defer { changing.unlock() }
        try state.withLock { contents in
            try Self.checkOpen(contents)
            contents.revision += 1
            for key in keys { contents.rows.claim(key.primaryKey, root: schema.root(of: key)) }
        }
    }

    package var metadata: StoreMetadata { state.withLock(\.metadata) }

    package func setMetadata(_ metadata: StoreMetadata) {
        state.withLock { contents in
            contents.metadata = metadata.keepingFrameworkValues(of: contents.metadata)
            contents.isMetadataNew = true
        }
    }

    package func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        var plan = plan
        if !plan.isChecked { try FetchPlanCheck.check(&plan, model) }
        return try watch.read(.fetch, rows: \.rowCount) { try answer(plan) }
    }

    private func answer(_ plan: FetchPlan) throws -> FetchOutcome {
        let snapshot = try snapshot()
        let outcome = try RowFetch.answer(plan, from: snapshot.rows(of: plan, schema), resolver(snapshot))
        if case .rows(let found) = outcome { adoptCurrent(found) }
        return outcome
    }

    package func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] {
        // What the row cache has is no trip to the rows, here as in a file.
        let isCached = watch.isOn && rowCache.rows(for: keys).allSatisfy { $0 != nil }
        return try watch.read(.rows, rows: { isCached ? nil : $0.count }) { try current(keys, staleAfter) }
    }

    private func current(_ keys: [RowKey], _ staleAfter: Double) throws -> [RowBlock] {
        let snapshot = try snapshot()
        let now = RowClock.now
        var read: [RowBlock] = [], result: [RowBlock] = []
        for (key, cached) in zip(keys, rowCache.rows(for: keys)) {
            if let cached, staleAfter < 0 || now - cached.readAt < staleAfter {
                result.append(cached)
            } else if let row = snapshot.row(key, schema) {
                read.append(row)
            } else if cached != nil {
                rowCache.remove([key])
            }
        }
        adoptCurrent(read)
        return result + read
    }

    package func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
        try watch.read(.relationship, rows: { $0.reduce(0) { $0 + $1.count } }) {
            let snapshot = try snapshot()
            return owners.map { snapshot.related(to: own($0), through: relationship, schema) }
        }
    }

    package func reserveKeys(entity: Int, count: Int) throws -> [RowKey] {
        guard model.entities.indices.contains(entity), count >= 0 else {
            throw StoreError.invalidRequest("Keys cannot be reserved: entity number \(entity), count \(count).")
        }
        if keeper != nil { changing.lock() }
        defer { if keeper != nil { changing.unlock() } }
        let first = try state.withLock { contents in
            try Self.checkOpen(contents)
            contents.revision += 1
            return contents.rows.reserve(count, root: schema.roots[entity])
        }
        return (0..<count).map { RowKey(primaryKey: first + Int64($0), entity: Int32(entity), store: number) }
    }

    package func commit(_ batch: ChangeBatch) throws -> CommitOutcome {
        try watch.commit(batch) { try write(batch) }
    }

    private func write(_ batch: ChangeBatch) throws -> CommitOutcome {
        if let keeper { return try write(batch, keeper) }
        return try state.withLock { contents in
            try Self.checkOpen(contents)
            contents.revision += 1
            var commit = InMemoryCommit(batch, schema, store: number)
            let outcome = try commit.run(on: &contents.rows)
            if case .committed(let receipt) = outcome { cache(receipt, of: batch) }
            return outcome
        }
    }

    /// Under the state's lock: the cache must see commits in their order.
    private func cache(_ receipt: CommitReceipt, of batch: ChangeBatch) {
        if !batch.deleted.isEmpty { rowCache.remove(batch.deleted.map(\.key)) }
        rowCache.adopt(receipt.updated)
        rowCache.adopt(receipt.inserted)
    }

    private func write(_ batch: ChangeBatch, _ keeper: any StoreKeeper) throws -> CommitOutcome {
        changing.lock()
        defer { changing.unlock() }
        var rows = try snapshot()
        if batch.isEmpty, !state.withLock(\.isMetadataNew), keeper.isUpToDate { return .committed(CommitReceipt(inserted: [], updated: [])) }
        var commit = InMemoryCommit(batch, schema, store: number)
        let outcome = try commit.run(on: &rows)
        guard case .committed(let receipt) = outcome else { return outcome }
        try keeper.keep(StoreChange(content: StoreContent(schema: schema, state: rows), metadata: metadata, batch: batch, receipt: receipt))
        try state.withLock { [rows] contents in
            try Self.checkOpen(contents)
            contents.rows = rows
            contents.revision += 1
            contents.isMetadataNew = false
            cache(receipt, of: batch)
        }
        return outcome
    }

    package func close() throws {
        state.withLock { contents in
            contents.isClosed = true
            contents.revision += 1
            contents.rows = InMemoryState(schema)
        }
        rowCache.removeAll()
    }

    /// Changes the state as `body` says, as one step: the rows are worked out on a copy outside the lock, again if somebody
    /// else was faster.
    func transact<Result>(_ body: (inout InMemoryState) throws -> Result) throws -> Result {
        if keeper != nil { changing.lock() }
        defer { if keeper != nil { changing.unlock() } }
        while true {
            let (before, revision) = try state.withLock { contents in
                try Self.checkOpen(contents)
                return (contents.rows, contents.revision)
            }
            var rows = before
            let result = try body(&rows)
            try keeper?.keep(StoreChange(content: StoreContent(schema: schema, state: rows), metadata: metadata, batch: nil, receipt: nil))
            let isDone = try state.withLock { [rows] contents in
                try Self.checkOpen(contents)
                guard contents.revision == revision else { return false }
                contents.rows = rows
                contents.revision += 1
                return true
            }
            if isDone { return result }
        }
    }

    // MARK: Reading

    private func snapshot() throws -> InMemoryState {
        try state.withLock { contents in
            try Self.checkOpen(contents)
            return contents.rows
        }
    }

    private static func checkOpen(_ contents: borrowing Contents) throws(StoreError) {
        if contents.isClosed { throw .closed(path: contents.metadata.identifier) }
    }

    /// Puts rows that the cache was emptied of, or that a batch made, into it, unless a commit has replaced them meanwhile.
    /// Rows in the cache are left alone: others may be reading their headers.
    private func adoptCurrent(_ rows: [RowBlock]) {
        func missing() -> [RowBlock] {
            zip(rows, rowCache.rows(for: rows.map(\.key))).filter { row, cached in !(cached?.isIdentical(to: row) ?? false) }.map(\.0)
        }
        if missing().isEmpty { return }
        state.withLock { contents in
            let missing = missing()
            rowCache.adopt(missing.filter { contents.rows.row($0.key, schema)?.isIdentical(to: $0) ?? false })
        }
    }

    func resolver(_ snapshot: InMemoryState) -> RowResolver {
        RowResolver(
            model: model, row: { [schema] in snapshot.row($0, schema) },
            members: { [schema] in snapshot.related(to: $0, through: $1, schema) })
    }

    private func own(_ key: RowKey) -> RowKey {
        var key = key
        key.store = number
        return key
    }
}
