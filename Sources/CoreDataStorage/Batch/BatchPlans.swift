import CoreDataPredicate
import CoreDataSchema

/// What a batch should answer: keys cost memory for each row, the others do not.
package enum BatchAnswer: Sendable { case status, count, keys }

/// What a store did for a batch. `keys` is filled only when it was asked for.
package struct BatchReceipt: Sendable {
    package var count = 0
    package var keys: [RowKey] = []

    package init(count: Int = 0, keys: [RowKey] = []) {
        self.count = count
        self.keys = keys
    }
}

/// What becomes of a new row whose unique values a stored row has already.
package enum BatchUniqueness: Sendable {
    /// The whole batch fails.
    case fail
    /// The stored row stays as it is; the new one is left out.
    case keepStored
    /// The new values go into the stored row, which keeps its key.
    case overwrite
}

/// New rows of one entity, which a `BatchRowSource` gives one after the other.
package struct BatchInsertPlan: Sendable {
    /// A concrete entity.
    package var entity: Int
    package var uniqueness = BatchUniqueness.fail
    package var answer = BatchAnswer.status
    /// Values a slot has when a row does not give it.
    package var defaults: ContiguousArray<AttributeValue>
    /// An overwritten row takes every slot of the new one, given or not (UC10).
    package var overwritesEverything = false

    package init(entity: Int, defaults: ContiguousArray<AttributeValue>) {
        self.entity = entity
        self.defaults = defaults
    }
}

/// New values for the rows of an entity that a predicate finds.
package struct BatchUpdatePlan: Sendable {
    package var entity: Int
    package var includesSubentities = true
    package var predicate: PredicateTree?
    /// One an attribute or to-one; never empty.
    package var assignments: [BatchAssignment]
    package var answer = BatchAnswer.status

    package init(entity: Int, assignments: [BatchAssignment]) {
        self.entity = entity
        self.assignments = assignments
    }

    /// The rows as a fetch of their keys.
    package var selection: FetchPlan {
        var plan = FetchPlan(entity: entity)
        plan.includesSubentities = includesSubentities
        plan.predicate = predicate
        plan.result = .keys
        return plan
    }
}

package struct BatchAssignment: Sendable {
    package var slot: Int
    package var value: Value

    package enum Value: Sendable {
        case constant(AttributeValue)
        /// Worked out for each row from its old values.
        case expression(ExpressionTree)
    }

    package init(slot: Int, value: Value) {
        self.slot = slot
        self.value = value
    }
}

/// Rows to delete. Delete rules are applied; what depends on objects (deny, validation) is not asked.
package struct BatchDeletePlan: Sendable {
    package var selection: Selection
    package var answer = BatchAnswer.status

    package enum Selection: Sendable {
        /// What a fetch of keys finds, order and window included.
        case fetch(FetchPlan)
        /// Rows by key, all of one root entity; keys without a row are passed over.
        case keys([RowKey])
    }

    package init(_ selection: Selection) { self.selection = selection }
}

/// Gives the rows of a batch insert, so that no two need be in memory together.
package protocol BatchRowSource: AnyObject {
    /// Fills the next row, which comes reset; false when there are no more.
    func next(_ row: BatchRow) throws -> Bool
}

/// One row on its way into a store, used again for each.
///
/// Invariant: a slot that is not in `given` has its default.
package final class BatchRow {
    // Unchecked exclusivity: source and store take turns on one thread, and no access spans a call out.
    @exclusivity(unchecked) package private(set) var values: ContiguousArray<AttributeValue>
    @exclusivity(unchecked) package private(set) var given = SlotSet()
    /// Counted from 1, for error messages.
    package private(set) var number = 0
    private let defaults: ContiguousArray<AttributeValue>

    package init(defaults: ContiguousArray<AttributeValue>) {
        self.defaults = defaults
        values = ContiguousArray(defaults.map { $0 })
    }

    package func reset() {
        given.forEach { values[$0] = defaults[$0] }
        given.removeAll()
        number += 1
    }

    /// The values, for as long as the caller wants; the row begins anew with the defaults.
    package func take() -> ContiguousArray<AttributeValue> {
        let taken = values
        values = defaults
        given.removeAll()
        return taken
    }

    @inline(__always)
    package func set(_ slot: Int, _ value: AttributeValue) {
        values[slot] = value
        given.insert(slot)
    }
}
