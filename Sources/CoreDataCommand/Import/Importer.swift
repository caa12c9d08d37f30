import CoreDataGraph
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Reads rows into a store: all of them, or none.
///
/// Keys: rows of an export keep theirs, moved up by the highest key the table has already, so that references need no table of
/// names. Other data is read twice: first the names of its rows, then the rows.
final class Importer {
    struct Summary {
        var rows: [String: Int] = [:]
        /// Of them, rows that the store had.
        var updated = 0
        /// What the model forbids and an export holds all the same.
        var warnings: [String] = []
        var warningCount = 0
        var total: Int { rows.values.reduce(0, +) }
    }

    let session: StoreSession
    let source: any ImportSource
    /// Whether rows keep their keys: of the JSON that `coredata export` marks as its own.
    let isExport: Bool
    /// Whether what breaks the model's rules is taken all the same: of an export in any form.
    private let isTakenAsIs: Bool
    private let validates: Bool
    /// Whether rows that the data does not have are those of the store, named as `coredata fetch` prints them.
    private let takesExisting: Bool
    /// Whether a row whose unique values the store has already changes that row.
    private let updates: Bool
    /// With `updates`: the key of each row of the data, negative where the store has it.
    private var keys: [Int64] = []
    private var nextRow = 0
    private var matched: Set<RowKey> = []
    /// Entities of the data without a uniqueness constraint.
    private var unconstrained: Set<Int> = []
    private let progress: Progress
    private(set) var summary = Summary()
    private var plans: [String: EntityPlan] = [:]
    /// Highest key of each root entity before the import.
    private var base: [Int: Int64] = [:]
    private var next: [Int: Int64] = [:]
    /// Where the first rows stand that leave a required to-one to the other side; by root entity and key.
    private var unfilled: [RowKey: String] = [:]

    /// What belongs to an entity, looked up once.
    private final class EntityPlan {
        let entity: ResolvedEntity
        let defaults: ContiguousArray<AttributeValue>
        let validation: CompiledValidation
        var count = 0
        var updated = 0

        init(_ entity: ResolvedEntity, _ schema: ModelSchema) throws {
            self.entity = entity
            defaults = ContiguousArray(entity.properties.map { $0.isTransient ? .null : $0.attribute?.defaultValue ?? .null })
            validation = try CompiledValidation(entity, in: schema)
        }
    }

    init(_ session: StoreSession, _ source: any ImportSource, validates: Bool, takesExisting: Bool = false, updates: Bool = false, progress: Progress) throws {
        self.session = session
        self.source = source
        self.progress = progress
        self.validates = validates
        self.takesExisting = takesExisting
        self.updates = updates
        let isExport = try source.isExport()
        // A row that may be one of the store’s has a key of its own only if it is none.
        self.isExport = isExport && !updates
        isTakenAsIs = try isExport || source.hasForm { name in
            guard let entity = session.model.entity(named: name) else { return [] }
            return [false, true].map { all in ["$id"] + ExportPlan(entity, session, allRelationships: all).properties.map(\.name) }
        }
    }

    func run(keeps: Bool) throws -> Summary {
        try session.store.load { load in
            for entity in session.model.entities where entity.rootIndex == entity.index && session.store.schema.holds(entity.index) {
                base[entity.index] = try load.highestKey(of: entity.index)
            }
            if !isExport { try readNames(load) }
            next = base
            try source.rows { row in
                try insert(row, load)
                try progress.advance()
            }
            try checkConflicts(load)
            try load.finish()
            try checkLinks(load)
            return keeps
        }
        for (name, plan) in plans {
            summary.rows[name] = plan.count + plan.updated
            summary.updated += plan.updated
        }
        return summary
    }

    // MARK: Rows

    func refused(_ row: ImportRow, _ text: String) -> CommandFailure {
        CommandFailure(.refused, "\(source.place(row)): \(text)")
    }

    private func plan(_ row: ImportRow) throws -> EntityPlan {
        if let known = plans[row.entity] { return known }
        guard let entity = session.model.entity(named: row.entity) else {
            let advice = NearestName.advice(row.entity, among: session.model.entities.map(\.name))
            throw refused(row, "The model has no entity “\(row.entity)”. \(advice)")
        }
        if entity.isAbstract { throw refused(row, "“\(row.entity)” is abstract: its rows are of one of its subentities.") }
        guard session.store.schema.holds(entity.index) else { throw refused(row, "The store does not hold “\(row.entity)”.") }
        let plan = try EntityPlan(entity, session.model.schema)
        plans[row.entity] = plan
        return plan
    }

    private func name(of row: ImportRow) throws -> String? {
        switch row.members.first(where: { $0.key == "$id" })?.value {
        case nil, .null: return nil
        case .string(let text): return text
        case .number(let text): return text
        default: throw refused(row, "“$id” is neither text nor number.")
        }
    }

