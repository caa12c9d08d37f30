import CoreDataSchema
import CoreDataPredicate

/// How key-value coding reaches the properties of one class.
///
/// Without Objective-C a property that a class overrides, or adds, is reached through the class's key paths
/// (`_keyPathNames`): reading through one calls what the object's class has in its place.
///
/// Unchecked Sendable: immutable; key paths are immutable too.
final class ClassCoding: @unchecked Sendable {
    /// Nothing can be overridden: NSManagedObject itself, and classes just as generated. Their slots are read directly.
    let isPlain: Bool
    let paths: [String: AnyKeyPath]

    static let none = ClassCoding(NSManagedObject.self)

    private init(_ type: NSManagedObject.Type) {
        isPlain = type == NSManagedObject.self || type._generatedClass == type
        var paths: [String: AnyKeyPath] = [:]
        for (path, name) in type._keyPathNames where Swift.type(of: path).rootType is NSManagedObject.Type && name != "objectID" {
            guard let root = Swift.type(of: path).rootType as? NSManagedObject.Type, type.isSubclass(of: root) else { continue }
            paths[name] = path
        }
        self.paths = paths
    }

    private static let known = LockedValue<[ObjectIdentifier: ClassCoding]>([:])

    static func of(_ type: NSManagedObject.Type) -> ClassCoding {
        if let coding = known.withLock({ $0[ObjectIdentifier(type)] }) { return coding }
        // Outside the lock: the table is code of the program's.
        let made = ClassCoding(type)
        return known.withLock { known in
            if let coding = known[ObjectIdentifier(type)] { return coding }
            known[ObjectIdentifier(type)] = made
            return made
        }
    }
}

extension NSManagedObject {
    fileprivate class func isSubclass(of other: NSManagedObject.Type) -> Bool {
        sequence(first: self as AnyClass) { _getSuperclass($0) }.contains { $0 == other }
    }
}

/// Properties that are being read or written through their class right now: an accessor that asks key-value coding for its
/// own property gets the modeled value.
///
/// Invariant: an object is used on one queue, so an entry is only ever found by the call that made it.
enum CodingInProgress {
    struct Entry: Hashable {
        let object: ObjectIdentifier
        let key: String
        let isWriting: Bool
    }

    private static let entries = LockedValue<Set<Entry>>([])

    /// Runs `body` unless it runs for the same property of the same object already; nil then.
    static func run<Result>(_ entry: Entry, _ body: () -> Result) -> Result? {
        guard entries.withLock({ $0.insert(entry).inserted }) else { return nil }
        defer { entries.withLock { _ = $0.remove(entry) } }
        return body()
    }
}
