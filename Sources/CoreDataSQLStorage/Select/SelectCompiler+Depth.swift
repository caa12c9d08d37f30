import CoreDataPredicate
import CoreDataSchema

/// What keeps statements within SQLite's bounds: its parser has a stack of a hundred entries, and an expression may be a
/// thousand operators deep. What goes beyond is evaluated on the rows.
extension SelectCompiler {
    /// Entries of the parser's stack that an expression of ours may take; the rest is the statement's own.
    static let deepestNesting = 80
    /// Terms of one AND, OR or arithmetic chain: each makes SQLite's expression one deeper.
    static let longestChain = 200
    /// Parts of one compound, so that the statement's text stays within SQLite's length.
    static let longestCompound = 20_000

    /// Runs `body` for a part that takes `weight` entries of the parser's stack before it is read.
    func nested<Result>(_ weight: Int, _ body: () throws -> Result) throws -> Result {
        nesting += weight
        defer { nesting -= weight }
        guard nesting <= Self.deepestNesting else { throw SQLCannotSay(what: "an expression nested this deep") }
        return try body()
    }

    /// The parts joined by AND or OR, long rows of them in groups, since SQLite nests `a OR b OR c` to the left.
    static func joined(_ parts: [SQLFragment], by word: String) throws -> SQLFragment {
        guard parts.count <= longestCompound else { throw SQLCannotSay(what: "\(parts.count) parts in one compound") }
        guard parts.count > longestChain else { return .joined(parts, by: word) }
        let groups = stride(from: 0, to: parts.count, by: longestChain).map { start in
            SQLFragment.joined(Array(parts[start..<min(start + longestChain, parts.count)]), by: word).inParentheses
        }
        return .joined(groups, by: word)
    }
}
