import Foundation

/// A small, deterministic collation in the manner of the Unicode root collation, the same on every machine and in every
/// store: letters without regard to case and accents first, then accents, then case (small letters first); spaces and
/// punctuation before digits before letters. The user's locale does not change it.
enum TextCollation {
    struct Options: OptionSet {
        let rawValue: Int
        /// Small and capital letters differ when nothing else does.
        static let distinguishesCase = Options(rawValue: 1)
        /// Runs of digits compare as numbers.
        static let numeric = Options(rawValue: 2)
    }

    static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ options: Options) -> Int {
        if isASCII(left) && isASCII(right) {
            return compareElements(
                left.count, right.count, options,
                { AsciiWeights.element(left[$0]) }, { AsciiWeights.element(right[$0]) })
        }
        let a = CollationElement.elements(of: left), b = CollationElement.elements(of: right)
        return compareElements(a.count, b.count, options, { a[$0] }, { b[$0] })
    }

    private static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80
    }

    /// Walks both texts once: the first primary difference decides, then the first accent, then the first case difference.
    @inline(__always)
    private static func compareElements(
        _ leftCount: Int, _ rightCount: Int, _ options: Options,
        _ left: (Int) -> CollationElement, _ right: (Int) -> CollationElement
    ) -> Int {
        let isNumeric = options.contains(.numeric)
        var secondary = 0, tertiary = 0, zeros = 0
        var i = 0, j = 0
        while i < leftCount && j < rightCount {
            let a = left(i), b = right(j)
            if isNumeric && a.isDigit && b.isDigit {
                let outcome = compareNumbers(&i, leftCount, left, &j, rightCount, right)
                if outcome.value != 0 { return outcome.value }
                if zeros == 0 { zeros = outcome.zeros }
                continue
            }
            if a.primary != b.primary { return a.primary < b.primary ? -1 : 1 }
            if secondary == 0 && a.secondary != b.secondary { secondary = a.secondary < b.secondary ? -1 : 1 }
            if tertiary == 0 && a.tertiary != b.tertiary { tertiary = a.tertiary < b.tertiary ? -1 : 1 }
            i += 1
            j += 1
        }
        if i < leftCount { return 1 }
        if j < rightCount { return -1 }
        if secondary != 0 { return secondary }
        if options.contains(.distinguishesCase) && tertiary != 0 { return tertiary }
        return zeros
    }

    /// Compares two runs of digits by value and steps over them; `zeros` is the order by leading zeros, the last resort.
    @inline(__always)
    private static func compareNumbers(
        _ i: inout Int, _ leftCount: Int, _ left: (Int) -> CollationElement,
        _ j: inout Int, _ rightCount: Int, _ right: (Int) -> CollationElement
    ) -> (value: Int, zeros: Int) {
        let leftStart = i, rightStart = j
        while i < leftCount, left(i).isZero { i += 1 }
        while j < rightCount, right(j).isZero { j += 1 }
        let zeros = (i - leftStart) - (j - rightStart)
        var difference = 0
        while i < leftCount, j < rightCount, left(i).isDigit, right(j).isDigit {
            let (a, b) = (left(i).primary, right(j).primary)
            if difference == 0 && a != b { difference = a < b ? -1 : 1 }
            i += 1
            j += 1
        }
        if i < leftCount, left(i).isDigit { return (1, zeros) }
        if j < rightCount, right(j).isDigit { return (-1, zeros) }
        return (difference, zeros)
    }
}

/// What one letter with its accents weighs.
struct CollationElement {
    var primary: UInt32
    var secondary: UInt32 = 0
    var tertiary: UInt8 = 0

    @inline(__always) var isDigit: Bool { primary >= AsciiWeights.zero && primary <= AsciiWeights.zero + 9 }
    @inline(__always) var isZero: Bool { primary == AsciiWeights.zero }

    static func elements(of bytes: UnsafeRawBufferPointer) -> [CollationElement] {
        var result: [CollationElement] = []
        result.reserveCapacity(bytes.count)
        for scalar in String(decoding: bytes, as: UTF8.self).decomposedStringWithCompatibilityMapping.unicodeScalars {
            if scalar.isASCII {
                result.append(AsciiWeights.element(UInt8(scalar.value)))
            } else if scalar.properties.canonicalCombiningClass != .notReordered {
                // An accent weighs on its letter; several add up in order.
                if let last = result.indices.last { result[last].secondary = result[last].secondary &* 31 &+ scalar.value }
            } else {
                append(scalar, to: &result)
            }
        }
        return result
    }

    private static func append(_ scalar: Unicode.Scalar, to result: inout [CollationElement]) {
        if scalar.value == 0xDF || scalar.value == 0x1E9E {
            // sharp s weighs as ss
            result.append(AsciiWeights.element(115))
            result.append(CollationElement(primary: AsciiWeights.element(115).primary, secondary: 1))
            return
        }
        if let base = nearLetters[scalar.value] {
            for (index, byte) in base.utf8.enumerated() {
                var element = AsciiWeights.element(byte)
                if index == 0 { element.secondary = scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value }
                result.append(element)
            }
            return
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
            if lower.properties.canonicalCombiningClass != .notReordered { continue }
            result.append(CollationElement(primary: 0x1000 + lower.value, tertiary: lower == scalar ? 0 : 1))
        }
    }

    /// Letters that do not decompose but sort beside the Latin letters they are made from.
    private static let nearLetters: [UInt32: String] = [
        0xC6: "AE", 0xE6: "ae", 0xD8: "O", 0xF8: "o", 0x110: "D", 0x111: "d", 0x126: "H", 0x127: "h", 0x131: "i",
        0x141: "L", 0x142: "l", 0x152: "OE", 0x153: "oe", 0x166: "T", 0x167: "t", 0xD0: "D", 0xF0: "d",
    ]
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