    private func readNames(_ load: RowLoad) throws {
        next = base
        try source.rows { row in
            let plan = try plan(row), entity = plan.entity
            let key = updates ? try knownKey(of: row, plan) : advance(entity)
            guard let name = try name(of: row) else { return }
            guard try load.name(name, root: entity.rootIndex, is: key) else {
                let other = try load.row(named: name, root: entity.rootIndex).map { session.model.entities[Int($0.entity)] } ?? entity
                throw refused(row, "There is a row “\(other.name)/\(name)” already: each “$id” stands once among an entity, its "
                    + "ancestors and its subentities.")
            }
        }
    }

    /// The key of a row in the first reading, noted for the second: by then rows may have changed what tells them.
    private func knownKey(of row: ImportRow, _ plan: EntityPlan) throws -> RowKey {
        let entity = plan.entity
        guard let stored = try storedRow(row, entity) else {
            if entity.uniquenessConstraints.isEmpty, unconstrained.insert(entity.index).inserted {
                warn("\(entity.name) has no uniqueness constraint that would tell which rows the store has: its rows are added.")
            }
            let key = advance(entity)
            keys.append(key.primaryKey)
            return key
        }
        guard Int(stored.entity) == entity.index else {
            throw refused(row, "The store’s row with these unique values is of \(session.model.entities[Int(stored.entity)].name), not of \(entity.name).")
        }
        guard matched.insert(stored).inserted else {
            throw refused(row, "Another row of the data has these unique values too: both would be \(entity.name)/\(stored.primaryKey) of the store.")
        }
        keys.append(-stored.primaryKey)
        return stored
    }

    private func advance(_ entity: ResolvedEntity) -> RowKey {
        let key = (next[entity.rootIndex] ?? 0) + 1
        next[entity.rootIndex] = key
        return RowKey(primaryKey: key, entity: Int32(entity.index), store: session.store.number)
    }

    private func key(of row: ImportRow, _ entity: ResolvedEntity) throws -> RowKey {
        if updates {
            nextRow += 1
            return RowKey(primaryKey: abs(keys[nextRow - 1]), entity: Int32(entity.index), store: session.store.number)
        }
        guard isExport else { return advance(entity) }
        guard let name = try name(of: row), let number = Int64(name), number > 0 else {
            throw refused(row, "A row of an export needs a number above 0 as its “$id”.")
        }
        return RowKey(primaryKey: (base[entity.rootIndex] ?? 0) + number, entity: Int32(entity.index), store: session.store.number)
    }

    private func insert(_ row: ImportRow, _ load: RowLoad) throws {
        let plan = try plan(row), entity = plan.entity
        let key = try key(of: row, entity), isUpdate = updates && keys[nextRow - 1] < 0
        let stored = isUpdate ? try session.store.rows(for: [key], staleAfter: -1).first : nil
        var values = stored.map { row in ContiguousArray((0..<plan.defaults.count).map(row.value)) } ?? plan.defaults
        var members: [(ResolvedProperty, [RowKey])] = [], given = SlotSet()
        for member in row.members where member.key != "$id" {
            guard let property = entity.property(named: member.key), isKept(property) else {
                throw unknown(member.key, entity, row)
            }
            if let attribute = property.attribute {
                values[property.slot] = try value(member.value, attribute, entity, row)
                if ValueReading.isRounded(member.value, attribute, session.model.schema) {
                    warn("\(source.place(row)): \(entity.name).\(attribute.name) \(member.value.line) is kept with 15 digits, as Core "
                        + "Data’s SQLite stores keep decimals.")
                }
            } else if property.storage == .toMany {
                members.append((property, try references(member.value, property, row, load)))
            } else if let other = try reference(member.value, property, row, load) {
                values[property.slot] = .reference(other)
                if !isExport, isOneToOne(property) { try load.pair(property, owner: key, member: other, line: row.mark) }
            } else {
                values[property.slot] = .null
            }
            if property.isStored, !property.isDerived { given.insert(property.slot) }
        }
        try check(values, members, plan, row)
        if let stored {
            try update(stored, given, values, entity, row, load)
            for (property, keys) in members where !keys.isEmpty { try load.link(property, owner: key, members: keys, line: row.mark) }
            plan.updated += 1
            return
        }
        if unfilled.count < 1000, entity.properties.contains(where: { $0.storage == .toOne && !$0.isOptional && values[$0.slot].isNull }) {
            unfilled[RowKey(primaryKey: key.primaryKey, entity: Int32(entity.rootIndex), store: key.store)] = source.place(row)
        }
        do { try load.insert(entity.index, key: key.primaryKey, values: values) } catch let error as BatchError {
            throw refused(row, ErrorText.text(of: error))
        } catch where isExport && "\(error)".contains("Z_PK") {
            throw refused(row, "There is another row “\(entity.name)/\(key.primaryKey - (base[entity.rootIndex] ?? 0))”.")
        }
        for (property, keys) in members where !keys.isEmpty { try load.link(property, owner: key, members: keys, line: row.mark) }
        plan.count += 1
    }

