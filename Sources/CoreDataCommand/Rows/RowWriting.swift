/// Writes rows of columns as they come.
protocol RowWriting: AnyObject {
    func begin() throws
    func write(_ rows: [[JSONValue]]) throws
    func end() throws
}

/// A JSON array, one row a line.
final class JSONRowWriter: RowWriting {
    private let output: TextOutput
    /// `"name":` of each column.
    private let keys: [[UInt8]]
    private var isFirst = true

    init(_ columns: [ColumnPath], _ console: Console) {
        output = console.output
        keys = columns.map { column in
            var bytes: [UInt8] = []
            JSONText.write(column.text, to: &bytes)
            return bytes + [UInt8(ascii: ":")]
        }
    }

    func begin() throws { try output.write("[") }

    func write(_ rows: [[JSONValue]]) throws {
        for row in rows {
            try output.append { bytes in
                bytes.append(contentsOf: isFirst ? "\n{".utf8 : ",\n{".utf8)
                for (index, value) in row.enumerated() {
                    if index > 0 { bytes.append(UInt8(ascii: ",")) }
                    bytes.append(contentsOf: keys[index])
                    value.write(to: &bytes)
                }
                bytes.append(UInt8(ascii: "}"))
            }
            isFirst = false
        }
    }

    func end() throws { try output.write(isFirst ? "]\n" : "\n]\n") }
}

/// RFC 4180, with a heading.
final class CSVRowWriter: RowWriting {
    private let output: TextOutput
    private let columns: [ColumnPath]

    init(_ columns: [ColumnPath], _ console: Console) {
        output = console.output
        self.columns = columns
    }

    func begin() throws { try output.line(columns.map { CSVText.quoted($0.text) }.joined(separator: ",")) }

    func write(_ rows: [[JSONValue]]) throws {
        for row in rows { try output.line(row.map(CSVText.field).joined(separator: ",")) }
    }

    func end() throws {}
}

/// A table for people; columns are as wide as the first thousand rows want.
final class TableRowWriter: RowWriting {
    private let console: Console
    private let columns: [ColumnPath]
    private var waiting: [[String]] = []
    private var widths: [Int]?
    private(set) var count = 0

    init(_ columns: [ColumnPath], _ console: Console) {
        self.console = console
        self.columns = columns
    }

    func begin() throws {}

    func write(_ rows: [[JSONValue]]) throws {
        count += rows.count
        waiting += rows.map { $0.map(text) }
        if waiting.count >= 1000 { try show() }
    }

    func end() throws {
        try show()
        try console.output.line(console.styles.dim("\(count) \(count == 1 ? "row" : "rows")"))
    }

    private func show() throws {
        guard !waiting.isEmpty || widths == nil else { return }
        var table = TextTable(columns.map(\.text), rightAligned: Set(columns.indices.filter { columns[$0].isNumber }))
        table.rows = waiting
        table.leastWidths = widths ?? []
        let lines = table.lines(console.styles)
        for line in widths == nil ? lines[...] : lines.dropFirst() { try console.output.line(line) }
        widths = table.widths
        waiting.removeAll(keepingCapacity: true)
    }

    private func text(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .array(let values): values.map(text).joined(separator: ", ")
        default: value.line
        }
    }
}
