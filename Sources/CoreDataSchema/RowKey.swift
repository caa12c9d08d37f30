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
}
