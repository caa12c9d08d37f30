/// Names one row of one store: the concrete entity, the primary key, and the coordinator's number of the store.
///
/// Invariant: a negative `primaryKey` is temporary, unique in the process, and never reaches a store's file.
package struct RowKey: Hashable, Sendable {
    package var primaryKey: Int64
    /// Index of the concrete entity in `ResolvedModel.entities`.
    package var entity: Int32
    /// 0 while no store is chosen.
    package var store: Int32

    @inlinable package init(primaryKey: Int64, entity: Int32, store: Int32 = 0) {
        self.primaryKey = primaryKey
        self.entity = entity
        self.store = store
    }

    @inlinable package var isTemporary: Bool { primaryKey < 0 }

    @inlinable package func hash(into hasher: inout Hasher) {
        hasher.combine(primaryKey)
        hasher.combine(UInt64(UInt32(bitPattern: entity)) << 32 | UInt64(UInt32(bitPattern: store)))
    }

    /// What sets and dictionaries ask for. Keys are the store's own numbers, not somebody's input: mixing them well is enough, and
    /// costs a tenth of the hasher.
    @inlinable package func _rawHashValue(seed: Int) -> Int {
        var mixed = UInt64(bitPattern: primaryKey) ^ UInt64(UInt(bitPattern: seed))
        mixed = (mixed ^ UInt64(UInt32(bitPattern: entity)) << 40 ^ UInt64(UInt32(bitPattern: store)) << 56) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 32) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
    }
}
