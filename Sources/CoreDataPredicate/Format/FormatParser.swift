import Foundation

/// A recursive-descent parser over tokens, without backtracking: parentheses hold a predicate or an expression, and
/// which one is known only at their end, so the rules answer a `Node`.
///
/// Invariant: `depth` counts the open recursive rules and never passes `maximumDepth`, so hostile nesting is an error
/// and not a stack overflow; `next` never passes the end token.
struct FormatParser {
    enum Node {
        case expression(ExpressionTree)
        case predicate(PredicateTree)
    }

    /// Indexes and set operators in a row: their tree is as deep as they are many.
    static let longestChain = 200

    let format: String
    private let scalars: [Unicode.Scalar]
    private let tokens: [FormatToken]
    private let arguments: [PredicateArgument]
    private var next = 0
    private var depth = 0

    init(_ format: String, arguments: [PredicateArgument]) throws(PredicateFormatError) {
        self.format = format
        self.arguments = arguments
        (tokens, scalars) = try FormatTexts.tokens(of: format)
        if case .end = tokens[0].kind { throw error("the format is empty", at: 0) }
        try checkArgumentCount()
    }

    // MARK: Cursor

    var token: FormatToken { tokens[next] }
    var position: Int { tokens[next].position }
    /// The token after the current one.
    var following: FormatToken { tokens[min(next + 1, tokens.count - 1)] }

    /// The reserved word before the current token, if it is one.
    var previousWord: String? {
        guard next > 0, case .identifier(let word) = tokens[next - 1].kind, ReservedWords.contains(word) else { return nil }
        return word
    }

    mutating func advance() { if next < tokens.count - 1 { next += 1 } }

    func isAt(_ symbol: FormatToken.Symbol) -> Bool { token.kind == .symbol(symbol) }

    mutating func take(_ symbol: FormatToken.Symbol) -> Bool {
        guard isAt(symbol) else { return false }
        advance()
        return true
    }

    mutating func takeKeyword(_ word: String) -> Bool {
        guard token.keyword == word else { return false }
        advance()
        return true
    }

    mutating func expect(_ symbol: FormatToken.Symbol, _ purpose: String) throws(PredicateFormatError) {
        if take(symbol) { return }
        throw unexpected("expected “\(symbol.rawValue)” \(purpose)")
    }

    func expectEnd() throws(PredicateFormatError) {
        guard token.kind != .end else { return }
        if token.keyword == "NOT", following.keyword == "IN" {
            throw error("“NOT IN” is not part of the language; write NOT (key IN collection)", at: position)
        }
        throw unexpected("expected AND, OR or the end")
    }

    mutating func enter() throws(PredicateFormatError) {
        depth += 1
        try checkDepth(depth, FormatNesting.deepest)
    }

    func checkDepth(_ depth: Int, _ limit: Int) throws(PredicateFormatError) {
        if depth > limit { throw tooDeep(limit) }
    }

    func tooDeep(_ limit: Int) -> PredicateFormatError {
        error("the format nests more than \(limit) levels deep", at: position)
    }

    /// How many rules reading these tokens can have open at once.
    var nesting: Int { FormatNesting.depth(of: tokens) }

    mutating func leave() { depth -= 1 }

    // MARK: Errors

    func error(_ reason: String, at position: Int) -> PredicateFormatError {
        PredicateFormatError(
            format: format, position: FormatLexer.offset(of: position, in: scalars), reason: reason)
    }

    /// `word` is the reserved word in front, which may have been meant as a key.
    func unexpected(_ expectation: String, after word: String? = nil) -> PredicateFormatError {
        let found = token.kind == .end ? "the format ends here" : "found “\(token.text)”"
        let advice = word.map { "; for a key of the name “\($0)” write #\($0)" } ?? ""
        return error("\(expectation), but \(found)\(advice)", at: position)
    }

    func predicate(_ node: Node, at start: Int) throws(PredicateFormatError) -> PredicateTree {
        if case .predicate(let tree) = node { return tree }
        if token.kind != .end, !isAt(.closeParenthesis), !isAt(.comma), !isAt(.and), !isAt(.or) { try expectEnd() }
        throw error("a comparison operator such as == must follow this expression", at: start)
    }

    func expression(_ node: Node, at start: Int) throws(PredicateFormatError) -> ExpressionTree {
        if case .expression(let tree) = node { return tree }
        throw error("an expression is needed here, and this is a predicate", at: start)
    }

    // MARK: Arguments

    private func checkArgumentCount() throws(PredicateFormatError) {
        var needed = 0
        var firstMissing: Int?
        for token in tokens {
            guard case .placeholder(let placeholder) = token.kind else { continue }
            needed = max(needed, placeholder.index + 1)
            if placeholder.index >= arguments.count, firstMissing == nil { firstMissing = token.position }
        }
        guard needed != arguments.count else { return }
        let needs = "the format needs \(needed) argument\(needed == 1 ? "" : "s")"
        let given = "\(arguments.count) \(arguments.count == 1 ? "was" : "were") given"
        throw error("\(needs), \(given)", at: firstMissing ?? scalars.count)
    }

    func argument(_ placeholder: FormatPlaceholder) -> PredicateArgument { arguments[placeholder.index] }

    /// The keys of a `%K`.
    func keys(_ placeholder: FormatPlaceholder) throws(PredicateFormatError) -> [String] {
        let argument = argument(placeholder)
        guard case .value(.string(let path)) = argument else {
            throw error(
                "\(placeholder.text) takes a key path as a string; argument \(placeholder.index + 1) is \(argument.kind)",
                at: position)
        }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard keys.allSatisfy({ !$0.isEmpty }) else {
            throw error("argument \(placeholder.index + 1), “\(path)”, is not a key path", at: position)
        }
        return keys
    }
}
