import CoreDataSchema

/// Where rows' relationships lead while predicates are evaluated on stored rows.
///
/// Invariant: answers stay the same for the resolver's life: it reads one snapshot or one transaction.
package final class RowResolver {
    package let model: ResolvedModel
    /// The row of a key; nil when there is none.
    let row: (RowKey) throws -> RowBlock?
    /// Members of a to-many in order.
    let members: (RowKey, PropertyReference) throws -> [RowKey]

    package init(
        model: ResolvedModel, row: @escaping (RowKey) throws -> RowBlock?,
        members: @escaping (RowKey, PropertyReference) throws -> [RowKey]
    ) {
        self.model = model
        self.row = row
        self.members = members
    }
}
