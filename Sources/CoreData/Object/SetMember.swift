/// What stands for a value in a set of Foundation's.
///
/// On Linux the hash of an `NSDecimalNumber` never returns, and no subclass can mend it: calls of the methods it inherits end
/// in others there (`adding(_:)` in `adding(_:withBehavior:)`). A decimal is an `NSNumber` of its nearest Double in sets.
enum SetMember {
    static func of(_ value: Any) -> Any {
        guard let decimal = decimal(value) else { return value }
        if let whole = Int64(decimal.description) { return NSNumber(value: whole) }
        return NSNumber(value: Double(decimal.description) ?? .nan)
    }

    private static func decimal(_ value: Any) -> Decimal? {
        if let number = value as? NSNumber { return (number as? NSDecimalNumber)?.decimalValue }
        return value as? Decimal
    }
}
