/// Keyed archives of property-list and Foundation value classes: what a transformable without a transformer holds.
package enum SecureArchive {
    package static var valueClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self, NSDecimalNumber.self, NSAttributedString.self, NSError.self,
        ]
    }

    package static func object(from data: Data, allowing classes: [AnyClass] = valueClasses) throws -> Any? {
        try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }

    package static func data(from object: Any) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: foundation(object), requiringSecureCoding: true)
    }

    /// The Foundation form of a Swift value, which is what an archive can hold.
    private static func foundation(_ object: Any) -> Any {
        switch object {
        case let text as String: NSString(string: text)
        case let flag as Bool: NSNumber(value: flag)
        case let list as [Any]: NSArray(array: list.map(foundation))
        case let dictionary as [String: Any]: NSDictionary(dictionary: dictionary.mapValues(foundation))
        case let date as Date: NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case let data as Data: NSData(data: data)
        case let url as URL: NSURL(string: url.absoluteString) ?? url
        case let identifier as UUID: NSUUID(uuidString: identifier.uuidString) ?? identifier
        default: object
        }
    }
}

/// Carries a value across a `Sendable` border where a lock or a queue already orders the accesses.
///
/// Unchecked Sendable: whoever makes one states at that place why the hand-over is ordered.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package var value: Value
    package init(_ value: Value) { self.value = value }
}
