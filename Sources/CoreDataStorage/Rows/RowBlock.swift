import CoreDataSchema
import Foundation

/// What precedes the words of a row.
@usableFromInline
package struct RowHeader {
    package let layout: RowLayout
    package let key: RowKey
    /// The store of the rows it names: its own, unless it has none yet.
    @usableFromInline var referenceStore: Int32
    /// `Z_OPT`.
    package let version: Int64
    /// When it was read, in seconds of `RowClock`.
    package let readAt: Double
    /// The layout's numbers, here so that reading a value touches this allocation only.
    @usableFromInline package let nullWords: Int32
    @usableFromInline package let fixedWords: Int32
    /// All words, those of the variable bytes included.
    package let wordCount: Int32
    /// Generation of the row cache when the row entered it.
    package internal(set) var generation: UInt64 = 0
    /// Objects of transformable slots, composites, and binary values in files, for stores that keep objects and rows made from a context's objects.
    package internal(set) var objects: [Int: OpaqueObject]?

    package init(layout: RowLayout, key: RowKey, version: Int64, readAt: Double, wordCount: Int) {
        self.layout = layout
        self.key = key
        referenceStore = key.store
        self.version = version
        self.readAt = readAt
        nullWords = Int32(truncatingIfNeeded: layout.nullWords)
        fixedWords = Int32(truncatingIfNeeded: layout.fixedWords)
        self.wordCount = Int32(truncatingIfNeeded: wordCount)
    }
}

/// One row, immutable, in one allocation, shared by the row cache and every object that shows it.
///
/// Words as `RowLayout` lays them out; strings and other variable values are bytes until somebody asks: their slot's word
/// is offset << 32 | byte count within the variable bytes.
///
/// Unchecked Sendable: written by one `RowWriter` before it is shared and never after, except `generation`, which the row
/// cache sets once under its lock before it hands the row out.
///
/// `public` for the same reason as `KeyTable`: accessors then read a word where it lies.
@frozen
public struct RowBlock: @unchecked Sendable {
    @usableFromInline package typealias Storage = ManagedBuffer<RowHeader, UInt64>
    @usableFromInline package var storage: Storage

    package init(storage: Storage) { self.storage = storage }

    // By pointer: `header` is a class property, whose checks for exclusive access cost more than the load.

    package var layout: RowLayout { storage.withUnsafeMutablePointerToHeader { $0.pointee.layout } }
    package var key: RowKey { storage.withUnsafeMutablePointerToHeader { $0.pointee.key } }
    package var version: Int64 { storage.withUnsafeMutablePointerToHeader { $0.pointee.version } }
    package var readAt: Double { storage.withUnsafeMutablePointerToHeader { $0.pointee.readAt } }
    package var generation: UInt64 { storage.withUnsafeMutablePointerToHeader { $0.pointee.generation } }
    var wordCount: Int { storage.withUnsafeMutablePointerToHeader { Int($0.pointee.wordCount) } }
    /// Whether a slot's value is an object, or in a file.
    package var hasObjects: Bool { storage.withUnsafeMutablePointerToHeader { $0.pointee.objects != nil } }

    package func isIdentical(to other: RowBlock) -> Bool { storage === other.storage }

    // The pointers live only inside each call, and `storage` is retained by `self` for that long.

    @inlinable func word(_ index: Int) -> UInt64 { storage.withUnsafeMutablePointerToElements { $0[index] } }

    @inlinable func slotWord(_ slot: Int) -> UInt64 {
        storage.withUnsafeMutablePointers { header, words in words[Int(header.pointee.nullWords) + slot] }
    }

    @inlinable public func isNull(_ slot: Int) -> Bool {
        word(slot >> 6) & (1 << UInt64(slot & 63)) != 0
    }

    /// Integer 16/32/64, Boolean. 0 when null.
    @inlinable public func integer(_ slot: Int) -> Int64 { Int64(bitPattern: slotWord(slot)) }

