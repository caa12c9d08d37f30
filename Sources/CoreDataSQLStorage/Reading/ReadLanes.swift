import Foundation
import SQLiteDriver

/// The connections for reading of one store: made when a fetch finds the store's own at work, and kept.
///
/// Invariant: a lane is either in `idle` or with the one thread it was handed to; `close` ends when none is out.
///
/// Unchecked Sendable: everything that changes is touched under `condition`.
final class ReadLanes: @unchecked Sendable {
    /// How a lane is made.
    struct Source: Sendable {
        private let file: FileIdentity
        private let busyTimeout: Int32
        private let surroundings: ReadLane.Surroundings

        /// nil for a file that a second connection may not read as the first one does: not in WAL mode, for reading only (which may
        /// be a copy), or with pragmas of the program's.
        init?(_ connection: SQLiteConnection, _ options: SQLiteStoreOptions, _ surroundings: ReadLane.Surroundings) {
            guard !options.isReadOnly, !options.toleratesMissing, options.pragmas.isEmpty, connection.path == surroundings.url.path,
                  let file = FileIdentity(connection.path), (try? connection.text("PRAGMA journal_mode")) == "wal"
            else { return nil }
            (self.file, self.surroundings) = (file, surroundings)
            busyTimeout = options.busyTimeoutMilliseconds
        }

        /// nil when there is no connection to be had, or another file of the name.
        func lane() -> ReadLane? {
            let path = surroundings.url.path
            guard FileIdentity(path) == file, let lane = try? ReadLane(busyTimeout: busyTimeout, surroundings) else { return nil }
            if FileIdentity(path) == file { return lane }
            lane.close()
            return nil
        }
    }

    private static let most = 8
    private let condition = NSCondition()
    private var source: Source?
    private var idle: [ReadLane] = []
    private var out = 0

    init(_ source: Source?) { self.source = source }

    /// Runs `body` with a lane nobody else uses; nil when there is none to be had.
    func with<Result>(_ body: (ReadLane) throws -> Result?) rethrows -> Result? {
        guard let lane = take() else { return nil }
        defer { giveBack(lane) }
        return try body(lane)
    }

    private func take() -> ReadLane? {
        condition.lock()
        defer { condition.unlock() }
        guard let source, out + idle.count < Self.most || !idle.isEmpty else { return nil }
        // Under the lock, or `close` could not wait for it: this happens eight times at most.
        guard let lane = idle.popLast() ?? source.lane() else {
            self.source = nil
            return nil
        }
        out += 1
        return lane
    }

    private func giveBack(_ lane: ReadLane) {
        condition.lock()
        defer { condition.unlock() }
        out -= 1
        if source == nil { lane.close() } else { idle.append(lane) }
        if out == 0 { condition.broadcast() }
    }

    /// How many there are: for tests.
    var count: Int { condition.withLock { idle.count + out } }

    /// Closes every lane, waiting for those at work.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        source = nil
        while out > 0 { condition.wait() }
        for lane in idle { lane.close() }
        idle = []
    }

    /// Goes on with the file of another store, which has handed its connection over.
    func open(_ other: ReadLanes) {
        let source = other.condition.withLock { other.source }
        condition.withLock { self.source = source }
    }
}

/// Which file a path leads to.
struct FileIdentity: Sendable, Equatable {
    private let device: UInt64, number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}
