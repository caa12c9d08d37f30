import Foundation

/// Texts as the string operators see them. Flags: 1 ignores case, 2 ignores diacritics.
enum TextForms {
    static func fold(_ text: String, _ flags: Int) -> String {
        if flags == 0 { return text }
        if text.utf8.allSatisfy({ $0 < 128 }) { return flags & 1 == 0 ? text : text.lowercased() }
        var options: String.CompareOptions = []
        if flags & 1 != 0 { options.insert(.caseInsensitive) }
        if flags & 2 != 0 { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }

    static func contains(_ text: UnsafeRawBufferPointer, _ part: [UInt8]) -> Bool {
        if part.isEmpty { return true }
        guard text.count >= part.count, let start = text.baseAddress else { return false }
        return part.withUnsafeBytes { part in
            var offset = 0
            let last = text.count - part.count
            while offset <= last, let found = memchr(start + offset, Int32(part[0]), last - offset + 1) {
                offset = UnsafeRawPointer(found) - start
                if memcmp(found, part.baseAddress, part.count) == 0 { return true }
                offset += 1
            }
            return false
        }
    }
}

/// A LIKE pattern: `?` one character, `*` any number, `\` makes the next one plain; anchored at both ends.
final class LikePattern {
    private enum Piece: Equatable { case one, any, character(Character) }
    private let pieces: [Piece]

    init(_ pattern: String, _ flags: Int) {
        var pieces: [Piece] = []
        var isEscaped = false
        // Folding keeps `*`, `?` and `\`.
        for character in TextForms.fold(pattern, flags) {
            if isEscaped {
                pieces.append(.character(character))
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "*" {
                if pieces.last != .any { pieces.append(.any) }
            } else {
                pieces.append(character == "?" ? .one : .character(character))
            }
        }
        if isEscaped { pieces.append(.character("\\")) }
        self.pieces = pieces
    }

    /// `text` is folded already. Linear but for `*`, where it goes back to the last one only.
    func matches(_ text: String) -> Bool {
        var position = text.startIndex
        var piece = 0
        var star: (piece: Int, position: String.Index)?
        while position < text.endIndex {
            if piece < pieces.count, pieces[piece] == .any {
                star = (piece + 1, position)
                piece += 1
            } else if piece < pieces.count, pieces[piece] == .one || pieces[piece] == .character(text[position]) {
                piece += 1
                position = text.index(after: position)
            } else if let last = star {
                position = text.index(after: last.position)
                piece = last.piece
                star = (last.piece, position)
            } else {
                return false
            }
        }
        while piece < pieces.count, pieces[piece] == .any { piece += 1 }
        return piece == pieces.count
    }
}

/// A MATCHES pattern: a regular expression that must match the whole text.
final class RegularPattern {
    private let expression: NSRegularExpression
    private let flags: Int

    init(_ pattern: String, _ flags: Int) throws {
        let pattern = flags & 2 == 0 ? pattern : TextForms.fold(pattern, 2)
        expression = try NSRegularExpression(pattern: "\\A(?:\(pattern))\\z", options: flags & 1 == 0 ? [] : .caseInsensitive)
        self.flags = flags
    }

    func matches(_ text: String) -> Bool {
        let text = flags & 2 == 0 ? text : TextForms.fold(text, 2)
        return expression.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
    }
}
