import CoreData
import Foundation

/// What a step may do to a context as a whole.
extension RandomRun {
    func process(in context: Int) throws {
        describe("process")
        contexts[context].processPendingChanges()
        world.contexts[context].process()
    }

    /// Whether nobody below has changes on top of what this context is about to take back.
    private func mayTakeBack(in context: Int) -> Bool {
        world.descendants(of: context).allSatisfy { world.contexts[$0].dirty.isEmpty }
    }

    // MARK: Undo

    func undo(in context: Int) throws {
        try goBack(in: context, "undo", { $0.undo() }, act: { $0.undo() })
    }

    func redo(in context: Int) throws {
        if world.contexts[context].group != nil { return }
        try goBack(in: context, "redo", { $0.redo() }, act: { $0.redo() })
    }

    /// Opens a group of events that are taken back together, or closes it.
    func group(in context: Int) throws {
        guard world.contexts[context].hasUndo else { return }
        try process(in: context)
        if world.contexts[context].group == nil {
            describe("begin a group")
            contexts[context].undoManager?.beginUndoGrouping()
            world.contexts[context].beginGroup()
        } else {
            describe("end the group")
            contexts[context].undoManager?.endUndoGrouping()
            world.contexts[context].endGroup()
        }
    }

    /// There and back: everything must be exactly as it was.
    func undoAndRedo(in context: Int) throws {
        guard !setting.isTree, world.contexts[context].canUndo else { return }
        try process(in: context)
        let before = world.contexts[context].graph.things.filter { !$0.value.isDeleted }
        try undo(in: context)
        try check(context, .everything)
        try redo(in: context)
        guard world.contexts[context].graph.things.filter({ !$0.value.isDeleted }) == before else { throw Mismatch("the expectation itself does not come back") }
    }

    private func goBack(
        in context: Int, _ text: String, _ expect: (inout ExpectedContext) -> Void, act: (NSManagedObjectContext) -> Void
    ) throws {
        guard world.contexts[context].hasUndo else { return }
        if setting.isTree {
            guard mayTakeBack(in: context) else { return }
            var trial = world.contexts[context]
            let before = trial.graph.things
            trial.dirty = []
            expect(&trial)
            let touched = trial.dirty.union(before.keys).union(trial.graph.things.keys).filter {
                before[$0] != trial.graph.things[$0] || trial.dirty.contains($0)
            }
            guard world.mayTouch(touched, in: context) else { return }
            world.markStale(touched, below: context)
        }
        describe(text)
        expect(&world.contexts[context])
        act(contexts[context])
        dropGone(in: context)
        learnInserted(in: context)
    }

    private func forgetUndo(in context: Int) {
        guard world.contexts[context].hasUndo else { return }
        contexts[context].processPendingChanges()
        world.contexts[context].process()
        contexts[context].undoManager?.removeAllActions()
        world.contexts[context].forgetUndo()
    }

    // MARK: Refreshing

    func refresh(in context: Int) throws {
        guard let number = pick(usable(in: context)) else { return }
        describe("refresh \(number), keeping changes")
        contexts[context].refresh(try object(number, in: context), mergeChanges: true)
    }

    /// Drops one object's edits. Memberships that the other side changed too stay; to-ones go back and the other sides follow.
    func revert(in context: Int) throws {
        let expected = world.contexts[context]
        guard let number = pick(usable(in: context)), let now = expected.graph.things[number], let base = expected.base[number],
              !expected.graph.hasUnpropagated, mayTakeBack(in: context)
        else { return }
        var kept = base
        var toOnes: [Int] = []
        for (shape, end) in Shape.all.enumerated() where base.links[shape] != now.links[shape] {
            if end.isToMany {
                // Without inverse, or in an order of this side's making, it would be this object's change alone.
                guard end.inverse != nil, !end.isOrdered, end.rule != .noActionDeleteRule else { return }
                // What a deleted object had gained is not going to be saved by anybody; one that is gone altogether has no side to keep.
                let isGone = { !expected.graph.isLive($0) && expected.base[$0] == nil }
                kept.links[shape] = now.links[shape].filter { base.links[shape].contains($0) || expected.graph.isLive($0) }
                    + base.links[shape].filter { isGone($0) && !now.links[shape].contains($0) }
            } else {
                guard !setting.isTree, end.inverse != nil, base.links[shape].allSatisfy(expected.graph.isLive) else { return }
                kept.links[shape] = now.links[shape]
                toOnes.append(shape)
            }
        }
        describe("refresh \(number), dropping changes")
        forgetUndo(in: context)
        contexts[context].refresh(try object(number, in: context), mergeChanges: false)
        world.markStale([number], below: context)
        world.contexts[context].edit { graph in
            graph.things[number] = kept
            for shape in toOnes { graph.link(number, shape, to: base.links[shape]) }
        }
        if let left = world.contexts[context].graph.things[number], left.shows(the: base) { world.contexts[context].dirty.remove(number) }
        forgetUndo(in: context)
    }

