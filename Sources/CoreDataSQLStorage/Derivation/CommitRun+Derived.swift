import CoreDataSchema
import CoreDataStorage

extension CommitRun {
    /// Reads again what triggers wrote: rows of the batch, whose receipt must show it, and the keys of others.
    mutating func readDerivedValues() throws {
        let touched = store.takeDerivedKeys()
        guard !touched.isEmpty else { return }
        func place(_ key: RowKey) -> PrimaryKey { PrimaryKey(root: model.entities[Int(key.entity)].rootIndex, key: key.primaryKey) }
        let gone = Set(batch.deleted.map { place($0.key) })
        var wanted = Dictionary(touched.map { (place($0), $0) }) { first, _ in first }
        for key in gone { wanted[key] = nil }
        let ours = (inserted + updated).map(\.key).filter { wanted[place($0)] != nil }
        var fresh: [PrimaryKey: RowBlock] = [:]
        for (_, keys) in Dictionary(grouping: ours, by: { model.entities[Int($0.entity)].rootIndex }) {
            for row in try store.readRows(keys, on: connection) { fresh[place(row.key)] = row }
        }
        inserted = inserted.map { fresh[place($0.key)] ?? $0 }
        updated = updated.map { fresh[place($0.key)] ?? $0 }
        derivedKeys = wanted.filter { fresh[$0.key] == nil }.map(\.value)
    }
}
