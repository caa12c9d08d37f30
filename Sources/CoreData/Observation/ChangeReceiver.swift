/// What turns a change into a call of the observer's, in the form the observer registered for.
protocol ChangeReceiver {
    /// The observed value of the root, in a form only this receiver reads.
    func value(of root: NSManagedObject) -> Any
    /// Calls the observer. `old` and `new` are values as `value(of:)` makes them, or the collections of an outline.
    func receive(_ outline: ChangeOutline, old: Any?, new: Any?, isPrior: Bool, of root: NSManagedObject)
}

/// Calls `observeValue(forKeyPath:of:change:context:)`.
struct DictionaryReceiver: ChangeReceiver {
    weak var observer: (any KeyValueObserver)?
    let keyPath: String
    let context: UnsafeMutableRawPointer?

    func value(of root: NSManagedObject) -> Any { root.value(forKeyPath: keyPath) ?? NSNull() }

    func receive(_ outline: ChangeOutline, old: Any?, new: Any?, isPrior: Bool, of root: NSManagedObject) {
        var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSNumber(value: outline.kind.rawValue)]
        if let old { change[.oldKey] = old }
        if let new { change[.newKey] = new }
        if let indexes = outline.indexes { change[.indexesKey] = indexes }
        if isPrior { change[.notificationIsPriorKey] = NSNumber(value: true) }
        observer?.observeValue(forKeyPath: keyPath, of: root, change: change, context: context)
    }
}

/// Calls a handler with a typed change. Values are read through the key path itself: no conversion is between.
struct TypedReceiver<Root: NSManagedObject, Value>: ChangeReceiver {
    /// Keeps a value that may itself be an optional apart from “no value”.
    private final class Box {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    let keyPath: KeyPath<Root, Value>
    let handler: (Root, NSKeyValueObservedChange<Value>) -> Void

    func value(of root: NSManagedObject) -> Any {
        guard let root = root as? Root else { return NSNull() }
        return Box(root[keyPath: keyPath])
    }

    func receive(_ outline: ChangeOutline, old: Any?, new: Any?, isPrior: Bool, of root: NSManagedObject) {
        guard let root = root as? Root else { return }
        handler(root, NSKeyValueObservedChange(
            kind: outline.kind, newValue: unboxed(new), oldValue: unboxed(old), indexes: outline.indexes, isPrior: isPrior))
    }

    /// Objects that join or leave come as a Foundation collection, which casts to the property's own.
    private func unboxed(_ value: Any?) -> Value? {
        guard let value else { return nil }
        return (value as? Box)?.value ?? value as? Value
    }
}
