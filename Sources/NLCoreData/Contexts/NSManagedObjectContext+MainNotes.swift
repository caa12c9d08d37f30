/// The first era's notes to the main thread. Saves reach the main contexts without asking; these say what else is wanted.
extension NSManagedObjectContext {
    /// Has this context's saves merged into the main contexts (the default), and `block` called on main after each merge, with
    /// a note of object IDs.
    public func notifyMainThreadContextOnSave(_ block: ((Notification) -> Void)? = nil) {
        userInfo[MainNotes.key] = MainNotes(reachesMain: true, block: block)
    }

    /// Keeps this context's later saves from the main contexts: they show them when they are refreshed or fetch again.
    public func stopNotifyingMainThreadContextOnSave() {
        userInfo[MainNotes.key] = MainNotes(reachesMain: false, block: nil)
    }

    private var mainNotes: MainNotes? { userInfo[MainNotes.key] as? MainNotes }

    /// Whether the stack merges this context's saves into the main contexts.
    var savesReachMain: Bool { mainNotes?.reachesMain ?? true }

    var mainMergeCompletion: Handover<(Notification) -> Void>? { mainNotes?.block.map { Handover($0) } }
}

/// Lies in a context's user info.
private final class MainNotes {
    static let key = "NLCoreData.mainNotes"
    let reachesMain: Bool
    let block: ((Notification) -> Void)?

    init(reachesMain: Bool, block: ((Notification) -> Void)?) {
        self.reachesMain = reachesMain
        self.block = block
    }
}
