import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// A key path that crosses a to-many relationship.
struct ToManyPath {
    /// `alias.Z_PK` of the rows that own the to-many.
    let ownerKey: String
    /// The owners are the rows of the scope itself, so that their key is never NULL.
    let ownsItself: Bool
    let property: ResolvedProperty
    /// Keys after the to-many.
    let rest: [String]
}

enum ResolvedPath {
    case operand(Operand)
    case toMany(ToManyPath)
}

extension SelectCompiler {
    /// Follows keys from a row of `scope`. After a to-many the joins are inner: a member without a link leads nowhere, and is
    /// no nil at the path's end.
    func resolve(_ keys: [String], in scope: SelectScope, isAfterToMany: Bool = false) throws -> ResolvedPath {
        var alias = scope.alias
        var entity = scope.entity
        var path = ""
        var keys = keys.filter { $0 != "self" && $0 != "SELF" }[...]
        var isRoot = true
        while let key = keys.popFirst() {
            guard let property = entity.property(named: key) else {
                if FetchPlanCheck.isEntity(key), keys.isEmpty || keys == ["name"] {
                    return .operand(Operand(SQLFragment(isRoot ? scope.column("Z_ENT") : "\(alias).Z_ENT"), .entity, isColumn: true))
                }
                if key == "objectID", keys.isEmpty { return .operand(ownKey(alias, entity, scope, isRoot: isRoot)) }
                throw unknownKey(key, in: entity)
            }
            if property.storage == .toMany {
                try refuseTransient(property, in: entity)
                let owner = isRoot ? scope.primaryKey : "\(alias).Z_PK"
                return .toMany(ToManyPath(ownerKey: owner, ownsItself: isRoot, property: property, rest: Array(keys)))
            }
            guard let column = schema.column(property) else {
                try refuseTransient(property, in: entity)
                throw StoreError.invalidRequest("“\(entity.name).\(key)” is not kept in the store; it cannot be used in a fetch.")
            }
            func name(_ column: String) -> String { isRoot ? scope.column(column) : "\(alias).\(column)" }
            if property.storage == .composite { return .operand(try composite(column, Array(keys), property, name)) }
            if property.storage != .toOne {
                guard keys.isEmpty else {
                    throw StoreError.invalidRequest(
                        "keypath \((path + key + "." + keys.joined(separator: "."))) not found in entity \(scope.entity.name): “\(key)” is an attribute and has no keys.")
                }
                let type: ValueType = column.isExternal ? .external : ValueType(column.kind)
                var operand = Operand(SQLFragment(name(column.name)), type, isColumn: true)
                operand.isIndexed = isIndexed(column.name, of: entity)
                return .operand(operand)
            }
            let destination = model.entities[property.relationship?.destination ?? 0]
            if keys.isEmpty || keys == ["objectID"] {
                var operand = Operand(
                    SQLFragment(name(column.name)), .reference(destination.index), isColumn: true,
                    entity: column.entityColumn.map(name))
                operand.isIndexed = isIndexed(column.name, of: entity)
                return .operand(operand)
            }
            path += key + "."
            let source = name(column.name)
            let (next, joined) = try scope.join(isAfterToMany ? path + "!" : path) {
                let next = nextAlias()
                let table = schema.table(of: destination.index)?.name ?? ""
                return (next, destination, "\(isAfterToMany ? "" : "LEFT ")JOIN \(table) \(next) ON \(next).Z_PK = \(source)")
            }
            (alias, entity, isRoot) = (next, joined, false)
        }
        return .operand(ownKey(alias, entity, scope, isRoot: isRoot))
    }

    private func ownKey(_ alias: String, _ entity: ResolvedEntity, _ scope: SelectScope, isRoot: Bool) -> Operand {
        var operand = Operand(
            SQLFragment(isRoot ? scope.primaryKey : "\(alias).Z_PK"), .reference(entity.index), isColumn: true,
            entity: entity.hasSubentities ? "\(alias).Z_ENT" : nil)
        operand.isIndexed = true
        return operand
    }

    private func isIndexed(_ column: String, of entity: ResolvedEntity) -> Bool {
        schema.table(of: entity.index).map { schema.indexedColumns.contains("\($0.name).\(column)") } ?? false
    }

    private func composite(
        _ column: SlotColumn, _ keys: [String], _ property: ResolvedProperty, _ name: (String) -> String
    ) throws -> Operand {
        guard let element = column.elements.first(where: { $0.path == keys }) else {
            let known = column.elements.map { $0.path.joined(separator: ".") }.joined(separator: ", ")
            throw StoreError.invalidRequest(
                "keypath \(property.name).\(keys.joined(separator: ".")) not found: the composite attribute “\(property.name)” has the elements \(known).")
        }
        return Operand(SQLFragment(name(element.name)), ValueType(element.kind), isColumn: true)
    }

    private func refuseTransient(_ property: ResolvedProperty, in entity: ResolvedEntity) throws {
        guard property.isTransient || property.storage == .none || property.storage == .fetched else { return }
        let what = property.storage == .fetched ? "a fetched property" : "transient"
        throw StoreError.invalidRequest(
            "“\(entity.name).\(property.name)” is \(what), so the store does not have it. Fetch without it and filter or sort the result in memory.")
    }

    func unknownKey(_ key: String, in entity: ResolvedEntity) -> StoreError {
        let advice = NearestName.advice(key, among: entity.properties.map(\.name))
        return .invalidRequest("keypath \(key) not found in entity <\(entity.name)>. \(advice)")
    }

    func toManyNotAllowed(_ property: ResolvedProperty) -> StoreError {
        .invalidRequest(
            "to-many key not allowed here: “\(property.name)” has many values. Use ANY, ALL, NONE, SUBQUERY or \(property.name).@count.")
    }
}
