import CoreDataSchema
import CoreDataStorage

/// Lays out a model as tables.
///
/// Order (FORMAT §3): root then descendants in `Z_ENT` order; in an entity attributes, to-ones, then keys of to-many
/// relationships without inverse that lead to it; order columns last; then a stable sort by type.
struct StoreSchemaBuilder {
    let model: ResolvedModel
    let numbers: [Int64]
    private var tables: [TableSchema] = []
    private var tableOfEntity: [Int]
    private var columns: [PropertyReference: SlotColumn] = [:]
    private var links: [PropertyReference: LinkStorage] = [:]
    private var joins: [JoinTableSchema] = []
    /// The properties each entity declares itself, by slot.
    private let ownProperties: [[ResolvedProperty]]
    /// To-many relationships without inverse, in the order of their entities.
    private let loose: [(source: Int, property: ResolvedProperty, relationship: ResolvedRelationship)]

    /// Entities of the configuration with their ancestors, numbered depth first.
    static func numbers(model: ResolvedModel, configuration: String?) throws(StoreError) -> [Int64] {
        guard let configuration, configuration != "PF_DEFAULT_CONFIGURATION_NAME" else {
            return model.entities.map { Int64($0.index + 1) }
        }
        guard let chosen = model.schema.configurations.first(where: { $0.name == configuration }) else {
            let known = model.schema.configurations.map { "“\($0.name)”" }.joined(separator: ", ")
            throw .invalidRequest(
                "The model has no configuration named “\(configuration)”. It has \(known.isEmpty ? "none" : known).")
        }
        var included = Set<Int>()
        for name in chosen.entityNames {
            var entity = model.entity(named: name)
            while let current = entity, included.insert(current.index).inserted {
                entity = current.superIndex.map { model.entities[$0] }
            }
        }
        var next: Int64 = 0
        return model.entities.map { entity in
            guard included.contains(entity.index) else { return 0 }
            next += 1
            return next
        }
    }

    static func build(model: ResolvedModel, numbers: [Int64]) throws(StoreError) -> StoreSchema {
        try checkNames(model, numbers)
        var builder = StoreSchemaBuilder(model: model, numbers: numbers)
        for entity in model.entities where entity.rootIndex == entity.index && numbers[entity.index] > 0 {
            try builder.addTable(root: entity)
        }
        builder.addOneToManyLinks()
        builder.addJoins()
        return StoreSchema(
            model: model, entityNumbers: numbers, tables: builder.tables, joins: builder.joins, columns: builder.columns,
            links: builder.links, tableOfEntity: builder.tableOfEntity)
    }

