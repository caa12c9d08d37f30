import CoreDataSchema
import CoreDataStorage

/// What a save (or a batch request) did, as keys.
struct SaveReport: Sendable {
    var inserted: [RowKey] = []
    var updated: [RowKey] = []
    var deleted: [RowKey] = []

    /// The same of other keys, where there are temporary ones.
    func mapped(_ permanent: (RowKey) -> RowKey) -> SaveReport {
        func mapped(_ keys: [RowKey]) -> [RowKey] { keys.contains(where: \.isTemporary) ? keys.map(permanent) : keys }
        return SaveReport(inserted: mapped(inserted), updated: mapped(updated), deleted: mapped(deleted))
    }
}

extension NSManagedObjectContext {
    func merge(_ notification: Notification) {
        checkQueue()
        let source = notification.object as? NSManagedObjectContext
        guard source !== self else { return }
        let info = notification.userInfo ?? [:]
        let report = report(in: info)
        // A save through another coordinator did not pass by this one's row cache.
        if source?.persistentStoreCoordinator !== persistentStoreCoordinator { forgetRows(report) }
        merge(report, from: source)
        if info[NSInvalidatedAllObjectsKey] != nil { readAllAnew() }
    }

    /// Somebody else's changes are not known one by one: every object shows what the store has now, under its own unsaved changes.
    private func readAllAnew() {
        persistentStoreCoordinator?.forgetCachedRows((registry?.objects ?? []).map(\.key))
        refreshAllObjects()
    }

