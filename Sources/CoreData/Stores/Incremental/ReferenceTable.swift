import CoreDataSchema
import CoreDataStorage

/// The references a store of the program's own gave its records, and the numbers the engine knows them by.
///
/// Invariant: one number an entity and reference text; numbers are never used twice.
final class ReferenceTable: Sendable {
    private struct Name: Hashable {
        var entity: Int
        var text: String
    }

    private struct State {
        var numbers: [Name: Int64] = [:]
        var texts: [Int64: String] = [:]
        /// Unchecked: references are strings and numbers, or whatever immutable value the store's author chose; the table only
        /// hands them back to that store.
        nonisolated(unsafe) var references: [Int64: Any] = [:]
    }

    private let number: Int32
    private let state = LockedValue(State())

    init(store number: Int32) { self.number = number }

    func key(for reference: Any, entity: Int) -> RowKey {
        // Taken in unchecked: see `State.references`.
        nonisolated(unsafe) let reference = reference
        return RowKey(primaryKey: number(of: "\(reference)", entity) { reference }, entity: Int32(entity), store: number)
    }

    /// The number of a reference known by its text alone, such as one from a URI: digits are taken for a number.
    func key(forText text: String, entity: Int) -> Int64 {
        number(of: text, entity) {
            if let number = Int64(text), String(number) == text { return NSNumber(value: number) }
            return text
        }
    }

    func reference(of number: Int64) -> Any? {
        nonisolated(unsafe) let found = state.withLock { state -> Any? in state.references[number] }
        return found
    }

    func text(of number: Int64) -> String? { state.withLock { $0.texts[number] } }

    private func number(of text: String, _ entity: Int, _ reference: () -> Any) -> Int64 {
        state.withLock { state in
            let name = Name(entity: entity, text: text)
            if let known = state.numbers[name] { return known }
            let new = Int64(state.texts.count + 1)
            state.numbers[name] = new
            state.texts[new] = text
            state.references[new] = reference()
            return new
        }
    }
}
