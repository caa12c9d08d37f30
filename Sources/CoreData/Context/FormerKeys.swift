import CoreDataSchema

/// The permanent keys of objects that somebody may still know by temporary ones: child contexts, whoever took an ID or its URI.
///
/// Those of the last objects are always known, older ones only while somebody needs them: a long-lived context makes millions.
/// Invariant: `log` and `entries` hold the same temporary keys, the log in the order of their serial numbers.
struct FormerKeys {
    struct Entry {
        let key: RowKey
        /// The key is that of another object, into which a save took up the one of the temporary key.
        let isTakenUp: Bool
    }

    private struct Step {
        let temporary: Int64
        let serial: Int
    }

    private struct Taken {
        weak var identifier: NSManagedObjectID?
    }

    private var entries: [Int64: Entry] = [:]
    private var log: [Step] = []
    /// IDs that were taken while they were temporary.
    private var taken: [Int64: Taken] = [:]
    private var sweepAt: Int
    private let recent: Int
    /// The number of the last object that got a permanent key.
    private(set) var serial = 0

    init(recent: Int = 4_096) {
        self.recent = recent
        sweepAt = recent * 4
    }

    var count: Int { entries.count }
    var isSweepDue: Bool { log.count > sweepAt }

    subscript(temporary: Int64) -> RowKey? { entries[temporary]?.key }

    mutating func note(_ temporary: Int64, _ key: RowKey, identifier: NSManagedObjectID? = nil, isTakenUp: Bool = false) {
        if let identifier { taken[temporary] = Taken(identifier: identifier) }
        guard entries[temporary] == nil else { return }
        entries[temporary] = Entry(key: key, isTakenUp: isTakenUp)
        serial += 1
        log.append(Step(temporary: temporary, serial: serial))
    }

    /// What came after a serial number.
    func entries(since serial: Int) -> [Int64: Entry] {
        var result: [Int64: Entry] = [:]
        for step in log.reversed() {
            guard step.serial > serial else { break }
            result[step.temporary] = entries[step.temporary]
        }
        return result
    }

    /// Forgets what is not among the last and nobody needs: `isNeeded` is asked with the temporary key, the permanent one and the number.
    mutating func sweep(keeping isNeeded: (Int64, RowKey, Int) -> Bool) {
        var kept: [Step] = []
        for step in log.dropLast(recent) {
            guard let entry = entries[step.temporary] else { continue }
            if taken[step.temporary]?.identifier != nil || isNeeded(step.temporary, entry.key, step.serial) {
                kept.append(step)
            } else {
                entries[step.temporary] = nil
                taken[step.temporary] = nil
            }
        }
        log = kept + log.suffix(recent)
        sweepAt = max(recent * 4, log.count * 2)
    }
}