    func isOneToOne(_ property: ResolvedProperty) -> Bool {
        guard let inverse = property.relationship?.inverse else { return false }
        return session.model.entities[inverse.entity].properties[inverse.slot].storage == .toOne
    }

    private func isKept(_ property: ResolvedProperty) -> Bool {
        property.isStored || property.storage == .toMany && session.store.schema.link(property) != nil
    }

    private func unknown(_ key: String, _ entity: ResolvedEntity, _ row: ImportRow) -> CommandFailure {
        if entity.property(named: key) != nil { return refused(row, "\(entity.name).\(key) is not kept in stores: leave it out.") }
        let names = entity.properties.filter(isKept).map(\.name)
        return refused(row, "\(entity.name) has no property “\(key)”. \(NearestName.advice(key, among: names))")
    }

    func value(
        _ json: JSONValue, _ attribute: AttributeSchema, _ entity: ResolvedEntity, _ row: ImportRow
    ) throws -> AttributeValue {
        do { return try ValueReading.value(json, attribute, session.model.schema, asIs: isTakenAsIs) } catch {
            let text = json.line
            throw refused(row, "\(entity.name).\(attribute.name) \(text.count > 60 ? text.prefix(60) + "…" : text[...]) \(error.reason).")
        }
    }

    // MARK: References

    private func references(
        _ json: JSONValue, _ property: ResolvedProperty, _ row: ImportRow, _ load: RowLoad
    ) throws -> [RowKey] {
        var items: [JSONValue]
        switch json {
        case .null: return []
        case .array(let values): items = values
        case .string(let text) where text.hasPrefix("["):
            guard case .array(let values)? = try? ValueReading.object(text) else { throw refused(row, "“\(property.name)” is no JSON.") }
            items = values
        case .string(let text): items = text.split(separator: ";").map { .string($0.trimmingCharacters(in: .whitespaces)) }
        default: throw refused(row, "“\(property.name)” is to-many: give an array of rows.")
        }
        return try items.compactMap { try reference($0, property, row, load) }
    }

    /// `Entity/name`, the name alone for the relationship's own destination, or the URI of a row the store has.
    private func reference(
        _ json: JSONValue, _ property: ResolvedProperty, _ row: ImportRow, _ load: RowLoad
    ) throws -> RowKey? {
        let text: String
        switch json {
        case .null: return nil
        case .string(let value): text = value
        case .number(let value): text = value
        default: throw refused(row, "“\(property.name)” is a relationship: give a row as \"Entity/id\".")
        }
        let destination = session.model.entities[property.relationship?.destination ?? 0]
        if text.hasPrefix("x-coredata://") { return try stored(text, destination, property, row) }
        var entity = destination, name = text[...]
        if let slash = text.firstIndex(of: "/"), let named = session.model.entity(named: String(text[..<slash])) {
            (entity, name) = (named, text[text.index(after: slash)...])
        }
        let key: RowKey
        if isExport {
            guard let number = Int64(name), number > 0 else { throw refused(row, "“\(property.name)” is “\(text)”, which is no Entity/number.") }
            key = RowKey(
                primaryKey: (base[entity.rootIndex] ?? 0) + number, entity: Int32(entity.index), store: session.store.number)
        } else {
            guard let named = try load.row(named: String(name), root: entity.rootIndex)
                ?? (takesExisting ? existing(String(name), entity) : nil) else {
                throw refused(row, "“\(property.name)” leads to “\(text)”, a row the data does not have.\(try hint(String(name), entity))")
            }
            key = named
        }
        return try fitting(key, destination, property, text, row)
    }

    /// The row of the store with a key.
    private func existing(_ name: String, _ entity: ResolvedEntity) throws -> RowKey? {
        guard let number = Int64(name), number > 0 else { return nil }
        return try session.store.rows(for: [RowKey(primaryKey: number, entity: Int32(entity.index), store: session.store.number)], staleAfter: -1).first?.key
    }

    /// How a row that only the store has is named.
    private func hint(_ name: String, _ entity: ResolvedEntity) throws -> String {
        guard let row = try existing(name, entity) else { return "" }
        let found = session.model.entities[Int(row.entity)].name
        return " The store has one: say --existing if rows like this one are the store’s, or refer to it as "
            + "“x-coredata://\(session.store.metadata.identifier)/\(found)/p\(row.primaryKey)”."
    }

