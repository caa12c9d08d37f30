import Foundation

/// A decimal in a keyed archive: eight 16-bit digits, lowest first, with an exponent of ten.
package struct ArchivedDecimal {
    /// 16 bytes.
    package var mantissa: Data
    package var exponent: Int
    /// How many digits count; 0 with `isNegative` is not a number.
    package var length: Int
    package var isNegative: Bool
    package var isBigEndian: Bool

    package init(mantissa: Data, exponent: Int, length: Int, isNegative: Bool, isBigEndian: Bool) {
        self.mantissa = mantissa
        self.exponent = exponent
        self.length = length
        self.isNegative = isNegative
        self.isBigEndian = isBigEndian
    }

    package init(_ value: Decimal) {
        var digits: [UInt16] = []
        var rest = value.isNaN ? 0 : abs(value.significand)
        while rest > 0, digits.count < 8 {
            var quotient = rest / 65_536, whole = Decimal()
            NSDecimalRound(&whole, &quotient, 0, .down)
            digits.append(NSDecimalNumber(decimal: rest - whole * 65_536).uint16Value)
            rest = whole
        }
        let bytes = digits.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        mantissa = Data(bytes + Array(repeating: 0, count: 16 - bytes.count))
        exponent = value.isNaN ? 0 : value.exponent
        length = digits.count
        isNegative = value.isNaN || value.sign == .minus
        isBigEndian = false
    }

    /// nil when no decimal is archived like this.
    package var value: Decimal? {
        guard mantissa.count == 16, (-128...127).contains(exponent) else { return nil }
        if length == 0, isNegative { return Decimal.nan }
        let bytes = Array(mantissa)
        var value = Decimal(0)
        for index in (0..<min(max(length, 0), 8)).reversed() {
            let (first, second) = (Int(bytes[index * 2]), Int(bytes[index * 2 + 1]))
            value = value * 65_536 + Decimal(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: value)
    }
}
