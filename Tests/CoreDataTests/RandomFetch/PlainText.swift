/// Texts of the random test, made of a known alphabet, so that what `[c]` and `[d]` make of each letter stands in a table.
enum PlainText {
    struct Letter {
        let text: String
        /// Without its case, without its marks, without both; composed.
        let c: String, d: String, cd: String

        init(_ text: String, _ c: String, _ d: String, _ cd: String) {
            (self.text, self.c, self.d, self.cd) = (text, c, d, cd)
        }

        init(_ text: String) { self.init(text, text, text, text) }

        var scalars: [Unicode.Scalar] { Array(text.unicodeScalars) }
    }

    static let letters: [Letter] = {
        var letters = "abcdefghijklmnopqrstuvwxyz".map { Letter(String($0)) }
        letters += "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { Letter(String($0), $0.lowercased(), String($0), $0.lowercased()) }
        letters += "0123456789 *?%_\\'\".[]()+^$|{}#@-,\n".map { Letter(String($0)) }
        letters += [
            // Composed and decomposed.
            Letter("\u{E9}", "\u{E9}", "e", "e"), Letter("e\u{301}", "\u{E9}", "e", "e"),
            Letter("\u{C9}", "\u{E9}", "E", "e"), Letter("E\u{301}", "\u{E9}", "E", "e"),
            Letter("\u{FC}", "\u{FC}", "u", "u"), Letter("\u{DC}", "\u{FC}", "U", "u"), Letter("u\u{308}", "\u{FC}", "u", "u"),
            Letter("\u{F1}", "\u{F1}", "n", "n"), Letter("\u{D1}", "\u{F1}", "N", "n"),
            Letter("\u{105}", "\u{105}", "a", "a"), Letter("\u{104}", "\u{105}", "A", "a"), Letter("a\u{328}", "\u{105}", "a", "a"),
            Letter("\u{1EC7}", "\u{1EC7}", "e", "e"), Letter("e\u{302}\u{323}", "\u{1EC7}", "e", "e"),
            Letter("\u{AC00}"), Letter("\u{1100}\u{1161}", "\u{AC00}", "\u{AC00}", "\u{AC00}"),
            // Case that is more than one letter, or more than two.
            Letter("\u{DF}", "ss", "\u{DF}", "ss"), Letter("\u{1E9E}", "ss", "\u{1E9E}", "ss"),
            Letter("\u{3C3}"), Letter("\u{3C2}", "\u{3C3}", "\u{3C2}", "\u{3C3}"), Letter("\u{3A3}", "\u{3C3}", "\u{3A3}", "\u{3C3}"),
            Letter("\u{130}", "i\u{307}", "I", "i"), Letter("\u{131}"),
            // Strokes are no marks.
            Letter("\u{F8}"), Letter("\u{D8}", "\u{F8}", "\u{D8}", "\u{F8}"),
            Letter("\u{436}"), Letter("\u{416}", "\u{436}", "\u{416}", "\u{436}"),
            Letter("\u{65E5}"), Letter("\u{5D0}"), Letter("\u{1F600}"), Letter("\u{1F44D}\u{1F3FD}"),
            Letter("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"), Letter("\u{1F1E9}\u{1F1EA}"), Letter("\u{10FFFD}"),
        ]
        return letters
    }()

    /// Letters by their first scalar, longest first.
    private static let byFirst = Dictionary(grouping: letters) { $0.scalars[0] }
        .mapValues { $0.map { ($0, $0.scalars) }.sorted { $0.1.count > $1.1.count } }

    static func fold(_ text: String, _ options: PlainOptions) -> String {
        if options.isEmpty { return text }
        let scalars = Array(text.unicodeScalars)
        var result = ""
        var index = 0
        while index < scalars.count {
            let rest = scalars[index...]
            guard let (letter, own) = byFirst[scalars[index]]?.first(where: { rest.starts(with: $0.1) }) else {
                result.unicodeScalars.append(scalars[index])
                index += 1
                continue
            }
            result += options == [.c, .d] ? letter.cd : options == .c ? letter.c : letter.d
            index += own.count
        }
        return result
    }

