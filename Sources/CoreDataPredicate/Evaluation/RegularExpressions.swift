import CoreDataSchema
import Foundation

/// MATCHES: ICU regular expressions over the whole text, compiled once.
///
/// Invariant: the cache holds at most `capacity` patterns.
package enum RegularExpressions {
    private struct Key: Hashable {
        var pattern: String
        var isCaseless: Bool
    }

    private static let capacity = 128
    private static let cache = LockedValue<[Key: NSRegularExpression]>([:])

    /// Throws `PredicateEvaluationError.badPattern`. `[d]` strips marks from text and pattern; `[c]` is the engine's own.
    package static func matches(
        _ text: String, _ pattern: String, options: ComparisonOptions
    ) throws(PredicateEvaluationError) -> Bool {
        let marks = options.intersection([.diacriticInsensitive, .normalized])
        let text = TextFolding.fold(text, options: marks)
        let isCaseless = options.contains(.caseInsensitive) && !options.contains(.normalized)
        let expression = try compiled(TextFolding.fold(pattern, options: marks), isCaseless: isCaseless)
        let whole = NSRange(location: 0, length: text.utf16.count)
        return expression.firstMatch(in: text, options: .anchored, range: whole)?.range == whole
    }

    private static func compiled(_ pattern: String, isCaseless: Bool) throws(PredicateEvaluationError) -> NSRegularExpression {
        let key = Key(pattern: pattern, isCaseless: isCaseless)
        if let known = cache.withLock({ $0[key] }) { return known }
        let options: NSRegularExpression.Options = isCaseless ? .caseInsensitive : []
        // Compiled alone first: a pattern such as `a)(b` is no pattern, though it would be one inside the group.
        guard let alone = try? NSRegularExpression(pattern: pattern, options: options) else { throw .badPattern(pattern) }
        // The group makes alternatives reach for the end (`a|ab`). A pattern that ends in a comment or an open quotation
        // swallows the group's end; it is used alone.
        let expression = (try? NSRegularExpression(pattern: "(?:\(pattern))\\z", options: options)) ?? alone
        cache.withLock {
            if $0.count >= capacity { $0.removeAll(keepingCapacity: true) }
            $0[key] = expression
        }
        return expression
    }
}