    @inlinable public func optionalInteger(_ slot: Int) -> Int64? { isNull(slot) ? nil : integer(slot) }

    /// Double, Float, Date. 0 when null.
    @inlinable public func real(_ slot: Int) -> Double { Double(bitPattern: slotWord(slot)) }

    @inlinable public func optionalReal(_ slot: Int) -> Double? { isNull(slot) ? nil : real(slot) }

    @inlinable public func withBytes<Result>(_ slot: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        storage.withUnsafeMutablePointers { header, words in
            let span = words[Int(header.pointee.nullWords) + slot]
            let start = UnsafeRawPointer(words + Int(header.pointee.fixedWords)) + Int(span >> 32)
            return body(UnsafeRawBufferPointer(start: start, count: Int(span & 0xFFFF_FFFF)))
        }
    }

    @inlinable public func string(_ slot: Int) -> String? {
        isNull(slot) ? nil : withBytes(slot) { String(decoding: $0, as: UTF8.self) }
    }

    /// nil too when the value is in a file that cannot be read.
    package func data(_ slot: Int) -> Data? {
        if isNull(slot) { return nil }
        if let external = external(slot) { return try? external.read() }
        return withBytes(slot) { Data($0) }
    }

    package func uuid(_ slot: Int) -> UUID? {
        if isNull(slot) { return nil }
        return withBytes(slot) { bytes in
            guard bytes.count == 16 else { return nil }
            return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }

    /// Decimals are kept as text.
    package func decimal(_ slot: Int) -> Decimal? {
        guard let text = string(slot) else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? (text == "NaN" ? .nan : nil)
    }

    /// The destination of a to-one.
    package func reference(_ slot: Int) -> RowKey? {
        if isNull(slot) { return nil }
        let layout = layout
        let entityWord = layout.entityWords[slot]
        let entity = entityWord < 0 ? layout.destinations[slot] : Int32(truncatingIfNeeded: word(Int(entityWord)))
        let primaryKey = integer(slot)
        return RowKey(primaryKey: primaryKey, entity: entity, store: primaryKey < 0 ? 0 : storage.withUnsafeMutablePointerToHeader { $0.pointee.referenceStore })
    }

    /// The object of a transformable slot, when the row was made from objects.
    package func object(_ slot: Int) -> OpaqueObject? { storage.withUnsafeMutablePointerToHeader { $0.pointee.objects?[slot] } }

    /// Any slot as a value. A transformable known only as bytes answers `.data`, a file that cannot be read its `ExternalData`.
    package func value(_ slot: Int) -> AttributeValue {
        if let object = object(slot) { return value(of: object) }
        if isNull(slot) { return .null }
        return switch layout.kinds[slot] {
        case .integer, .boolean: .integer(integer(slot))
        case .double, .float, .date: .real(real(slot))
        case .string, .uri: string(slot).map(AttributeValue.string) ?? .null
        case .decimal: decimal(slot).map(AttributeValue.decimal) ?? .null
        case .uuid: uuid(slot).map(AttributeValue.uuid) ?? .null
        case .data, .object: data(slot).map(AttributeValue.data) ?? .null
        case .toOne: reference(slot).map(AttributeValue.reference) ?? .null
        case .objectID, .composite, .none, .toMany, .fetched: .null
        }
    }

    private func value(of object: OpaqueObject) -> AttributeValue {
        switch object.value {
        case let composite as CompositeBox: composite.value
        case let external as ExternalData: (try? external.read()).map(AttributeValue.data) ?? .object(object)
        default: .object(object)
        }
    }

    /// Every slot as a value; those in files are not read.
    package var values: ContiguousArray<AttributeValue> {
        ContiguousArray((0..<layout.slotCount).map(unreadValue))
    }
}

/// Seconds since some start, for staleness: monotonic.
package enum RowClock {
    package static var now: Double { ProcessInfo.processInfo.systemUptime }
}
