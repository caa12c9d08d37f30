/// A table of records, its statements prepared when first used and kept.
final class RawRecords {
    let connection: RawConnection
    let table: RawTable
    let entity: Int64
    private lazy var selectAll = connection.prepare("SELECT \(table.columns) FROM \(table.name)")
    private lazy var insertion = connection.prepare(
        "INSERT INTO \(table.name) (\(table.columns)) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?\(table.hasOwner ? ", ?" : ""))")
    private lazy var updating = connection.prepare("UPDATE \(table.name) SET ZCOUNT = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?")
    private lazy var deletion = connection.prepare("DELETE FROM \(table.name) WHERE Z_PK = ? AND Z_OPT = ?")
    private lazy var ownerChange = connection.prepare("UPDATE ZOWNER SET Z_OPT = Z_OPT + 1 WHERE Z_PK = ?")

    init(_ connection: RawConnection, _ table: RawTable) {
        self.connection = connection
        self.table = table
        entity = connection.number(of: table.entity)
    }

    func all() -> [RawRecord] { list(selectAll) }

    /// The rows of a statement that selects the table's columns, as instances.
    func list(_ statement: RawStatement) -> [RawRecord] {
        var rows: [RawRecord] = []
        if table.hasOwner {
            while statement.step() { rows.append(RawRecord(statement, hasOwner: true)) }
        } else {
            while statement.step() { rows.append(RawRecord(statement, hasOwner: false)) }
        }
        statement.reset()
        return rows
    }

    // MARK: Writing

    /// One transaction. With `recordsPerOwner`, the first so many belong to owner 1, and so on.
    func insert(_ samples: [Sample], recordsPerOwner: Int = 0) { insert(samples[...], recordsPerOwner: recordsPerOwner) }

    func insert(_ samples: ArraySlice<Sample>, recordsPerOwner: Int = 0) {
        connection.transaction {
            var key = connection.takeKeys(samples.count, of: table.entity)
            for sample in samples {
                let owner = recordsPerOwner == 0 ? 0 : (key - 1) / Int64(recordsPerOwner) + 1
                insert(key, sample, owner: owner)
                key += 1
            }
        }
    }

    func insert(_ key: Int64, _ sample: Sample, owner: Int64) {
        let statement = insertion
        statement.bind(1, key)
        statement.bind(2, entity)
        statement.bind(3, sample.count)
        statement.bind(4, Int64(sample.rank))
        statement.bind(5, sample.size)
        statement.bind(6, sample.created.timeIntervalSinceReferenceDate)
        statement.bind(7, sample.height)
        statement.bind(8, sample.weight)
        if owner != 0 { statement.bind(12, owner) } else if table.hasOwner { statement.bindNull(12) }
        var (city, name, note) = (sample.city, sample.name, sample.note)
        city.withUTF8 { city in
            name.withUTF8 { name in
                note.withUTF8 { note in
                    statement.bind(9, city)
                    statement.bind(10, name)
                    statement.bind(11, note)
                    statement.execute()
                }
            }
        }
    }

    /// One property of every row, with the optimistic lock.
    func update(_ rows: [RawRecord]) {
        connection.transaction {
            for row in rows { update(row, count: row.count + 1) }
        }
    }

    func update(_ row: RawRecord, count: Int64) {
        row.count = count
        updating.bind(1, row.count)
        updating.bind(2, row.version + 1)
        updating.bind(3, row.key)
        updating.bind(4, row.version)
        updating.execute()
        connection.expectOneChange()
        row.version += 1
    }

    /// An owner that loses records has a new version afterwards, as the engine's do.
    func delete(_ rows: [RawRecord]) {
        connection.transaction {
            var owners: Set<Int64> = []
            for row in rows {
                deletion.bind(1, row.key)
                deletion.bind(2, row.version)
                deletion.execute()
                connection.expectOneChange()
                if row.owner != 0 { owners.insert(row.owner) }
            }
            for owner in owners {
                ownerChange.bind(1, owner)
                ownerChange.execute()
            }
        }
    }
}
