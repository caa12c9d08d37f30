import CoreDataSchema

struct UndoJournal {
    mutating func noteBefore(_ object: NSManagedObject) {}
    mutating func close(_ event: EventChanges, in context: NSManagedObjectContext) {}
    mutating func rewrite(_ map: [Int64: RowKey]) {}
    mutating func clear() {}
}

extension NSManagedObjectContext {
    public var undoManager: UndoManager? {
        get { undoStorage }
        set { undoStorage = newValue }
    }
}
