import CoreDataPredicate
import CoreDataStorage

extension CoreDataDiagnostics {
    /// Something a context or store did. Times are seconds of the monotonic clock.
    public enum Event: Sendable {
        case statement(Statement)
        case roundTrip(RoundTrip)
        case tableScan(TableScan)
        case evaluation(Evaluation)
        case fault(Fault)
        case conflict(Conflict)
        case save(Save)
        case transaction(Transaction)
        case unreadableValue(UnreadableValue)
        case lostChange(LostChange)
    }

    /// One SQL statement, run to its end.
    public struct Statement: Sendable {
        public let sql: String
        /// The statement with its bound values put in; nil unless `boundValues` are of interest.
        public let expandedSQL: String?
        public let seconds: Double
        public let rowsRead: Int
        public let rowsChanged: Int
        /// SQLite's plan, line by line; empty unless `queryPlans` are of interest, and for statements without one.
        public let queryPlan: [String]
        /// The store's file.
        public let store: URL?

        /// The bound values as SQL literals, in order; empty unless they are of interest.
        public var boundValues: [String] { expandedSQL.map { BoundValues.read(from: $0, of: sql) } ?? [] }
    }

    /// One call of the graph to a store that reached rows; the last event of the call.
    public struct RoundTrip: Sendable {
        public enum Purpose: Sendable, Hashable {
            case fetch
            /// Rows for faults, refreshes and checks.
            case rows
            /// Members of a to-many relationship.
            case relationship
            /// Permanent keys for new objects.
            case keys
            case commit
            case other
        }

        public let purpose: Purpose
        public let seconds: Double
        public let statements: Int
        public let rowsRead: Int
        public let rowsWritten: Int
        public let store: URL?
    }

    /// A table read from end to end, without an index.
    public struct TableScan: Sendable {
        public let table: String
        public let sql: String
        public let store: URL?
    }

    /// A part of a request that SQL could not say.
    public struct Evaluation: Sendable {
        public let entityName: String
        /// The predicate's part in Apple's format; nil when it is the order or a dictionary's columns.
        public let predicateFormat: String?
        /// The keys sorted by in memory; empty when it is the predicate.
        public let sortKeys: [String]
        /// The columns of a dictionary fetch made in memory, each with its expression; empty when it is something else.
        public internal(set) var columns: [String] = []
        /// On how many rows it was worked out.
        public let rowsTested: Int
    }

    /// An object, or a to-many relationship of it, whose values were loaded because somebody touched them.
    public struct Fault: Sendable {
        public let entityName: String
        public let objectID: NSManagedObjectID
        /// The to-many relationship; nil when it is the object itself.
        public let relationship: String?
        let trace: CallerTrace?

        /// The first line outside of Core Data and of generated accessors that touched it; nil unless `callers` are of
        /// interest. A build without debug information knows the function only. Found when asked for; the first takes long.
        public var caller: Caller? { trace?.caller }
    }

    /// A place in the program.
    public struct Caller: Sendable, Hashable, CustomStringConvertible {
        /// Full path; nil without debug information.
        public let file: String?
        /// 0 without debug information.
        public let line: Int
        /// As Swift names it in symbols.
        public let function: String

        public var description: String { file.map { "\($0):\(line)" } ?? function }
    }

    /// Rows or unique values that somebody else changed or took before a save.
    public struct Conflict: Sendable {
        public enum Kind: Sendable, Hashable {
            /// 0 as new version: the row is gone.
            case merge(oldVersion: Int, newVersion: Int)
            /// The properties that must be unique together.
            case constraint([String])
        }

        public let kind: Kind
        public let entityName: String
        public let objectIDs: [NSManagedObjectID]
        public let contextName: String?
    }

    /// One `save()` of a context.
    public struct Save: Sendable {
        public let contextName: String?
        /// Whether it went to a parent context and not to the stores.
        public let hasParent: Bool
        public let seconds: Double
        public internal(set) var inserted = 0
        public internal(set) var updated = 0
        public internal(set) var deleted = 0
        /// Why it failed; nil when it did not.
        public internal(set) var failure: String?

        init(contextName: String?, hasParent: Bool, seconds: Double) {
            self.contextName = contextName
            self.hasParent = hasParent
            self.seconds = seconds
        }
    }

    /// A stored value that could not be read, so that its attribute answered nil. The store keeps the value as it is until the
    /// attribute is set; told at each attempt.
    public struct UnreadableValue: Sendable {
        public let entityName: String
        public let attributeName: String
        public let objectID: NSManagedObjectID
        /// Why: a class the archive must not hold, a transformer that is missing or answered nil, a file that is gone.
        public let error: any Error
    }

