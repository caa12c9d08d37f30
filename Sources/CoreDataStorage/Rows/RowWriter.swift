import CoreDataSchema
import Foundation

/// Fills a new row, slot by slot; every slot is null until written.
///
/// Invariant: `variableBytes` given at `init` is at least the sum of what the variable setters are given.
///
/// The unsafe pointers point into `storage`, which the writer retains; nobody else has it before `finish()`.
package struct RowWriter {
    @usableFromInline let storage: RowBlock.Storage
    @usableFromInline let layout: RowLayout
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let capacity: Int
    @usableFromInline var used = 0

    @inlinable package init(layout: RowLayout, key: RowKey, version: Int64, readAt: Double, variableBytes: Int) {
        self.layout = layout
        capacity = variableBytes
        let count = layout.fixedWords + (variableBytes + 7) / 8
        storage = RowBlock.Storage.create(minimumCapacity: count) { _ in
            RowHeader(layout: layout, key: key, version: version, readAt: readAt, wordCount: count)
        }
        words = storage.withUnsafeMutablePointerToElements { $0 }
        for index in 0..<layout.nullWords { words[index] = .max }
        for index in layout.nullWords..<layout.fixedWords { words[index] = 0 }
    }

    /// Begins with what a row without objects has: its next version. Only slots that stand in their word may be set.
    package init(changing old: RowBlock, version: Int64, readAt: Double) {
        let (layout, count) = (old.layout, old.wordCount)
        self.layout = layout
        capacity = 0
        storage = RowBlock.Storage.create(minimumCapacity: count) { _ in
            RowHeader(layout: layout, key: old.key, version: version, readAt: readAt, wordCount: count)
        }
        words = storage.withUnsafeMutablePointerToElements { $0 }
        old.storage.withUnsafeMutablePointers { header, source in
            words.update(from: source, count: count)
            let store = header.pointee.referenceStore
            storage.withUnsafeMutablePointerToHeader { $0.pointee.referenceStore = store }
        }
    }

    package func setNull(_ slot: Int) {
        words[slot >> 6] |= 1 << UInt64(slot & 63)
        words[layout.nullWords + slot] = 0
        let entityWord = layout.entityWords[slot]
        if entityWord >= 0 { words[Int(entityWord)] = 0 }
    }

    @inlinable func markPresent(_ slot: Int) { words[slot >> 6] &= ~(1 << UInt64(slot & 63)) }

    @inlinable package func setInteger(_ slot: Int, _ value: Int64) {
        markPresent(slot)
        words[layout.nullWords + slot] = UInt64(bitPattern: value)
    }

    @inlinable package func setReal(_ slot: Int, _ value: Double) {
        markPresent(slot)
        words[layout.nullWords + slot] = value.bitPattern
    }

    /// `entity` is the concrete entity of the destination row.
    @inlinable package func setReference(_ slot: Int, primaryKey: Int64, entity: Int32) {
        setInteger(slot, primaryKey)
        let entityWord = layout.entityWords[slot]
        if entityWord >= 0 { words[Int(entityWord)] = UInt64(truncatingIfNeeded: entity) }
    }

    @inlinable package mutating func setBytes(_ slot: Int, _ bytes: UnsafeRawBufferPointer) {
        precondition(used + bytes.count <= capacity, "a row's variable values are longer than announced")
        markPresent(slot)
        words[layout.nullWords + slot] = UInt64(used) << 32 | UInt64(bytes.count)
        if let start = bytes.baseAddress, bytes.count > 0 {
            (UnsafeMutableRawPointer(words + layout.fixedWords) + used).copyMemory(from: start, byteCount: bytes.count)
        }
        used += bytes.count
    }

    @inlinable package mutating func setString(_ slot: Int, _ value: String) {
        var copy = value
        copy.withUTF8 { setBytes(slot, UnsafeRawBufferPointer($0)) }
    }

    package func setObject(_ slot: Int, _ object: OpaqueObject) {
        storage.withUnsafeMutablePointerToHeader { $0.pointee.objects = ($0.pointee.objects ?? [:]).merging([slot: object]) { $1 } }
    }

    @inlinable package func finish() -> RowBlock { RowBlock(storage: storage) }
}

extension RowBlock {
    /// A row made from values, one a slot. Transformables stay objects. Unstored slots are left null unless
    /// `keepsTransients` (rows that a parent context hands to its child).
    package static func make(
        layout: RowLayout, key: RowKey, version: Int64, values: ContiguousArray<AttributeValue>, readAt: Double = RowClock.now,
        keepsTransients: Bool = false
    ) -> RowBlock {
        var bytes = 0
        for slot in values.indices {
            switch values[slot] {
            case .string(let text): bytes += text.utf8.count
            case .data(let data): bytes += data.count
            case .uuid: bytes += 16
            case .decimal(let value): bytes += value.isNaN ? 3 : value.description.utf8.count
            default: break
            }
        }
        var writer = RowWriter(layout: layout, key: key, version: version, readAt: readAt, variableBytes: bytes)
        for slot in values.indices where keepsTransients || layout.isStored[slot] { writer.set(slot, values[slot]) }
        return writer.finish()
    }
}

extension RowWriter {
    /// Writes a value of the slot's kind; a value of another kind counts as null.
    package mutating func set(_ slot: Int, _ value: AttributeValue) {
        switch (layout.kinds[slot], value) {
        case (.integer, .integer(let value)), (.boolean, .integer(let value)): setInteger(slot, value)
        case (.double, .real(let value)), (.float, .real(let value)), (.date, .real(let value)): setReal(slot, value)
        case (.string, .string(let text)), (.uri, .string(let text)): setString(slot, text)
        case (.decimal, .decimal(let value)): setString(slot, value.isNaN ? "NaN" : value.description)
        case (.uuid, .uuid(let value)):
            withUnsafeBytes(of: value.uuid) { setBytes(slot, $0) }
        case (.data, .data(let data)), (.object, .data(let data)):
            data.withUnsafeBytes { setBytes(slot, $0) }
        case (.toOne, .reference(let key)):
            setReference(slot, primaryKey: key.primaryKey, entity: key.entity)
            // A row that a parent shows its child may be unsaved, and name saved ones.
            storage.withUnsafeMutablePointerToHeader { if $0.pointee.referenceStore == 0 { $0.pointee.referenceStore = key.store } }
        case (.data, .object(let object)):
            if let external = object.value as? ExternalData { setExternal(slot, external) }
        case (_, .object(let object)): setObject(slot, object)
        case (.composite, .composite): setObject(slot, OpaqueObject(CompositeBox(value)))
        default: break
        }
    }
}

/// Carries a composite attribute's value through a row's object table.
package final class CompositeBox: NSObject {
    package let value: AttributeValue

    package init(_ value: AttributeValue) { self.value = value }

    package override func isEqual(_ object: Any?) -> Bool { (object as? CompositeBox)?.value == value }
    package override var hash: Int { value.hashValue }
}
