/// A LIKE pattern: `*` any run, `?` one code point, a backslash makes the next character literal; anchored at both ends.
///
/// Invariant: matching takes at most text × pattern steps, whatever the pattern.
package struct LikePattern: Sendable {
    private enum Piece: Sendable, Equatable {
        case literal(Unicode.Scalar)
        case one, any
    }

    private let pieces: [Piece]
    private let options: ComparisonOptions

    package init(_ pattern: String, options: ComparisonOptions) {
        self.options = options
        var pieces: [Piece] = []
        var isEscaped = false
        for scalar in TextFolding.fold(pattern, options: options).unicodeScalars {
            if isEscaped {
                pieces.append(.literal(scalar))
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                pieces.append(scalar == "*" ? .any : scalar == "?" ? .one : .literal(scalar))
            }
        }
        if isEscaped { pieces.append(.literal("\\")) }
        self.pieces = pieces
    }

    /// The text before the first wildcard: every match begins with it.
    package static func prefix(of pattern: String) -> String {
        var prefix = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            if !isEscaped, scalar == "*" || scalar == "?" { return String(prefix) }
            prefix.append(scalar)
            isEscaped = false
        }
        if isEscaped { prefix.append("\\") }
        return String(prefix)
    }

    package func matches(_ text: String) -> Bool {
        let scalars = Array(TextFolding.fold(text, options: options).unicodeScalars)
        var position = 0
        var piece = 0
        var retry: (piece: Int, position: Int)?
        while position < scalars.count {
            if piece < pieces.count, pieces[piece] == .any {
                piece += 1
                retry = (piece, position)
            } else if piece < pieces.count, pieces[piece] == .one || pieces[piece] == .literal(scalars[position]) {
                piece += 1
                position += 1
            } else if let last = retry {
                retry = (last.piece, last.position + 1)
                (piece, position) = (last.piece, last.position + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .any }
    }
}
