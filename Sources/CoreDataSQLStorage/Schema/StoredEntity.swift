import CoreDataSchema
import SQLiteDriver

/// A row of `Z_PRIMARYKEY`.
///
/// Invariant: `number` is positive and small enough to be an index; rows of damaged files that are not so are left out.
struct StoredEntity {
    let number: Int64
    let name: String
    /// The superentity's number; 0 for roots.
    let parent: Int64

    /// Apple's own additions stand at 16001 and above; nothing comes near this.
    private static let highestNumber: Int64 = 1 << 20

    /// A number for each entity of a model, 0 where the file has none.
    ///
    /// A migration in place may leave the old name of an entity that was renamed: a row that bears no name of the model's is the
    /// entity that would have its number, if the one above it agrees.
    static func numbers(for model: ResolvedModel, planned: [Int64], _ connection: SQLiteConnection) throws -> [Int64] {
        let stored = try all(connection)
        let byName = Dictionary(stored.map { ($0.name, $0.number) }) { first, _ in first }
        var numbers = model.entities.map { planned[$0.index] > 0 ? byName[$0.name] ?? 0 : 0 }
        for entity in model.entities where planned[entity.index] > 0 && numbers[entity.index] == 0 {
            let parent = entity.superIndex.map { numbers[$0] } ?? 0
            let row = stored.first { $0.number == planned[entity.index] && model.indexByName[$0.name] == nil && $0.parent == parent }
            if let row, row.number < 16_000 { numbers[entity.index] = row.number }
        }
        return numbers
    }

    static func all(_ connection: SQLiteConnection) throws -> [StoredEntity] {
        var entities: [StoredEntity] = []
        try connection.withStatement("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME IS NOT NULL ORDER BY Z_ENT") { row in
            while try row.step() {
                let number = row.integer(0)
                guard number > 0, number <= highestNumber, let name = row.text(1), !name.isEmpty else { continue }
                entities.append(StoredEntity(number: number, name: name, parent: row.integer(2)))
            }
        }
        return entities
    }
}
