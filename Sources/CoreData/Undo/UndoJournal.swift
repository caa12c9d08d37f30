import CoreDataSchema

/// Notes how objects stood before an event, and hands the way back to the undo manager when the event is over.
struct UndoJournal {
    private var before: [ObjectIdentifier: ObjectMemento] = [:]
    private var order: [ObjectIdentifier] = []
    private var records: [WeakRecord] = []

    private struct WeakRecord { weak var record: UndoRecord? }

    var isEmpty: Bool { order.isEmpty }

    /// The object is about to change for the first time in this event.
    mutating func noteBefore(_ object: NSManagedObject) { note(ObjectMemento(of: object)) }
    /// The object is about to join the context.
    mutating func noteAbsent(_ object: NSManagedObject) { note(ObjectMemento(absent: object)) }

    /// A to-many of an object that was noted is about to change.
    mutating func note(_ many: ToManyState, at slot: Int, of object: NSManagedObject) {
        before[ObjectIdentifier(object)]?.note(many, at: slot)
    }

    private mutating func note(_ memento: ObjectMemento) {
        let identifier = ObjectIdentifier(memento.object)
        guard before[identifier] == nil else { return }
        before[identifier] = memento
        order.append(identifier)
    }

    /// The event is over: its way back is registered, as a group of its own unless one is open.
    mutating func close(in context: NSManagedObjectContext) {
        defer {
            before = [:]
            order = []
        }
        guard let manager = context.undoStorage, manager.isUndoRegistrationEnabled, !order.isEmpty else { return }
        let record = UndoRecord(before: order.compactMap { identifier in
            before[identifier]?.close()
            return before[identifier]
        })
        records.removeAll { $0.record == nil }
        records.append(WeakRecord(record: record))
        manager.registerUndo(withTarget: context) { $0.restore(record) }
        manager.endEvent()
    }

    /// Temporary keys that became permanent.
    func rewrite(_ map: [Int64: RowKey]) {
        guard !map.isEmpty else { return }
        for entry in records { entry.record?.rewrite(map) }
    }

    mutating func clear() {
        before = [:]
        order = []
        records = []
    }
}

/// One event's objects as they stood before it.
final class UndoRecord {
    private(set) var before: [ObjectMemento]

    init(before: [ObjectMemento]) { self.before = before }

    func rewrite(_ map: [Int64: RowKey]) {
        for index in before.indices { before[index].rewrite(map) }
    }
}
