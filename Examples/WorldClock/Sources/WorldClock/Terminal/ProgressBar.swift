/// A line that grows, on a terminal; nothing elsewhere.
struct ProgressBar {
    var title: String
    private let length = 30

    init(title: String) { self.title = title }

    func draw(_ fraction: Double) {
        guard Terminal.isErrorTerminal else { return }
        let done = Int(fraction * Double(length))
        let bar = String(repeating: "█", count: done) + String(repeating: "░", count: length - done)
        Terminal.write("\r\(title) \(bar) \(Int(fraction * 100)) %")
    }

    func clear() {
        if Terminal.isErrorTerminal { Terminal.write("\r\u{1B}[K") }
    }
}
