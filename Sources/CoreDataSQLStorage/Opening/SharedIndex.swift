import Foundation

/// The `-shm` beside a database in WAL mode: whether anybody has it open, or it was only left behind.
///
/// Why: reading through an index that was left behind, with the log it was made for gone or another, SQLite tries again for ten
/// seconds before it gives up.
enum SharedIndex {
    /// Where SQLite's connections hold their locks on it; the last byte is held by each as long as it is open.
    private static let locks: (start: Int, count: Int) = (120, 9)

    static func isInUse(_ path: String) -> Bool {
        var status = stat()
        guard stat(path + "-shm", &status) == 0 else { return false }
        // Closing any descriptor of a file drops this process's locks on it: ours are looked up, not probed.
        if OpenStores.contains(path) || FileLocks.isHeldHere(path + "-shm") { return true }
        let file = open(path + "-shm", O_RDONLY | O_CLOEXEC)
        // Nobody can tell: take it for used.
        guard file >= 0 else { return true }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(locks.start)
        lock.l_len = off_t(locks.count)
        guard fcntl(file, F_GETLK, &lock) == 0 else { return true }
        return lock.l_type != Int16(F_UNLCK)
    }
}
