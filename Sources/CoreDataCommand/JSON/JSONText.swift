/// The text of JSON's strings and numbers.
enum JSONText {
    private static let hex = Array("0123456789abcdef".utf8)

    static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { escape(UnsafeRawBufferPointer($0), to: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// UTF-8 with what JSON does not allow inside quotes escaped.
    static func escape(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var start = 0
        for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            bytes.append(contentsOf: text[start..<index])
            start = index + 1
            bytes.append(UInt8(ascii: "\\"))
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
            case 8: bytes.append(UInt8(ascii: "b"))
            case 9: bytes.append(UInt8(ascii: "t"))
            case 10: bytes.append(UInt8(ascii: "n"))
            case 12: bytes.append(UInt8(ascii: "f"))
            case 13: bytes.append(UInt8(ascii: "r"))
            default:
                bytes.append(contentsOf: "u00".utf8)
                bytes.append(hex[Int(byte >> 4)])
                bytes.append(hex[Int(byte & 15)])
            }
        }
        bytes.append(contentsOf: text[start...])
    }

    /// The shortest text that reads back as the same number. JSON has no infinity: that is a string.
    static func write(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else {
            bytes.append(contentsOf: "\"\(value.isNaN ? "NaN" : value > 0 ? "Infinity" : "-Infinity")\"".utf8)
            return
        }
        let text = value.description
        // Swift writes 5.0 and 1e+20; the first reads better as an integer would, and is one.
        bytes.append(contentsOf: text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...])
    }
}
