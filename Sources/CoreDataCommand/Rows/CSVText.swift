/// Values as fields of CSV: nil is nothing, an empty text two quotes, lists and composites their JSON.
enum CSVText {
    static func field(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text.isEmpty ? "\"\"" : quoted(text)
        case .array, .object: quoted(value.line)
        default: value.line
        }
    }

    /// In quotes where the text would be taken for something else without.
    static func quoted(_ text: String) -> String {
        let needs = text.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == 10 || $0 == 13 }
            || text.first == " " || text.last == " "
        return needs ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }
}
