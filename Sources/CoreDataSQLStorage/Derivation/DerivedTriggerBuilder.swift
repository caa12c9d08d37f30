import CoreDataSchema
import CoreDataStorage

/// Writes the triggers of derived attributes: for counts letter by letter as they stand in files of Apple's (FORMAT §7), for
/// everything else in words of our own.
///
/// Counts and sums of integers go up and down by what changes; sums of other numbers are taken anew, for rounding errors must
/// not pile up.
struct DerivedTriggerBuilder {
    let schema: StoreSchema
    let derivation: Derivation
    private let entity: ResolvedEntity
    private let name: String
    private let table: String
    private let column: String
    private let form: DerivedFunction?
    private var triggers: [DerivedTrigger] = []

    static func columns(_ derivations: [Derivation], schema: StoreSchema) -> [DerivedColumn] {
        derivations.compactMap { derivation in
            guard var builder = DerivedTriggerBuilder(derivation, schema: schema) else { return nil }
            builder.build()
            return DerivedColumn(
                table: builder.table, entityName: builder.entity.name, attributeName: builder.name, form: builder.form,
                triggers: builder.triggers)
        }
    }

    private init?(_ derivation: Derivation, schema: StoreSchema) {
        let entity = schema.model.entities[derivation.attribute.entity]
        guard let table = schema.table(of: entity.index), let column = schema.columns[derivation.attribute] else { return nil }
        self.schema = schema
        self.derivation = derivation
        self.entity = entity
        name = entity.properties[derivation.attribute.slot].name
        self.table = table.name
        self.column = column.name
        form = switch derivation.source {
        case .value(_, _, let form): form.map(DerivedFunction.form)
        case .now: .now
        case .count, .sum: nil
        }
    }

    private mutating func build() {
        switch derivation.source {
        case .now: addNow()
        case .value(let path, let attribute, _): addValue(path, attribute)
        case .count(let relationship): addAggregate(relationship, summed: nil)
        case .sum(let relationship, let attribute): addAggregate(relationship, summed: attribute)
        }
    }

    // MARK: parts

    /// Keeps a subentity's attribute to its rows.
    private var only: String {
        if entity.superIndex == nil { return "" }
        let numbers = (entity.index...entity.lastDescendant).filter(schema.holds).map { String(schema.entityNumbers[$0]) }
        return " AND Z_ENT IN (\(numbers.joined(separator: ", ")))"
    }

    private mutating func add(
        _ event: String, on other: String, of columns: [String] = [], as suffix: String, when condition: String? = nil, set value: String,
        where rows: String
    ) {
        let kind = event == "INSERT" && other == table ? "Insert" : ""
        let columns = columns.isEmpty ? "" : " OF \(columns.joined(separator: ", "))"
        let condition = condition.map { " WHEN (\($0) NOT NULL)" } ?? ""
        let rows = "WHERE \(rows)\(only)"
        let told = "NSCoreDataDATrigger\(kind)UpdatedAffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(name)', \(column))"
        var trigger = DerivedTrigger(
            name: "Z_DA_\(other)_\(entity.name)_\(name)_\(suffix)",
            body: "AFTER \(event)\(columns) ON \(other) FOR EACH ROW\(condition) BEGIN UPDATE \(table) SET \(column) = \(value) \(rows); "
                + "SELECT \(told) FROM \(table) \(rows); END")
        if case .form = form { trigger.isOurs = true }
        triggers.append(trigger)
    }

    private func column(_ reference: PropertyReference) -> String { schema.columns[reference]?.name ?? "" }
    private func table(of entity: Int) -> String { schema.table(of: entity)?.name ?? "" }

    // MARK: the row's own values

    private mutating func addNow() {
        add("INSERT", on: table, as: "INSERT", set: "NSCoreDataNow()", where: "Z_PK = NEW.Z_PK")
        add("UPDATE", on: table, of: ["Z_OPT"], as: "UPDATE", set: "NSCoreDataNow()", where: "Z_PK = NEW.Z_PK")
    }

