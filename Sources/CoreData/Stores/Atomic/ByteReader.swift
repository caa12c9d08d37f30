import CoreDataStorage

/// Takes bytes apart, never beyond their end.
struct ByteReader {
    private let bytes: Data
    private let path: String
    private var offset: Int

    init(_ bytes: Data, path: String) {
        self.bytes = bytes
        self.path = path
        offset = bytes.startIndex
    }

    var isAtEnd: Bool { offset == bytes.endIndex }

    mutating func skip(_ count: Int) throws(StoreError) { _ = try data(UInt64(count)) }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(StoreError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.endIndex - offset >= size else { throw ends() }
        defer { offset += size }
        let start = offset - bytes.startIndex
        return Number(littleEndian: bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Number.self) })
    }

    /// A number of things of which each takes at least so many bytes.
    mutating func count<Number: FixedWidthInteger>(_ type: Number.Type, each size: Int) throws(StoreError) -> Int {
        let number = try number(type)
        guard let count = Int(exactly: number), count >= 0, count <= (bytes.endIndex - offset) / size else { throw ends() }
        return count
    }

    mutating func data(_ count: UInt64) throws(StoreError) -> Data {
        guard count <= UInt64(bytes.endIndex - offset) else { throw ends() }
        defer { offset += Int(count) }
        return bytes[offset..<offset + Int(count)]
    }

    mutating func text() throws(StoreError) -> String {
        let count = try number(UInt32.self)
        return String(decoding: try data(UInt64(count)), as: UTF8.self)
    }

    private func ends() -> StoreError { .damaged(path: path, reason: "it ends in the middle of a value") }
}
