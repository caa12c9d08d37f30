import Foundation

/// Writes a file that is there whole afterwards, or not at all.
enum OutputFile {
    static func write<Result>(_ path: String, _ body: (TextOutput) throws -> Result) throws -> Result {
        let temporary = path + ".\(UUID().uuidString.prefix(8)).part"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        do {
            let output = TextOutput(descriptor: descriptor)
            let result = try body(output)
            try output.flush()
            guard fsync(descriptor) == 0 || errno == EINVAL, rename(temporary, path) == 0 else { throw failure(path) }
            close(descriptor)
            return result
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure(.unusable, "“\(path)” cannot be written: \(String(cString: strerror(errno))).")
    }
}
