import CoreDataSchema
import Foundation

/// Whole numbers out of whatever number code hands in: none ever comes out as another one. Fractions are cut off, as by `NSNumber`.
enum ExactInteger {
    /// nil when the object is no number, or one that does not fit the type.
    static func value(_ object: Any, within type: AttributeType?) -> Int64? {
        guard let number = value(object) else { return nil }
        return switch type {
        case .integer16: Int16(exactly: number) == nil ? nil : number
        case .integer32: Int32(exactly: number) == nil ? nil : number
        default: number
        }
    }

    private static func value(_ object: Any) -> Int64? {
        switch object {
        // First: it is an NSNumber too, whose way to an integer goes through Double.
        case let number as NSDecimalNumber: whole(number.decimalValue)
        case let number as Decimal: whole(number)
        case let flag as Bool: flag ? 1 : 0
        case let number as any BinaryInteger: Int64(exactly: number)
        case let number as any BinaryFloatingPoint: whole(Double(number))
        case let number as NSNumber: number.isFloatingPoint ? whole(number.doubleValue) : integer(number)
        default: nil
        }
    }

    private static func whole(_ number: Double) -> Int64? {
        number > -0x1p63 && number < 0x1p63 ? Int64(number) : number == -0x1p63 ? .min : nil
    }

    private static func whole(_ number: Decimal) -> Int64? {
        guard !number.isNaN else { return nil }
        var (value, result) = (number, Decimal())
        NSDecimalRound(&result, &value, 0, number.isSignMinus ? .up : .down)
        return Int64(result.description)
    }

    private static func integer(_ number: NSNumber) -> Int64? {
        let isUnsigned = number.objCType.pointee == CChar(bitPattern: UInt8(ascii: "Q"))
        return isUnsigned ? Int64(exactly: number.uint64Value) : number.int64Value
    }
}
