/// A row of sixty columns as an instance: fields in place, no array of its own.
final class RawWide {
    let key: Int64, entity: Int64, version: Int64
    var doubles: InlineArray<20, Double>
    var integers: InlineArray<20, Int64>
    var strings: InlineArray<20, String>

    init(_ row: RawStatement) {
        key = row.int(0)
        entity = row.int(1)
        version = row.int(2)
        doubles = InlineArray { row.double(Int32($0) + 3) }
        integers = InlineArray { row.int(Int32($0) + 23) }
        strings = InlineArray { row.text(Int32($0) + 43) }
    }

    /// Every value, read from the instance.
    var sum: Int {
        var sum = 0
        for index in 0..<20 { sum &+= Int(doubles[index]) &+ Int(integers[index]) &+ strings[index].utf8.count }
        return sum
    }
}

/// The table of wide rows.
final class RawWides {
    private let connection: RawConnection
    private static let columns: [String] = ["D", "I", "S"].flatMap { (kind: String) -> [String] in
        (0..<20).map { (index: Int) -> String in "Z\(kind)\(index < 10 ? "0" : "")\(index)" }
    }
    private lazy var selectAll = connection.prepare("SELECT Z_PK, Z_ENT, Z_OPT, \(Self.columns.joined(separator: ", ")) FROM ZWIDE")

    init(_ connection: RawConnection) { self.connection = connection }

    func all() -> [RawWide] {
        var rows: [RawWide] = []
        while selectAll.step() { rows.append(RawWide(selectAll)) }
        selectAll.reset()
        return rows
    }

    func insert(_ count: Int) {
        connection.transaction {
            let first = connection.takeKeys(count, of: "Wide"), entity = connection.number(of: "Wide")
            let marks = Array(repeating: "?", count: 60).joined(separator: ", ")
            let statement = connection.prepare(
                "INSERT INTO ZWIDE (Z_PK, Z_ENT, Z_OPT, \(Self.columns.joined(separator: ", "))) VALUES (?, ?, 1, \(marks))")
            for key in first..<first + Int64(count) {
                statement.bind(1, key)
                statement.bind(2, entity)
                for index in 0..<20 {
                    statement.bind(Int32(index) + 3, Double(key) + Double(index) / 4)
                    statement.bind(Int32(index) + 23, key &* Int64(index))
                    var text = "Text \(index) of row \(key)"
                    text.withUTF8 { statement.bindCopy(Int32(index) + 43, $0) }
                }
                statement.execute()
            }
        }
    }
}
