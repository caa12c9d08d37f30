/// The dictionary a batch insert's handler fills: keeps Swift values as they are, in the order they came.
///
/// Why: Foundation's own boxes every key and value, which costs ten times what writing the row does.
final class BatchDictionary: NSMutableDictionary {
    private(set) var entries: [(key: String, value: Any)] = []

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
        super.init(objects: objects, forKeys: keys, count: 0)
        for index in 0..<count { setObject(objects[index], forKey: keys[index]) }
    }

    private static func name(_ key: Any) -> String {
        if let text = key as? String { return text }
        if let key = key as? AnyHashable, let text = key.base as? String { return text }
        return "\(key)"
    }

    @inline(__always)
    private func place(_ name: String) -> Int? {
        for index in entries.indices where entries[index].key == name { return index }
        return nil
    }

    override var count: Int { entries.count }

    override func object(forKey key: Any) -> Any? { place(Self.name(key)).map { entries[$0].value } }

    override func setObject(_ object: Any, forKey key: AnyHashable) {
        let name = key.base as? String ?? Self.name(key)
        if let known = place(name) { entries[known].value = object } else { entries.append((name, object)) }
    }

    override func removeObject(forKey key: Any) { if let known = place(Self.name(key)) { entries.remove(at: known) } }

    override func removeAllObjects() { entries.removeAll(keepingCapacity: true) }

    override func keyEnumerator() -> NSEnumerator { (entries.map(\.key) as NSArray).objectEnumerator() }
}
