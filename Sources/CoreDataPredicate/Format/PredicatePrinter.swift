import Foundation

/// Trees to text, as Apple's `predicateFormat` prints them; what it prints parses back to an equal tree, but for objects,
/// closures and keys that are no words.
package enum PredicatePrinter {
    package static func text(of tree: PredicateTree) -> String {
        switch tree {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): text(of: comparison)
        case .and(let parts): parts.isEmpty ? "TRUEPREDICATE" : parts.map(enclosed).joined(separator: " AND ")
        case .or(let parts): parts.isEmpty ? "FALSEPREDICATE" : parts.map(enclosed).joined(separator: " OR ")
        case .not(let part): "NOT " + enclosed(part)
        case .block(let block): block.text
        }
    }

    /// A compound inside another stands in parentheses, of the same kind too; NOT does not.
    private static func enclosed(_ part: PredicateTree) -> String {
        switch part {
        case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1: enclosed(parts[0])
        case .and(let parts) where !parts.isEmpty, .or(let parts) where !parts.isEmpty: "(\(text(of: part)))"
        default: text(of: part)
        }
    }

    package static func text(of comparison: Comparison) -> String {
        let modifier = switch comparison.modifier {
        case .direct: ""
        case .all: "ALL "
        case .any: "ANY "
        }
        let operation = comparison.selector ?? comparison.operation.text + comparison.options.text
        return "\(modifier)\(text(of: comparison.left)) \(operation) \(text(of: comparison.right))"
    }
}

extension ComparisonOperator {
    /// The operator in the format language.
    package var text: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .equal: "=="
        case .notEqual: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .isIn: "IN"
        case .custom: "CUSTOM"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}

extension ComparisonOptions {
    /// `[cd]`, or nothing.
    package var text: String {
        let letters = [
            (ComparisonOptions.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"), (.localeSensitive, "l"),
        ].filter { contains($0.0) }.map(\.1).joined()
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
