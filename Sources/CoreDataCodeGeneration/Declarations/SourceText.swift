/// Source under construction, line by line.
struct SourceText {
    private(set) var lines: [String] = []

    mutating func line(_ text: String = "", indent: Int = 0) {
        lines.append(text.isEmpty ? "" : String(repeating: "    ", count: indent) + text)
    }

    mutating func append(_ other: [String], indent: Int = 0) { for text in other { line(text, indent: indent) } }

    var text: String { lines.joined(separator: "\n") + "\n" }

    /// A text as a literal of Swift.
    static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