    /// A property was set of an object whose context is gone or has let it go (`reset()`, `rollback()`, a saved deletion). The object
    /// shows the value, and nothing will save it: fetch it again in a context. Apple's framework writes such changes to its log.
    public struct LostChange: Sendable {
        public let entityName: String
        public let objectID: NSManagedObjectID
    }

    /// One write transaction of a store.
    public struct Transaction: Sendable {
        public let inserted: Int
        public let updated: Int
        public let deleted: Int
        /// False when a conflict or an error rolled it back.
        public let isCommitted: Bool
        public let seconds: Double
        public let store: URL?
    }
}

// MARK: From the stores' reports

extension StoreReport {
    var interest: DiagnosticInterests {
        switch self {
        case .statement: .statements
        case .tableScan: .tableScans
        case .evaluation: .evaluations
        case .transaction: .transactions
        case .roundTrip: .roundTrips
        }
    }
}

extension CoreDataDiagnostics.Event {
    init(_ report: StoreReport, store: URL?, model: ModelRuntime?) {
        switch report {
        case .statement(let report):
            self = .statement(.init(
                sql: report.sql, expandedSQL: report.expandedSQL, seconds: report.seconds, rowsRead: report.rowsRead,
                rowsChanged: report.rowsChanged, queryPlan: report.plan, store: store))
        case .tableScan(let table, let sql): self = .tableScan(.init(table: table, sql: sql, store: store))
        case .evaluation(let report):
            let entityName = model?.resolved.entities[report.entity].name ?? ""
            switch report.part {
            case .predicate(let tree):
                self = .evaluation(.init(
                    entityName: entityName, predicateFormat: PredicatePrinter.text(of: tree), sortKeys: [], rowsTested: report.rowsTested))
            case .sort(let terms):
                self = .evaluation(.init(
                    entityName: entityName, predicateFormat: nil, sortKeys: terms.map { $0.keyPath.joined(separator: ".") },
                    rowsTested: report.rowsTested))
            case .columns(let columns):
                self = .evaluation(.init(
                    entityName: entityName, predicateFormat: nil, sortKeys: [], columns: columns, rowsTested: report.rowsTested))
            }
        case .transaction(let report):
            self = .transaction(.init(
                inserted: report.inserted, updated: report.updated, deleted: report.deleted, isCommitted: report.isCommitted,
                seconds: report.seconds, store: store))
        case .roundTrip(let report):
            self = .roundTrip(.init(
                purpose: .init(report.call), seconds: report.seconds, statements: report.statements, rowsRead: report.rowsRead,
                rowsWritten: report.rowsWritten, store: store))
        }
    }
}

extension CoreDataDiagnostics.RoundTrip.Purpose {
    init(_ call: StoreCall) {
        self = switch call {
        case .fetch: .fetch
        case .rows: .rows
        case .relationship: .relationship
        case .keys: .keys
        case .commit: .commit
        case .other: .other
        }
    }
}

/// The values SQLite put into a statement's text in place of its question marks.
enum BoundValues {
    /// Walks both texts side by side: they differ at the question marks only.
    static func read(from expanded: String, of sql: String) -> [String] {
        var values: [String] = []
        var filled = Substring(expanded).utf8
        var quote: UInt8?
        for byte in sql.utf8 {
            if quote == nil, byte == UInt8(ascii: "?") {
                let value = literal(filled)
                values.append(String(value) ?? "")
                filled = filled[value.endIndex...]
                continue
            }
            guard let next = filled.first, next == byte else { return values }
            filled = filled.dropFirst()
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            }
        }
        return values
    }

    /// The literal at the start: a number, NULL, 'text' with doubled quotes, x'bytes', zeroblob(0).
    private static func literal(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let mark = UInt8(ascii: "'")
        var index = text.startIndex
        if text.first == UInt8(ascii: "x") { index = text.index(after: index) }
        guard index < text.endIndex, text[index] == mark else {
            let end = text.firstIndex { !isPlain($0) } ?? text.endIndex
            // Empty data are written as zeroblob(0).
            guard end < text.endIndex, text[end] == UInt8(ascii: "("), let close = text[end...].firstIndex(of: UInt8(ascii: ")")) else {
                return text[..<end]
            }
            return text[...close]
        }
        index = text.index(after: index)
        while index < text.endIndex {
            let next = text.index(after: index)
            if text[index] == mark {
                guard next < text.endIndex, text[next] == mark else { return text[..<next] }
                index = text.index(after: next)
            } else {
                index = next
            }
        }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
             UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
