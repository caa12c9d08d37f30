/// An owner as an instance.
final class RawOwner {
    let key: Int64, entity: Int64
    var version: Int64
    var name: String
    var records: [RawRecord] = []

    init(_ row: RawStatement) {
        key = row.int(0)
        entity = row.int(1)
        version = row.int(2)
        name = row.text(3)
    }
}

/// The table of owners.
final class RawOwners {
    let connection: RawConnection
    private lazy var selectAll = connection.prepare("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZOWNER")
    private lazy var selectOne = connection.prepare("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZOWNER WHERE Z_PK = ?")
    private lazy var deletion = connection.prepare("DELETE FROM ZOWNER WHERE Z_PK = ? AND Z_OPT = ?")
    private lazy var nullifying = connection.prepare("UPDATE ZRECORD SET ZOWNER = NULL, Z_OPT = Z_OPT + 1 WHERE ZOWNER = ?")

    init(_ connection: RawConnection) { self.connection = connection }

    func all() -> [RawOwner] {
        var owners: [RawOwner] = []
        while selectAll.step() { owners.append(RawOwner(selectAll)) }
        selectAll.reset()
        return owners
    }

    func owner(_ key: Int64) -> RawOwner? {
        selectOne.bind(1, key)
        defer { selectOne.reset() }
        return selectOne.step() ? RawOwner(selectOne) : nil
    }

    func insert(_ count: Int) {
        connection.transaction {
            let first = connection.takeKeys(count, of: "Owner")
            let statement = connection.prepare("INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, 1, 'Owner ' || ?)")
            let entity = connection.number(of: "Owner")
            for key in first..<first + Int64(count) {
                statement.bind(1, key)
                statement.bind(2, entity)
                statement.bind(3, key)
                statement.execute()
            }
        }
    }

    /// Their records stay, without an owner.
    func delete(_ owners: [RawOwner]) {
        connection.transaction {
            for owner in owners {
                nullifying.bind(1, owner.key)
                nullifying.execute()
                deletion.bind(1, owner.key)
                deletion.bind(2, owner.version)
                deletion.execute()
                connection.expectOneChange()
            }
        }
    }
}
