import CoreDataGraph
import CoreDataStorage

/// One row that changed in the store under an edit: between the object and the row cache, or between the cache and the store.
open class NSMergeConflict: NSObject {
    open private(set) var sourceObject: NSManagedObject
    /// What the edit started from; nil for a conflict between the row cache and the store (ME13).
    open private(set) var objectSnapshot: [String: Any]?
    /// What the row cache has; nil when the row was deleted by another context of the same coordinator.
    open private(set) var cachedSnapshot: [String: Any]?
    /// What the store has; nil for a conflict between the object and the row cache, and when the row was deleted.
    open private(set) var persistedSnapshot: [String: Any]?
    /// 0 when the row was deleted (ME10).
    open private(set) var newVersionNumber: Int
    open private(set) var oldVersionNumber: Int
    /// What the store said; nil in a conflict made by hand, which there is nothing to settle of.
    private let subject: RowConflict?
    private(set) var isSettled = false

    /// A conflict as a store of one's own would report it. Without a persisted snapshot it is one with the row cache.
    public convenience init(
        source: NSManagedObject, newVersion: Int, oldVersion: Int, cachedSnapshot: [String: Any]?, persistedSnapshot: [String: Any]?
    ) {
        let own = persistedSnapshot == nil ? source.row.map { ConflictErrors.snapshot($0, of: source) } : nil
        self.init(
            source, versions: (newVersion, oldVersion), objectSnapshot: own, cachedSnapshot: cachedSnapshot,
            persistedSnapshot: persistedSnapshot, subject: nil)
    }

    private init(
        _ source: NSManagedObject, versions: (new: Int, old: Int), objectSnapshot: [String: Any]?, cachedSnapshot: [String: Any]?,
        persistedSnapshot: [String: Any]?, subject: RowConflict?
    ) {
        sourceObject = source
        newVersionNumber = versions.new
        oldVersionNumber = versions.old
        self.objectSnapshot = objectSnapshot
        self.cachedSnapshot = cachedSnapshot
        self.persistedSnapshot = persistedSnapshot
        self.subject = subject
        super.init()
    }

    /// A store's conflict. `cache` is the row cache's row: with one that is no newer than the object's, the store moved
    /// behind the cache's back.
    convenience init(_ conflict: RowConflict, of object: NSManagedObject, cache: RowBlock?) {
        func snapshot(_ row: RowBlock?) -> [String: Any]? { row.map { ConflictErrors.snapshot($0, of: object) } }
        let newest = conflict.isDeletedInStore ? nil : conflict.persisted ?? conflict.cached
        let isWithStore = conflict.persisted != nil || conflict.isDeletedInStore && cache != nil
        let base = isWithStore ? cache ?? object.row : object.row
        self.init(
            object, versions: (Int(newest?.version ?? 0), Int(base?.version ?? 0)),
            objectSnapshot: isWithStore ? nil : snapshot(base), cachedSnapshot: snapshot(isWithStore ? base : newest),
            persistedSnapshot: isWithStore ? snapshot(newest) : nil, subject: conflict)
    }

    /// Carries a policy's decision out in the object.
    func settle(as kind: MergePolicyKind) {
        guard !isSettled, let subject, let context = sourceObject.managedObjectContext else { return }
        isSettled = true
        RowSettlement(conflict: subject, object: sourceObject, context: context).apply(kind)
    }

    open override var description: String {
        "NSMergeConflict for \(sourceObject.objectID.uriRepresentation()) with newVersion = "
            + (newVersionNumber == 0 ? "<deleted>" : "\(newVersionNumber)") + " and oldVersion = \(oldVersionNumber)"
    }
}
