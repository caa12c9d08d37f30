/// A change as `observe(_:options:changeHandler:)` hands it to its handler.
public struct NSKeyValueObservedChange<Value> {
    public typealias Kind = NSKeyValueChange

    public let kind: Kind
    /// With the option `.new`: the new value, or the objects that joined a to-many. nil without the option.
    public let newValue: Value?
    /// With the option `.old`: the value before, or the objects that left a to-many. nil without the option.
    public let oldValue: Value?
    /// Where objects joined or left an ordered to-many; nil for every other change.
    public let indexes: IndexSet?
    /// Whether the change is still to come (option `.prior`).
    public let isPrior: Bool
}
