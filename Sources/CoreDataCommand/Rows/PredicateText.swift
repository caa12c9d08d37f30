import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Reads a predicate from the command line.
///
/// The format language has no literals for dates, UUIDs and rows: a text compared with an attribute of such a type, with a
/// relationship or with SELF is read as one. `$id` is SELF, and a number beside it the row's key.
struct PredicateText {
    /// What a text beside an expression may stand for.
    private enum Meaning {
        case value(AttributeType)
        case row(ResolvedEntity)
    }

    private let session: StoreSession
    private var model: ResolvedModel { session.model }

    static func read(_ text: String, _ entity: ResolvedEntity, _ session: StoreSession) throws -> PredicateTree {
        let tree: PredicateTree
        do { tree = try PredicateFormat.parse(text) } catch { throw CommandFailure(.usage, error.description) }
        return try PredicateText(session: session).typed(try tree.flattened(), entity)
    }

    private func typed(_ tree: PredicateTree, _ entity: ResolvedEntity) throws -> PredicateTree {
        switch tree {
        case .and(let parts): return .and(try parts.map { try typed($0, entity) })
        case .or(let parts): return .or(try parts.map { try typed($0, entity) })
        case .not(let part): return .not(try typed(part, entity))
        case .comparison(var comparison):
            if case .variable("id") = comparison.left { comparison.left = .evaluatedObject }
            if case .variable("id") = comparison.right { comparison.right = .evaluatedObject }
            if let meaning = meaning(beside: comparison.left, entity) {
                comparison.right = try typed(comparison.right, meaning)
            } else if let meaning = meaning(beside: comparison.right, entity) {
                comparison.left = try typed(comparison.left, meaning)
            }
            return .comparison(comparison)
        case .constant, .block: return tree
        }
    }

    /// Of what stands beside a key path or SELF.
    private func meaning(beside expression: ExpressionTree, _ entity: ResolvedEntity) -> Meaning? {
        if case .evaluatedObject = expression { return .row(entity) }
        guard case .keyPath(.evaluatedObject, let keys) = expression else { return nil }
        var current = entity
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if isLast, ["self", "SELF", "objectID"].contains(key) { return .row(current) }
            guard let property = current.property(named: key) else { return nil }
            if isLast, let type = property.attribute?.type { return .value(type) }
            guard let relationship = property.relationship else { return nil }
            current = model.entities[relationship.destination]
        }
        return .row(current)
    }

    private func typed(_ expression: ExpressionTree, _ meaning: Meaning) throws -> ExpressionTree {
        switch expression {
        case .aggregate(let parts): return .aggregate(try parts.map { try typed($0, meaning) })
        case .constant(.list(let values, let isOrdered)):
            return .constant(.list(try values.map { try typed($0, meaning) }, isOrdered: isOrdered))
        case .constant(let value): return .constant(try typed(value, meaning))
        default: return expression
        }
    }

    private func typed(_ value: PredicateValue, _ meaning: Meaning) throws -> PredicateValue {
        switch (value, meaning) {
        case (.string(let text), .value(.date)): DateText.seconds(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? value
        case (.string(let text), .value(.uuid)): UUID(uuidString: text).map(PredicateValue.uuid) ?? value
        case (.string(let text), .row(let entity)): try row(text, entity)
        case (.integer(let key), .row(let entity)): reference(key, entity)
        default: value
        }
    }

    private func reference(_ key: Int64, _ entity: ResolvedEntity) -> PredicateValue {
        .reference(PredicateReference(RowReferent(RowKey(primaryKey: key, entity: Int32(entity.index), store: session.store.number))))
    }

    /// `Entity/key`, or the URI of a row of this store.
    private func row(_ text: String, _ entity: ResolvedEntity) throws -> PredicateValue {
        var parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.count == 5, parts[0] == "x-coredata:" {
            guard parts[2] == session.store.metadata.identifier else {
                throw CommandFailure(.usage, "“\(text)” is a row of another store: this one’s identifier is \(session.store.metadata.identifier).")
            }
            parts = [parts[3], parts[4].hasPrefix("p") ? String(parts[4].dropFirst()) : parts[4]]
        }
        guard parts.count == 2, let key = Int64(parts[1]) else {
            throw CommandFailure(.usage, "“\(text)” is no row: write it as “\(entity.name)/6”, as fetch prints it, or as x-coredata://….")
        }
        let named = try EntityName.find(parts[0], in: model)
        guard named.rootIndex == entity.rootIndex else {
            throw CommandFailure(.usage, "“\(text)” can never be there: that place is for rows of \(entity.name).")
        }
        return reference(key, named)
    }
}
