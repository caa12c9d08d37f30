import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

/// What is bound for a constant: the value as a type, or one of the ends of the texts that begin with it.
enum BoundForm {
    case value(ValueType), prefix, prefixEnd
}

/// Constants as the column beside them keeps values: dates as seconds, UUIDs as bytes, URLs as text, Booleans as 0 and 1.
extension SelectCompiler {
    func form(_ value: PredicateValue, as form: BoundForm) throws -> SQLValue? {
        switch form {
        case .value(let type): try convert(value, to: type)
        case .prefix: prefix(value).map(SQLValue.text)
        case .prefixEnd: prefix(value).map(SelectCompiler.prefixEnd)
        }
    }

    func bound(_ value: PredicateValue, as type: ValueType) throws -> SQLFragment {
        boundForms.append(.value(type))
        return .value(try convert(value, to: type))
    }

    /// A text that reads as a number counts as that number beside a numeric column (PR44); any other mismatch is refused,
    /// because SQLite would answer it by an accident of type order.
    func convert(_ value: PredicateValue, to type: ValueType) throws -> SQLValue {
        if case .null = value { return .null }
        let converted: SQLValue? = switch type {
        case .any: natural(value)
        case .integer, .boolean, .real, .decimal: number(value)
        case .date: date(value)
        case .text, .url: text(value)
        case .uuid: uuid(value)
        case .data: data(value)
        case .entity: entityNumber(value)
        case .reference(let entity): .integer(try key(value, entity: entity))
        case .opaque: data(value)
        case .external: nil
        }
        guard let converted else {
            if type == .any, case .reference = value { throw SQLCannotSay(what: "objects without a relationship beside them") }
            if type == .external { throw SQLCannotSay(what: "a comparison with data that may be in a file") }
            if type == .opaque { throw SQLCannotSay(what: "a comparison with a transformable value") }
            throw StoreError.invalidRequest("The predicate compares \(type.name) with \(value.kind) (\(describe(value))). Use a value of the attribute's type.")
        }
        return converted
    }

    private func describe(_ value: PredicateValue) -> String {
        if case .string(let text) = value { return "“\(text)”" }
        return PredicatePrinter.text(of: .constant(value))
    }

    private func natural(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .null: .null
        case .boolean(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .decimal(let number): decimal(number)
        case .string(let text): .text(text)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        case .data(let data): .blob([UInt8](data))
        case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
        case .url(let url): .text(url.absoluteString)
        case .reference, .list, .object: nil
        }
    }

    private func number(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .boolean, .integer, .real, .decimal: natural(value)
        case .string(let text):
            if let number = Int64(text) { .integer(number) } else { Double(text).map(SQLValue.real) }
        case .date, .data, .uuid, .url, .reference, .list, .object, .null: nil
        }
    }

    /// A whole number stays one; others are bound as the text SQLite turns into the number the column holds.
    private func decimal(_ value: Decimal) -> SQLValue {
        if value.isNaN { return .text("NaN") }
        if let whole = Int64(value.description) { return .integer(whole) }
        return .real(NumberOrdering.double(value))
    }

    private func date(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        // CAST(…, "NSDate") and arithmetic leave seconds since 2001.
        case .integer, .real, .decimal: number(value)
        default: nil
        }
    }

    func text(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .string(let text): .text(text)
        case .url(let url): .text(url.absoluteString)
        case .uuid(let uuid): .text(uuid.uuidString)
        case .boolean(let flag): .text(flag ? "1" : "0")
        case .integer(let number): .text(String(number))
        case .real(let number): .text(Int64(exactly: number).map(String.init) ?? String(number))
        case .decimal(let number): .text(number.description)
        case .date, .data, .reference, .list, .object, .null: nil
        }
    }

    private func uuid(_ value: PredicateValue) -> SQLValue? {
        switch value {
        case .uuid: natural(value)
        case .string(let text): UUID(uuidString: text).flatMap { natural(.uuid($0)) }
        case .data(let data) where data.count == 16: natural(value)
        default: nil
        }
    }

    /// No row has the number of an entity this store does not know.
    private func entityNumber(_ value: PredicateValue) -> SQLValue? {
        guard case .string(let name) = value else { return nil }
        return .integer(model.indexByName[name].map { schema.entityNumbers[$0] } ?? -1)
    }

    private func data(_ value: PredicateValue) -> SQLValue? {
        if case .data = value { natural(value) } else { nil }
    }

    /// Temporary keys are negative and keys of other stores or tables become -1: they match no row, and `NOT` of them
    /// matches all.
    private func key(_ value: PredicateValue, entity: Int) throws -> Int64 {
        guard case .reference(let reference) = value else {
            throw StoreError.invalidRequest("The predicate compares a relationship or SELF with \(value.kind); use an object or an object ID.")
        }
        let key = reference.key
        guard key.store == 0 || key.store == storeNumber, model.entities.indices.contains(Int(key.entity)),
              model.entities[Int(key.entity)].rootIndex == model.entities[entity].rootIndex
        else { return -1 }
        return key.primaryKey
    }
}