    static func merge(_ changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]) {
        let byDepth = Dictionary(grouping: contexts, by: \.depth).sorted { $0.key < $1.key }
        for context in byDepth.flatMap(\.value) {
            // A confined context runs it on its own thread, which must be this one.
            context.executor.performAndWait {
                let report = context.report(in: changes)
                context.forgetRows(report)
                context.merge(report, sparing: contexts)
                if changes[NSInvalidatedAllObjectsKey] != nil { context.readAllAnew() }
            }
        }
    }

    /// How many ancestors the context has.
    private var depth: Int { parentStorage.map { $0.depth + 1 } ?? 0 }

    private func report(in info: [AnyHashable: Any]) -> SaveReport {
        SaveReport(
            inserted: keys(in: info, NSInsertedObjectsKey, NSInsertedObjectIDsKey),
            updated: keys(
                in: info, NSUpdatedObjectsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectsKey, NSRefreshedObjectIDsKey,
                NSInvalidatedObjectsKey, NSInvalidatedObjectIDsKey),
            deleted: keys(in: info, NSDeletedObjectsKey, NSDeletedObjectIDsKey))
    }

    private func forgetRows(_ report: SaveReport) { persistentStoreCoordinator?.forgetCachedRows(report.updated + report.deleted) }

    /// Keys of the objects, IDs or URIs under either key.
    private func keys(in info: [AnyHashable: Any], _ names: String...) -> [RowKey] {
        names.flatMap { name -> [RowKey] in
            let members: [Any] = switch info[name] {
            case let set as Set<NSManagedObject>: Array(set)
            case let set as Set<NSManagedObjectID>: Array(set)
            case let set as Set<URL>: Array(set)
            case let set as Set<AnyHashable>: set.map(\.base)
            case let set as NSSet: set.allObjects
            case let set as NSOrderedSet: set.array
            case let list as NSArray: list.map { $0 }
            case let list as [Any]: list
            default: []
            }
            return members.compactMap { member in
                switch member {
                case let object as NSManagedObject: localKey(object.objectID)
                case let identifier as NSManagedObjectID: localKey(identifier)
                case let uri as NSURL: persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri as URL).flatMap(localKey)
                case let uri as URL: persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri).flatMap(localKey)
                default: nil
                }
            }
        }
    }

    /// `sparing`: contexts that are told by others.
    func merge(_ report: SaveReport, from source: NSManagedObjectContext? = nil, sparing others: [NSManagedObjectContext] = []) {
        guard modelRuntime != nil else { return }
        adoptParentKeys()
        // A sibling's save may be told after the parent's.
        let report = report.mapped(permanentKey)
        // What no note names, for fetched results controllers: it may belong to their results now (FR23).
        var unrealised: [RowKey] = [], knownBefore: [RowKey] = []
        var shown: [NSManagedObject] = []
        for key in report.updated {
            // What only the registry holds would keep its old row, for the next fetch and for children to find.
            guard registry?.isHeld(key) == true else {
                registry?.remove(key)
                unrealised.append(key)
                continue
            }
            guard let object = registered(key), !object.state.contains(.inaccessible) else { continue }
            if object.isUnfired {
                object.dropPrefetchedRow()
                unrealised.append(key)
            } else {
                shown.append(object)
                pending.event.refreshed.append(object)
            }
        }
        rebase(shown)
        for key in report.inserted {
            if let known = registered(key) {
                if known.state.contains(.deletedElsewhere) { comeBack(known) }
                // A child has known it since before the parent's save, which may have brought more than it knew.
                if known.isUnfired {
                    known.dropPrefetchedRow()
                } else if parentStorage != nil {
                    refreshQuietly(known, mergeChanges: true)
                    pending.event.refreshed.append(known)
                }
                knownBefore.append(key)
                continue
            }
            // Another context's unsaved object means something to those alone who share its parent.
            if key.isTemporary, formerKeys[key.primaryKey] == nil, !parentKnows(key) { continue }
            pending.event.merged.append(object(for: key))
        }
        for key in report.deleted {
            guard registry?.isHeld(key) == true else {
                registry?.remove(key)
                continue
            }
            // Who came back after a saved deletion is new here: others speak of what it was, some of them late.
            guard let object = registered(key), !object.state.contains(.inserted) else { continue }
            object.state.insert([.deletedElsewhere, .propagated])
            markDeleted(object)
        }
        refreshRelationships(to: report)
        let trackers = resultTrackers.all
        for tracker in trackers { tracker.expect(updated: unrealised, inserted: knownBefore) }
        processPendingChanges()
        for tracker in trackers { tracker.flush() }
        announceMerge(report, from: source)
        // What this context took in goes on to those below it.
        for child in children.all where !others.contains(where: { $0 === child }) && child !== source { child.noteSave(report) }
    }

    private func parentKnows(_ key: RowKey) -> Bool {
        guard let parent = parentStorage else { return false }
        return parent.runAndWait { parent.registered(key) != nil }
    }

    /// Somebody took back the deletion of an object that was still held here: it shows its row again.
    private func comeBack(_ object: NSManagedObject) {
        object.state.subtract([.deleted, .propagated, .deletedElsewhere, .inaccessible])
        object.turnIntoFault()
    }

    /// To-many relationships that were loaded may have changed through rows inserted or deleted elsewhere.
    private func refreshRelationships(to report: SaveReport) {
        guard !(report.inserted.isEmpty && report.deleted.isEmpty), let runtime = modelRuntime else { return }
        let entities = Set((report.inserted + report.deleted).map { Int($0.entity) })
        for object in registry?.objects ?? [] {
            for (slot, many) in object.toMany ?? [:] {
                guard let destination = object.runtime.resolved.properties[slot].relationship?.destination,
                      entities.contains(where: { runtime.resolved.entities[destination].includes($0) })
                else { continue }
                many.turnIntoFault(keepingChanges: true)
            }
        }
    }

    var mergesFromParent: Bool {
        get { mergesAutomatically.load(ordering: .relaxed) }
        set {
            if newValue, concurrencyType == .confinementConcurrencyType {
                raise(.invalidArgument, "Automatic merging is not supported by contexts using NSConfinementConcurrencyType: they have no "
                    + "queue to merge on. Use one with a private or the main queue.")
            }
            mergesAutomatically.store(newValue, ordering: .relaxed)
        }
    }

    /// Called by the coordinator or parent after somebody else's save, on any thread.
    func noteSave(_ report: SaveReport) {
        guard automaticallyMergesChangesFromParent else { return }
        performLater { [weak self] in self?.merge(report) }
    }
}
