import Foundation

/// One row's values.
struct Sample {
    let count: Int64, rank: Int32, size: Int64
    let created: Date, height: Double, weight: Double
    let city: String, name: String, note: String

    init(_ index: Int) {
        count = Int64(index)
        rank = Int32(index % 1000)
        size = Int64(index) * 7919
        created = Date(timeIntervalSinceReferenceDate: Double(index) + 0.25)
        height = Double(index) / 3
        weight = Double(index) / 7
        city = "City number \(index % 500)"
        name = "Name \(index)"
        note = "A somewhat longer note about row \(index)"
    }

    var dictionary: [String: Any] {
        ["count": count, "rank": rank, "size": size, "created": created, "height": height, "weight": weight, "city": city, "name": name,
         "note": note]
    }

    static func make(_ count: Int) -> [Sample] { (0..<count).map(Sample.init) }
}
