import CoreDataSchema
import Foundation

/// Two values that are not nil, compared.
///
/// What kinds may meet (PR43, PR44): numbers of every kind by magnitude; a date and a number by seconds since 2001, as the
/// store keeps dates; a text that is wholly a number with a number (`x == '3'` is `x == 3`, and `x == 'abc'` never matches
/// a number); a text with a UUID or a URL; arrays in their order, sets by their members, as Foundation's are equal. Anything else
/// differs and has no order.
package enum ValueComparison {
    package static func equal(_ left: PredicateValue, _ right: PredicateValue, options: ComparisonOptions = []) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): return TextComparison.equal(a, b, options: options)
        case (.integer(let a), .integer(let b)): return a == b
        case (.list(let a, let isOrderedA), .list(let b, let isOrderedB)):
            guard isOrderedA == isOrderedB else { return false }
            return isOrderedA ? inOrder(a, b, options: options) : sameMembers(a, b, options: options)
        case (.reference(let a), .reference(let b)): return a == b
        case (.object(let a), .object(let b)): return a == b
        case (.null, .null): return true
        default: return order(left, right, options: options) == .orderedSame
        }
    }

    /// nil when the values have no order.
    package static func order(
        _ left: PredicateValue, _ right: PredicateValue, options: ComparisonOptions = []
    ) -> ComparisonResult? {
        switch (left, right) {
        case (.string(let a), .string(let b)): TextComparison.compare(a, b, options: options)
        case (.date(let a), .date(let b)): a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
        case (.uuid(let a), .uuid(let b)): bytes(a.bytes, b.bytes)
        case (.data(let a), .data(let b)): bytes(a, b)
        case (.url(let a), .url(let b)): TextComparison.compare(a.absoluteString, b.absoluteString, options: options)
        case (.url(let a), .string(let b)): TextComparison.compare(a.absoluteString, b, options: options)
        case (.string(let a), .url(let b)): TextComparison.compare(a, b.absoluteString, options: options)
        case (.uuid(let a), .string(let b)): UUID(uuidString: b).map { bytes(a.bytes, $0.bytes) }
        case (.string(let a), .uuid(let b)): UUID(uuidString: a).map { bytes($0.bytes, b.bytes) }
        case (.reference, _), (_, .reference), (.list, _), (_, .list), (.null, _), (_, .null), (.object, _), (_, .object): nil
        default: numbers(left, right)
        }
    }

    private static func numbers(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
        guard let a = left.asNumber, let b = right.asNumber else { return nil }
        return NumberOrdering.compare(a, b)
    }

    private static func inOrder(_ left: [PredicateValue], _ right: [PredicateValue], options: ComparisonOptions) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { equal($0, $1, options: options) }
    }

    /// Sets are equal when each member of one is a member of the other.
    private static func sameMembers(_ left: [PredicateValue], _ right: [PredicateValue], options: ComparisonOptions) -> Bool {
        if options.isEmpty, Set(left) == Set(right) { return true }
        return areMembers(left, of: right, options: options) && areMembers(right, of: left, options: options)
    }

    private static func areMembers(_ values: [PredicateValue], of set: [PredicateValue], options: ComparisonOptions) -> Bool {
        values.allSatisfy { value in set.contains { equal(value, $0, options: options) } }
    }

    private static func bytes<Bytes: Sequence<UInt8>>(_ a: Bytes, _ b: Bytes) -> ComparisonResult {
        a.lexicographicallyPrecedes(b) ? .orderedAscending : b.lexicographicallyPrecedes(a) ? .orderedDescending : .orderedSame
    }
}

extension UUID {
    fileprivate var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

extension PredicateValue {
    package var isNull: Bool { if case .null = self { true } else { false } }

    /// The value as a number: Booleans as 0 and 1, dates as seconds since 2001, texts that are wholly a number.
    package var asNumber: PredicateValue? {
        switch self {
        case .integer, .real, .decimal: self
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        case .string(let text): NumberText.number(text)
        default: nil
        }
    }

    /// The value as a text: what a text operator sees of it. nil where a text makes no sense.
    package var asText: String? {
        switch self {
        case .string(let text): text
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .real, .decimal: PredicatePrinter.text(of: .constant(self))
        case .url(let url): url.absoluteString
        case .uuid(let uuid): uuid.uuidString
        default: nil
        }
    }
}

/// Texts that are wholly a number.
package enum NumberText {
    package static func number(_ text: String) -> PredicateValue? {
        guard let first = text.utf8.first, first < 0x3A, first != 0x20 else { return nil }
        if let integer = Int64(text) { return .integer(integer) }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
              let real = Double(text), real.isFinite else { return nil }
        if let exact = Decimal(string: text), exact != NumberOrdering.decimal(real) { return .decimal(exact) }
        return .real(real)
    }
}
