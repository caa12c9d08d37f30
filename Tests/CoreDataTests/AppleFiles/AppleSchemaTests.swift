import CoreData
import CoreDataModelFile
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

@Suite("Tables as Apple's framework makes them")
struct AppleSchemaTests {
    /// Statements of Core Data's own, in order, without history.
    private func statements(_ connection: SQLiteConnection) throws -> [String] {
        try connection.withStatement("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name LIKE 'Z%' ORDER BY rowid") { row in
            var result: [String] = []
            while try row.step() { result.append(row.text(0) ?? "") }
            return result
        }
    }

    @Test("Written by framework 1044 or later: the whole schema, statement by statement", arguments: AppleStore.all.filter { $0.framework >= 1044 })
    func statementByStatement(_ store: AppleStore) throws {
        let folder = try TemporaryFolder()
        let url = try store.copy(in: folder)
        let stored = try StoredModel(url)
        let schema = try store.model.map { try ModelFile.readCurrent(at: $0.deletingLastPathComponent()).current } ?? stored.schema
        guard store.model != nil || stored.source == .modelCache else { return Corpus.say("\(store.testDescription): migrated, its model is not kept") }
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        let apple = try statements(connection)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        // A file that was migrated in place keeps columns and indexes in the order they came.
        let isMigrated = metadata.keys.contains("migrationManagerClass")
        let ours = try StoreDefinition.statements(for: ResolvedModel(schema))
        // Tables that were migrated in place have their columns in the order they came.
        func sorted(_ statement: String) -> String {
            guard statement.hasPrefix("CREATE TABLE"), let open = statement.firstIndex(of: "(") else { return statement }
            return statement[..<open] + statement[open...].split(whereSeparator: { "(),".contains($0) }).sorted().joined(separator: ",")
        }
        let missing = Set(apple.map(sorted)).subtracting(ours.map(sorted)), extra = Set(ours.map(sorted)).subtracting(apple.map(sorted))
        let moved = Set(apple).subtracting(ours).count
        Corpus.say("\(store.testDescription) (\(store.framework)): \(Set(apple).intersection(ours).count) of \(apple.count) statements"
            + (apple == ours ? ", in the same order" : apple.sorted() == ours.sorted() ? ", in another order" : "")
            + (moved > 0 ? ", \(moved) with their columns in another order" : "") + (isMigrated ? ", migrated" : ""))
        if isMigrated { return }
        #expect(missing.isEmpty && extra.isEmpty, "Apple's only: \(missing.sorted())\nours only: \(extra.sorted())")
    }

    @Test("Every model of the corpus, in whatever form it came, can be made a store of")
    func everyModel() throws {
        guard let folder = Corpus.url("corpus"), let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            return Corpus.skip("models")
        }
        var made = 0, refused: [String] = []
        for case let url as URL in walk where url.lastPathComponent == "contents" || url.pathExtension == "mom" {
            let contents: ModelFileContents
            do { contents = try ModelFile.read(at: url) } catch {
                Issue.record("\(url.path): \(error)")
                continue
            }
            let connection = try SQLiteConnection(path: ":memory:", access: .create)
            defer { connection.close() }
            do {
                for statement in try StoreDefinition.statements(for: ResolvedModel(contents.current)) { try connection.execute(statement) }
                made += 1
            } catch { refused.append("\(url.path): \(error)") }
        }
        #expect(refused.isEmpty, "\(refused)")
        #expect(made > 250)
        Corpus.say("stores made of \(made) models")
    }
}
