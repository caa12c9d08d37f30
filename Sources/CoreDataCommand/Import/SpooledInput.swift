import Foundation

/// Data that can be read only once, a pipe or standard input, kept so that it can be read again.
enum SpooledInput {
    /// A file of the same bytes, which has no name any more: it is gone when the process is.
    static func copy(_ input: FileHandle, named name: String) throws -> URL {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)").path
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(name, path) }
        unlink(path)
        let output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do {
            while let data = try input.read(upToCount: 1 << 20), !data.isEmpty { try output.write(contentsOf: data) }
        } catch {
            close(descriptor)
            throw CommandFailure(.unusable, "“\(name)” cannot be kept in a file while it is read: \(error.localizedDescription)")
        }
        return URL(fileURLWithPath: "/dev/fd/\(descriptor)")
    }

    private static func failure(_ name: String, _ path: String) -> CommandFailure {
        CommandFailure(.unusable, "“\(name)” cannot be kept in “\(path)” while it is read: \(String(cString: strerror(errno))).")
    }
}
