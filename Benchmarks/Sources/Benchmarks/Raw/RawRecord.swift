/// What a program without an object graph would make of a row: an instance with all columns.
final class RawRecord {
    let key: Int64, entity: Int64
    var version: Int64
    var count: Int64, rank: Int64, size: Int64
    var created: Double, height: Double, weight: Double
    var city: String, name: String, note: String
    /// 0 without.
    var owner: Int64
    /// Set by whoever reads owners too.
    var ownerObject: RawOwner?

    @inline(__always)
    init(_ row: RawStatement, hasOwner: Bool) {
        key = row.int(0)
        entity = row.int(1)
        version = row.int(2)
        count = row.int(3)
        rank = row.int(4)
        size = row.int(5)
        created = row.double(6)
        height = row.double(7)
        weight = row.double(8)
        city = row.text(9)
        name = row.text(10)
        note = row.text(11)
        owner = hasOwner ? row.int(12) : 0
    }

    init(key: Int64, entity: Int64, _ sample: Sample) {
        (self.key, self.entity, version, owner) = (key, entity, 1, 0)
        (count, rank, size) = (sample.count, Int64(sample.rank), sample.size)
        (created, height, weight) = (sample.created.timeIntervalSinceReferenceDate, sample.height, sample.weight)
        (city, name, note) = (sample.city, sample.name, sample.note)
    }

    /// Every value, read from the instance.
    var sum: Int {
        var sum = Int(count) &+ Int(rank) &+ Int(size)
        sum &+= Int(created + height + weight)
        sum &+= city.utf8.count &+ name.utf8.count &+ note.utf8.count
        return owner == 0 ? sum : sum &+ 1
    }
}
