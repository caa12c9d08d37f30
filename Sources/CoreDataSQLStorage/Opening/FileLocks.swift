import Foundation

/// POSIX locks on a file, looked up without opening it: closing any descriptor of a file drops this process's own locks.
enum FileLocks {
    /// Whether another process holds one. SQLite's connections hold one on the `-shm` as long as they are open, and on the database
    /// while they read or write. False where the system does not tell.
    static func isHeldElsewhere(_ path: String) -> Bool { holders(of: path).contains { $0 != getpid() } }

    static func isHeldHere(_ path: String) -> Bool { holders(of: path).contains(getpid()) }

    private static func holders(of path: String) -> [pid_t] {
        var status = stat()
        guard stat(path, &status) == 0, let table = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
        let inode = String(status.st_ino)
        return table.split(separator: "\n").compactMap { line in
            // "1: POSIX  ADVISORY  READ 4711 08:01:131103 128 128"; requests that wait have "->" in the second field.
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "POSIX", fields[5].split(separator: ":").last.map(String.init) == inode else { return nil }
            return pid_t(fields[4])
        }
    }
}
