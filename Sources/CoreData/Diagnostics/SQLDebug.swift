import CoreDataStorage
import Glibc

/// `-com.apple.CoreData.SQLDebug N` as a launch argument, or the environment variable `com.apple.CoreData.SQLDebug`: the
/// one thing that makes the library write to the terminal, because the user asked for it. Lines go to standard error and
/// read like Apple's.
///
/// 1: statements and times; 2: rows, faults, scans and what left SQL as well; 3: bound values; 4: query plans.
enum SQLDebug {
    /// Begins with the first store, for the life of the process.
    static func start() { _ = observation }

    private static let observation: CoreDataDiagnostics.Observation? = {
        let level = DebugSetting.level(of: "com.apple.CoreData.SQLDebug")
        guard level > 0 else { return nil }
        return CoreDataDiagnostics.observe(interests(level)) { event in
            let lines = SQLDebugText.lines(of: event, level: level)
            if !lines.isEmpty { write(lines.map { $0 + "\n" }.joined()) }
        }
    }()

    static func interests(_ level: Int) -> CoreDataDiagnostics.Interests {
        var interests: CoreDataDiagnostics.Interests = [.statements, .roundTrips, .unreadableValues, .lostChanges]
        if level >= 2 { interests.formUnion([.faults, .tableScans, .evaluations, .conflicts]) }
        if level >= 3 { interests.insert(.boundValues) }
        if level >= 4 { interests.insert(.queryPlans) }
        return interests
    }

    /// In one call, so that lines of several threads do not mix.
    private static func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count <= 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// Events as lines of text.
enum SQLDebugText {
    static func lines(of event: CoreDataDiagnostics.Event, level: Int) -> [String] {
        switch event {
        case .statement(let statement): lines(of: statement, level: level)
        case .roundTrip(let trip): line(of: trip).map { [$0] } ?? []
        case .tableScan(let scan): ["CoreData: annotation: full scan of table \(scan.table) by '\(scan.sql)'"]
        case .evaluation(let part):
            ["CoreData: annotation: evaluated in memory on \(part.rowsTested) rows of entity '\(part.entityName)': "
                + (part.predicateFormat ?? (part.columns.isEmpty ? "sort by " + part.sortKeys.joined(separator: ", ")
                    : "columns " + part.columns.joined(separator: ", ")))]
        case .fault(let fault): [line(of: fault)]
        case .conflict(let conflict):
            ["CoreData: annotation: \(text(of: conflict.kind)) of entity '\(conflict.entityName)': "
                + conflict.objectIDs.map { $0.uriRepresentation().absoluteString }.joined(separator: ", ")]
        case .unreadableValue(let value):
            ["CoreData: error: '\(value.entityName).\(value.attributeName)' of \(value.objectID.uriRepresentation().absoluteString) reads "
                + "nil: \(value.error.localizedDescription)"]
        case .lostChange(let change):
            ["CoreData: error: '\(change.entityName)' \(change.objectID.uriRepresentation().absoluteString) was changed, and has no context "
                + "that could save it"]
        case .save, .transaction: []
        }
    }

    private static func lines(of statement: CoreDataDiagnostics.Statement, level: Int) -> [String] {
        var lines = ["CoreData: sql: \(statement.sql)"]
        if level >= 3 {
            for (index, value) in statement.boundValues.enumerated() {
                lines.append("CoreData: details: SQLite bind[\(index)] = \(value)")
            }
        } else if level == 2 {
            let count = statement.sql.utf8.count(where: { $0 == UInt8(ascii: "?") })
            if count > 0 { lines.append("CoreData: details: \(count) values bound") }
        }
        if level >= 4, !statement.queryPlan.isEmpty {
            lines.append("CoreData: details: SQLite: EXPLAIN QUERY PLAN \(statement.sql)")
            lines += statement.queryPlan.map { "    " + $0 }
        }
        let isRead = statement.sql.hasPrefix("SELECT")
        lines.append("CoreData: annotation: sql \(isRead ? "connection fetch" : "execution") time: \(seconds(statement.seconds))")
        if level >= 2 {
            if isRead { lines.append("CoreData: annotation: returned \(statement.rowsRead) rows") }
            if statement.rowsChanged > 0 { lines.append("CoreData: annotation: changed \(statement.rowsChanged) rows") }
        }
        return lines
    }

    private static func line(of trip: CoreDataDiagnostics.RoundTrip) -> String? {
        switch trip.purpose {
        case .fetch: "CoreData: annotation: total fetch execution time: \(seconds(trip.seconds)) for \(trip.rowsRead) rows."
        case .rows: "CoreData: annotation: rows fulfilled from database in \(seconds(trip.seconds)). Got \(trip.rowsRead) rows."
        case .relationship:
            "CoreData: annotation: to-many relationship fulfilled from database in \(seconds(trip.seconds)). Got \(trip.rowsRead) rows."
        case .commit: "CoreData: annotation: total save execution time: \(seconds(trip.seconds)) for \(trip.rowsWritten) rows."
        case .keys, .other: nil
        }
    }

    private static func line(of fault: CoreDataDiagnostics.Fault) -> String {
        let name = fault.objectID.uriRepresentation().absoluteString
        guard let relationship = fault.relationship else { return "CoreData: annotation: fault fired: \(name)" }
        return "CoreData: annotation: to-many relationship fault '\(relationship)' fired for \(name)"
    }

    private static func text(of kind: CoreDataDiagnostics.Conflict.Kind) -> String {
        switch kind {
        case .merge(let old, let new): "merge conflict (version \(old), now \(new))"
        case .constraint(let keys): "constraint conflict (\(keys.joined(separator: ", ")))"
        }
    }

    private static func seconds(_ value: Double) -> String { String(format: "%.4fs", value) }
}

/// Settings Apple's frameworks take from launch arguments (`-name value`) and from the environment.
enum DebugSetting {
    static func level(of name: String) -> Int {
        let process = ProcessInfo.processInfo
        let value = process.environment[name]
            ?? process.arguments.firstIndex(of: "-" + name).flatMap { process.arguments.dropFirst($0 + 1).first }
        return value.flatMap { Int($0) } ?? 0
    }
}
