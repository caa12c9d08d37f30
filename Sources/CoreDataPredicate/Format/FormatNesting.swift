import Foundation

/// What lets a format be nested as deep as its author likes.
enum FormatNesting {
    /// Levels a format may have before it is parsed on a stack of its own. A level takes up to 18 KB of stack in a debug build.
    static let shallow = 100
    /// Levels that are refused.
    static let deepest = 20_000

    /// The tokens without parentheses that only repeat other ones: `((a == 1))` is `(a == 1)`.
    static func withoutRepeatedParentheses(_ tokens: [FormatToken]) -> [FormatToken] {
        var closing: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .symbol(.openParenthesis): open.append(index)
            case .symbol(.closeParenthesis): if let start = open.popLast() { closing[start] = index }
            default: break
            }
        }
        var dropped: Set<Int> = []
        for (start, end) in closing where closing[start + 1] == end - 1 { dropped.formUnion([start + 1, end - 1]) }
        if dropped.isEmpty { return tokens }
        return tokens.indices.filter { !dropped.contains($0) }.map { tokens[$0] }
    }

    /// How many recursive rules the parser can have open at once: brackets, and signs before them.
    static func depth(of tokens: [FormatToken]) -> Int {
        var deepest = 0
        var signs = 0
        var total = 0
        var levels: [Int] = []
        for token in tokens {
            switch token.kind {
            case .symbol(.openParenthesis), .symbol(.openBrace), .symbol(.openBracket):
                levels.append(signs + 1)
                total += signs + 1
                signs = 0
            case .symbol(.closeParenthesis), .symbol(.closeBrace), .symbol(.closeBracket):
                total -= levels.popLast() ?? 0
                signs = 0
            case .symbol(.not), .symbol(.minus), .symbol(.plus), .symbol(.bitNot): signs += 1
            case .identifier where token.keyword == "NOT": signs += 1
            default: signs = 0
            }
            deepest = max(deepest, total + signs)
        }
        return deepest
    }

    /// Runs `body` on a thread whose stack fits `levels`, and waits for it.
    static func onDeepStack<Result: Sendable>(
        levels: Int, _ body: @escaping @Sendable () throws(PredicateFormatError) -> Result
    ) throws(PredicateFormatError) -> Result {
        let outcome = Outcome<Result>()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do throws(PredicateFormatError) { outcome.value = .success(try body()) } catch { outcome.value = .failure(error) }
            done.signal()
        }
        thread.stackSize = 1 << 20 + levels * 24 * 1024
        thread.start()
        done.wait()
        switch outcome.value {
        case .success(let value)?: return value
        case .failure(let error)?: throw error
        case nil: throw PredicateFormatError(format: "", position: 0, reason: "the format nests too deep")
        }
    }

    /// Unchecked Sendable: written once by the thread, read after its signal.
    private final class Outcome<Value>: @unchecked Sendable {
        var value: Result<Value, PredicateFormatError>?
    }
}
