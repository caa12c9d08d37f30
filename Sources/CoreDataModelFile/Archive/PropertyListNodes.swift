import Foundation

/// A property list as a flat table, with the references (UIDs) of keyed archives, which Foundation here gives no access to.
///
/// Invariant: every index in `nodes` is within bounds. A node may be reached by several ways and even by itself: whoever
/// walks the table keeps count.
struct PropertyListNodes {
    enum Node {
        case null
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 2001.
        case date(Double)
        case data(Data)
        case string(String)
        case reference(Int)
        case array([Int])
        case dictionary([(key: Int, value: Int)])
    }

    struct Damage: Error { var text: String }

    let nodes: [Node]
    let root: Int

    /// Binary, or whatever else Foundation reads, which it is asked to write as binary.
    init(_ data: Data) throws(Damage) {
        var binary = data
        if !data.starts(with: Array("bplist00".utf8)) {
            guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
                  let converted = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
            else { throw Damage(text: "it is no property list") }
            binary = converted
        }
        (nodes, root) = try BinaryPropertyListReader(binary).read()
    }
}
