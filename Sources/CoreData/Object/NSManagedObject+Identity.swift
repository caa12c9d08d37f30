import CoreDataSchema
import CoreDataStorage

/// What may be asked of an object on any thread: its ID, its context, its entity.
///
/// The key, the context and the cached ID are written on the context's queue only, always here and under `IdentityLock`
/// once others can know the object. So the queue itself reads them without it; everybody else reads them here.
extension NSManagedObject {
    final var livingContext: NSManagedObjectContext? { IdentityLock.of(self) { anchor }?.context }

    final var identifier: NSManagedObjectID {
        if key.primaryKey == 0 { takeTemporaryKey() }
        let (key, anchor, cached) = IdentityLock.of(self) { (self.key, self.anchor, cachedID) }
        if let cached, cached.key == key { return cached }
        // Outside the lock: whoever lets go of the context last ends it here.
        let made = anchor?.context?.makeObjectID(for: key, entity: runtime.entity) ?? lateID(key, anchor)
        return IdentityLock.of(self) {
            guard self.key == key else { return made }
            if let cachedID, cachedID.key == key { return cachedID }
            cachedID = made
            return made
        }
    }

    private final func lateID(_ key: RowKey, _ anchor: ContextAnchor?) -> NSManagedObjectID {
        let former = anchor?.formerStore(number: key.store)
        return NSManagedObjectID(key: key, entity: runtime.entity, storeIdentifier: former?.identifier, store: former?.store)
    }

    /// Goes on under another key; in another context when one is given.
    final func rename(to key: RowKey, in anchor: ContextAnchor? = nil) {
        if anchor != nil { state.remove(.abandoned) }
        IdentityLock.of(self) {
            self.key = key
            cachedID = nil
            if let anchor { self.anchor = anchor }
        }
    }

    /// After another object took this one's place: its ID names that one's row from now on.
    final func answer(to survivor: NSManagedObject) {
        guard anchor == nil else { return }
        let identifier = survivor.identifier
        state.insert(.takenUp)
        IdentityLock.of(self) {
            key = survivor.key
            cachedID = identifier
        }
    }

    final func rejoin(_ anchor: ContextAnchor) {
        state.remove(.abandoned)
        IdentityLock.of(self) { self.anchor = anchor }
    }

    /// Cuts the object off its context. A saved one keeps its ID, which others may still ask for: a merge, after its deletion.
    /// `identifier` is that ID, where it was made already.
    final func detach(keeping identifier: NSManagedObjectID? = nil) {
        if identifier == nil, !key.isTemporary { _ = objectID }
        state.insert(.abandoned)
        IdentityLock.of(self) {
            if let identifier, cachedID?.key != key { cachedID = identifier }
            anchor = nil
        }
    }
}

/// One lock for many objects: identities change once or twice in an object's life.
private enum IdentityLock {
    private static let stripes = (0..<32).map { _ in LockedValue(()) }

    static func of<Result>(_ object: NSManagedObject, _ body: () -> Result) -> Result {
        // Objects lie at multiples of 16.
        let index = Int(bitPattern: Unmanaged.passUnretained(object).toOpaque()) >> 4 & 31
        return stripes[index].withLock { _ in body() }
    }
}
