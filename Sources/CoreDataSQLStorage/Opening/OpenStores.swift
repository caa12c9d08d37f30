import CoreDataSchema
import Foundation

/// Files this process has open as stores.
///
/// Why: closing any descriptor of a file drops the process's POSIX locks on it. A probe that bypasses SQLite's own
/// bookkeeping (`immutable`) is therefore only safe on files that are not in this list.
enum OpenStores {
    private static let counts = LockedValue<[String: Int]>([:])

    private static func name(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    static func contains(_ path: String) -> Bool { counts.withLock { $0[name(path)] != nil } }

    static func add(_ path: String) {
        counts.withLock { $0[name(path), default: 0] += 1 }
    }

    static func remove(_ path: String) {
        counts.withLock { counts in
            let name = name(path)
            guard let count = counts[name] else { return }
            counts[name] = count > 1 ? count - 1 : nil
        }
    }
}
