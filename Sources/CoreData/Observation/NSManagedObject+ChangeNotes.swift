import CoreDataSchema

// What the engine does around each change, so that observers hear of it. An object nobody observes pays one bit test.

extension NSManagedObject {
    /// Runs one change of a property between the notes its observers get.
    @inline(__always)
    final func noting(_ slot: Int, _ change: @autoclosure () -> PropertyChange, _ body: () -> Void) {
        if state.isDisjoint(with: .observed) { return body() }
        let key = runtime.resolved.properties[slot].name
        let notes = openNotes(forKey: key, change())
        body()
        close(notes, forKey: key)
    }

    /// Runs a change made behind the object's back (refresh, merge, undo, a child's save): of each observed property for which
    /// `differs` its observers hear that it was set.
    @inline(__always)
    final func noting(where differs: (ResolvedProperty) -> Bool, _ body: () -> Void) {
        if state.isDisjoint(with: .observed) { return body() }
        notingObserved(differs, body)
    }

    private final func notingObserved(_ differs: (ResolvedProperty) -> Bool, _ body: () -> Void) {
        var keys: [String] = []
        for watch in ObservationTable.state(of: self)?.watches ?? [] where !keys.contains(watch.key) {
            if let property = runtime.resolved.property(named: watch.key), differs(property) { keys.append(watch.key) }
        }
        let notes = keys.map { ($0, openNotes(forKey: $0, .setting)) }
        body()
        for (key, notes) in notes { close(notes, forKey: key) }
        if isUnfired { ObservationTable.state(of: self)?.expectsRealization = true }
    }

    /// Asks who wants to know of a change, and takes in the values before it.
    final func openNotes(forKey key: String, _ change: PropertyChange) -> [OpenNote] {
        guard isStillObserved(), let watches = ObservationTable.state(of: self)?.watches.filter({ $0.key == key }), !watches.isEmpty else {
            return []
        }
        let outline = outline(change, forKey: key)
        return watches.compactMap { $0.observation.willChange(outline, through: $0.role) }
    }

    final func close(_ notes: [OpenNote], forKey key: String) {
        guard !notes.isEmpty else { return }
        var joining: Any?
        if let indexes = notes.lazy.compactMap(\.outline.indexes).first { joining = objects(at: indexes, forKey: key) }
        for note in notes { note.observation.didChange(note, joining: note.outline.kind == .removal ? nil : joining) }
    }

    /// Tells that a fault has fired whose object was observed when it became one.
    final func noteRealized() {
        guard let observers = ObservationTable.state(of: self), observers.expectsRealization else { return }
        observers.expectsRealization = false
        var told: Set<ObjectIdentifier> = []
        for watch in observers.watches where told.insert(ObjectIdentifier(watch.observation)).inserted {
            watch.observation.attachAgain()
            watch.observation.noteRealized()
        }
    }
}

// MARK: Changes announced by hand

extension NSManagedObject {
    final func beginChange(forKey key: String, _ change: PropertyChange) {
        if !state.isDisjoint(with: .slow) { prepareForReading() }
        let property = runtime.resolved.property(named: key)
        // Before the value changes: undo goes back to what is there now.
        if property != nil || !type(of: self).contextShouldIgnoreUnmodeledPropertyChanges, state.isDisjoint(with: .awakening) {
            anchor?.context?.noteChange(of: self)
        }
        let before = property.flatMap(relationshipBefore)
        guard before != nil || state.contains(.observed) else { return }
        let notes = openNotes(forKey: key, change)
        guard before != nil || !notes.isEmpty else { return }
        ObservationTable.ensureState(of: self).openChanges.append(OpenChange(key: key, notes: notes, before: before))
    }

    final func endChange(forKey key: String) {
        if let slot = runtime.resolved.slotByName[key], runtime.resolved.properties[slot].storage.isSingleValue {
            let edits = editable()
            if !state.contains(.awakening) { edits.changed.insert(slot) }
        }
        guard let observers = ObservationTable.state(of: self),
              let index = observers.openChanges.lastIndex(where: { $0.key == key })
        else { return }
        let change = observers.openChanges.remove(at: index)
        if let before = change.before, let property = runtime.resolved.property(named: key) { keepInverse(of: property, since: before) }
        close(change.notes, forKey: key)
        isStillObserved()
    }

    private final func relationshipBefore(_ property: ResolvedProperty) -> RelationshipBefore? {
        switch property.storage {
        case .toOne:
            if case .reference(let key) = value(at: property.slot) { return .one(key) }
            return .one(nil)
        case .toMany: return .many(memberKeys(at: property.slot))
        default: return nil
        }
    }
}

extension StorageKind {
    /// Whether an object's own buffer holds the value.
    fileprivate var isSingleValue: Bool { self != .toMany && self != .fetched }
}
