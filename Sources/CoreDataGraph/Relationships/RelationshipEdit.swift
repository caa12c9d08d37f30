import CoreDataSchema

/// One change of one relationship of one object, made to keep an inverse true.
package struct RelationshipEdit: Sendable, Hashable {
    package var object: RowKey
    package var slot: Int
    package var change: Change

    package enum Change: Sendable, Hashable {
        /// A to-one's new value.
        case set(RowKey?)
        /// A to-many's new member.
        case add(RowKey)
        /// A to-many's former member.
        case remove(RowKey)
    }

    package init(object: RowKey, slot: Int, change: Change) {
        self.object = object
        self.slot = slot
        self.change = change
    }
}
