import Synchronization

/// The did-save note with object IDs. Making an ID for every saved object costs more than writing its row, so the note is
/// posted from when somebody first asks for its name, which an observer must.
enum ObjectIDNotifications {
    static let didSave = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    private static let flag = Atomic<Bool>(false)

    static var areWanted: Bool { flag.load(ordering: .relaxed) }

    static func wanted() -> Notification.Name {
        flag.store(true, ordering: .relaxed)
        return didSave
    }
}
