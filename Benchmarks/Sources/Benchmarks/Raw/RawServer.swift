import Foundation

/// What a careful program without Core Data would serve requests with: a connection to read with in each thread, and one to write
/// with, behind a lock, because SQLite has one writer at a time and waits for it by sleeping.
///
/// The lock is the system's plain one, which is quicker under contention than a fair one, and the kind the engine has.
///
/// Unchecked Sendable: the writer is used under the lock only.
final class RawServer: @unchecked Sendable {
    private let url: URL
    private let table: RawTable
    private let lock = NSLock()
    private let writer: RawRecords

    init(_ url: URL, _ table: RawTable, synchronous: String) {
        (self.url, self.table) = (url, table)
        writer = RawRecords(RawConnection(url, synchronous: synchronous), table)
    }

    func readingConnection() -> RawConnection { RawConnection(url) }

    /// A thread's own: finds a row by its name.
    func reader() -> Reader { Reader(RawRecords(RawConnection(url), table)) }

    final class Reader {
        private let records: RawRecords
        private let selection: RawStatement

        init(_ records: RawRecords) {
            self.records = records
            selection = records.connection.prepare("SELECT \(records.table.columns) FROM \(records.table.name) WHERE ZNAME = ?")
        }

        func find(_ name: String) -> RawRecord? {
            var name = name
            return name.withUTF8 {
                selection.bind(1, $0)
                defer { selection.reset() }
                return selection.step() ? RawRecord(selection, hasOwner: records.table.hasOwner) : nil
            }
        }
    }

    func save(_ row: RawRecord, count: Int64) {
        lock.withLock {
            writer.connection.transaction { writer.update(row, count: count) }
        }
    }
}
