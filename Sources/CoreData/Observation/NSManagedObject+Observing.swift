import CoreDataPredicate
import CoreDataSchema

extension NSManagedObject: KeyValueObserver {}

extension NSManagedObject {
    /// Registers an observer of a key path through to-one relationships. The observer is not retained; an object that is
    /// observed stays registered in its context.
    ///
    /// Call it on the context's queue. A path through a collection stops the program, as at Apple's.
    public final func addObserver(
        _ observer: any KeyValueObserver, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) {
        checkQueue()
        let receiver = DictionaryReceiver(observer: observer, keyPath: keyPath, context: context)
        start(Observation(of: self, keyPath, options, receiver: receiver, observer: observer, context: context))
    }

    @available(*, unavailable, message: "Foundation here has no observeValue to override: declare the observer's class a KeyValueObserver.")
    public final func addObserver(
        _ observer: NSObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
        context: UnsafeMutableRawPointer?
    ) { raise(.generic, "unavailable") }

    /// Ends the observer's last registration for a key path; there must be one.
    public final func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String) {
        remove(observer, keyPath) { _ in true }
    }

    /// Ends the observer's last registration for a key path with this context; there must be one.
    public final func removeObserver(_ observer: any KeyValueObserver, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
        remove(observer, keyPath) { $0.context == context }
    }

    private final func remove(_ observer: any KeyValueObserver, _ keyPath: String, _ isWanted: (Observation) -> Bool) {
        let found = ObservationTable.state(of: self)?.watches.last {
            $0.observation.root === self && $0.observation.keyPath == keyPath && $0.observation.observer === observer && isWanted($0.observation)
        }
        guard let observation = found?.observation else {
            raise(.range, "Cannot remove an observer <\(type(of: observer))> for the key path “\(keyPath)” from "
                + "<\(runtime.name)> because it is not registered as an observer.")
        }
        observation.detach()
        observation.end()
        isStillObserved()
    }

    final func start(_ observation: Observation) {
        observation.attach()
        if observation.options.contains(.initial) { observation.tellInitially() }
    }

    /// Whether anybody still watches the object; forgets who does not.
    @discardableResult
    final func isStillObserved() -> Bool {
        guard let observers = ObservationTable.state(of: self) else { return false }
        observers.tidy()
        guard observers.isIdle else { return true }
        ObservationTable.drop(self)
        return false
    }
}

/// What gives each class `observe(_:options:changeHandler:)` with key paths of its own.
public protocol _KeyValueCodingAndObserving: NSManagedObject {}

extension NSManagedObject: _KeyValueCodingAndObserving {}

extension _KeyValueCodingAndObserving {
    /// Calls the handler for each change of a property, on the queue it is made on, until the token is released.
    ///
    /// The key path must be one the class's table names (`_keyPathNames`), or lead through to-one relationships to one; any
    /// other stops the program. Call it on the context's queue.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        checkQueue()
        let observation = Observation(
            of: self, _name(of: keyPath), options, receiver: TypedReceiver(keyPath: keyPath, handler: changeHandler))
        start(observation)
        return NSKeyValueObservation(observation)
    }

    public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) { willChangeValue(forKey: _name(of: keyPath)) }
    public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) { didChangeValue(forKey: _name(of: keyPath)) }

    public func willChange<Value>(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>) {
        willChange(changeKind, valuesAt: indexes, forKey: _name(of: keyPath))
    }

    public func didChange<Value>(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>) {
        didChange(changeKind, valuesAt: indexes, forKey: _name(of: keyPath))
    }

    public func willChangeValue<Element>(
        for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<Element>
    ) { willChangeValue(forKey: _name(of: keyPath), withSetMutation: mutation, using: set) }

    public func didChangeValue<Element>(
        for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<Element>
    ) { didChangeValue(forKey: _name(of: keyPath), withSetMutation: mutation, using: set) }

    private func _name(of keyPath: AnyKeyPath) -> String {
        do { return try KeyPathNames.name(of: keyPath) } catch { raise(.generic, "\(error)") }
    }
}
