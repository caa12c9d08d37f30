import CoreDataSchema

/// Notes how objects stood before an event, and makes the way back of that when the event is over.
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

    /// The event is over: its way back; nil when nothing was noted.
    mutating func takeRecord() -> UndoRecord? {
        defer { forgetEvent() }
        guard !order.isEmpty else { return nil }
        let record = UndoRecord(before: order.compactMap { identifier in
            before[identifier]?.close()
            return before[identifier]
        })
        records.removeAll { $0.record == nil }
        records.append(WeakRecord(record: record))
        return record
    }

    /// What was noted of the event is not wanted.
    mutating func forgetEvent() {
        before = [:]
        order = []
    }

    /// Temporary keys that became permanent, in the event that is not over too.
    mutating func rewrite(_ map: [Int64: RowKey]) {
        guard !map.isEmpty else { return }
        for identifier in order { before[identifier]?.rewrite(map) }
        for entry in records { entry.record?.rewrite(map) }
    }

    mutating func clear() {
        forgetEvent()
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
