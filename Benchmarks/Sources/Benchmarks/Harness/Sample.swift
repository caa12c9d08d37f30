import Foundation

/// One row's values.
struct Sample {
    let count: Int64, rank: Int32, size: Int64
    let created: Date, height: Double, weight: Double
    let city: String, name: String, note: String

    init(_ index: Int, ranks: Int) {
        count = Int64(index)
        rank = Int32(index % ranks)
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

    /// How many different ranks so many rows have: about a hundred rows share each, however many there are.
    static func ranks(of rows: Int) -> Int { max(1, rows / 100) }

    static func make(_ count: Int) -> [Sample] { (0..<count).map { Sample($0, ranks: ranks(of: count)) } }
}
