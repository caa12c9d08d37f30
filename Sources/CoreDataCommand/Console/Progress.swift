import Foundation

/// Says on the terminal how far long work has come; nothing anywhere else.
///
/// Invariant: the line it draws is gone when `finish()` returns.
final class Progress {
    private let console: Console
    private let what: String
    private let total: Int?
    private var shown = false
    private var next: Double
    private(set) var count = 0

    init(_ what: String, total: Int? = nil, console: Console) {
        self.console = console
        self.what = what
        self.total = total
        next = console.errors.isTerminal ? Progress.now + 0.5 : .infinity
    }

    private static var now: Double { ProcessInfo.processInfo.systemUptime }

    func advance(_ rows: Int = 1) throws {
        count += rows
        guard next.isFinite else { return }
        let now = Progress.now
        guard now >= next else { return }
        next = now + 0.2
        shown = true
        let share = total.map { $0 > 0 ? " of \($0) (\(count * 100 / $0) %)" : "" } ?? ""
        try console.errors.write("\r\u{1B}[K\(what): \(count)\(share)")
        try console.errors.flush()
    }

    func finish() throws {
        guard shown else { return }
        try console.errors.write("\r\u{1B}[K")
        try console.errors.flush()
    }
}
