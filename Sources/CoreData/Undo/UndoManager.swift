/// Records how to take changes back, in groups.
open class UndoManager: NSObject {
    private(set) var isOn = true
    public override init() { super.init() }
    open func removeAllActions() {}
}