    private func formed(_ value: String) -> String {
        if case .form = form, let form { return "\(form.name)(\(value))" }
        return value
    }

    /// A value at the end of to-one relationships. Whatever changes on the way, the rows concerned look it up anew.
    private mutating func addValue(_ path: [PropertyReference], _ attribute: PropertyReference) {
        let value = column(attribute)
        guard !path.isEmpty else {
            add("INSERT", on: table, as: "INSERT", set: formed(value), where: "Z_PK = NEW.Z_PK")
            add("UPDATE", on: table, of: [value], as: "UPDATE", set: formed(value), where: "Z_PK = NEW.Z_PK")
            return
        }
        let keys = path.map(column)
        let tables = path.map { reference in
            table(of: schema.model.entities[reference.entity].properties[reference.slot].relationship?.destination ?? -1)
        }
        let current = formed(lookUp(value, keys, tables))
        add("INSERT", on: table, as: "SOURCE_INSERT", set: current, where: "Z_PK = NEW.Z_PK")
        add("UPDATE", on: table, of: [keys[0]], as: "SOURCE_UPDATE", set: current, where: "Z_PK = NEW.Z_PK")
        for (hop, destination) in tables.enumerated() {
            let part = hop == 0 ? "PARAMETER" : "PARAMETER\(hop + 1)"
            let next = hop + 1 < keys.count ? keys[hop + 1] : value
            let lookers = lookers(from: 0, to: hop, keys, tables)
            add("INSERT", on: destination, as: "\(part)_INSERT", set: current, where: lookers)
            add("UPDATE", on: destination, of: [next], as: "\(part)_UPDATE", set: current, where: lookers)
        }
    }

    /// The value a row of the attribute's own table sees. The tables on the way are named, for one may be that table itself.
    private func lookUp(_ value: String, _ keys: [String], _ tables: [String]) -> String {
        let joins = tables.indices.dropFirst().map { " JOIN \(tables[$0]) d\($0) ON d\($0).Z_PK = d\($0 - 1).\(keys[$0])" }.joined()
        return "(SELECT d\(tables.count - 1).\(value) FROM \(tables[0]) d0\(joins) WHERE d0.Z_PK = \(table).\(keys[0]))"
    }

    /// The rows whose path leads, `hop` steps on, to the row that changes.
    private func lookers(from step: Int, to hop: Int, _ keys: [String], _ tables: [String]) -> String {
        if step == hop { return "\(keys[step]) = NEW.Z_PK" }
        return "\(keys[step]) IN (SELECT Z_PK FROM \(tables[step]) WHERE \(lookers(from: step + 1, to: hop, keys, tables)))"
    }

    // MARK: members of to-many relationships

    private mutating func addAggregate(_ relationship: PropertyReference, summed: PropertyReference?) {
        guard let link = schema.links[relationship] else { return }
        let destination = schema.model.entities[relationship.entity].properties[relationship.slot].relationship?.destination ?? -1
        let members = table(of: destination)
        switch link {
        case .column(let members, let key, _, _):
            guard let summed else { return addCount(in: members, owner: key) }
            addSum(of: summed, in: members, owner: key)
        case .join(let side):
            guard let summed else { return addCount(in: side.table, owner: side.ownerColumn) }
            addSum(of: summed, in: members, through: side)
        }
    }

