import Foundation

/// Turns texts beyond ASCII into weights.
///
/// Invariant: canonically equivalent texts get the same weights. Scalars below `known` are worked out once, for ideographs
/// and most emoji there is nothing to work out; the rest is decomposed as it comes.
enum CollationElements {
    static func of(_ bytes: UnsafeRawBufferPointer) -> ContiguousArray<CollationElement> {
        var result = ContiguousArray<CollationElement>()
        result.reserveCapacity(bytes.count)
        let scalars = ScalarTable.shared
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                result.append(AsciiWeights.element(byte))
                index += 1
                continue
            }
            guard let (scalar, width) = decode(bytes, index) else {
                result.append(CollationElement(primary: 0x1000 + 0xFFFD))
                index += 1
                continue
            }
            index += width
            scalars.append(scalar, to: &result)
        }
        return result
    }

    /// One scalar of well-formed UTF-8; nil where the bytes are none.
    private static func decode(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> (Unicode.Scalar, Int)? {
        let first = bytes[index]
        let width = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
        guard first >= 0xC2, first < 0xF5, index + width <= bytes.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(width))
        for place in index + 1..<index + width {
            guard bytes[place] & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(bytes[place] & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, width) }
    }
}

/// Weights of the scalars below 0x2000, in one flat array.
private struct ScalarTable: Sendable {
    static let shared = ScalarTable()

    private static let known: UInt32 = 0x2000
    /// Where a scalar's elements start; they end where the next one's start.
    private let starts: ContiguousArray<UInt32>
    private let elements: ContiguousArray<CollationElement>
    private let marks: ContiguousArray<Bool>

    private init() {
        var starts = ContiguousArray<UInt32>(), elements = ContiguousArray<CollationElement>(), marks = ContiguousArray<Bool>()
        for value in 0..<Self.known {
            starts.append(UInt32(elements.count))
            let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
            marks.append(Self.isMark(scalar))
            if !Self.isMark(scalar) { Self.decompose(scalar, into: &elements) }
        }
        starts.append(UInt32(elements.count))
        self.starts = starts
        self.elements = elements
        self.marks = marks
    }

    @inline(__always)
    func append(_ scalar: Unicode.Scalar, to result: inout ContiguousArray<CollationElement>) {
        let value = scalar.value
        if value < Self.known {
            if marks[Int(value)] {
                Self.mark(scalar, &result)
                return
            }
            for place in Int(starts[Int(value)])..<Int(starts[Int(value) + 1]) { result.append(elements[place]) }
        } else if (0x3400..<0xA000).contains(value) || value >= 0x1F300 {
            result.append(CollationElement(primary: 0x1000 + value))
        } else if Self.isMark(scalar) {
            Self.mark(scalar, &result)
        } else {
            Self.decompose(scalar, into: &result)
        }
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.canonicalCombiningClass != .notReordered }

    /// An accent weighs on its letter; several add up, in whatever order they were written.
    private static func mark(_ scalar: Unicode.Scalar, _ result: inout ContiguousArray<CollationElement>) {
        if let last = result.indices.last { result[last].secondary = result[last].secondary &+ scalar.value }
    }

    private static func decompose(_ scalar: Unicode.Scalar, into result: inout ContiguousArray<CollationElement>) {
        let start = result.count
        for part in String(Character(scalar)).decomposedStringWithCompatibilityMapping.unicodeScalars {
            if part.isASCII {
                result.append(AsciiWeights.element(UInt8(part.value)))
            } else if isMark(part) {
                if result.count > start { mark(part, &result) }
            } else {
                letter(part, into: &result)
            }
        }
    }

    private static func letter(_ scalar: Unicode.Scalar, into result: inout ContiguousArray<CollationElement>) {
        if let base = nearLetters[scalar.value] {
            for (index, byte) in base.utf8.enumerated() {
                var element = AsciiWeights.element(byte)
                if index == 0 { element.secondary = scalar.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar.value }
                result.append(element)
            }
            return
        }
        for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isMark(lower) {
            result.append(CollationElement(primary: 0x1000 + lower.value, tertiary: lower == scalar ? 0 : 1))
        }
    }

    /// Letters that do not decompose but sort beside the Latin letters they are made from.
    private static let nearLetters: [UInt32: String] = [
        0xC6: "AE", 0xE6: "ae", 0xD8: "O", 0xF8: "o", 0x110: "D", 0x111: "d", 0x126: "H", 0x127: "h", 0x131: "i",
        0x141: "L", 0x142: "l", 0x152: "OE", 0x153: "oe", 0x166: "T", 0x167: "t", 0xD0: "D", 0xF0: "d", 0xDF: "ss", 0x1E9E: "SS",
    ]
}
