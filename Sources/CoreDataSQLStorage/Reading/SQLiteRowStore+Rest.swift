import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

extension SQLiteRowStore {
    /// Rows for which the part of the predicate that SQL cannot say is true, by SQL's rules for nil.
    func filter(_ rows: [RowBlock], _ predicate: PredicateTree, on connection: SQLiteConnection) throws -> [RowBlock] {
        try rows.filter { row in
            do {
                return try PredicateEvaluation.evaluate(predicate, subject: StoredRow(row, store: self), rules: .sql)
            } catch let error as PredicateEvaluationError {
                throw StoreError.invalidRequest("\(error)")
            }
        }
    }
}

/// A stored row as something a predicate can be asked of.
///
/// Invariant: used under the store's lock, while its fetch runs.
final class StoredRow: PredicateSubject, PredicateReferent {
    private let key: RowKey
    private var known: RowBlock?
    private let store: SQLiteRowStore

    init(_ row: RowBlock, store: SQLiteRowStore) {
        key = row.key
        known = row
        self.store = store
    }

    private init(_ key: RowKey, store: SQLiteRowStore) {
        self.key = key
        self.store = store
    }

    var predicateKey: RowKey { key }
    var predicateText: String { RowReferent(key).predicateText }
    var predicateSubject: (any PredicateSubject)? { self }
    var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }

    func predicateValue(forKey name: String) throws -> PredicateValue {
        guard let row = try row() else { return .null }
        let entity = store.model.entities[Int(row.key.entity)]
        guard let property = entity.property(named: name) else {
            throw StoreError.invalidRequest("keypath \(name) not found in entity \(entity.name)")
        }
        if property.storage == .toMany {
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            let members = try store.relatedKeys(of: [row.key], through: reference).first ?? []
            return .list(members.map { .reference(PredicateReference(StoredRow($0, store: store))) })
        }
        guard property.isStored else {
            throw StoreError.invalidRequest("“\(entity.name).\(name)” is transient, so the store does not have it. Fetch without it and filter the result in memory.")
        }
        if property.storage == .toOne {
            return row.reference(property.slot).map { .reference(PredicateReference(StoredRow($0, store: store))) } ?? .null
        }
        return StoredRow.value(row.value(property.slot), kind: property.storage)
    }

    private func row() throws -> RowBlock? {
        if let known { return known }
        known = try store.rows(for: [key], staleAfter: -1).first
        return known
    }

    private static func value(_ value: AttributeValue, kind: StorageKind) -> PredicateValue {
        switch value {
        case .null, .composite, .reference: .null
        case .integer(let number): kind == .boolean ? .boolean(number != 0) : .integer(number)
        case .real(let number): kind == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .real(number)
        case .decimal(let number): .decimal(number)
        case .string(let text): kind == .uri ? URL(string: text).map(PredicateValue.url) ?? .string(text) : .string(text)
        case .uuid(let value): .uuid(value)
        case .data(let data): .data(data)
        case .object(let object): .object(object)
        }
    }
}