    /// Rows of `members` that name an owner: those of a to-one's column, or of a join table.
    private mutating func addCount(in members: String, owner: String) {
        add("INSERT", on: members, as: "PARAMETER_INSERT", when: "NEW.\(owner)", set: "IFNULL(\(column), 0) + 1", where: "Z_PK = NEW.\(owner)")
        add("UPDATE", on: members, of: [owner], as: "PARAMETER_UPDATE_INCREMENT", when: "NEW.\(owner)", set: "\(column) + 1", where: "Z_PK = NEW.\(owner)")
        add("UPDATE", on: members, of: [owner], as: "PARAMETER_UPDATE_DECREMENT", when: "OLD.\(owner)", set: "\(column) - 1", where: "Z_PK = OLD.\(owner)")
        add("DELETE", on: members, as: "PARAMETER_DELETE", when: "OLD.\(owner)", set: "\(column) - 1", where: "Z_PK = OLD.\(owner)")
        add(
            "INSERT", on: table, as: "SOURCE_INSERT", set: "(SELECT IFNULL(COUNT(\(owner)), 0) FROM \(members) WHERE \(owner) = NEW.Z_PK)",
            where: "Z_PK = NEW.Z_PK")
    }

    private func isExact(_ attribute: PropertyReference) -> Bool {
        let kinds = [attribute, derivation.attribute].map { schema.model.entities[$0.entity].properties[$0.slot].storage }
        return kinds.allSatisfy { $0 == .integer || $0 == .boolean }
    }

    private mutating func addSum(of attribute: PropertyReference, in members: String, owner: String) {
        let value = column(attribute)
        func whole(_ key: String) -> String { "(SELECT IFNULL(SUM(\(value)), 0) FROM \(members) WHERE \(owner) = \(key))" }
        let isExact = isExact(attribute)
        func more(_ sign: String, _ row: String) -> String {
            isExact ? "IFNULL(\(column), 0) \(sign) IFNULL(\(row).\(value), 0)" : whole("\(row).\(owner)")
        }
        add("INSERT", on: members, as: "PARAMETER_INSERT", when: "NEW.\(owner)", set: more("+", "NEW"), where: "Z_PK = NEW.\(owner)")
        add("UPDATE", on: members, of: [owner, value], as: "PARAMETER_UPDATE_INCREMENT", when: "NEW.\(owner)", set: more("+", "NEW"), where: "Z_PK = NEW.\(owner)")
        add("UPDATE", on: members, of: [owner, value], as: "PARAMETER_UPDATE_DECREMENT", when: "OLD.\(owner)", set: more("-", "OLD"), where: "Z_PK = OLD.\(owner)")
        add("DELETE", on: members, as: "PARAMETER_DELETE", when: "OLD.\(owner)", set: more("-", "OLD"), where: "Z_PK = OLD.\(owner)")
        add("INSERT", on: table, as: "SOURCE_INSERT", set: whole("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK")
    }

    /// Many-to-many: a pair says which row joins or leaves, the members' table when a value changes.
    private mutating func addSum(of attribute: PropertyReference, in members: String, through side: JoinSide) {
        let value = column(attribute)
        let (owner, member) = (side.ownerColumn, side.memberColumn)
        func whole(_ key: String) -> String {
            // Named, for owners and members may be of one table.
            "(SELECT IFNULL(SUM(m.\(value)), 0) FROM \(members) m WHERE m.Z_PK IN (SELECT \(member) FROM \(side.table) WHERE \(owner) = \(key)))"
        }
        for (event, suffix, row) in [
            ("INSERT", "PARAMETER_INSERT", "NEW"), ("UPDATE", "PARAMETER_UPDATE_INCREMENT", "NEW"),
            ("UPDATE", "PARAMETER_UPDATE_DECREMENT", "OLD"), ("DELETE", "PARAMETER_DELETE", "OLD"),
        ] {
            add(
                event, on: side.table, of: event == "UPDATE" ? [owner, member] : [], as: suffix, set: whole("\(row).\(owner)"),
                where: "Z_PK = \(row).\(owner)")
        }
        add(
            "UPDATE", on: members, of: [value], as: "PARAMETER_UPDATE", set: whole("\(table).Z_PK"),
            where: "Z_PK IN (SELECT \(owner) FROM \(side.table) WHERE \(member) = NEW.Z_PK)")
        add("INSERT", on: table, as: "SOURCE_INSERT", set: whole("NEW.Z_PK"), where: "Z_PK = NEW.Z_PK")
    }
}
