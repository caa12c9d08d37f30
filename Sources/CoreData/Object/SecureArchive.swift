/// Keyed archives of property-list and Foundation value classes: what a transformable without a transformer holds.
package enum SecureArchive {
    package static var valueClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self, NSDecimalNumber.self, NSAttributedString.self, NSError.self,
        ]
    }

    package static func object(from data: Data, allowing classes: [AnyClass] = valueClasses) throws -> Any? {
        if let name = strangeClass(in: data, allowing: classes) {
            throw CocoaError(.coderReadCorrupt, userInfo: [
                NSLocalizedDescriptionKey: "the archive holds an object of the class \(name), which is not among the classes allowed",
            ])
        }
        return try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
    }

    /// A class in the archive that is not allowed: Foundation on Linux would stop the program when it meets it.
    private static func strangeClass(in data: Data, allowing classes: [AnyClass]) -> String? {
        let archive = (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
        let allowed = Set(classes.map { NSStringFromClass($0) }.map { $0.hasPrefix("Foundation.") ? String($0.dropFirst(11)) : $0 })
        for case let description as [String: Any] in archive?["$objects"] as? [Any] ?? [] {
            guard let name = description["$classname"] as? String else { continue }
            let ancestors = description["$classes"] as? [String] ?? []
            if allowed.isDisjoint(with: ancestors + [name]) { return name }
        }
        return nil
    }

    package static func data(from object: Any) throws -> Data {
        let object = foundation(object)
        if let name = unnamedClass(in: object) {
            throw CocoaError(.coderInvalidValue, userInfo: [
                NSLocalizedDescriptionKey: "the class \(name) is private or nested, and archives name classes of a module only",
            ])
        }
        return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// A class that the archiver of Foundation on Linux cannot name: it would stop the program.
    private static func unnamedClass(in object: Any) -> String? {
        switch object {
        case let list as NSArray: list.lazy.compactMap(unnamedClass).first
        case let list as NSOrderedSet: list.array.lazy.compactMap(unnamedClass).first
        case let set as NSSet: set.allObjects.lazy.compactMap(unnamedClass).first
        case let dictionary as NSDictionary: (dictionary.allKeys + dictionary.allValues).lazy.compactMap(unnamedClass).first
        default:
            unnamedClass(String(reflecting: type(of: object)))
        }
    }

    private static func unnamedClass(_ name: String) -> String? {
        name.contains("(") || name.split(separator: ".").count > 2 ? name : nil
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
