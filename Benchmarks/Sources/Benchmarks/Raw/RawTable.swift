/// A table the engine made, by the names it gave.
struct RawTable {
    let entity: String
    let hasOwner: Bool

    static let records = RawTable(entity: "Record", hasOwner: true)
    static let entries = RawTable(entity: "Entry", hasOwner: true)
    static let plain = RawTable(entity: "Plain", hasOwner: false)
    static let items = RawTable(entity: "Item", hasOwner: false)

    var name: String { "Z" + entity.uppercased() }

    /// The owner comes last, so that the others stand at the same place with and without.
    var columns: String {
        "Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZRANK, ZSIZE, ZCREATED, ZHEIGHT, ZWEIGHT, ZCITY, ZNAME, ZNOTE" + (hasOwner ? ", ZOWNER" : "")
    }
}

extension RawConnection {
    /// The entity's number in this file.
    func number(of entity: String) -> Int64 { integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'") }

    /// Takes so many primary keys, as the engine does; answers the first.
    func takeKeys(_ count: Int, of entity: String) -> Int64 {
        let last = integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
        run("UPDATE Z_PRIMARYKEY SET Z_MAX = \(last + Int64(count)) WHERE Z_NAME = '\(entity)'")
        return last + 1
    }

    /// Everything in a table but its primary keys, which may be given in any order.
    func digest(of table: String) -> Digest {
        let statement = prepare("SELECT * FROM \(table)")
        var digest = Digest()
        while statement.step() { digest.add(statement.hash(from: 1)) }
        return digest
    }
}
