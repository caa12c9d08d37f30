import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    package func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt {
        try writing { connection in
            var run = try BatchInsertRun(plan, store: self, connection: connection)
            do {
                let receipt = try connection.transaction(.immediate) { (try run.write(from: source), .commit) }
                external.retire(run.obsoleteFiles)
                return receipt
            } catch {
                external.retire(run.binding.createdFiles)
                throw error
            }
        }
    }

    package func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt {
        var plan = plan
        var selection = plan.selection
        try FetchPlanCheck.check(&selection, model)
        plan.predicate = selection.predicate
        return try writing { connection in
            var run = try BatchUpdateRun(plan, store: self, connection: connection)
            let receipt = try run.write()
            external.retire(run.obsoleteFiles)
            return receipt
        }
    }

    package func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt {
        var plan = plan
        if case .fetch(var fetch) = plan.selection {
            try FetchPlanCheck.check(&fetch, model)
            plan.selection = .fetch(fetch)
        }
        return try writing { connection in
            var run = BatchDeleteRun(plan, store: self, connection: connection)
            let receipt = try connection.transaction(.immediate) { (try run.write(), .commit) }
            external.retire(run.obsoleteFiles)
            return receipt
        }
    }

    private func writing<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        try serialised(.other) { connection in
            if let refusal { throw refusal }
            // Cached rows stay as they are, derived values too.
            defer { derivedRows.forget() }
            return try durably(schema.hasExternal, on: connection) { try body(connection) }
        }
    }

    /// External files that the rows of a condition name in these columns.
    func externalFiles(
        _ columns: [EntityWriter.Column], table: String, where condition: SQLFragment, on connection: SQLiteConnection
    ) throws -> [String] {
        let names = columns.filter(\.isExternal).map(\.name)
        if names.isEmpty { return [] }
        var files: [String] = []
        let sql = "SELECT \(names.joined(separator: ", ")) FROM \(table) t0 WHERE " + condition
        try run(SelectStatement(sql: sql), on: connection) { statement in
            while try statement.step() {
                for index in names.indices {
                    if let bytes = statement.blobBytes(Int32(index)), let file = ExternalBlobs.fileName(bytes) { files.append(file) }
                }
            }
        }
        return files
    }
}
