import Foundation

/// One line that fills up, on a terminal only.
struct ProgressBar {
    private let total: Int
    private let label: String
    private var done = 0
    private let isShown = isatty(STDERR_FILENO) == 1

    init(total: Int, label: String) {
        self.total = max(1, total)
        self.label = label
    }

    mutating func advance() {
        done += 1
        guard isShown, done % 8 == 0 || done == total else { return }
        let filled = done * 30 / total
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        write("\r\(label) \(bar) \(done * 100 / total) %")
    }

    func finish() { if isShown { write("\r\u{1B}[K") } }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
