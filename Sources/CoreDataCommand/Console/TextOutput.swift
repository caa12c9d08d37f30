import Foundation

/// Text on its way out, collected into large writes.
///
/// Invariant: a descriptor belongs to the process and stays open.
package final class TextOutput {
    private var buffer: [UInt8] = []
    private let descriptor: Int32?
    package let isTerminal: Bool
    private static let limit = 1 << 16

    package init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        buffer.reserveCapacity(TextOutput.limit + 4096)
    }

    /// Keeps everything in memory, for tests.
    package init(isTerminal: Bool = false) {
        descriptor = nil
        self.isTerminal = isTerminal
    }

    /// What was kept.
    package var text: String { String(decoding: buffer, as: UTF8.self) }

    package func write(_ text: String) throws {
        buffer.append(contentsOf: text.utf8)
        if buffer.count >= TextOutput.limit { try flush() }
    }

    package func line(_ text: String = "") throws {
        buffer.append(contentsOf: text.utf8)
        buffer.append(10)
        // Somebody may be watching.
        if buffer.count >= TextOutput.limit || isTerminal { try flush() }
    }

    /// Adds bytes of UTF-8 that `body` writes straight into the buffer.
    func append(_ body: (inout [UInt8]) throws -> Void) throws {
        try body(&buffer)
        if buffer.count >= TextOutput.limit { try flush() }
    }

    package func flush() throws {
        guard let descriptor, !buffer.isEmpty else { return }
        defer { buffer.removeAll(keepingCapacity: true) }
        try buffer.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Foundation.write(descriptor, rest.baseAddress, rest.count)
                if written >= 0 { rest = rest.dropFirst(written); continue }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                case EPIPE: throw OutputClosed()
                case let code:
                    throw CommandFailure(.unusable, "The output cannot be written: \(String(cString: strerror(code))).")
                }
            }
        }
    }
}

extension Slice where Base == UnsafeRawBufferPointer {
    var baseAddress: UnsafeRawPointer? { UnsafeRawBufferPointer(rebasing: self).baseAddress }
}
