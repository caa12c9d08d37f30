import CoreData

/// The entities that hold the same nine attributes, with and without indexes, a reference and a constraint.
protocol RecordValues: NSManagedObject {
    var count: Int64 { get set }
    var rank: Int32 { get set }
    var size: Int64 { get set }
    var created: Date? { get set }
    var height: Double { get set }
    var weight: Double { get set }
    var city: String? { get set }
    var name: String? { get set }
    var note: String? { get set }
}

extension Record: RecordValues {}
extension Entry: RecordValues {}
extension Item: RecordValues {}
extension Plain: RecordValues {}

extension RecordValues {
    @inline(__always)
    func fill(_ row: Sample) {
        count = row.count
        rank = row.rank
        size = row.size
        created = row.created
        height = row.height
        weight = row.weight
        city = row.city
        name = row.name
        note = row.note
    }

    /// Every attribute, each through its generated accessor.
    @inline(__always)
    var attributeSum: Int {
        var sum = Int(count) &+ Int(rank) &+ Int(size)
        sum &+= Int((created?.timeIntervalSinceReferenceDate ?? 0) + height + weight)
        return sum &+ (city?.utf8.count ?? 0) &+ (name?.utf8.count ?? 0) &+ (note?.utf8.count ?? 0)
    }
}
