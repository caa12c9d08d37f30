/// What one letter with its accents weighs.
struct CollationElement {
    var primary: UInt32
    var secondary: UInt32 = 0
    var tertiary: UInt8 = 0

    @inline(__always) var isDigit: Bool { primary >= AsciiWeights.zero && primary <= AsciiWeights.zero + 9 }
    @inline(__always) var isZero: Bool { primary == AsciiWeights.zero }
}

/// Weights of ASCII: controls, spaces and punctuation as the root collation has them, then digits, then letters.
enum AsciiWeights {
    static let zero: UInt32 = 100

    private static let punctuation = Array(" _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$".utf8)

    private static let table: [CollationElement] = (0..<128).map { code in
        let byte = UInt8(code)
        switch byte {
        case 48...57: return CollationElement(primary: zero + UInt32(byte - 48))
        case 65...90: return CollationElement(primary: 200 + UInt32(byte - 65), tertiary: 1)
        case 97...122: return CollationElement(primary: 200 + UInt32(byte - 97))
        default:
            if let place = punctuation.firstIndex(of: byte) { return CollationElement(primary: 40 + UInt32(place)) }
            return CollationElement(primary: byte == 127 ? 39 : UInt32(byte))
        }
    }

    @inline(__always) static func element(_ byte: UInt8) -> CollationElement { table[Int(byte & 0x7F)] }
}
