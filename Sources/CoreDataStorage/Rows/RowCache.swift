import CoreDataSchema
import Synchronization

/// The newest known row of each key of one store, shared by all contexts of a coordinator.
///
/// Rows nobody else holds are dropped by a sweep whenever the cache has doubled. `generation` moves whenever a row is
/// replaced by another version (or by other derived values) or removed: a row whose `generation` equals it is known to be current without a look-up.
package final class RowCache: Sendable {
    private struct State {
        /// Tables by root entity.
        var tables: [KeyTable<RowBlock>] = []
        var count = 0
        var sweepAt = 8_192
    }

    private let roots: [Int]
    private let state: LockedValue<State>
    private let currentGeneration = Atomic<UInt64>(1)

    package init(model: ResolvedModel) {
        roots = model.entities.map(\.rootIndex)
        let count = model.entities.count
        state = LockedValue(State(tables: (0..<count).map { _ in KeyTable() }))
    }

    package var generation: UInt64 { currentGeneration.load(ordering: .acquiring) }

    package func row(for key: RowKey) -> RowBlock? {
        state.withLock { $0.tables[roots[Int(key.entity)]][key.primaryKey] }
    }

    /// Rows for many keys under one lock; nil where unknown.
    package func rows(for keys: [RowKey]) -> [RowBlock?] {
        state.withLock { state in keys.map { state.tables[roots[Int($0.entity)]][$0.primaryKey] } }
    }

    /// Takes in rows just read or written; they replace what was there. With a generation: false, and nothing done, when it has moved.
    @discardableResult
    package func adopt(_ rows: [RowBlock], ifStillAt expected: UInt64? = nil) -> Bool {
        guard let first = rows.first else { return true }
        return state.withLock { state in
            var generation = currentGeneration.load(ordering: .relaxed)
            if let expected, expected != generation { return false }
            var moved = false
            var root = roots[Int(first.key.entity)], last = first.key.entity
            // Out of the tables meanwhile: going through them costs more than the insertion.
            var table = KeyTable<RowBlock>()
            swap(&table, &state.tables[root])
            if rows.count > 64 { table.reserveCapacity(rows.count) }
            for row in rows {
                let key = row.key
                if key.entity != last, roots[Int(key.entity)] != root {
                    swap(&table, &state.tables[root])
                    root = roots[Int(key.entity)]
                    swap(&table, &state.tables[root])
                }
                last = key.entity
                if let old = table.insert(row, for: key.primaryKey) {
                    if !moved, old.version != row.version || old.differsInDerivedValues(from: row) {
                        moved = true
                        generation += 1
                    }
                } else {
                    state.count += 1
                }
                row.storage.withUnsafeMutablePointerToHeader { $0.pointee.generation = generation }
            }
            swap(&table, &state.tables[root])
            if moved { currentGeneration.store(generation, ordering: .releasing) }
            if state.count > state.sweepAt { sweep(&state) }
            return true
        }
    }

    package func remove(_ keys: [RowKey]) {
        state.withLock { state in
            for key in keys where state.tables[roots[Int(key.entity)]].remove(key.primaryKey) != nil { state.count -= 1 }
            _ = currentGeneration.add(1, ordering: .releasing)
        }
    }

    package func removeAll() {
        state.withLock { state in
            for index in state.tables.indices { state.tables[index].removeAll() }
            state.count = 0
            _ = currentGeneration.add(1, ordering: .releasing)
        }
    }

    private func sweep(_ state: inout State) {
        var kept = 0
        for index in state.tables.indices {
            state.tables[index].removeUniquelyReferenced()
            kept += state.tables[index].count
        }
        state.count = kept
        state.sweepAt = max(8_192, kept * 2)
    }
}

extension KeyTable where Value == RowBlock {
    /// Drops the rows that only this table holds.
    mutating func removeUniquelyReferenced() {
        var doomed: [Int64] = []
        for index in keys.indices where keys[index] != 0 {
            guard var row = values[index].take() else { continue }
            if isKnownUniquelyReferenced(&row.storage) { doomed.append(keys[index]) }
            values[index] = row
        }
        for key in doomed { remove(key) }
    }
}

extension RowBlock {
    /// Whether triggers changed one of two rows of the same version.
    fileprivate func differsInDerivedValues(from other: RowBlock) -> Bool {
        let slots = layout.derivedSlots
        return !slots.isEmpty && layout === other.layout && slots.contains { value($0) != other.value($0) }
    }
}
