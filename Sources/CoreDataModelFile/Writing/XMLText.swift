/// XML under construction, indented by four spaces as Xcode does.
///
/// Invariant: attributes come in the order in which they are given; what XML cannot hold is an error, never left out.
struct XMLText {
    private(set) var text = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private var open: [String] = []

    /// An element without content. Attributes whose value is nil are left out.
    mutating func element(_ name: String, _ attributes: [(String, String?)]) throws(ModelWritingError) {
        text += indentation + "<\(name)" + (try Self.text(of: attributes)) + "/>\n"
    }

    mutating func begin(_ name: String, _ attributes: [(String, String?)] = []) throws(ModelWritingError) {
        text += indentation + "<\(name)" + (try Self.text(of: attributes)) + ">\n"
        open.append(name)
    }

    mutating func end() {
        guard let name = open.popLast() else { return }
        text += indentation + "</\(name)>\n"
    }

    private var indentation: String { String(repeating: "    ", count: open.count) }

    private static func text(of attributes: [(String, String?)]) throws(ModelWritingError) -> String {
        var result = ""
        for case (let name, let value?) in attributes { result += " \(name)=\"\(try escaped(value))\"" }
        return result
    }

    private static func escaped(_ value: String) throws(ModelWritingError) -> String {
        var result = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            case _ where scalar.value < 32 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                throw ModelWritingError(part: value, reason: "it has a character that XML does not allow (U+\(String(scalar.value, radix: 16)))")
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
