import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A primary key no store hands out: zero and less would be taken for those of unsaved objects.
struct ImpossibleKey: Error { let number: Int64 }

struct DecoderKey: Hashable {
    let entity: Int
    let includesSubentities: Bool
}

/// Turns rows of one SELECT into row blocks.
///
/// Invariant: the SELECT begins with `columns`: `Z_PK, Z_ENT, Z_OPT`, then the union of the columns of every entity that
/// may come. Column positions are fixed here, once.
final class RowDecoder {
    /// One fixed-size value to read.
    struct Fixed {
        enum Kind: UInt8 { case integer, real, reference, typedReference }
        let kind: Kind
        let slot: Int
        let column: Int32
        /// Column of the concrete `Z_ENT`; -1 without.
        let entityColumn: Int32
        let destination: Int32
        /// Entities of the destination's table: what a damaged or outdated `entityColumn` says may be none of them.
        let family: ClosedRange<Int32>
    }

    /// One value of variable length to read.
    struct Variable {
        let isText: Bool
        /// Entity and attribute of a value that may be in a file; nil otherwise.
        let external: String?
        let slot: Int
        let column: Int32
    }

    struct Composite {
        let slot: Int
        let elements: [(path: [String], kind: StorageKind, column: Int32)]
    }

    /// How rows of one concrete entity are read.
    final class Plan {
        let entity: Int32
        let layout: RowLayout
        // Unchecked exclusivity: written while the decoder is made, read for each row.
        @exclusivity(unchecked) fileprivate(set) var fixed: ContiguousArray<Fixed> = []
        @exclusivity(unchecked) fileprivate(set) var variable: ContiguousArray<Variable> = []
        @exclusivity(unchecked) fileprivate(set) var composites: [Composite] = []

        init(entity: Int32, layout: RowLayout) {
            self.entity = entity
            self.layout = layout
        }
    }

    let columns: [String]
    /// Whether values of a row may be in files.
    let hasExternal: Bool
    /// By `Z_ENT`.
    @exclusivity(unchecked) private var plans: ContiguousArray<Plan?>
    /// The plan of a table with one entity, where `Z_ENT` decides nothing.
    private let only: Plan?
    private let schema: StoreSchema
    private let storeNumber: Int32
    private let external: ExternalBlobs
    private let scratch: UnsafeMutableBufferPointer<UnsafeRawBufferPointer?>

    init(_ key: DecoderKey, schema: StoreSchema, layouts: [RowLayout], storeNumber: Int32, external: ExternalBlobs) {
        self.schema = schema
        self.storeNumber = storeNumber
        self.external = external
        var positions: [String: Int32] = ["Z_PK": 0, "Z_ENT": 1, "Z_OPT": 2]
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        func position(_ name: String?) -> Int32 {
            guard let name else { return -1 }
            if let known = positions[name] { return known }
            positions[name] = Int32(columns.count)
            columns.append(name)
            return Int32(columns.count - 1)
        }
        plans = ContiguousArray(repeating: nil, count: schema.entityByNumber.count)
        let root = schema.model.entities[key.entity]
        var widest = 0
        for index in root.index...(key.includesSubentities ? root.lastDescendant : root.index) where schema.holds(index) {
            let plan = Plan(entity: Int32(index), layout: layouts[index])
            for property in schema.model.entities[index].properties {
                guard let column = schema.column(property) else { continue }
                RowDecoder.add(column, of: property, in: schema.model, to: plan, position: position)
            }
            plans[Int(schema.entityNumbers[index])] = plan
            widest = max(widest, plan.variable.count)
        }
        self.columns = columns
        hasExternal = plans.contains { plan in plan?.variable.contains { $0.external != nil } ?? false }
        only = schema.table(of: key.entity)?.hasSubentities == false ? plans[Int(schema.entityNumbers[key.entity])] : nil
        scratch = .allocate(capacity: widest)
        scratch.initialize(repeating: nil)
    }

    deinit { scratch.deallocate() }

