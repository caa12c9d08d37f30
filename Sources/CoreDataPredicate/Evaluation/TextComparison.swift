import Foundation

/// Two texts compared as a comparison's options say.
package enum TextComparison {
    /// By code units of the folded texts; with `[l]` as the user's locale sorts them.
    package static func compare(_ left: String, _ right: String, options: ComparisonOptions) -> ComparisonResult {
        if options.contains(.localeSensitive) { return left.compare(right, options: foundationOptions(options), locale: .current) }
        if options.isEmpty || options.contains(.normalized) { return binary(left, right) }
        return binary(TextFolding.fold(left, options: options), TextFolding.fold(right, options: options))
    }

    package static func equal(_ left: String, _ right: String, options: ComparisonOptions) -> Bool {
        if options.contains(.localeSensitive) { return compare(left, right, options: options) == .orderedSame }
        if options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive]) { return left.isLiterallyEqual(to: right) }
        return TextFolding.fold(left, options: options).isLiterallyEqual(to: TextFolding.fold(right, options: options))
    }

    /// SQLite's BINARY collation.
    package static func binary(_ left: String, _ right: String) -> ComparisonResult {
        if left.isLiterallyEqual(to: right) { return .orderedSame }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
    }

    private static func foundationOptions(_ options: ComparisonOptions) -> String.CompareOptions {
        var result: String.CompareOptions = []
        if options.contains(.caseInsensitive) { result.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
        return result
    }
}
