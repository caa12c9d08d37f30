import CoreDataSQLStorage
import Foundation

/// The place that `--output` names, looked at before anything is done.
///
/// Invariant: a file's place is no link, no folder, nothing the command reads, no database and no part of one; what stands there
/// already may be replaced.
enum OutputPlace {
    /// `-`, `/dev/stdout`, or the file that standard output goes to: what is open already.
    case descriptor(Int32)
    /// A device, a pipe or a socket.
    case special(String)
    case file(String)

    /// `inputs`: the files and folders the command reads.
    init(_ path: String, isForced: Bool, inputs: [String] = []) throws {
        if path.isEmpty { throw CommandFailure(.usage, "--output needs the path of a file, not an empty text.") }
        if let number = OutputPlace.openDescriptor(path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        let isThere = stat(path, &status) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG {
            if status.st_mode & S_IFMT == S_IFDIR { throw CommandFailure(.unusable, "“\(path)” is a folder: name a file.") }
            self = .special(path)
            return
        }
        if isThere, let number = [STDOUT_FILENO, STDERR_FILENO].first(where: { OutputPlace.isFile(status, of: $0) }) {
            self = .descriptor(number)
            return
        }
        let target = try OutputPlace.target(path)
        try OutputPlace.refuseInput(target, path, inputs)
        try OutputPlace.refuseDatabase(target, path)
        if isThere, !isForced {
            throw CommandFailure(.unusable, "There is a file “\(path)” already. Say --force to replace it.")
        }
        self = .file(target)
    }

    /// The place of a store: a regular file, whether one is there or not.
    static func store(_ path: String, inputs: [String]) throws -> URL {
        if path == "-" { throw CommandFailure(.usage, "A store cannot be written to standard output: name a file. (“./-” names one of that name.)") }
        if path.isEmpty { throw CommandFailure(.usage, "--output needs the path of a file, not an empty text.") }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let what = status.st_mode & S_IFMT == S_IFDIR ? "a folder: name the store’s file in it" : "no regular file: a store needs one"
            throw CommandFailure(.unusable, "“\(path)” is \(what).")
        }
        let target = try self.target(path)
        try refuseInput(target, path, inputs)
        if !ModelInput.isStore(URL(fileURLWithPath: target)) { try refuseDatabase(target, path) }
        return URL(fileURLWithPath: target)
    }

    // MARK: Finding it

    private static func openDescriptor(_ path: String) -> Int32? {
        if path == "-" || path == "/dev/stdout" { return STDOUT_FILENO }
        if path == "/dev/stderr" { return STDERR_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            guard let number = Int32(path.dropFirst(folder.count)), number >= 0, fcntl(number, F_GETFD) != -1 else { return nil }
            return number
        }
        return nil
    }

    private static func isFile(_ status: stat, of descriptor: Int32) -> Bool {
        var other = stat()
        return fstat(descriptor, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
    }

    /// Where links lead, whether a file is there or not.
    static func target(_ path: String) throws -> String {
        var url = URL(fileURLWithPath: path)
        for _ in 0..<40 {
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: url.path) else {
                // The folder’s own links are followed too, so that two paths to one place are the same text.
                let folder = url.deletingLastPathComponent()
                guard let real = realpath(folder.path, nil) else {
                    throw CommandFailure(.unusable, "“\(path)” cannot be written: there is no folder “\(folder.path)”.")
                }
                defer { free(real) }
                return URL(fileURLWithPath: String(cString: real)).appendingPathComponent(url.lastPathComponent).path
            }
            url = URL(fileURLWithPath: link, relativeTo: url.deletingLastPathComponent()).absoluteURL
        }
        throw CommandFailure(.unusable, "“\(path)” cannot be written: its links lead in a circle.")
    }

    // MARK: What stays as it is

    private static func refuseInput(_ target: String, _ path: String, _ inputs: [String]) throws {
        var status = stat()
        let isThere = stat(target, &status) == 0
        for input in inputs where input != "-" {
            let read = try? self.target(input)
            var other = stat()
            let isSame = isThere && stat(input, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
            guard isSame || read.map({ isPart(target, of: $0) }) == true else { continue }
            let what = isSame || read == target ? "is what this command reads" : "belongs to “\(input)”, which this command reads"
            throw CommandFailure(.unusable, "“\(path)” \(what): write to another file.")
        }
    }

    /// Whether a path is another one, lies below it, or is a sibling of a database there.
    private static func isPart(_ target: String, of whole: String) -> Bool {
        if target == whole || target.hasPrefix(whole + "/") { return true }
        if StoreFiles.suffixes.contains(where: { target == whole + $0 }) { return true }
        return target.hasPrefix(StoreFiles.supportFolder(of: URL(fileURLWithPath: whole)).path + "/")
    }

    private static func refuseDatabase(_ target: String, _ path: String) throws {
        if ModelInput.isStore(URL(fileURLWithPath: target)) {
            throw CommandFailure(.unusable, "“\(path)” is a SQLite database and stays as it is: write to another file, or remove it first.")
        }
        for suffix in StoreFiles.suffixes where target.hasSuffix(suffix) {
            let base = String(target.dropLast(suffix.count))
            guard ModelInput.isStore(URL(fileURLWithPath: base)) else { continue }
            throw CommandFailure(.unusable, "“\(path)” is where SQLite keeps what belongs to “\(base)”: write to another file.")
        }
    }
}
