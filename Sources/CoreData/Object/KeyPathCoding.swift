import CoreDataPredicate

/// Key paths over managed objects, dictionaries, collections and plain values, as Foundation's objects follow them.
enum KeyPathCoding {
    static func value(of object: Any?, along keyPath: String) -> Any? {
        value(of: object, along: keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...])
    }

    /// A collection answers with a collection of its own kind, of what its elements answer to the whole path. `probe` learns of
    /// a key nobody knows, which stops the program otherwise.
    static func value(of object: Any?, along path: ArraySlice<String>, _ probe: UndefinedKeyProbe? = nil) -> Any? {
        guard let key = path.first else { return object }
        guard let object, !(object is NSNull) else { return nil }
        let rest = path.dropFirst()
        if let collection = ValueCollection(object) {
            if key.hasPrefix("@") { return CollectionOperator.apply(key, to: collection, along: rest) }
            return collection.map { value(of: $0, along: path, probe) }
        }
        let probe = (object as? NSManagedObject)?.anchor?.context?.undefinedKeys ?? probe
        return value(of: value(forKey: key, of: object, probe), along: rest, probe)
    }

    /// One object's answer to one key.
    static func value(forKey key: String, of object: Any, _ probe: UndefinedKeyProbe? = nil) -> Any? {
        if let collection = ValueCollection(object) { return collection.map { value(forKey: key, of: $0, probe) } }
        switch object {
        case let object as NSManagedObject: return object.value(forKey: key)
        case let dictionary as [String: Any]: return entry(key, of: dictionary)
        default: return plainValue(forKey: key, of: object, probe)
        }
    }

    private static func entry(_ key: String, of dictionary: [String: Any]) -> Any? {
        switch key {
        case "@count": NSNumber(value: dictionary.count)
        case "@allKeys": NSArray(array: Array(dictionary.keys))
        case "@allValues": NSArray(array: Array(dictionary.values))
        case "self": dictionary
        default: dictionary[key]
        }
    }

    private static func plainValue(forKey key: String, of object: Any, _ probe: UndefinedKeyProbe?) -> Any? {
        if key == "self" { return object }
        if let known = object as? any FrameworkKeys, let value = known.answer(forKey: key) { return value }
        if let value = try? PredicateBridging.value(of: object), let found = ValueKeys.value(forKey: key, of: value) {
            return PredicateBridging.any(found)
        }
        if key == "description" { return String(describing: object) }
        if let probe {
            probe.note(key, "\(type(of: object))")
            return nil
        }
        raise(.unknownKey, "\(type(of: object)) is not key value coding-compliant for the key “\(key)”.")
    }

    /// Sets the last key of a path on what the rest leads to; nothing when it leads nowhere, each element of a collection.
    static func set(_ value: Any?, of object: Any?, along keyPath: String) {
        guard let dot = keyPath.lastIndex(of: ".") else { return set(value, of: object, forKey: keyPath) }
        if let owner = object as? NSManagedObject, owner.setElement(value, along: keyPath) { return }
        set(value, of: self.value(of: object, along: String(keyPath[..<dot])), forKey: String(keyPath[keyPath.index(after: dot)...]))
    }

    static func set(_ value: Any?, of object: Any?, forKey key: String) {
        guard let object, !(object is NSNull) else { return }
        if let collection = ValueCollection(object) {
            for element in collection.elements { set(value, of: element, forKey: key) }
            return
        }
        switch object {
        case let object as NSManagedObject: object.setValue(value, forKey: key)
        case let dictionary as NSMutableDictionary: dictionary[key] = value
        default:
            raise(.unknownKey, "\(type(of: object)) cannot be given a value for the key “\(key)”.")
        }
    }
}

/// A collection whose elements answer keys.
struct ValueCollection {
    enum Kind { case array, set, orderedSet }

    let kind: Kind
    let elements: [Any]

    init?(_ object: Any) {
        switch object {
        case let set as NSOrderedSet: (kind, elements) = (.orderedSet, set.array)
        case let set as NSSet: (kind, elements) = (.set, set.allObjects)
        case let list as [Any]: (kind, elements) = (.array, list)
        default: return nil
        }
    }

    init(_ kind: Kind, _ elements: [Any]) {
        self.kind = kind
        self.elements = elements
    }

    var object: Any {
        switch kind {
        case .array: NSArray(array: elements)
        case .set: NSSet(array: elements.map(SetMember.of))
        case .orderedSet: NSOrderedSet(array: distinct.map(SetMember.of))
        }
    }

    /// Each element once, where it comes first. (Foundation's `NSOrderedSet(array:)` on Linux keeps repetitions.)
    var distinct: [Any] {
        let seen = NSMutableSet()
        return elements.filter { element in
            let member = SetMember.of(element)
            if seen.contains(member) { return false }
            seen.add(member)
            return true
        }
    }

    /// An array keeps a place for every element, with `NSNull` for nil; sets leave nil out.
    func map(_ transform: (Any) -> Any?) -> Any {
        ValueCollection(kind, kind == .array ? elements.map { transform($0) ?? NSNull() } : elements.compactMap(transform)).object
    }
}
