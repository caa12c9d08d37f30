import CoreDataSchema
import Foundation

extension Evaluator {
    func value(of keys: ArraySlice<String>, from subject: any PredicateSubject) throws -> PredicateValue {
        guard let key = keys.first else { return subject.predicateSelf }
        if let start = collectionOperator(in: keys) {
            // What is counted or summed up counts as often as it is reached.
            if asksEach { return try asked(false).value(of: keys, from: subject) }
            let collection = start == keys.startIndex ? subject.predicateSelf : try value(of: keys[..<start], from: subject)
            return try apply(keys[start...], to: collection)
        }
        let value = try subject.predicateValue(forKey: key)
        if keys.count == 1 { return value }
        // SQL's join finds no members behind a broken link, where key-value coding finds nil.
        if rules == .sql, value.isNull, subject.predicateLeadsToMany(keys) { return .list([]) }
        return try self.value(of: keys.dropFirst(), from: value)
    }

    /// Walks the keys: nil stays nil, a collection is mapped over and flattened. A collection operator is about the whole
    /// flattened collection before it.
    func value(of keys: ArraySlice<String>, from value: PredicateValue) throws -> PredicateValue {
        guard let key = keys.first else { return value }
        if let start = collectionOperator(in: keys) {
            if asksEach { return try asked(false).value(of: keys, from: value) }
            return try apply(keys[start...], to: self.value(of: keys[..<start], from: value))
        }
        switch value {
        case .null: return .null
        case .list(let elements, let isOrdered): return .list(try mapped(elements, keys), isOrdered: isOrdered)
        case .reference(let reference):
            guard let subject = reference.referent.predicateSubject else { return .null }
            return try self.value(of: keys, from: subject)
        case .object(let object):
            return try self.value(of: keys, from: PredicateSubjects.subject(of: object.value))
        default: break
        }
        guard let inner = ValueKeys.value(forKey: key, of: value) else {
            throw PredicateEvaluationError.noSuchKey(key, kind: value.kind)
        }
        return try self.value(of: keys.dropFirst(), from: inner)
    }

    private func collectionOperator(in keys: ArraySlice<String>) -> Int? {
        keys.firstIndex { $0.utf8.first == UInt8(ascii: "@") }
    }

    /// A nil link on the way drops out, as an inner join drops it; a nil at the path's end is a value of its own.
    private func mapped(_ elements: [PredicateValue], _ keys: ArraySlice<String>) throws -> [PredicateValue] {
        guard let key = keys.first else { return elements }
        var values: [PredicateValue] = []
        values.reserveCapacity(elements.count)
        for element in elements where !element.isNull {
            let value = try value(of: [key][...], from: element)
            if case .list(let inner, _) = value { values += inner } else { values.append(value) }
        }
        return try mapped(asksEach ? Self.distinctObjects(values) : values, keys.dropFirst())
    }

    /// Each object once, in the order they came: paths that lead around in circles would reach it ever more often.
    private static func distinctObjects(_ values: [PredicateValue]) -> [PredicateValue] {
        guard values.count > 1 else { return values }
        var seen = Set<RowKey>(minimumCapacity: values.count)
        return values.filter { value in
            guard case .reference(let reference) = value, reference.key.entity >= 0 else { return true }
            return seen.insert(reference.key).inserted
        }
    }

    /// `@operator.path…`: the path, up to another operator, is taken from each element first.
    private func apply(_ keys: ArraySlice<String>, to value: PredicateValue) throws -> PredicateValue {
        guard let name = keys.first else { return value }
        var isOrdered = true
        let elements: [PredicateValue]
        switch value {
        case .list(let list, let order): (elements, isOrdered) = (list, order)
        // A broken link leads to no elements for SQL, and to nil in memory.
        case .null: if rules == .memory { return .null } else { elements = [] }
        default: throw PredicateEvaluationError.notACollection(operation: name, kind: value.kind)
        }
        let rest = keys.dropFirst()
        if name == "@count" { return try self.value(of: rest, from: .integer(Int64(elements.count { !$0.isNull }))) }
        let next = collectionOperator(in: rest) ?? rest.endIndex
        let result = try CollectionOperators.apply(name, to: mapped(elements, rest[..<next]), isOrdered: isOrdered)
        return try self.value(of: rest[next...], from: result)
    }
}
