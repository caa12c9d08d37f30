import CoreDataStorage
import SQLiteDriver

/// What the store tells of its work while somebody listens.
extension SQLiteRowStore {
    /// As `serialised`, with SQLite traced; the reports go out when the outermost call is done and the lock released.
    func watched<Result>(_ call: StoreCall, _ body: (SQLiteConnection) throws -> Result) throws -> Result {
        lock.lock()
        if watchedCalls == 0 { openConnection?.watch() }
        watchedCalls += 1
        let start = SQLiteTrace.now
        let outcome = Swift.Result { try translated(body) }
        watchedCalls -= 1
        var reports: [StoreReport] = []
        if watchedCalls == 0 {
            reports = gather(call, seconds: SQLiteTrace.now - start)
            pendingReports = []
        }
        lock.unlock()
        if let reporter = options.reporter { for report in reports { reporter(report) } }
        return try outcome.get()
    }

    /// Keeps a report for the end of the call at work.
    func note(_ report: @autoclosure () -> StoreReport) {
        if watchedCalls > 0 { pendingReports.append(report()) }
    }

    /// Statements and scans in the order they were made, what was noted meanwhile, the call itself.
    private func gather(_ call: StoreCall, seconds: Double) -> [StoreReport] {
        guard let connection = openConnection, let trace = connection.trace else { return pendingReports }
        var trip = RoundTripReport(call: call, seconds: seconds)
        var reports = connection.reports(of: trace.take()) { entry in
            trip.statements += 1
            if StatementReading.isHousekeeping(entry.text.sql) { return }
            trip.rowsRead += entry.rows
            trip.rowsWritten += entry.changes
        }
        reports += pendingReports
        for case .transaction(let transaction) in pendingReports where !transaction.isCommitted { trip.rowsWritten = 0 }
        if trip.statements > 0 { reports.append(.roundTrip(trip)) }
        return reports
    }

    /// Reports what opening the store took: no call of the graph's, but statements all the same.
    func reportOpening() {
        guard let reporter = options.reporter, let connection = openConnection, let trace = connection.trace else { return }
        for report in connection.reports(of: trace.take(), { _ in }) { reporter(report) }
    }
}

extension SQLiteConnection {
    /// Has SQLite say what it does, if anybody wants to know.
    func watch() {
        let wanted = DiagnosticInterests.wanted
        guard !wanted.isDisjoint(with: .ofStores) else { return }
        startTracing()?.expands = wanted.contains(.boundValues)
    }

    /// What was traced, as reports; only those that somebody wants are made.
    fileprivate func reports(of entries: [SQLiteTrace.Entry], _ count: (SQLiteTrace.Entry) -> Void) -> [StoreReport] {
        let wanted = DiagnosticInterests.wanted
        var reports: [StoreReport] = []
        for entry in entries {
            count(entry)
            if wanted.contains(.statements) {
                var report = StatementReport(
                    sql: entry.text.sql, expandedSQL: entry.expandedSQL, seconds: entry.seconds, rowsRead: entry.rows,
                    rowsChanged: entry.changes)
                if wanted.contains(.queryPlans), StatementReading.canScan(entry.text.sql) { report.plan = queryPlan(of: entry.text) }
                reports.append(.statement(report))
            }
            guard wanted.contains(.tableScans), StatementReading.canScan(entry.text.sql) else { continue }
            for line in queryPlan(of: entry.text) {
                guard let table = StatementReading.scannedTable(line, in: entry.text.sql) else { continue }
                reports.append(.tableScan(table: table, sql: entry.text.sql))
            }
        }
        return reports
    }
}

/// What the text of one of our statements, and SQLite's plan for it, say.
enum StatementReading {
    /// Statements that keep the store's own books: they move no rows of the model's.
    static func isHousekeeping(_ sql: String) -> Bool {
        ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "INTO temp.", "FROM temp.", "UPDATE temp.", "PRAGMA", "sqlite_master"].contains { sql.contains($0) }
    }

    /// Whether the statement could read a table from end to end.
    static func canScan(_ sql: String) -> Bool {
        ["SELECT", "UPDATE", "DELETE", "WITH"].contains { sql.hasPrefix($0) } && !isHousekeeping(sql)
    }

    /// The table a line of EXPLAIN QUERY PLAN reads from end to end: “SCAN t0”, without an index and no subquery's result.
    static func scannedTable(_ line: String, in sql: String) -> String? {
        guard line.hasPrefix("SCAN "), !line.contains(" USING "), !line.contains("VIRTUAL TABLE") else { return nil }
        let words = line.split(separator: " ").dropFirst().drop { $0 == "TABLE" }
        guard let name = words.first, !name.hasPrefix("("), !["CONSTANT", "SUBQUERY"].contains(name) else { return nil }
        if words.dropFirst().first == "AS" || words.dropFirst().first == "CONSTANT" { return String(name) }
        return table(called: String(name), in: sql)
    }

    /// The table behind an alias: the word before it.
    private static func table(called alias: String, in sql: String) -> String {
        let words = sql.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        for (index, word) in words.enumerated() where index > 0 && word == alias {
            let before = words[index - 1] == "AS" && index > 1 ? words[index - 2] : words[index - 1]
            if before.hasPrefix("Z") { return String(before) }
        }
        return alias
    }
}
