/// Apple's members that this version does not have, so that code which uses them is told what to do instead.
extension NSManagedObjectContext {
    @available(*, unavailable, message: "Query generations do not exist in this version: every fetch sees what was last saved.")
    public func setQueryGenerationFrom(_ generation: Any?) throws {}

    @available(*, unavailable, message: "Conflicts are detected by save(), and reported or settled there by the merge policy.")
    public func detectConflicts(for object: NSManagedObject) {}
}
