import Foundation

/// Writes a table of nodes in the `bplist00` format, references included.
enum BinaryPropertyListWriter {
    static func data(_ nodes: [PropertyListNodes.Node], root: Int) -> Data {
        let size = width(nodes.count)
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for node in nodes {
            offsets.append(bytes.count)
            append(node, referenceSize: size, to: &bytes)
        }
        let table = bytes.count
        let offsetSize = width(table)
        for offset in offsets { append(offset, size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(size)]
        for number in [nodes.count, root, table] { append(number, size: 8, to: &bytes) }
        return Data(bytes)
    }

    private static func width(_ value: Int) -> Int { value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8 }

    private static func append(_ value: Int, size: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    private static func append(_ node: PropertyListNodes.Node, referenceSize: Int, to bytes: inout [UInt8]) {
        func header(_ kind: UInt8, _ count: Int) {
            bytes.append(kind << 4 | UInt8(min(count, 15)))
            if count >= 15 { appendInteger(Int64(count), to: &bytes) }
        }
        func real(_ value: Double) { append(Int(bitPattern: UInt(value.bitPattern)), size: 8, to: &bytes) }
        switch node {
        case .null: bytes.append(0)
        case .boolean(let flag): bytes.append(flag ? 9 : 8)
        case .integer(let value): appendInteger(value, to: &bytes)
        case .real(let value):
            bytes.append(0x23)
            real(value)
        case .date(let value):
            bytes.append(0x33)
            real(value)
        case .data(let data):
            header(4, data.count)
            bytes += data
        case .string(let text):
            if text.utf8.allSatisfy({ $0 < 128 }) {
                header(5, text.utf8.count)
                bytes += text.utf8
            } else {
                header(6, text.utf16.count)
                for unit in text.utf16 { append(Int(unit), size: 2, to: &bytes) }
            }
        case .reference(let index):
            let size = width(index)
            bytes.append(0x80 | UInt8(size - 1))
            append(index, size: size, to: &bytes)
        case .array(let items):
            header(10, items.count)
            for item in items { append(item, size: referenceSize, to: &bytes) }
        case .dictionary(let pairs):
            header(13, pairs.count)
            for pair in pairs { append(pair.key, size: referenceSize, to: &bytes) }
            for pair in pairs { append(pair.value, size: referenceSize, to: &bytes) }
        }
    }

    /// Negative numbers always have eight bytes.
    private static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
        let size = value < 0 ? 8 : width(Int(value))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(Int(value), size: size, to: &bytes)
    }
}
