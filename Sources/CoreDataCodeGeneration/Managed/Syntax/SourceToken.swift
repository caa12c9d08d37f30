/// A piece of Swift source, as far as declarations are concerned.
struct SourceToken: Equatable {
    enum Kind: Equatable {
        /// A name or keyword.
        case word
        /// A name in backticks, without them.
        case escapedWord
        case number, string
        /// One character of punctuation, or `->`.
        case symbol
        /// `#if`, `#elseif`, `#else` or `#endif`, with its condition.
        case directive
    }

    var kind: Kind
    var text: String
    var line: Int
    /// Where it begins and ends, in bytes: with backticks, quotes and marks.
    var start: Int
    var end: Int

    func isSymbol(_ character: String) -> Bool { kind == .symbol && text == character }
    func isWord(_ word: String) -> Bool { kind == .word && text == word }
    var isName: Bool { kind == .word || kind == .escapedWord }
}
