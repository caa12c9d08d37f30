import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// A connection for reading beside the store's own, for one fetch at a time.
///
/// Invariant: used by one thread at a time (`ReadLanes` hands it out and takes it back); each answer is one statement, so that
/// it sees one state of the file.
///
/// Unchecked Sendable: for that reason.
final class ReadLane: @unchecked Sendable {
    /// What reading needs of the store.
    struct Surroundings: Sendable {
        let schema: StoreSchema
        let layouts: [RowLayout]
        let number: Int32
        let url: URL
    }

    private let surroundings: Surroundings
    private let connection: SQLiteConnection
    /// Only to tell that a value is in a file.
    private let external: ExternalBlobs
    private var decoders: [DecoderKey: RowDecoder] = [:]
    private var selects: [KnownSelect] = []

    /// Throws where SQLite cannot open the file once more.
    init(busyTimeout: Int32, _ surroundings: Surroundings) throws {
        self.surroundings = surroundings
        external = ExternalBlobs(folder: StoreFiles.externalFolder(of: surroundings.url), other: nil, threshold: .max)
        connection = try SQLiteConnection(path: surroundings.url.path, access: .readOnly)
        connection.setBusyTimeout(milliseconds: busyTimeout)
        try connection.applyStandardPragmas()
        try SQLFunctions.register(on: connection, derivedRows: DerivedRows())
    }

    func close() {
        selects = []
        connection.close()
    }

    /// Whether one statement may answer the plan.
    static func mayAnswer(_ plan: FetchPlan) -> Bool {
        guard plan.shape != nil, plan.watch == nil, plan.objectTest == nil, plan.prefetch.isEmpty else { return false }
        if case .dictionaries = plan.result { return false }
        return true
    }

    /// nil where it takes more than one statement after all, or values in files.
    func answer(_ plan: FetchPlan) throws -> FetchOutcome? {
        switch plan.result {
        case .rows:
            let decoder = decoder(plan)
            guard !decoder.hasExternal, let known = try select(plan, .rows, columns: decoder.columns) else { return nil }
            var rows: [RowBlock] = []
            let now = RowClock.now
            let isDone = try known.run(plan) { statement in
                while try statement.step() { if let row = try decoder.row(statement, readAt: now) { rows.append(row) } }
            }
            return isDone ? .rows(rows) : nil
        case .keys:
            guard let known = try select(plan, .keys, columns: ["Z_PK", "Z_ENT"]) else { return nil }
            var keys: [RowKey] = []
            let isDone = try known.run(plan) {
                try surroundings.schema.read($0, plan.entity, store: surroundings.number, into: &keys)
            }
            return isDone ? .keys(keys) : nil
        case .count:
            guard let known = try select(plan, .count, columns: []) else { return nil }
            var count = 0
            return try known.run(plan) { if try $0.step() { count = Int($0.integer(0)) } } ? .count(count) : nil
        case .dictionaries: return nil
        }
    }

    private func decoder(_ plan: FetchPlan) -> RowDecoder {
        let key = DecoderKey(entity: plan.entity, includesSubentities: plan.includesSubentities)
        if let known = decoders[key] { return known }
        let made = RowDecoder(
            key, schema: surroundings.schema, layouts: surroundings.layouts, storeNumber: surroundings.number, external: external)
        decoders[key] = made
        return made
    }

    private func select(_ plan: FetchPlan, _ form: KnownSelect.Form, columns: [String]) throws -> KnownSelect? {
        if let known = selects.last(where: { $0.serves(plan, form) }) { return known }
        let builder = try SelectBuilder(plan, schema: surroundings.schema, storeNumber: surroundings.number, isStrict: false)
        let select = try form == .count ? builder.count() : builder.rows(columns: columns)
        guard let made = try KnownSelect(select, form, builder, on: connection) else { return nil }
        KnownSelect.keep(made, in: &selects)
        return made
    }
}
