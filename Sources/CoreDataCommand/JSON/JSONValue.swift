/// One JSON value. Objects keep the order of their keys; numbers that were read keep their text, so that nothing is rounded.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A finite number.
    case real(Double)
    /// A number as its text.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable, Sendable {
        package var key: String
        package var value: JSONValue
    }

    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { member in member.value.map { Member(key: member.key, value: $0) } })
    }

    static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
    static func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }

    package subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members.first { $0.key == key }?.value } else { nil }
    }
}

extension JSONValue {
    /// Spread over lines; short arrays of plain values on one.
    func write(to bytes: inout [UInt8], indent: Int) {
        switch self {
        case .array(let values) where !values.isEmpty && !isPlain:
            open(UInt8(ascii: "["), values.count, indent, &bytes) { values[$0].write(to: &$1, indent: indent + 1) }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members) where !members.isEmpty:
            open(UInt8(ascii: "{"), members.count, indent, &bytes) { index, bytes in
                JSONText.write(members[index].key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                members[index].value.write(to: &bytes, indent: indent + 1)
            }
            bytes.append(UInt8(ascii: "}"))
        default: write(to: &bytes)
        }
    }

    private func open(
        _ bracket: UInt8, _ count: Int, _ indent: Int, _ bytes: inout [UInt8], _ body: (Int, inout [UInt8]) -> Void
    ) {
        bytes.append(bracket)
        for index in 0..<count {
            bytes.append(contentsOf: index > 0 ? ",\n".utf8 : "\n".utf8)
            bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * (indent + 1)))
            body(index, &bytes)
        }
        bytes.append(10)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * indent))
    }

    private var isPlain: Bool {
        guard case .array(let values) = self, values.count <= 8 else { return false }
        return values.allSatisfy { value in
            switch value {
            case .array, .object: false
            case .string(let text): text.utf8.count <= 40
            default: true
            }
        }
    }

    /// On one line.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: String(value).utf8)
        case .real(let value): JSONText.write(value, to: &bytes)
        case .number(let text): bytes.append(contentsOf: text.utf8)
        case .string(let text): JSONText.write(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                JSONText.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    package var line: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
