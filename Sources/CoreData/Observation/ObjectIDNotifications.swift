import Synchronization

/// The notes with object IDs. Making an ID for every saved object costs more than writing its row, so each is posted from when
/// somebody first asks for its name, which an observer must.
enum ObjectIDNotifications {
    static let didSave = Notification.Name("NSManagedObjectContextDidSaveObjectIDsNotification")
    static let didMerge = Notification.Name("NSManagedObjectContextDidMergeChangesObjectIDsNotification")
    private static let savesFlag = Atomic<Bool>(false)
    private static let mergesFlag = Atomic<Bool>(false)

    static var areWanted: Bool { savesFlag.load(ordering: .relaxed) }
    static var areMergesWanted: Bool { mergesFlag.load(ordering: .relaxed) }

    static func wanted() -> Notification.Name {
        savesFlag.store(true, ordering: .relaxed)
        return didSave
    }

    static func mergesWanted() -> Notification.Name {
        mergesFlag.store(true, ordering: .relaxed)
        return didMerge
    }
}
