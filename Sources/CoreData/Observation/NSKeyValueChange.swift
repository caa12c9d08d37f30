/// What kind of change an observer is told of.
public enum NSKeyValueChange: UInt, Sendable {
    /// The whole value was set.
    case setting = 1
    /// Objects joined a to-many relationship.
    case insertion = 2
    /// Objects left a to-many relationship.
    case removal = 3
    /// Objects of a to-many relationship gave way to others.
    case replacement = 4
}

/// How a set is mutated between `willChangeValue(forKey:withSetMutation:using:)` and its `did` twin.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
    case union = 1
    case minus = 2
    case intersect = 3
    case set = 4
}

/// What an observer wants to be told, and when.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The change has the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change has the value before.
    public static let old = NSKeyValueObservingOptions(rawValue: 1 << 1)
    /// A first note is sent at once, before the registration returns.
    public static let initial = NSKeyValueObservingOptions(rawValue: 1 << 2)
    /// Each change is announced before it happens, too.
    public static let prior = NSKeyValueObservingOptions(rawValue: 1 << 3)
}

/// The entries of the dictionary `observeValue(forKeyPath:of:change:context:)` gets.
public struct NSKeyValueChangeKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An `NSNumber` of `NSKeyValueChange`'s raw value.
    public static let kindKey = NSKeyValueChangeKey(rawValue: "kind")
    /// The new value, or the objects that joined; `NSNull` for nil.
    public static let newKey = NSKeyValueChangeKey(rawValue: "new")
    /// The value before, or the objects that left; `NSNull` for nil.
    public static let oldKey = NSKeyValueChangeKey(rawValue: "old")
    /// Of a change of an ordered relationship: an `IndexSet`.
    public static let indexesKey = NSKeyValueChangeKey(rawValue: "indexes")
    /// true in a note sent before its change.
    public static let notificationIsPriorKey = NSKeyValueChangeKey(rawValue: "notificationIsPrior")
}
