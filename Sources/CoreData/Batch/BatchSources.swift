import CoreDataSchema
import CoreDataStorage

/// The rows of a request that was given dictionaries.
final class BatchDictionaries: BatchRowSource {
    private let columns: BatchColumns
    private var rows: Array<[String: Any]>.Iterator

    init(_ rows: [[String: Any]], _ columns: BatchColumns) {
        self.rows = rows.makeIterator()
        self.columns = columns
    }

    func next(_ row: BatchRow) throws -> Bool {
        guard let dictionary = rows.next() else { return false }
        for (key, object) in dictionary {
            let slot = try columns.slot(named: key, row: row.number)
            row.set(slot, try columns.value(of: object, at: slot, row: row.number))
        }
        try columns.checkRequired(row)
        return true
    }
}

/// The rows that a handler puts into a dictionary, which is emptied for each.
final class BatchDictionaryHandler: BatchRowSource {
    private let columns: BatchColumns
    private let handler: (NSMutableDictionary) -> Bool
    private let dictionary = BatchDictionary()

    init(_ handler: @escaping (NSMutableDictionary) -> Bool, _ columns: BatchColumns) {
        self.handler = handler
        self.columns = columns
    }

    func next(_ row: BatchRow) throws -> Bool {
        dictionary.removeAllObjects()
        if handler(dictionary) { return false }
        for (key, object) in dictionary.entries {
            let slot = try columns.slot(named: key, row: row.number)
            row.set(slot, try columns.value(of: object, at: slot, row: row.number))
        }
        try columns.checkRequired(row)
        return true
    }
}

/// The rows that a handler puts into one object, which shows the defaults again for each.
final class BatchObjectHandler: BatchRowSource {
    private let columns: BatchColumns
    private let handler: (NSManagedObject) -> Bool
    private let object: NSManagedObject
    private let plain: [Int]
    /// Those whose values are looked at: to-ones and transformables.
    private let special: [ResolvedProperty]

    init(_ handler: @escaping (NSManagedObject) -> Bool, _ columns: BatchColumns) {
        self.handler = handler
        self.columns = columns
        let runtime = columns.runtime
        object = runtime.objectClass.init(entity: runtime.entity, insertInto: nil)
        let stored = runtime.resolved.properties.filter { $0.isStored && !$0.isDerived }
        special = stored.filter { $0.storage == .toOne || $0.storage == .object }
        plain = stored.filter { $0.storage != .toOne && $0.storage != .object }.map(\.slot)
    }

    /// The defaults again, in the buffer that is there.
    private func reset() {
        if object.toMany != nil { object.toMany = nil }
        guard let edits = object.edits else { return }
        for slot in edits.indices { edits[slot] = columns.runtime.defaults[slot] }
        edits.changed.removeAll()
    }

    func next(_ row: BatchRow) throws -> Bool {
        reset()
        if handler(object) { return false }
        let values = object.currentValues
        for slot in plain { row.set(slot, values[slot]) }
        for property in special {
            let value = values[property.slot]
            if property.storage == .toOne { try columns.checkReference(value, property) }
            row.set(property.slot, try columns.archived(value, property))
        }
        if let slot = (object.toMany ?? [:]).first(where: { $0.value.isChanged })?.key {
            throw BatchError.unwritable(
                entity: columns.entityName, key: columns.runtime.resolved.properties[slot].name,
                reason: "it is a to-many relationship. Set the to-one at its other end, or insert objects and save.")
        }
        try columns.checkRequired(row)
        return true
    }
}
