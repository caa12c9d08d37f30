import CoreDataSchema

/// Where a store leaves the members of the to-many relationships it prefetched: the row cache has no place for them.
package final class PrefetchCollector: Sendable {
    /// `members` is parallel to `owners`.
    package struct Part: Sendable {
        package let relationship: PropertyReference
        package let owners: [RowKey]
        package let members: [[RowKey]]
    }

    private let parts = LockedValue<[Part]>([])

    package init() {}

    package func add(_ relationship: PropertyReference, owners: [RowKey], members: [[RowKey]]) {
        parts.withLock { $0.append(Part(relationship: relationship, owners: owners, members: members)) }
    }

    package func take() -> [Part] {
        parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
    }
}
