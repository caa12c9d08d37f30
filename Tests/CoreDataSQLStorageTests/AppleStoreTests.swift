import CoreDataModelFile
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataSQLStorage

/// Model and store pairs of the corpus, read in place.
struct ApplePair: Sendable, CustomStringConvertible {
    let model: URL
    let store: URL
    var description: String { store.lastPathComponent }

    static let all: [ApplePair] = {
        guard let corpus = Corpus.url("corpus"), let index = try? String(contentsOf: corpus.appendingPathComponent("INDEX.tsv"), encoding: .utf8)
        else {
            Corpus.skip("model and store pairs")
            return []
        }
        var pairs: [ApplePair] = []
        for line in index.split(whereSeparator: \.isNewline) {
            guard let start = line.range(of: "PAIR=") else { continue }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let model = line[start.upperBound...].prefix { $0 != "(" }
            pairs.append(ApplePair(model: corpus.appendingPathComponent(String(model)), store: corpus.appendingPathComponent(String(fields[1]))))
        }
        Corpus.say("model and store pairs: \(pairs.count)")
        return pairs
    }()

    func schema() throws -> ResolvedModel {
        // The file named is the `contents` of one version.
        let contents = try ModelFile.readCurrent(at: model.deletingLastPathComponent())
        return try ResolvedModel(try #require(contents.versions[contents.currentVersionName]))
    }
}

@Suite struct AppleStoreTests {
    /// Tables and their columns, Z tables only, history left out.
    private func layout(_ path: String) throws -> [String: [String]] {
        let connection = try SQLiteConnection(path: path, access: .immutable)
        defer { connection.close() }
        return try ExistingLayout(connection).tables.filter { $0.key.hasPrefix("Z") }
    }

    @Test("A new store of a model has the tables and columns Apple's store has, in its order", arguments: ApplePair.all)
    func definition(_ pair: ApplePair) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("New.sqlite")
        try SQLiteRowStore.open(url, model: pair.schema()).close()
        var apple = try layout(pair.store.path)
        var ours = try layout(url.path)
        // Frameworks before iOS 9 had no model cache.
        if apple["Z_MODELCACHE"] == nil { ours["Z_MODELCACHE"] = nil }
        #expect(apple.keys.sorted() == ours.keys.sorted())
        for (table, columns) in apple where ours[table]?.sorted() != columns.sorted() {
            // Which of two join tables of one entity gets the suffix of a clashing column is decided by a hash at Apple's.
            func stems(_ columns: [String]) -> [String] { columns.map { $0.replacing(/[0-9]+$/, with: "") }.sorted() }
            #expect(table.hasPrefix("Z_") && stems(ours[table] ?? []) == stems(columns), "\(table)")
            Corpus.say("\(pair): other suffix in \(table)")
        }
        // Stores migrated in place got their new columns at the end.
        apple = apple.filter { ours[$0.key] != $0.value }
        if !apple.isEmpty { Corpus.say("\(pair): other column order in \(apple.keys.sorted().joined(separator: ", "))") }
    }

    @Test("Apple's stores open with their own model, and every row of every entity is read", arguments: ApplePair.all)
    func reading(_ pair: ApplePair) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Copy.sqlite")
        try StoreFiles.copy(from: pair.store, to: url)
        let store = try SQLiteRowStore.open(url, model: pair.schema())
        let raw = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { raw.close() }
        for table in store.schema.tables {
            guard case .rows(let rows) = try store.fetch(FetchPlan(entity: table.root)) else { throw Unexpected("no rows") }
            #expect(rows.count == Int(try raw.integer("SELECT COUNT(*) FROM \(table.name)") ?? -1), "\(table.name)")
            for row in rows { _ = row.values }
        }
        for (reference, _) in store.schema.links {
            var plan = FetchPlan(entity: reference.entity)
            plan.result = .keys
            guard case .keys(let keys) = try store.fetch(plan) else { throw Unexpected("no keys") }
            _ = try store.relatedKeys(of: keys, through: reference)
        }
        #expect(store.metadata.values["NSStoreModelVersionHashes"] != nil)
        try store.close()
    }

    @Test("A row can be written into a copy of each of Apple's stores", arguments: ApplePair.all)
    func writing(_ pair: ApplePair) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Copy.sqlite")
        try StoreFiles.copy(from: pair.store, to: url)
        let store = try SQLiteRowStore.open(url, model: pair.schema())
        var batch = ChangeBatch()
        for entity in store.model.entities where !entity.isAbstract {
            batch.inserted.append(InsertedRow(
                key: RowKey(primaryKey: -Int64(entity.index + 1), entity: Int32(entity.index)),
                values: ContiguousArray(repeating: .null, count: entity.properties.count)))
        }
        guard case .committed(let receipt) = try store.commit(batch) else { throw Unexpected("not committed") }
        let highest = try store.model.entities.map { entity in
            let plan = FetchPlan(entity: entity.index)
            guard case .rows(let rows) = try store.fetch(plan) else { throw Unexpected("no rows") }
            return rows.map(\.key.primaryKey).max() ?? 0
        }
        for row in receipt.inserted { #expect(row.key.primaryKey <= highest[Int(row.key.entity)]) }
        try store.close()
        #expect(try SQLiteConnection(path: url.path, access: .readOnly).text("PRAGMA integrity_check") == "ok")
    }
}
