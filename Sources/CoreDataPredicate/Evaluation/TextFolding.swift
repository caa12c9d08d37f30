import Foundation

/// The one folding behind `[c]` and `[d]`: memory and the functions registered with SQLite both call it.
///
/// Invariant: folding is idempotent, keeps neither case (`[c]`) nor marks on letters (`[d]`), and makes canonically
/// equivalent texts equal; without options, and with `[n]` (already prepared), a text is itself, code unit by code unit.
package enum TextFolding {
    package static func fold(_ text: String, options: ComparisonOptions) -> String {
        guard !options.contains(.normalized), !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) else { return text }
        let isCaseless = options.contains(.caseInsensitive)
        if let ascii = foldASCII(text, isCaseless: isCaseless) { return ascii }
        let isMarkless = options.contains(.diacriticInsensitive)
        if text.utf8.count <= longest { return foldPiece(text, isCaseless, isMarkless) }
        var folded = "", start = text.startIndex
        while start < text.endIndex {
            let end = text.index(start, offsetBy: longest / 4, limitedBy: text.endIndex) ?? text.endIndex
            folded += foldPiece(String(text[start..<end]), isCaseless, isMarkless)
            start = end
        }
        return folded
    }

    /// Bytes that are folded in one piece: Foundation takes time by the square of a text's length. Between two characters nothing
    /// composes, so the pieces make the whole.
    private static let longest = 1024

    private static func foldPiece(_ text: String, _ isCaseless: Bool, _ isMarkless: Bool) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars where !(isMarkless && isMark(scalar)) {
            if isCaseless { append(scalar, caselessTo: &folded) } else { folded.append(scalar) }
        }
        return String(folded).precomposedStringWithCanonicalMapping
    }

    /// nil when the text is not ASCII.
    private static func foldASCII(_ text: String, isCaseless: Bool) -> String? {
        var hasCapitals = false
        for byte in text.utf8 {
            if byte >= 0x80 { return nil }
            if (0x41...0x5A).contains(byte) { hasCapitals = true }
        }
        guard isCaseless, hasCapitals else { return text }
        return String(unsafeUninitializedCapacity: text.utf8.count) { buffer in
            var count = 0
            for byte in text.utf8 {
                buffer[count] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    /// Through small letters and capitals to small letters again: ß and ẞ are ss, ς is σ, and ı, whose capital is that of i, stays itself.
    private static func append(_ scalar: Unicode.Scalar, caselessTo folded: inout String.UnicodeScalarView) {
        if scalar.isASCII {
            folded.append((0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
        } else if scalar == "\u{131}" || !(scalar.properties.isCased || scalar.properties.changesWhenCaseFolded) {
            folded.append(scalar)
        } else {
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                for upper in lower.properties.uppercaseMapping.unicodeScalars {
                    folded.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                }
            }
        }
    }

    /// Marks that decorate letters. Vowel signs and voicing marks of other scripts make other letters and stay.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0300...0x036F, 0x0483...0x0487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        case 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, 0x064B...0x065F, 0x0670: true
        default: false
        }
    }
}
