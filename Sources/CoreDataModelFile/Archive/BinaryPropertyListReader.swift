import Foundation

/// Reads the `bplist00` format: an object table, an offset table and a 32-byte trailer, all big-endian.
struct BinaryPropertyListReader {
    typealias Damage = PropertyListNodes.Damage

    private let bytes: [UInt8]
    private var offsets: [Int] = []
    private var referenceSize = 1
    private var root = 0

    init(_ data: Data) throws(Damage) {
        bytes = Array(data)
        guard bytes.count >= 40 else { throw Damage(text: "it is cut short") }
        let trailer = bytes.count - 32
        let offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        let count = try integer(at: trailer + 8, size: 8), table = try integer(at: trailer + 24, size: 8)
        root = try integer(at: trailer + 16, size: 8)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), count > 0, root < count, table >= 8,
              table <= trailer, count <= (trailer - table) / offsetSize
        else { throw Damage(text: "its trailer contradicts its length") }
        for index in 0..<count {
            let offset = try integer(at: table + index * offsetSize, size: offsetSize)
            guard offset >= 8, offset < table else { throw Damage(text: "object \(index) lies outside the file") }
            offsets.append(offset)
        }
    }

    func read() throws(Damage) -> (nodes: [PropertyListNodes.Node], root: Int) {
        var nodes: [PropertyListNodes.Node] = []
        nodes.reserveCapacity(offsets.count)
        for offset in offsets { nodes.append(try node(at: offset)) }
        return (nodes, root)
    }

    private func node(at offset: Int) throws(Damage) -> PropertyListNodes.Node {
        let low = Int(bytes[offset] & 15)
        switch bytes[offset] >> 4 {
        case 0 where low == 8 || low == 9: return .boolean(low == 9)
        case 0 where low == 0: return .null
        // Sixteen-byte integers are kept by their lower half: only values above Int64 need the upper.
        case 1: return .integer(try signed(at: offset + 1, size: 1 << low))
        case 2: return .real(try real(at: offset + 1, size: 1 << low))
        case 3: return .date(try real(at: offset + 1, size: 8))
        case 4:
            let (count, start) = try count(low, offset)
            return .data(Data(try slice(start, count)))
        case 5:
            let (count, start) = try count(low, offset)
            let text = try slice(start, count)
            // Foundation takes other bytes for something else than this reader would: both must read the same.
            guard text.allSatisfy({ $0 < 0x80 }) else { throw Damage(text: "a text is not ASCII") }
            return .string(String(decoding: text, as: UTF8.self))
        case 6:
            let (count, start) = try count(low, offset)
            let units = try slice(start, count * 2)
            return .string(String(decoding: stride(from: 0, to: units.count, by: 2).map {
                UInt16(units[units.startIndex + $0]) << 8 | UInt16(units[units.startIndex + $0 + 1])
            }, as: UTF16.self))
        case 8: return .reference(try integer(at: offset + 1, size: low + 1))
        case 10:
            let (count, start) = try count(low, offset)
            return .array(try references(start, count))
        case 13:
            let (count, start) = try count(low, offset)
            let keys = try references(start, count), values = try references(start + count * referenceSize, count)
            guard Set(keys).count == count else { throw Damage(text: "a dictionary has a key twice") }
            return .dictionary(zip(keys, values).map { ($0, $1) })
        default: throw Damage(text: "it holds an object of unknown kind \(bytes[offset])")
        }
    }

    /// An object's length and where its content begins: 15 means that an integer object follows.
    private func count(_ low: Int, _ offset: Int) throws(Damage) -> (count: Int, start: Int) {
        guard low == 15 else { return (low, offset + 1) }
        let marker = try slice(offset + 1, 1)[offset + 1]
        guard marker >> 4 == 1, marker & 15 <= 3 else { throw Damage(text: "a length is no integer") }
        let size = 1 << Int(marker & 15)
        let count = try integer(at: offset + 2, size: size)
        guard count <= bytes.count else { throw Damage(text: "an object is longer than the file") }
        return (count, offset + 2 + size)
    }

    private func references(_ start: Int, _ count: Int) throws(Damage) -> [Int] {
        _ = try slice(start, count * referenceSize)
        var result: [Int] = []
        result.reserveCapacity(count)
        for position in 0..<count {
            let index = try integer(at: start + position * referenceSize, size: referenceSize)
            guard index < offsets.count else { throw Damage(text: "it refers to an object that is not there") }
            result.append(index)
        }
        return result
    }

    private func slice(_ start: Int, _ count: Int) throws(Damage) -> ArraySlice<UInt8> {
        guard count >= 0, start >= 0, start <= bytes.count, count <= bytes.count - start else {
            throw Damage(text: "an object reaches past the end")
        }
        return bytes[start..<start + count]
    }

    /// An unsigned integer that fits Int.
    private func integer(at offset: Int, size: Int) throws(Damage) -> Int {
        let value = try slice(offset, size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard let result = Int(exactly: value) else { throw Damage(text: "a number is too large") }
        return result
    }

    private func signed(at offset: Int, size: Int) throws(Damage) -> Int64 {
        guard size <= 16 else { throw Damage(text: "an integer is too wide") }
        let value = try slice(offset, size).suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(bitPattern: value)
    }

    private func real(at offset: Int, size: Int) throws(Damage) -> Double {
        let bits = try slice(offset, size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch size {
        case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case 8: return Double(bitPattern: bits)
        default: throw Damage(text: "a number has \(size) bytes")
        }
    }
}
