/// Rows of text in columns as wide as their widest cell.
struct TextTable {
    var headings: [String]
    var rows: [[String]] = []
    /// Columns whose cells stand at the right: numbers.
    var rightAligned: Set<Int> = []
    /// Longer cells are cut, with “…”.
    var longestCell = 60
    var leastWidths: [Int] = []

    var widths: [Int] { widths(of: rows.map { $0.map(clean) }) }

    private func widths(of cells: [[String]]) -> [Int] {
        var widths = headings.map(\.count)
        for (index, width) in leastWidths.enumerated() { widths[index] = max(widths[index], width) }
        for row in cells { for (index, cell) in row.enumerated() { widths[index] = max(widths[index], cell.count) } }
        return widths
    }

    init(_ headings: [String], rightAligned: Set<Int> = []) {
        self.headings = headings
        self.rightAligned = rightAligned
    }

    func lines(_ style: Style) -> [String] {
        let cells = rows.map { $0.map(clean) }
        let widths = widths(of: cells)
        func line(_ row: [String], _ look: (String) -> String = { $0 }) -> String {
            let text = row.enumerated().map { index, cell in
                let padding = String(repeating: " ", count: widths[index] - cell.count)
                if rightAligned.contains(index) { return padding + look(cell) }
                return index == row.count - 1 ? look(cell) : look(cell) + padding
            }.joined(separator: "  ")
            var end = text.endIndex
            while end > text.startIndex, text[text.index(before: end)] == " " { end = text.index(before: end) }
            return String(text[..<end])
        }
        return [line(headings, style.bold)] + cells.map { line($0) }
    }

    private func clean(_ cell: String) -> String {
        var text = ""
        for (index, character) in cell.enumerated() {
            if index == longestCell { return text + "…" }
            switch character {
            case "\n", "\r\n", "\r": text += "⏎"
            case "\t": text += "⇥"
            case _ where character.unicodeScalars.allSatisfy { $0.value < 32 || $0.value == 127 }: text += "�"
            default: text.append(character)
            }
        }
        return text
    }
}
