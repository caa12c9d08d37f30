/// An object that `NSManagedObject.addObserver(_:forKeyPath:options:context:)` can register.
///
/// Foundation on Linux has no `observeValue` for a class to override: managed objects have one here, every other observer
/// declares this conformance and implements the method without `override`.
public protocol KeyValueObserver: AnyObject {
    /// Called for each change, on the queue it is made on.
    func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?)
}
