import Foundation

/// What Foundation on Linux leaves out of `#Predicate`: the localized comparisons, under Apple's names.
extension PredicateExpressions {
    /// `base.localizedStandardContains(other)`: without regard to case and diacritics, by the locale.
    public struct StringLocalizedStandardContains<Base: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Base.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = Bool

        public let base: Base
        public let other: Other

        public init(base: Base, other: Other) {
            self.base = base
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try base.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
        }
    }

    /// `root.caseInsensitiveCompare(other)`
    public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
        }
    }

    /// `root.localizedCompare(other)`
    public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        public typealias Output = ComparisonResult

        public let root: Root
        public let other: Other

        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
        }
    }

    public static func build_localizedStandardContains<Base, Other>(
        _ base: Base, _ other: Other
    ) -> StringLocalizedStandardContains<Base, Other> {
        StringLocalizedStandardContains(base: base, other: other)
    }

    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringCaseInsensitiveCompare<Root, Other> {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> StringLocalizedCompare<Root, Other> {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Base: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedStandardContains: Encodable where Base: Encodable, Other: Encodable {}
extension PredicateExpressions.StringLocalizedStandardContains: Decodable where Base: Decodable, Other: Decodable {}
extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Encodable where Root: Encodable, Other: Encodable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: Decodable where Root: Decodable, Other: Decodable {}
extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}
extension PredicateExpressions.StringLocalizedCompare: Encodable where Root: Encodable, Other: Encodable {}
extension PredicateExpressions.StringLocalizedCompare: Decodable where Root: Decodable, Other: Decodable {}
extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedStandardContains: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let part = try conversion.expression(other)
        // Unlike `contains`, it finds the empty text nowhere.
        if part == .constant(.string("")) { return .constant(false) }
        let comparison = PredicateTree.comparison(Comparison(
            try conversion.expression(base), .contains, part,
            options: [.caseInsensitive, .diacriticInsensitive, .localeSensitive, .swiftNil]))
        return part.constantValue == nil ? .all(comparison, .swift(part, .notEqual, .constant(.string("")))) : comparison
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: StringOrderConvertible {
    func tree(for result: ComparisonResult, _ conversion: TypedConversion) throws -> PredicateTree {
        try TypedStrings.order(root, result, other, conversion, options: .caseInsensitive)
    }
}

extension PredicateExpressions.StringLocalizedCompare: StringOrderConvertible {
    func tree(for result: ComparisonResult, _ conversion: TypedConversion) throws -> PredicateTree {
        try TypedStrings.order(root, result, other, conversion, options: .localeSensitive)
    }
}