    func refreshAll(in context: Int) throws {
        describe("refresh all")
        contexts[context].refreshAllObjects()
        let wasStale = !world.contexts[context].stale.isEmpty
        world.refreshAll(context)
        if wasStale { forgetUndo(in: context) }
    }

    func rollback(in context: Int) throws {
        guard mayTakeBack(in: context) else { return }
        describe("roll back")
        contexts[context].rollback()
        world.rollback(context)
    }

    func reset(in context: Int) throws {
        guard mayTakeBack(in: context) else { return }
        describe("reset")
        held[context] = [:]
        contexts[context].reset()
        world.reset(context)
    }

    // MARK: Identity

    func obtainPermanentIDs(in context: Int, ofAll: Bool = false) throws {
        let inserted = world.contexts[context].inserted.sorted()
        guard !inserted.isEmpty else { return }
        let some = ofAll ? inserted : inserted.filter { _ in chance(1, of: 2) }
        describe("obtain permanent IDs of \(some)")
        let objects = try some.map { ($0, try object($0, in: context)) }
        try contexts[context].obtainPermanentIDs(for: objects.map(\.1))
        learn(objects)
        if let (number, object) = objects.first(where: { $0.1.objectID.isTemporaryID }) {
            throw Mismatch("\(number) kept the temporary ID \(object.objectID)")
        }
    }

    /// New objects get their permanent IDs in the event in which their relationships changed; undo takes it back.
    func renameMidEvent(in context: Int) throws {
        guard world.contexts[context].hasUndo, world.contexts[context].group == nil, !world.contexts[context].inserted.isEmpty else { return }
        try process(in: context)
        for _ in 0..<6 {
            switch pick(3) {
            case 0: try setToOne(in: context)
            case 1: try changeToMany(in: context)
            default: try changeOrder(in: context)
            }
        }
        try obtainPermanentIDs(in: context, ofAll: true)
        try process(in: context)
        try undo(in: context)
    }

    /// Nobody holds anything any more: what is clean is made again when it is reached.
    func letGo(in context: Int) throws {
        describe("let go")
        held[context] = [:]
        _ = contexts[context].registeredObjects
    }

    // MARK: Saving

    func save(in context: Int) throws {
        describe("save")
        world.contexts[context].process()
        let isDenied = world.isDenied(context)
        let inserted = contexts[context].insertedObjects.compactMap { object in numbers[object.key].map { ($0, object) } }
        let leavesDangling = leavesDangling(context), namesUnsaved = namesUnsaved(context)
        let announced = DidSaveNote(of: contexts[context])
        do {
            try contexts[context].save()
        } catch {
            let codes = codes(of: error as NSError)
            guard isDenied == codes.contains(NSValidationRelationshipDeniedDeleteError), isDenied || namesUnsaved,
                  namesUnsaved || codes == [NSValidationRelationshipDeniedDeleteError]
            else { throw Mismatch("the save fails with \(codes): \(error)") }
            describe("(refused)")
            return
        }
        guard !isDenied else { throw Mismatch("a deny rule stands against the save, and it goes through") }
        let saved = world.contexts[context].dirty, changed = world.contexts[context].changed
        world.save(context)
        // A deleted object that comes back is a new one: what still names the old one is nobody's.
        if leavesDangling { forgetUndo(in: context) }
        if world.contexts[context].parent == nil { learn(inserted) }
        let noted = Set(announced.objects.compactMap { numbers[$0.key] })
        guard changed.isSubset(of: noted) else { throw Mismatch("\(changed.subtracting(noted)) changed, and the did-save note has \(noted)") }
        // Members of a to-many without inverse are touched by the owner's change, and not told of.
        later.append { [unowned self] in try tell(saved.intersection(noted), announced.note, of: context) }
    }