    private func stored(_ text: String, _ destination: ResolvedEntity, _ property: ResolvedProperty, _ row: ImportRow) throws -> RowKey {
        let parts = text.split(separator: "/")
        guard parts.count == 4, let entity = session.model.entity(named: String(parts[2])), let last = parts.last, last.hasPrefix("p"),
              let number = Int64(last.dropFirst()), parts[1] == session.store.metadata.identifier else {
            throw refused(row, "“\(property.name)” is “\(text)”, which is no row of this store.")
        }
        let key = RowKey(primaryKey: number, entity: Int32(entity.index), store: session.store.number)
        guard try !session.store.rows(for: [key], staleAfter: -1).isEmpty else {
            throw refused(row, "“\(property.name)” is “\(text)”, a row the store does not have.")
        }
        return try fitting(key, destination, property, text, row)
    }

    private func fitting(
        _ key: RowKey, _ destination: ResolvedEntity, _ property: ResolvedProperty, _ text: String, _ row: ImportRow
    ) throws -> RowKey {
        guard destination.includes(Int(key.entity)) else {
            throw refused(row, "“\(property.name)” leads to \(destination.name), and “\(text)” is of \(session.model.entities[Int(key.entity)].name).")
        }
        return key
    }

    // MARK: Checks

    private func check(
        _ values: ContiguousArray<AttributeValue>, _ members: [(ResolvedProperty, [RowKey])], _ plan: EntityPlan, _ row: ImportRow
    ) throws {
        if !validates || plan.validation.isTrivial { return }
        let failures = try Validation.failures(
            plan.validation,
            // A to-one may still be filled from the other side, and a to-many too: those are looked at in the end.
            isNull: { plan.entity.properties[$0].storage != .toOne && values[$0].isNull }, value: { values[$0] },
            count: { slot in
                members.first { $0.0.slot == slot }?.1.count ?? plan.entity.properties[slot].relationship?.schema.minCount ?? 0
            })
        for failure in failures { try problem(text(of: failure, plan.entity), at: row) }
    }

    private func text(of failure: ValidationFailure, _ entity: ResolvedEntity) -> String {
        let name = "\(entity.name).\(entity.properties[failure.slot].name)"
        switch failure.code {
        case 1570: return "\(name) must not be nil."
        case 1580, 1590: return "\(name) has too \(failure.code == 1580 ? "few" : "many") members."
        default:
            return failure.warning.map { "\(name): \($0)" }
                ?? "\(name) is \(failure.value.shortText), which breaks the rule \(failure.predicateFormat ?? "of the model")."
        }
    }

    /// An export is taken as it is, with a warning; other data is refused.
    private func problem(_ text: String, at row: ImportRow?) throws {
        let place = row.map { "\(source.place($0)): " } ?? ""
        guard isTakenAsIs else { throw CommandFailure(.refused, place + text) }
        warn(place + text)
    }

    private func warn(_ text: String) {
        summary.warningCount += 1
        if summary.warnings.count < 5 { summary.warnings.append(text) }
    }

    /// A row that two others claim, or that says itself that it belongs to another one, belongs to neither: no guess is made.
    private func checkConflicts(_ load: RowLoad) throws {
        guard let conflict = try load.conflict(from: base.mapValues { $0 + 1 }) else { return }
        let name = "\(conflict.property)", line = conflict.line.map { "\(source.place(ofMark: $0)): " } ?? ""
        let text = switch conflict.kind {
        case .claimedTwice(let other): "“\(name)” leads to a row that another row leads to as well\(other.map { " (\(source.files.count > 1 ? source.place(ofMark: $0) : "line \($0)"))" } ?? ""): it can belong to one only."
        case .contradicted: "“\(name)” leads to a row whose “\(conflict.inverse)” is another row: it can belong to one only."
        case .stored: "“\(name)” leads to a row of the store that belongs to another one. An import does not change what is there."
        }
        if isTakenAsIs { warn(line + text) } else { throw CommandFailure(.refused, line + text) }
    }

    private func checkLinks(_ load: RowLoad) throws {
        let first = base.mapValues { $0 + 1 }
        for stray in try load.strays(from: first) {
            try problem("\(stray.entity).\(stray.property): \(stray.count == 1 ? "1 row leads" : "\(stray.count) rows lead") to rows that are not there.", at: nil)
        }
        guard validates else { return }
        for empty in try load.emptyRequired(from: first) {
            let root = session.model.entity(named: empty.entity)?.rootIndex ?? 0
            let place = unfilled[RowKey(primaryKey: empty.firstKey, entity: Int32(root), store: session.store.number)]
            try problem((place.map { "\($0): " } ?? "") + "\(empty.entity).\(empty.property) must not be nil, and is in "
                + (empty.count == 1 ? "1 row." : "\(empty.count) rows."), at: nil)
        }
    }
}
