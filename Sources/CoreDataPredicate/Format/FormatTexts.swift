import CoreDataSchema

/// The words of formats read before: a program has few formats and uses each often, with other arguments.
enum FormatTexts {
    private typealias Words = (tokens: [FormatToken], scalars: [Unicode.Scalar])

    /// A format byte for byte: texts in it that look alike may differ.
    private struct Format: Hashable {
        let text: String

        static func == (left: Format, right: Format) -> Bool { left.text.isLiterallyEqual(to: right.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    private static let known = LockedValue<[Format: Words]>([:])
    private static let limit = 200, longest = 1_000

    static func tokens(of format: String) throws(PredicateFormatError) -> (tokens: [FormatToken], scalars: [Unicode.Scalar]) {
        if let words = known.withLock({ $0[Format(text: format)] }) { return words }
        let (read, scalars) = try FormatLexer.tokens(of: format)
        let words = (tokens: FormatNesting.withoutRepeatedParentheses(read), scalars: scalars)
        if scalars.count <= longest {
            known.withLock { known in
                if known.count >= limit { known.removeAll() }
                known[Format(text: format)] = words
            }
        }
        return words
    }
}
