import CoreDataModelFile

/// Stands for an `NSDecimalNumber` in archives, which Foundation on Linux can neither write (its hash never ends) nor read.
final class DecimalStandIn: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    static let classNames = ["NSDecimalNumber", "NSDecimalNumberPlaceholder"]

    let value: Decimal

    init(_ value: Decimal) { self.value = value }

    override var classForCoder: AnyClass { NSDecimalNumber.self }

    init?(coder: NSCoder) {
        let mantissa = coder.withDecodedUnsafeBytes(forKey: "NS.mantissa") { $0.map { Data($0) } }
        let archived = ArchivedDecimal(
            mantissa: mantissa ?? Data(), exponent: coder.decodeInteger(forKey: "NS.exponent"), length: coder.decodeInteger(forKey: "NS.length"),
            isNegative: coder.decodeBool(forKey: "NS.negative"), isBigEndian: coder.decodeInteger(forKey: "NS.mantissa.bo") == 2)
        guard let value = archived.value else { return nil }
        self.value = value
    }

    func encode(with coder: NSCoder) {
        let archived = ArchivedDecimal(value)
        coder.encode(archived.exponent, forKey: "NS.exponent")
        coder.encode(archived.length, forKey: "NS.length")
        coder.encode(archived.isNegative, forKey: "NS.negative")
        coder.encode(true, forKey: "NS.compact")
        coder.encode(1, forKey: "NS.mantissa.bo")
        archived.mantissa.withUnsafeBytes { bytes in
            coder.encodeBytes(bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, forKey: "NS.mantissa")
        }
    }
}

/// Puts decimals in the place of their stand-ins while an archive is read.
final class DecimalSubstitution: NSObject, NSKeyedUnarchiverDelegate {
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, didDecode object: Any?) -> Any? {
        (object as? DecimalStandIn).map { NSDecimalNumber(decimal: $0.value) } ?? object
    }
    func unarchiver(
        _ unarchiver: NSKeyedUnarchiver, cannotDecodeObjectOfClassName name: String, originalClasses classNames: [String]
    ) -> AnyClass? { nil }
    func unarchiver(_ unarchiver: NSKeyedUnarchiver, willReplace object: Any, with newObject: Any) {}
    func unarchiverWillFinish(_ unarchiver: NSKeyedUnarchiver) {}
    func unarchiverDidFinish(_ unarchiver: NSKeyedUnarchiver) {}
}
