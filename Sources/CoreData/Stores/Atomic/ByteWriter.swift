import CoreDataSchema
import CoreDataStorage

/// Bytes of a binary store as they grow.
struct ByteWriter {
    var bytes: [UInt8] = []

    mutating func number(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            number(UInt32(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    mutating func reference(_ key: RowKey) {
        number(UInt32(key.entity))
        number(key.primaryKey)
    }

    /// A kind, then the value. `name` is for the error.
    mutating func value(_ value: AttributeValue, _ name: String) throws(StoreError) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            self.number(number)
        case .real(let number):
            bytes.append(2)
            self.number(number.bitPattern)
        case .decimal(let number):
            bytes.append(3)
            text(number.isNaN ? "NaN" : number.description)
        case .string(let string):
            bytes.append(4)
            text(string)
        case .uuid(let uuid):
            bytes.append(5)
            withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
        case .data(let data):
            bytes.append(6)
            number(UInt64(data.count))
            bytes += data
        case .reference(let key):
            bytes.append(7)
            reference(key)
        case .composite(let elements):
            bytes.append(8)
            number(UInt32(elements.count))
            for (key, element) in elements.sorted(by: { $0.key < $1.key }) {
                text(key)
                try self.value(element, name + "." + key)
            }
        case .object(let object):
            throw .invalidRequest("The value of “\(name)” is a \(type(of: object.value)), which a binary store cannot keep.")
        }
    }
}

/// A sum that differs when any bit does.
struct Checksum {
    private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        var rest: UInt64 = 0
        for (place, byte) in bytes[offset...].enumerated() { rest |= UInt64(byte) << UInt64(8 * place) }
        mix(rest)
        mix(UInt64(bytes.count))
    }

    private mutating func mix(_ word: UInt64) {
        value = (value ^ word) &* 0xD6E8_FEB8_6659_FD93
        value ^= value >> 32
    }
}