    /// Lets the others hear of a save, by itself or by hand.
    private func tell(_ numbers: Set<Int>, _ note: Notification?, of context: Int) throws {
        for other in contexts.indices where isTold(other, of: context) {
            let merges = world.contexts[other].mergesAutomatically
            if !merges, !chance(1, of: 4) { continue }
            if !merges { try merge(note, naming: numbers, into: other) }
            forgetUndoAlong(with: other)
        }
        if world.contexts[context].parent == nil { try checkStore() }
    }

    private func codes(of error: NSError) -> Set<Int> {
        guard error.code == NSValidationMultipleErrorsError, let parts = error.userInfo[NSDetailedErrorsKey] as? [NSError] else {
            return [error.code]
        }
        return Set(parts.map(\.code))
    }

    /// Whether something to be saved names, through a relationship nobody clears, an object that was never saved and is gone.
    private func namesUnsaved(_ context: Int) -> Bool {
        let expected = world.contexts[context]
        return expected.dirty.contains { number in
            guard let thing = expected.graph.things[number], !thing.isDeleted else { return false }
            return Shape.ofKind[thing.kind.rawValue].contains { shape in
                Shape.all[shape].mayDangle && thing.links[shape].contains { isForgotten($0, in: context) }
            }
        }
    }

    /// Whether an object was deleted before anybody saved it, here or in a context this one asks.
    private func isForgotten(_ number: Int, in context: Int) -> Bool {
        let expected = world.contexts[context]
        if expected.inserted.contains(number) { return false }
        if !expected.graph.isLive(number), expected.base[number] == nil { return true }
        return expected.parent.map { isForgotten(number, in: $0) } ?? false
    }

    /// In a context that merged, and in those that merge what it merges.
    private func forgetUndoAlong(with context: Int) {
        contexts[context].performAndWait { forgetUndo(in: context) }
        for child in world.toldAlong(with: context) { forgetUndoAlong(with: child) }
    }

    private func isTold(_ other: Int, of context: Int) -> Bool {
        other != context && (world.contexts[other].parent == world.contexts[context].parent || world.contexts[other].parent == context)
    }

    /// What an app does that observes saves itself.
    private func merge(_ note: Notification?, naming numbers: Set<Int>, into other: Int) throws {
        guard let note else { throw Mismatch("no did-save note was posted") }
        let context = contexts[other], byID = chance(1, of: 3)
        describe("merge into \(other)" + (byID ? " by ID" : ""))
        if byID {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: Self.identifiers(in: note), into: [context])
        } else {
            context.performAndWait { context.mergeChanges(fromContextDidSave: note) }
        }
        world.merge(numbers, into: other)
    }

    private static func identifiers(in note: Notification) -> [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for key in DidSaveNote.lists {
            result[key] = (note.userInfo?[key] as? Set<NSManagedObject>)?.map(\.objectID)
        }
        return result
    }

    private func leavesDangling(_ context: Int) -> Bool {
        let graph = world.contexts[context].graph
        let deleted = Set(graph.things.filter(\.value.isDeleted).keys)
        if deleted.isEmpty { return false }
        return graph.things.values.contains { thing in
            Shape.ofKind[thing.kind.rawValue].contains { shape in
                Shape.all[shape].mayDangle && !deleted.isDisjoint(with: thing.links[shape])
                    || thing.isDeleted && Shape.all[shape].rule == .noActionDeleteRule && !thing.links[shape].isEmpty
            }
        }
    }
}

/// Keeps the last did-save note of a context.
private final class DidSaveNote {
    // Posted on this thread, inside of `save()`.
    private nonisolated(unsafe) var kept: Notification?
    private var observer: (any NSObjectProtocol)?
    var note: Notification? { kept }
    static let lists = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey]

    var objects: [NSManagedObject] {
        Self.lists.flatMap { note?.userInfo?[$0] as? Set<NSManagedObject> ?? [] }
    }

    init(of context: NSManagedObjectContext) {
        let keep: (Notification) -> Void = { [unowned self] in kept = $0 }
        nonisolated(unsafe) let unchecked = keep
        observer = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { unchecked($0) }
    }

    deinit { if let observer { NotificationCenter.default.removeObserver(observer) } }
}
