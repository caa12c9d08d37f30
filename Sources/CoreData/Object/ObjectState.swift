/// Where an object stands in its life, as bits the accessors test with one instruction.
package struct ObjectState: OptionSet, Sendable {
    package let rawValue: UInt32
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Values are not loaded; the next access fires.
    package static let fault = ObjectState(rawValue: 1)
    /// Every access checks its queue (`com.apple.CoreData.ConcurrencyDebug`).
    package static let guarded = ObjectState(rawValue: 1 << 1)
    package static let inserted = ObjectState(rawValue: 1 << 2)
    package static let updated = ObjectState(rawValue: 1 << 3)
    package static let deleted = ObjectState(rawValue: 1 << 4)
    /// Awakening: changes made now are values, not edits.
    package static let awakening = ObjectState(rawValue: 1 << 5)
    /// Listed among the changes of the current event.
    package static let inEvent = ObjectState(rawValue: 1 << 6)
    /// Its row is gone: every value reads nil and it takes no part in saves.
    package static let inaccessible = ObjectState(rawValue: 1 << 7)
    /// Deleted by somebody else's save: a delete here writes nothing.
    package static let deletedElsewhere = ObjectState(rawValue: 1 << 8)
    /// Delete rules were already applied.
    package static let propagated = ObjectState(rawValue: 1 << 9)
    /// Listed as changed since the last `willSave` pass.
    package static let touched = ObjectState(rawValue: 1 << 10)

    /// Not inserted and not loaded yet: no values at all.
    package static let unborn = ObjectState(rawValue: 1 << 11)

    /// Standing in the context's lists of inserted, updated and deleted objects, wanted there or not any more: who comes back
    /// is not listed twice.
    package static let listedInserted = ObjectState(rawValue: 1 << 12)
    package static let listedUpdated = ObjectState(rawValue: 1 << 13)
    package static let listedDeleted = ObjectState(rawValue: 1 << 14)

    /// Left a context that wants inaccessible faults to stop the program.
    package static let unforgiving = ObjectState(rawValue: 1 << 15)

    /// Somebody observes the object, or a change of it was announced by hand and is not over (`ObservationTable` says who).
    package static let observed = ObjectState(rawValue: 1 << 16)

    /// Being announced by a did-change note: what changed in that event can still be asked for.
    package static let announced = ObjectState(rawValue: 1 << 17)

    /// Made without a context, and under a key of its own since its ID was asked for or it was connected to another one.
    package static let outsider = ObjectState(rawValue: 1 << 18)

    /// A number was set that its attribute cannot hold: the save looks at it (`UnfitNumber`). Never taken away, as undo and redo
    /// bring values back.
    package static let unfit = ObjectState(rawValue: 1 << 19)

    /// Deleted because the parent has no such object any more: there is nothing to delete in it.
    package static let lostToParent = ObjectState(rawValue: 1 << 20)

    /// In its `prepareForDeletion()`.
    package static let preparingDeletion = ObjectState(rawValue: 1 << 21)

    /// Taken up into another object by a save: `objectID` is that one's.
    package static let takenUp = ObjectState(rawValue: 1 << 22)

    /// Cut off its context, which has not taken it back.
    package static let abandoned = ObjectState(rawValue: 1 << 23)

    /// What sends a getter down its slow path.
    package static let slow: ObjectState = [.fault, .guarded, .unborn]
    /// What sends a setter down its slow path.
    package static let slowToWrite: ObjectState = [.fault, .guarded, .unborn, .observed]
    package static let pending: ObjectState = [.inserted, .updated, .deleted]
}
