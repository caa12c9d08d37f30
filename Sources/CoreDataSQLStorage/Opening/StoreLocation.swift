import Foundation

/// Where a path leads: links in its last part are followed, whether a file is there or not.
///
/// Why: SQLite names the files beside a database by the database's own name. Whatever else belongs to a store stands beside that
/// one too, or two paths to one store would be two stores.
package enum StoreLocation {
    /// As many links in a row as the system follows.
    private static let mostLinks = 40

    package static func resolved(_ path: String) -> String {
        var current = path
        for _ in 0..<mostLinks {
            guard let link = destination(of: current) else { return current }
            current = link.hasPrefix("/") ? link : ((current as NSString).deletingLastPathComponent as NSString).appendingPathComponent(link)
        }
        return path
    }

    package static func resolved(_ url: URL) -> URL {
        let path = resolved(url.path)
        return path == url.path ? url : URL(fileURLWithPath: path)
    }

    private static func destination(of path: String) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
        return try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    }
}
