import CoreDataPredicate
import CoreDataSchema

/// Reads one derived attribute's expression.
struct DerivationReading {
    let model: ResolvedModel
    let entity: ResolvedEntity
    let property: ResolvedProperty

    private var format: String { property.attribute?.derivationFormat ?? "" }

    func derivation() throws(DerivationError) -> Derivation {
        if format.isEmpty { throw refusal("there is no expression, or one that cannot be written as text") }
        let tree: ExpressionTree
        do { tree = try PredicateFormat.parseExpression(format) } catch { throw refusal("\(error)") }
        return Derivation(
            attribute: PropertyReference(entity: property.declaringEntity, slot: property.slot), source: try source(tree))
    }

    private func source(_ tree: ExpressionTree) throws(DerivationError) -> Derivation.Source {
        switch tree {
        case .keyPath(.evaluatedObject, let path): return try source(path)
        case .function("now", _):
            try require(property.storage == .date, "now() is a date, and the attribute is not")
            return .now
        // How compiled models write relationship.@count and relationship.attribute.@sum.
        case .function("count:", let arguments), .function("sum:", let arguments):
            guard arguments.count == 1, case .keyPath(.evaluatedObject, let path) = arguments[0], case .function(let name, _) = tree else {
                throw refusal("count: and sum: take one key path")
            }
            return try aggregate("@" + name.dropLast(), of: path)
        case .function(let name, let arguments):
            guard let form = Derivation.TextForm(rawValue: name) else { throw refusal("the function “\(name)” is not one of those below") }
            guard arguments.count == 1, case .keyPath(.evaluatedObject, let path) = arguments[0] else {
                throw refusal("\(name) takes one key path")
            }
            guard case .value(let path, let attribute, nil) = try source(path, isText: true) else {
                throw refusal("\(name) takes a key path through to-one relationships to a text")
            }
            return .value(path: path, attribute: attribute, form: form)
        default: throw refusal("it is neither a key path nor a function of one")
        }
    }

    private func source(_ path: [String], isText: Bool = false) throws(DerivationError) -> Derivation.Source {
        if let place = path.firstIndex(where: { $0.hasPrefix("@") }) {
            try require(place == path.count - 1, "the operator \(path[place]) must be the last part of the key path")
            return try aggregate(path[place], of: Array(path.dropLast()))
        }
        guard let last = path.last else { throw refusal("the key path is empty") }
        var current = entity
        var references: [PropertyReference] = []
        for name in path.dropLast() {
            let next = try self.property(name, of: current)
            guard let relationship = next.relationship else { throw refusal("“\(name)” of \(current.name) is not a relationship") }
            try require(!relationship.isToMany, "“\(name)” of \(current.name) is to-many: end the key path in @count or @sum")
            try require(next.isStored, "“\(name)” of \(current.name) is transient, and no store has it")
            references.append(PropertyReference(entity: next.declaringEntity, slot: next.slot))
            current = model.entities[relationship.destination]
        }
        let attribute = try storedAttribute(last, of: current)
        if isText {
            try require(attribute.storage == .string, "“\(last)” of \(current.name) is not a text")
            try require(property.storage == .string, "the attribute itself is not a text")
        } else {
            try require(fits(attribute), "“\(last)” of \(current.name) has values of another type than the attribute")
        }
        let isItself = references.isEmpty && attribute.slot == property.slot
        try require(!isItself, "the attribute would derive from itself")
        return .value(
            path: references, attribute: PropertyReference(entity: attribute.declaringEntity, slot: attribute.slot), form: nil)
    }

    private func aggregate(_ name: String, of path: [String]) throws(DerivationError) -> Derivation.Source {
        guard let first = path.first else { throw refusal("\(name) stands for the members of no relationship") }
        let owner = try self.property(first, of: entity)
        guard let relationship = owner.relationship, relationship.isToMany else {
            throw refusal("“\(first)” of \(entity.name) is not a to-many relationship, and \(name) needs one")
        }
        try require(!owner.isTransient, "“\(first)” of \(entity.name) is transient, and no store has it")
        try require(isNumber(property.storage), "\(name) is a number, and the attribute is not")
        let reference = PropertyReference(entity: owner.declaringEntity, slot: owner.slot)
        switch (name, path.count) {
        case ("@count", 1): return .count(reference)
        case ("@sum", 2):
            let destination = model.entities[relationship.destination]
            let summed = try storedAttribute(path[1], of: destination)
            try require(isNumber(summed.storage), "“\(path[1])” of \(destination.name) is not a number, and @sum needs one")
            return .sum(reference, of: PropertyReference(entity: summed.declaringEntity, slot: summed.slot))
        case ("@count", _): throw refusal("@count stands directly behind a to-many relationship of \(entity.name)")
        case ("@sum", _): throw refusal("@sum stands behind one attribute of one to-many relationship of \(entity.name)")
        default: throw refusal("the operator \(name) is not one of those below")
        }
    }

    private func property(_ name: String, of entity: ResolvedEntity) throws(DerivationError) -> ResolvedProperty {
        guard let found = entity.property(named: name) else {
            let nearest = NearestName.find(name, among: entity.properties.map(\.name)).map { " (did you mean “\($0)”?)" } ?? ""
            throw refusal("\(entity.name) has no property “\(name)”\(nearest)")
        }
        return found
    }

    private func storedAttribute(_ name: String, of entity: ResolvedEntity) throws(DerivationError) -> ResolvedProperty {
        let found = try property(name, of: entity)
        try require(found.attribute != nil, "“\(name)” of \(entity.name) is not an attribute")
        try require(found.isStored, "“\(name)” of \(entity.name) is transient, and no store has it")
        try require(found.storage != .composite, "“\(name)” of \(entity.name) is a composite")
        let isExternal = found.attribute?.allowsExternalBinaryDataStorage == true
        try require(!isExternal, "“\(name)” of \(entity.name) may be kept in a file of its own")
        return found
    }

    private func fits(_ other: ResolvedProperty) -> Bool {
        property.storage == other.storage || isNumber(property.storage) && isNumber(other.storage)
    }

    private func isNumber(_ kind: StorageKind) -> Bool {
        switch kind {
        case .integer, .boolean, .double, .float, .decimal: true
        default: false
        }
    }

    private func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(DerivationError) {
        if !condition { throw refusal(reason()) }
    }

    private func refusal(_ reason: String) -> DerivationError {
        .unreadable(attribute: "\(entity.name).\(property.name)", expression: format, reason: reason)
    }
}
