import Foundation

/// Where the program writes.
enum Terminal {
    static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
    static let isErrorTerminal = isatty(STDERR_FILENO) == 1

    /// Columns, 100 where there is no terminal.
    static var width: Int {
        var size = winsize()
        guard isOutputTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 100 }
        return max(60, Int(size.ws_col))
    }

    static func bold(_ text: String) -> String { isOutputTerminal ? "\u{1B}[1m\(text)\u{1B}[0m" : text }

    static func complain(_ text: String) { write("WorldClock: \(text)\n") }
    static func note(_ text: String) { write("\(text)\n") }

    /// To standard error, so that standard output holds the answers alone.
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
