import CoreDataPredicate
import CoreDataSchema
import Foundation

/// The order of values every store sorts by. Results are negative, zero or positive.
extension SortComparison {
    /// nil comes first; numbers by magnitude, booleans as 0 and 1; dates, texts and bytes among themselves; values of
    /// different kinds in SQLite's order: numbers, then texts, then bytes.
    package func compare(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        switch (left, right) {
        case (.null, .null): return 0
        case (.null, _): return -1
        case (_, .null): return 1
        case (.integer(let a), .integer(let b)): return order(a, b)
        case (.real(let a), .real(let b)): return order(a, b)
        case (.string(let a), .string(let b)): return compare(a, b)
        case (.date(let a), .date(let b)):
            return order(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        case (.data(let a), .data(let b)): return bytes(a, b)
        case (.uuid(let a), .uuid(let b)):
            return withUnsafeBytes(of: a.uuid) { left in withUnsafeBytes(of: b.uuid) { bytes(left, $0) } }
        case (.url(let a), .url(let b)): return compare(a.absoluteString, b.absoluteString)
        case (.reference(let a), .reference(let b)): return order(a.key.primaryKey, b.key.primaryKey)
        default: return compareMixed(left, right)
        }
    }

    package func compare(_ left: String, _ right: String) -> Int {
        var (left, right) = (left, right)
        return left.withUTF8 { a in right.withUTF8 { compare(utf8: UnsafeRawBufferPointer(a), UnsafeRawBufferPointer($0)) } }
    }

    /// Texts as UTF-8: what a SQLite collation is handed.
    package func compare(utf8 left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        switch self {
        case .binary: bytes(left, right)
        case .caseInsensitive: CaseFoldedOrder.compare(left, right)
        case .localized: TextCollation.compare(left, right, [.distinguishesCase])
        case .localizedCaseInsensitive: TextCollation.compare(left, right, [])
        case .localizedStandard: TextCollation.compare(left, right, [.distinguishesCase, .numeric])
        }
    }

    private func compareMixed(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        if let known = NumberOrdering.compare(left, right) { return known.rawValue }
        return order(rank(left), rank(right))
    }

    private func rank(_ value: PredicateValue) -> Int {
        switch value {
        case .null: 0
        case .boolean, .integer, .real, .decimal: 1
        case .date: 2
        case .string, .url: 3
        case .data, .uuid: 4
        case .reference: 5
        case .list: 6
        case .object: 7
        }
    }
}

/// Bytewise order, a prefix before what it begins.
private func bytes(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Int {
    let compared = left.withContiguousStorageIfAvailable { a in
        right.withContiguousStorageIfAvailable { b in bytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
    if let known = compared ?? nil { return known }
    if left.elementsEqual(right) { return 0 }
    return left.lexicographicallyPrecedes(right) ? -1 : 1
}

private func bytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let a = left.baseAddress, let b = right.baseAddress {
        let result = memcmp(a, b, shared)
        if result != 0 { return Int(result) }
    }
    return left.count - right.count
}

/// -1, 0, 1; NaN equals everything.
func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : (left == right ? 0 : (right < left ? 1 : 0)) }
