import Foundation

/// A value as the reference sees it; texts are equal by their code units.
enum PlainValue: Hashable {
    case none
    case whole(Int64)
    case real(Double)
    case exact(Decimal)
    case truth(Bool)
    case text(String)
    /// Seconds since 2001.
    case moment(Double)
    case bytes([UInt8])
    case identifier(UUID)
    case address(String)
    /// An object, by its number.
    case thing(Int)
    case many([PlainValue])

    static func == (left: PlainValue, right: PlainValue) -> Bool {
        switch (left, right) {
        case (.none, .none): true
        case (.whole(let a), .whole(let b)): a == b
        case (.real(let a), .real(let b)), (.moment(let a), .moment(let b)): a == b
        case (.exact(let a), .exact(let b)): a == b
        case (.truth(let a), .truth(let b)): a == b
        case (.text(let a), .text(let b)), (.address(let a), .address(let b)): a.utf8.elementsEqual(b.utf8)
        case (.bytes(let a), .bytes(let b)): a == b
        case (.identifier(let a), .identifier(let b)): a == b
        case (.thing(let a), .thing(let b)): a == b
        case (.many(let a), .many(let b)): a == b
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        if let double = number?.double { hasher.combine(double) }
        if let string { for byte in string.utf8 { hasher.combine(byte) } }
    }

    var isNone: Bool { if case .none = self { true } else { false } }

    var elements: [PlainValue]? { if case .many(let elements) = self { elements } else { nil } }

    /// The number it counts as in arithmetic and comparisons; nil when it is none.
    var number: PlainNumber? {
        switch self {
        case .whole(let value): .whole(value)
        case .real(let value), .moment(let value): .real(value)
        case .exact(let value): .exact(value)
        case .truth(let value): .whole(value ? 1 : 0)
        default: nil
        }
    }

    /// The code units it has for string operators; nil when it is no text.
    var string: String? {
        switch self {
        case .text(let text), .address(let text): text
        default: nil
        }
    }
}

enum PlainNumber {
    case whole(Int64)
    case real(Double)
    case exact(Decimal)

    var double: Double {
        switch self {
        case .whole(let value): Double(value)
        case .real(let value): value
        case .exact(let value): Double("\(value)") ?? .nan
        }
    }

    /// Negative, zero or positive. Decimals of the test have few digits, so their Double orders them.
    static func order(_ left: PlainNumber, _ right: PlainNumber) -> Int {
        switch (left, right) {
        case (.whole(let a), .whole(let b)): a < b ? -1 : a > b ? 1 : 0
        case (.whole(let a), _): wholeOrder(a, right.double)
        case (_, .whole(let b)): -wholeOrder(b, left.double)
        default: left.double < right.double ? -1 : left.double > right.double ? 1 : 0
        }
    }

    private static func wholeOrder(_ a: Int64, _ b: Double) -> Int {
        if let exact = Int64(exactly: b) { return a < exact ? -1 : a > exact ? 1 : 0 }
        return Double(a) < b ? -1 : 1
    }
}

extension PlainValue {
    /// Negative, zero or positive for two values of kinds that meet; nil for others. Neither is nil.
    static func order(_ left: PlainValue, _ right: PlainValue, _ options: PlainOptions = []) -> Int? {
        if let a = left.number, let b = right.number { return PlainNumber.order(a, b) }
        if let a = left.string, let b = right.string {
            return byteOrder(Array(PlainText.fold(a, options).utf8), Array(PlainText.fold(b, options).utf8))
        }
        switch (left, right) {
        case (.bytes(let a), .bytes(let b)): return byteOrder(a, b)
        case (.identifier(let a), .identifier(let b)): return byteOrder(a.plainBytes, b.plainBytes)
        case (.thing(let a), .thing(let b)): return a == b ? 0 : nil
        default: return nil
        }
    }

    static func byteOrder(_ a: [UInt8], _ b: [UInt8]) -> Int {
        for (x, y) in zip(a, b) where x != y { return x < y ? -1 : 1 }
        return a.count < b.count ? -1 : a.count > b.count ? 1 : 0
    }
}

extension UUID {
    var plainBytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

/// `[c]` and `[d]`.
struct PlainOptions: OptionSet, Hashable {
    let rawValue: UInt
    static let c = PlainOptions(rawValue: 1)
    static let d = PlainOptions(rawValue: 2)

    var format: String { isEmpty ? "" : "[" + (contains(.c) ? "c" : "") + (contains(.d) ? "d" : "") + "]" }
}