    // MARK: operators

    static func begins(_ text: String, _ part: String, _ options: PlainOptions) -> Bool {
        let (text, part) = (Array(fold(text, options).utf8), Array(fold(part, options).utf8))
        return text.count >= part.count && Array(text[..<part.count]) == part
    }

    static func ends(_ text: String, _ part: String, _ options: PlainOptions) -> Bool {
        let (text, part) = (Array(fold(text, options).utf8), Array(fold(part, options).utf8))
        return text.count >= part.count && Array(text[(text.count - part.count)...]) == part
    }

    static func contains(_ text: String, _ part: String, _ options: PlainOptions) -> Bool {
        let (text, part) = (Array(fold(text, options).utf8), Array(fold(part, options).utf8))
        if part.count > text.count { return false }
        return (0...(text.count - part.count)).contains { Array(text[$0..<($0 + part.count)]) == part }
    }

    static func isLike(_ text: String, _ pattern: String, _ options: PlainOptions) -> Bool {
        like(Array(fold(text, options).unicodeScalars)[...], Array(fold(pattern, options).unicodeScalars)[...])
    }

    private static func like(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case "*": return like(text, rest) || (!text.isEmpty && like(text.dropFirst(), pattern))
        case "?": return !text.isEmpty && like(text.dropFirst(), rest)
        case "\\":
            guard let escaped = rest.first else { return text.elementsEqual(pattern) }
            return text.first == escaped && like(text.dropFirst(), rest.dropFirst())
        default: return text.first == first && like(text.dropFirst(), rest)
        }
    }
}

/// A regular expression of the few pieces the test writes: what it is as text, and what it matches.
struct PlainPattern: Hashable {
    enum Piece: Hashable {
        case letter(Unicode.Scalar)
        case dot
        case range(Unicode.Scalar, Unicode.Scalar)
    }

    enum Count: String, Hashable, CaseIterable { case once = "", any = "*", some = "+", perhaps = "?" }

    struct Part: Hashable {
        let piece: Piece
        let count: Count
    }

    /// At least one.
    let alternatives: [[Part]]

    var text: String {
        alternatives.map { parts in
            parts.map { part in
                let piece = switch part.piece {
                case .letter(let scalar): "\\^$.|?*+()[]{}#-".unicodeScalars.contains(scalar) ? "\\\(scalar)" : "\(scalar)"
                case .dot: "."
                case .range(let from, let to): "[\(from)-\(to)]"
                }
                return piece + part.count.rawValue
            }.joined()
        }.joined(separator: "|")
    }

    /// The whole text. Under `[c]` the test writes ASCII letters only, `s` and `k` not among them.
    func matches(_ text: String, _ options: PlainOptions) -> Bool {
        let scalars = Array(PlainText.fold(text, options.intersection(.d)).unicodeScalars)
        return alternatives.contains { matches(scalars[...], $0[...], caseless: options.contains(.c)) }
    }

    private func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<Part>, caseless: Bool) -> Bool {
        guard let part = parts.first else { return text.isEmpty }
        let hits = text.first.map { fits($0, part.piece, caseless: caseless) } ?? false
        func again(_ parts: ArraySlice<Part>) -> Bool { hits && matches(text.dropFirst(), parts, caseless: caseless) }
        let rest = parts.dropFirst()
        switch part.count {
        case .once: return again(rest)
        case .perhaps: return again(rest) || matches(text, rest, caseless: caseless)
        case .any: return matches(text, rest, caseless: caseless) || again(parts)
        case .some: return again([Part(piece: part.piece, count: .any)] + rest)
        }
    }

    private func fits(_ scalar: Unicode.Scalar, _ piece: Piece, caseless: Bool) -> Bool {
        switch piece {
        case .dot: return scalar != "\n"
        case .letter(let letter): return scalar == letter || caseless && swapped(scalar) == letter
        case .range(let from, let to):
            return (from...to).contains(scalar) || caseless && (from...to).contains(swapped(scalar))
        }
    }

    private func swapped(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 65...90, 97...122: Unicode.Scalar(UInt8(scalar.value ^ 0x20))
        default: scalar
        }
    }
}
