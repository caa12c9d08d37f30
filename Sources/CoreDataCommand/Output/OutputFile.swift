import Foundation

/// Writes what `--output` asks for. A file is there whole afterwards, or as it was; nothing is left of one that was not finished,
/// even when the process is interrupted.
struct OutputFile {
    static let force = OptionSpec("force", "replace a file that is there")

    /// As it was named, for messages.
    let path: String
    private let place: OutputPlace
    private let console: Console

    /// Throws what speaks against the place before anything is done.
    init(_ path: String, _ arguments: Arguments, inputs: [String], _ console: Console) throws {
        self.path = path
        self.console = console
        place = try OutputPlace(path, isForced: arguments.flag("force"), inputs: inputs)
    }

    var isStandardOutput: Bool { if case .descriptor(STDOUT_FILENO) = place { true } else { false } }

    func write<Result>(_ body: (TextOutput) throws -> Result) throws -> Result {
        switch place {
        case .descriptor(STDOUT_FILENO): return try body(console.output)
        case .descriptor(let number): return try flushed(TextOutput(descriptor: number), body)
        case .special(let path):
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure() }
            defer { close(descriptor) }
            return try flushed(TextOutput(descriptor: descriptor), body)
        case .file(let target): return try replace(target, body)
        }
    }

    private func flushed<Result>(_ output: TextOutput, _ body: (TextOutput) throws -> Result) throws -> Result {
        let result = try body(output)
        try output.flush()
        return result
    }

    private func replace<Result>(_ target: String, _ body: (TextOutput) throws -> Result) throws -> Result {
        let temporary = target + ".\(UUID().uuidString.prefix(8)).part"
        return try Interruption.shared.guarding(putAway: { unlink(temporary) }) {
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw failure() }
            defer { close(descriptor) }
            // The file’s readers stay the same.
            var former = stat()
            if stat(target, &former) == 0 { fchmod(descriptor, former.st_mode & 0o7777) }
            let result = try flushed(TextOutput(descriptor: descriptor), body)
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure() }
            return result
        } finish: { result in
            guard rename(temporary, target) == 0 else { throw failure() }
            return result
        }
    }

    private func failure() -> CommandFailure {
        CommandFailure(.unusable, "“\(path)” cannot be written: \(String(cString: strerror(errno))).")
    }
}
