// Key-value coding of Foundation's collections, which on Linux have none: what their elements answer, in a collection of the
// same kind.

extension NSArray {
    /// What each element answers to the key, `NSNull` for nil.
    public func value(forKey key: String) -> Any { ValueCollection(.array, map { $0 }).map { KeyPathCoding.value(forKey: key, of: $0) } }
    /// What each element answers to the path, or what a collection operator (`@avg.salary`) makes of that.
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathCoding.value(of: self, along: keyPath) }
    /// Sets the key of each element.
    public func setValue(_ value: Any?, forKey key: String) { KeyPathCoding.set(value, of: self, forKey: key) }
    public func setValue(_ value: Any?, forKeyPath keyPath: String) { KeyPathCoding.set(value, of: self, along: keyPath) }
}

extension NSSet {
    /// The set of what the elements answer to the key, without nil.
    public func value(forKey key: String) -> Any { ValueCollection(.set, allObjects).map { KeyPathCoding.value(forKey: key, of: $0) } }
    /// The set of what the elements answer to the path, or what a collection operator (`@avg.salary`) makes of that.
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathCoding.value(of: self, along: keyPath) }
    /// Sets the key of each element.
    public func setValue(_ value: Any?, forKey key: String) { KeyPathCoding.set(value, of: self, forKey: key) }
    public func setValue(_ value: Any?, forKeyPath keyPath: String) { KeyPathCoding.set(value, of: self, along: keyPath) }
}

extension NSOrderedSet {
    /// The ordered set of what the elements answer to the key, without nil.
    public func value(forKey key: String) -> Any { ValueCollection(.orderedSet, array).map { KeyPathCoding.value(forKey: key, of: $0) } }
    /// The ordered set of what the elements answer to the path, or what a collection operator (`@avg.salary`) makes of that.
    public func value(forKeyPath keyPath: String) -> Any? { KeyPathCoding.value(of: self, along: keyPath) }
    /// Sets the key of each element.
    public func setValue(_ value: Any?, forKey key: String) { KeyPathCoding.set(value, of: self, forKey: key) }
    public func setValue(_ value: Any?, forKeyPath keyPath: String) { KeyPathCoding.set(value, of: self, along: keyPath) }
}