    /// Names become names of tables and columns, which are written as they are. Xcode takes no others; a model made in code may have any.
    private static func checkNames(_ model: ResolvedModel, _ numbers: [Int64]) throws(StoreError) {
        func check(_ name: String, _ what: @autoclosure () -> String) throws(StoreError) {
            guard let odd = name.utf8.first(where: { !isNamePart($0) }) else { return }
            throw .unsupported("\(what()) cannot be kept in a SQLite store: its name has “\(Character(UnicodeScalar(odd)))”. Use letters, digits and “_”.")
        }
        for entity in model.entities where numbers[entity.index] > 0 {
            try check(entity.name, "The entity “\(entity.name)”")
            for property in entity.properties where property.declaringEntity == entity.index && !property.isTransient {
                try check(property.name, "The property “\(entity.name).\(property.name)”")
            }
        }
        for composite in model.schema.composites {
            for element in composite.elements { try check(element.name, "The element “\(composite.name).\(element.name)”") }
        }
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...: true
        default: byte == UInt8(ascii: "_")
        }
    }

    private init(model: ResolvedModel, numbers: [Int64]) {
        self.model = model
        self.numbers = numbers
        tableOfEntity = [Int](repeating: -1, count: model.entities.count)
        ownProperties = model.entities.map { entity in entity.properties.filter { $0.declaringEntity == entity.index } }
        loose = zip(model.entities, ownProperties).flatMap { source, own in
            numbers[source.index] <= 0 ? [] : own.compactMap { property in
                guard property.storage == .toMany, !property.isTransient, let relationship = property.relationship, relationship.inverse == nil
                else { return nil }
                return (source.index, property, relationship)
            }
        }
    }

    private func isHeld(_ entity: Int) -> Bool { numbers[entity] > 0 }

    private func own(_ entity: ResolvedEntity) -> [ResolvedProperty] { ownProperties[entity.index] }

    // MARK: entity tables

    /// Hands out column names, with a numeric suffix for the second of a name.
    private struct NameRegistry {
        var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]

        mutating func claim(_ name: String) -> String {
            var candidate = name
            var suffix = 0
            while !taken.insert(candidate).inserted {
                suffix += 1
                candidate = name + String(suffix)
            }
            return candidate
        }
    }

    private mutating func addTable(root: ResolvedEntity) throws(StoreError) {
        var names = NameRegistry()
        var result: [ColumnSchema] = []
        var ordered: [(PropertyReference, String)] = []
        let members = (root.index...root.lastDescendant).map { model.entities[$0] }.filter { isHeld($0.index) }
        for entity in members {
            tableOfEntity[entity.index] = tables.count
            for property in own(entity) where property.isStored && property.attribute != nil {
                try addAttribute(property, of: entity, to: &result, names: &names)
            }
            for property in own(entity) where property.storage == .toOne && property.isStored {
                guard let relationship = property.relationship else { continue }
                let reference = PropertyReference(entity: entity.index, slot: property.slot)
                var column = SlotColumn(name: names.claim("Z" + property.name.uppercased()), kind: .toOne)
                result.append(ColumnSchema(name: column.name, type: .integer))
                if model.entities[relationship.destination].hasSubentities {
                    let name = names.claim("Z\(numbers[relationship.destination])_" + property.name.uppercased())
                    column.entityColumn = name
                    result.append(ColumnSchema(name: name, type: .integer))
                }
                if let inverse = inverse(of: relationship), inverse.isOrdered, inverse.isToMany {
                    ordered.append((reference, property.name))
                }
                columns[reference] = column
            }
            addHiddenKeys(into: entity, to: &result, names: &names)
        }
        for (reference, name) in ordered {
            let column = names.claim("Z_FOK_" + name.uppercased())
            columns[reference]?.orderColumn = column
            result.append(ColumnSchema(name: column, type: .integer))
        }
        for index in hiddenOrdered(in: members) {
            guard case .column(let table, let name, _, let isHidden) = links[index] else { continue }
            let column = names.claim("Z_FOK_" + name.dropFirst())
            links[index] = .column(table: table, name: name, order: column, isHidden: isHidden)
            result.append(ColumnSchema(name: column, type: .integer))
        }
        let sorted = result.enumerated().sorted {
            $0.element.type.rank == $1.element.type.rank ? $0.offset < $1.offset : $0.element.type < $1.element.type
        }.map(\.element)
        tables.append(
            TableSchema(
                name: StoreSchemaBuilder.tableName(root), root: root.index, hasSubentities: members.count > 1, columns: sorted))
    }

    static func tableName(_ root: ResolvedEntity) -> String { "Z" + root.name.uppercased() }

    private mutating func addAttribute(
        _ property: ResolvedProperty, of entity: ResolvedEntity, to result: inout [ColumnSchema], names: inout NameRegistry
    ) throws(StoreError) {
        guard let attribute = property.attribute else { return }
        let reference = PropertyReference(entity: entity.index, slot: property.slot)
        if property.storage == .composite {
            var elements: [CompositeColumn] = []
            for element in flattened(attribute.compositeName, depth: 0) {
                guard let type = ColumnType(element.kind), element.kind != .object else {
                    throw .unsupported("The composite attribute “\(entity.name).\(property.name)” has the element "
                        + "“\(element.path.joined(separator: "."))”, which is not of a type with a column of its own. Make it an attribute of the entity.")
                }
                let name = names.claim(
                    "Z" + ([property.name] + element.path).map { $0.uppercased() }.joined(separator: "_"))
                result.append(ColumnSchema(name: name, type: type))
                elements.append(CompositeColumn(path: element.path, name: name, kind: element.kind))
            }
            columns[reference] = SlotColumn(name: "", kind: .composite, elements: elements)
            return
        }
        guard let type = ColumnType(property.storage) else {
            throw .unsupported(
                "The attribute “\(entity.name).\(property.name)” is of type Object ID, which a store cannot keep. Make it transient, or use a relationship.")
        }
        let column = SlotColumn(
            name: names.claim("Z" + property.name.uppercased()), kind: property.storage,
            isExternal: attribute.allowsExternalBinaryDataStorage && property.storage == .data)
        columns[reference] = column
        result.append(ColumnSchema(name: column.name, type: type))
    }

    private func flattened(_ composite: String?, depth: Int) -> [(path: [String], kind: StorageKind)] {
        // A composite that contains itself ends at a depth no real model has.
        guard depth < 8, let composite = model.schema.composites.first(where: { $0.name == composite }) else { return [] }
        return composite.elements.flatMap { element -> [(path: [String], kind: StorageKind)] in
            if element.type == .composite {
                return flattened(element.compositeName, depth: depth + 1).map { ([element.name] + $0.path, $0.kind) }
            }
            return [([element.name], StorageKind(element.type))]
        }
    }

    /// Keys of to-many relationships without inverse live in the destination's table.
    private mutating func addHiddenKeys(
        into destination: ResolvedEntity, to result: inout [ColumnSchema], names: inout NameRegistry
    ) {
        for (source, property, relationship) in loose where relationship.destination == destination.index {
            let name = names.claim("Z\(numbers[source])" + property.name.uppercased())
            result.append(ColumnSchema(name: name, type: .integer))
            let root = model.entities[destination.rootIndex]
            links[PropertyReference(entity: source, slot: property.slot)] = .column(
                table: StoreSchemaBuilder.tableName(root), name: name, order: nil, isHidden: true)
        }
    }

    private func hiddenOrdered(in members: [ResolvedEntity]) -> [PropertyReference] {
        let inside = Set(members.map(\.index))
        return loose.filter { $0.relationship.isOrdered && inside.contains($0.relationship.destination) }
            .map { PropertyReference(entity: $0.source, slot: $0.property.slot) }
    }

    private func inverse(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        relationship.inverse.flatMap { model.entities[$0.entity].properties[$0.slot].relationship }
    }

    // MARK: to-many relationships

    private mutating func addOneToManyLinks() {
        for entity in model.entities where isHeld(entity.index) {
            for property in own(entity) where property.storage == .toMany {
                guard let relationship = property.relationship, let reference = relationship.inverse,
                      inverse(of: relationship)?.isToMany == false, let column = columns[reference]
                else { continue }
                let root = model.entities[model.entities[reference.entity].rootIndex]
                links[PropertyReference(entity: entity.index, slot: property.slot)] = .column(
                    table: StoreSchemaBuilder.tableName(root), name: column.name, order: column.orderColumn, isHidden: false)
            }
        }
    }

    /// One side of a many-to-many relationship.
    private struct Side {
        let reference: PropertyReference
        let entityName: String
        let number: Int64
        let name: String
        let isOrdered: Bool
    }

    private mutating func addJoins() {
        var names = NameRegistry()
        var done = Set<PropertyReference>()
        let byName = model.entities.filter { isHeld($0.index) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for entity in byName {
            for property in own(entity) where property.storage == .toMany && !property.isTransient {
                let reference = PropertyReference(entity: entity.index, slot: property.slot)
                guard !done.contains(reference), let relationship = property.relationship,
                      let inverseReference = relationship.inverse, isHeld(inverseReference.entity),
                      inverse(of: relationship)?.isToMany == true
                else { continue }
                done.formUnion([reference, inverseReference])
                guard let first = side(reference), let second = side(inverseReference) else { continue }
                addJoin(first, second, names: &names)
            }
        }
    }

    private func side(_ reference: PropertyReference) -> Side? {
        let entity = model.entities[reference.entity]
        let property = entity.properties[reference.slot]
        guard let relationship = property.relationship else { return nil }
        return Side(
            reference: reference, entityName: entity.name, number: numbers[reference.entity],
            name: property.name.uppercased(), isOrdered: relationship.isOrdered)
    }

    private mutating func addJoin(_ first: Side, _ second: Side, names: inout NameRegistry) {
        if first.reference == second.reference {
            let member = names.claim("Z_\(first.number)\(first.name)")
            let table = "Z_\(first.number)\(first.name)"
            var all = [member, "REFLEXIVE"]
            let order = first.isOrdered ? names.claim("Z_FOK_\(first.number)\(first.name)") : nil
            if let order { all.append(order) }
            joins.append(JoinTableSchema(name: table, columns: all))
            links[first.reference] = .join(
                JoinSide(table: table, ownerColumn: "REFLEXIVE", memberColumn: member, orderColumn: order, isReflexive: true))
            return
        }
        // The entity whose name sorts first names the table; between two relationships of one entity the name that sorts
        // last does, which holds for most but not all of Apple's files (their order is a hash's): an existing store is
        // looked at under both names.
        let swap = first.entityName == second.entityName
            ? first.name.utf8.lexicographicallyPrecedes(second.name.utf8)
            : second.entityName.utf8.lexicographicallyPrecedes(first.entityName.utf8)
        let (a, b) = swap ? (second, first) : (first, second)
        let table = "Z_\(a.number)\(a.name)"
        let aColumn = names.claim("Z_\(a.number)\(b.name)")
        let bColumn = names.claim("Z_\(b.number)\(a.name)")
        let aOrder = b.isOrdered ? names.claim("Z_FOK_\(a.number)\(b.name)") : nil
        let bOrder = a.isOrdered ? names.claim("Z_FOK_\(b.number)\(a.name)") : nil
        joins.append(JoinTableSchema(name: table, columns: [aColumn, bColumn] + [aOrder, bOrder].compactMap { $0 }))
        links[a.reference] = .join(
            JoinSide(table: table, ownerColumn: aColumn, memberColumn: bColumn, orderColumn: bOrder, isReflexive: false))
        links[b.reference] = .join(
            JoinSide(table: table, ownerColumn: bColumn, memberColumn: aColumn, orderColumn: aOrder, isReflexive: false))
    }
}
