import CSQLite
import Glibc

/// What SQLite did on one connection while somebody listened, statement by statement.
///
/// Invariants: used by the thread that has the connection; the connection keeps it alive as long as SQLite may call it.
/// SQLite calls it itself, so that no statement of ours says anything and none can be forgotten.
package final class SQLiteTrace {
    /// One run of a statement.
    package struct Entry {
        package let text: Text
        /// The text with its values put in; nil unless asked for.
        package let expandedSQL: String?
        package let seconds: Double
        /// Rows SQLite handed out.
        package let rows: Int
        /// Rows inserted, updated and deleted.
        package let changes: Int
    }

    /// A statement's text, made once.
    package final class Text {
        package let sql: String
        /// What EXPLAIN QUERY PLAN says of it, once asked.
        package var plan: [String]?

        init(_ sql: String) { self.sql = sql }
    }

    private struct Run {
        let statement: OpaquePointer
        let text: Text
        let expandedSQL: String?
        let start: Double
        let totalChanges: Int64
        var rows = 0
    }

    /// Whether bound values are wanted: they make a text of every statement.
    package var expands = false
    /// Set while statements of the listener's own run.
    package var isPaused = false
    private var entries: [Entry] = []
    /// The statements at work, innermost last.
    private var runs: [Run] = []
    private var texts: [String: Text] = [:]
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    /// Seconds of the monotonic clock.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// What was done since the last call, in order.
    package func take() -> [Entry] {
        defer { entries = [] }
        return entries
    }

    // MARK: called by SQLite

    fileprivate func began(_ statement: OpaquePointer, _ unexpanded: UnsafePointer<CChar>) {
        // A trigger's own steps are announced as comments.
        guard !isPaused, unexpanded[0] != 0x2D || unexpanded[1] != 0x2D else { return }
        var expanded: String?
        if expands, let text = sqlite3_expanded_sql(statement) {
            expanded = String(cString: text)
            sqlite3_free(text)
        }
        runs.append(Run(
            statement: statement, text: text(String(cString: unexpanded)), expandedSQL: expanded, start: Self.now,
            totalChanges: sqlite3_total_changes64(handle)))
    }

    fileprivate func gaveRow(_ statement: OpaquePointer) {
        if let index = runs.lastIndex(where: { $0.statement == statement }) { runs[index].rows += 1 }
    }

    fileprivate func ended(_ statement: OpaquePointer) {
        guard let index = runs.lastIndex(where: { $0.statement == statement }) else { return }
        let run = runs.remove(at: index)
        entries.append(Entry(
            text: run.text, expandedSQL: run.expandedSQL, seconds: Self.now - run.start, rows: run.rows,
            changes: Int(sqlite3_total_changes64(handle) - run.totalChanges)))
    }

    private func text(_ sql: String) -> Text {
        if let known = texts[sql] { return known }
        let made = Text(sql)
        if texts.count >= 1_000 { texts.removeAll() }
        texts[sql] = made
        return made
    }
}

extension SQLiteConnection {
    /// Starts listening, or goes on.
    package func startTracing() -> SQLiteTrace? {
        if let trace { return trace }
        guard let handle else { return nil }
        let made = SQLiteTrace(handle)
        trace = made
        let events = UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        // Unretained: the connection keeps the trace until it has told SQLite to forget it.
        sqlite3_trace_v2(handle, events, { event, context, statement, detail in
            guard let context, let statement else { return 0 }
            let trace = Unmanaged<SQLiteTrace>.fromOpaque(context).takeUnretainedValue()
            let pointer = OpaquePointer(statement)
            switch Int32(event) {
            case SQLITE_TRACE_STMT: if let detail { trace.began(pointer, detail.assumingMemoryBound(to: CChar.self)) }
            case SQLITE_TRACE_ROW: trace.gaveRow(pointer)
            default: trace.ended(pointer)
            }
            return 0
        }, Unmanaged.passUnretained(made).toOpaque())
        return made
    }

    /// SQLite calls nobody any more.
    package func stopTracing() {
        guard trace != nil else { return }
        if let handle { sqlite3_trace_v2(handle, 0, nil, nil) }
        trace = nil
    }

    /// The lines of EXPLAIN QUERY PLAN, asked once a text; empty when SQLite has no plan for it. Not traced itself.
    package func queryPlan(of text: SQLiteTrace.Text) -> [String] {
        if let known = text.plan { return known }
        trace?.isPaused = true
        defer { trace?.isPaused = false }
        var lines: [String] = []
        // A text that cannot be explained (a pragma, several statements) has no plan to show.
        if let statement = try? prepare("EXPLAIN QUERY PLAN " + text.sql, persistent: false) {
            while (try? statement.step()) == true { lines.append(statement.text(3) ?? "") }
        }
        text.plan = lines
        return lines
    }
}
