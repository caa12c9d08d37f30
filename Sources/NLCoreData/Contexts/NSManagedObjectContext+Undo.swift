extension NSManagedObjectContext {
    /// Whether the context records changes to take them back. true gives it an undo manager unless it has one; false takes it.
    public var isUndoEnabled: Bool {
        get { undoManager != nil }
        set {
            if !newValue {
                undoManager = nil
            } else if undoManager == nil {
                undoManager = UndoManager()
            }
        }
    }
}
