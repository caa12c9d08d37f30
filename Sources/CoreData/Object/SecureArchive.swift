import CoreDataModelFile

/// Keyed archives of property-list and Foundation value classes, and of the classes the program allows besides: what
/// transformable attributes hold.
///
/// Archives are looked through before Foundation sees them, because what is an exception at Apple's stops the program on Linux.
package enum SecureArchive {
    /// Property-list and Foundation value classes. Not `NSError`: Foundation on Linux can neither archive nor unarchive one.
    package static var valueClasses: [AnyClass] {
        [
            NSArray.self, NSDictionary.self, NSSet.self, NSOrderedSet.self, NSString.self, NSNumber.self, NSDate.self,
            NSData.self, NSURL.self, NSUUID.self, NSNull.self, NSDecimalNumber.self, NSAttributedString.self, NSValue.self,
            NSIndexSet.self, NSIndexPath.self, NSCharacterSet.self, NSLocale.self, NSTimeZone.self, NSDateComponents.self,
        ]
    }

    /// Throws 4864, naming the class, when the archive holds an object of a class that is not allowed. Objects within one
    /// of the program's own may be of any class that can be coded securely: its `init(coder:)` says what it expects.
    package static func object(from data: Data, allowing classes: [AnyClass]) throws -> Any? {
        do {
            try ArchiveInspection.check(data) { name, isOwned in judge(name, isOwned: isOwned, classes) }
        } catch { throw corrupt(error.text) }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        // Every class was judged above; Foundation's own check stops the program where it should fail.
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let decimals = DecimalSubstitution()
        unarchiver.delegate = decimals
        for name in DecimalStandIn.classNames { unarchiver.setClass(DecimalStandIn.self, forClassName: name) }
        let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        if let error = unarchiver.error { throw error }
        withExtendedLifetime(decimals) {}
        return object
    }

    /// Throws 4866 (a value that cannot be archived), naming the class.
    package static func data(from object: Any, allowing classes: [AnyClass], requiringSecureCoding: Bool) throws -> Data {
        let object = try coded(object as AnyObject) { value in
            if let reason = refusal(of: value, classes, requiringSecureCoding) {
                throw CocoaError(.coderInvalidValue, userInfo: [NSLocalizedDescriptionKey: reason])
            }
        }
        let archiver = NSKeyedArchiver(requiringSecureCoding: requiringSecureCoding)
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        return archiver.encodedData
    }

    // MARK: Reading

    private static func judge(_ name: String, isOwned: Bool, _ allowed: [AnyClass]) -> ArchiveInspection.Verdict {
        let known: AnyClass? = DecimalStandIn.classNames.contains(name)
            ? NSDecimalNumber.self : NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
        guard let known else { return .refused("the archive holds an object of the class \(name), which this program does not have") }
        if known is NSError.Type { return .refused("the archive holds an NSError, which Foundation cannot unarchive here") }
        let isAllowed = descends(known, from: allowed)
        if descends(known, from: valueClasses), isAllowed || isOwned { return .admitted }
        guard known is any NSCoding.Type else { return .refused("the class \(name) in the archive does not conform to NSCoding") }
        if isAllowed { return .owner }
        if isOwned, (known as? any NSSecureCoding.Type)?.supportsSecureCoding == true { return .owner }
        return .refused("the archive holds an object of the class \(name), which is not among the classes allowed")
    }

    private static func descends(_ cls: AnyClass, from classes: [AnyClass]) -> Bool {
        var next: AnyClass? = cls
        while let current = next {
            if classes.contains(where: { $0 == current }) { return true }
            next = _getSuperclass(current)
        }
        return false
    }

    private static func corrupt(_ text: String) -> CocoaError {
        CocoaError(.coderReadCorrupt, userInfo: [NSLocalizedDescriptionKey: text])
    }

    // MARK: Writing

    /// The object as the archiver takes it: collections gone through, decimals replaced by what stands for them.
    private static func coded(_ object: AnyObject, _ check: (AnyObject) throws -> Void) throws -> AnyObject {
        if let decimal = object as? NSDecimalNumber { return DecimalStandIn(decimal.decimalValue) }
        try check(object)
        switch object {
        case let list as NSArray:
            let members = try list.map { try coded($0 as AnyObject, check) }
            return list is NSMutableArray ? NSMutableArray(array: members) : NSArray(array: members)
        case let list as NSOrderedSet:
            let members = try list.array.map { try coded($0 as AnyObject, check) }
            return list is NSMutableOrderedSet ? NSMutableOrderedSet(array: members) : NSOrderedSet(array: members)
        case let set as NSSet:
            let members = try set.allObjects.map { try coded($0 as AnyObject, check) }
            return set is NSMutableSet ? NSMutableSet(array: members) : NSSet(array: members)
        case let dictionary as NSDictionary:
            let result = NSMutableDictionary()
            for (key, value) in dictionary {
                let key = try coded(key as AnyObject, check)
                guard let key = key as? NSObject else { continue }
                result.setObject(try coded(value as AnyObject, check), forKey: key)
            }
            return dictionary is NSMutableDictionary ? result : NSDictionary(objects: result.allValues, forKeys: result.allKeys.compactMap { $0 as? NSObject })
        default: return object
        }
    }

    /// Why the archiver cannot take it (it would stop the program), or why nobody could read it again.
    private static func refusal(of object: AnyObject, _ allowed: [AnyClass], _ isSecure: Bool) -> String? {
        let name = String(reflecting: type(of: object))
        if object is NSError { return "Foundation cannot archive an NSError here" }
        if !descends(type(of: object), from: valueClasses) {
            if name.contains("(") || name.split(separator: ".").count > 2 {
                return "the class \(name) is private or nested, and archives name classes of a module only"
            }
            guard let coder = type(of: object) as? any NSCoding.Type else { return "the class \(name) does not conform to NSCoding" }
            if isSecure, (coder as? any NSSecureCoding.Type)?.supportsSecureCoding != true {
                return "the class \(name) does not support secure coding"
            }
        }
        if descends(type(of: object), from: allowed) { return nil }
        return "an object of the class \(name) is not among the classes allowed. Allow it: register a subclass of "
            + "NSSecureUnarchiveFromDataTransformer whose allowedTopLevelClasses has it"
    }
}

/// Carries a value across a `Sendable` border where a lock or a queue already orders the accesses.
///
/// Unchecked Sendable: whoever makes one states at that place why the hand-over is ordered.
package struct UncheckedBox<Value>: @unchecked Sendable {
    package var value: Value
    package init(_ value: Value) { self.value = value }
}
