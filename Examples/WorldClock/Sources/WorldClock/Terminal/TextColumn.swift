/// Texts padded to one width.
struct TextColumn {
    enum Alignment { case left, right }

    let width: Int
    private let cells: [String]

    init(_ texts: [String], alignment: Alignment = .left) {
        let widest = texts.map(\.count).max() ?? 0
        width = widest
        cells = texts.map { text in
            let padding = String(repeating: " ", count: widest - text.count)
            return alignment == .left ? text + padding : padding + text
        }
    }

    subscript(index: Int) -> String { cells[index] }

    /// The text in lines of at most so many characters, broken at spaces; a longer word has a line of its own.
    static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