    private static func add(
        _ column: SlotColumn, of property: ResolvedProperty, in model: ResolvedModel, to plan: Plan, position: (String?) -> Int32
    ) {
        func fixed(_ kind: Fixed.Kind, entityColumn: Int32 = -1, destination: Int = 0) {
            let root = model.entities[model.entities[destination].rootIndex]
            plan.fixed.append(Fixed(
                kind: kind, slot: property.slot, column: position(column.name), entityColumn: entityColumn,
                destination: Int32(destination), family: Int32(root.index)...Int32(root.lastDescendant)))
        }
        func variable(isText: Bool, external: String? = nil) {
            plan.variable.append(Variable(
                isText: isText, external: external, slot: property.slot, column: position(column.name)))
        }
        switch column.kind {
        case .integer, .boolean: fixed(.integer)
        case .double, .float, .date: fixed(.real)
        case .string, .uri, .decimal: variable(isText: true)
        case .uuid, .object: variable(isText: false)
        case .data:
            variable(isText: false, external: column.isExternal ? "\(model.entities[property.declaringEntity].name).\(property.name)" : nil)
        case .toOne:
            let destination = property.relationship?.destination ?? 0
            if column.entityColumn == nil {
                fixed(.reference, destination: destination)
            } else {
                fixed(.typedReference, entityColumn: position(column.entityColumn), destination: destination)
            }
        case .composite:
            plan.composites.append(Composite(
                slot: property.slot, elements: column.elements.map { ($0.path, $0.kind, position($0.name)) }))
        case .none, .objectID, .toMany, .fetched: break
        }
    }

    /// The row the statement stands on; nil when its `Z_ENT` is not one the decoder was made for.
    func row(_ statement: SQLiteStatement, readAt: Double) throws -> RowBlock? {
        guard let plan = only ?? plan(number: Int(truncatingIfNeeded: statement.integer(1))) else { return nil }
        let key = RowKey(primaryKey: statement.integer(0), entity: plan.entity, store: storeNumber)
        guard key.primaryKey > 0 else { throw ImpossibleKey(number: key.primaryKey) }
        var files: [(slot: Int, value: ExternalData)] = []
        var bytes = 0
        for index in 0..<plan.variable.count {
            let item = plan.variable[index]
            var span = item.isText ? statement.value(item.column).textBytes : statement.blobBytes(item.column)
            if let attribute = item.external, let stored = span {
                switch external.content(stored, of: attribute) {
                case .inline(let bytes): span = bytes
                case .file(let value):
                    files.append((item.slot, value))
                    span = nil
                }
            }
            bytes += span?.count ?? 0
            scratch[index] = span
        }
        var writer = RowWriter(
            layout: plan.layout, key: key, version: statement.integer(2), readAt: readAt, variableBytes: bytes)
        for index in 0..<plan.variable.count {
            if let span = scratch[index] { writer.setBytes(plan.variable[index].slot, span) }
        }
        for index in 0..<plan.fixed.count {
            let item = plan.fixed[index]
            switch item.kind {
            case .integer:
                let value = statement.integer(item.column)
                if value != 0 || !statement.isNull(item.column) { writer.setInteger(item.slot, value) }
            case .real:
                let value = statement.real(item.column)
                if value != 0 || !statement.isNull(item.column) { writer.setReal(item.slot, value) }
            case .reference:
                let value = statement.integer(item.column)
                if value > 0 { writer.setReference(item.slot, primaryKey: value, entity: item.destination) }
            case .typedReference:
                let value = statement.integer(item.column)
                if value > 0 {
                    var entity = schema.entity(number: statement.integer(item.entityColumn)).map(Int32.init) ?? item.destination
                    if !item.family.contains(entity) { entity = item.destination }
                    writer.setReference(item.slot, primaryKey: value, entity: entity)
                }
            }
        }
        if !plan.composites.isEmpty { readComposites(plan, statement, &writer) }
        for file in files { writer.setExternal(file.slot, file.value) }
        return writer.finish()
    }

    private func plan(number: Int) -> Plan? { number >= 0 && number < plans.count ? plans[number] : nil }

    private func readComposites(_ plan: Plan, _ statement: SQLiteStatement, _ writer: inout RowWriter) {
        for composite in plan.composites {
            var values: [String: AttributeValue] = [:]
            for element in composite.elements {
                let value = ColumnValue.read(statement, element.column, kind: element.kind)
                if !value.isNull { CompositeValue.set(value, at: element.path, in: &values) }
            }
            if !values.isEmpty { writer.set(composite.slot, .composite(values)) }
        }
    }
}
