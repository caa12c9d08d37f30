import CoreDataPredicate
import CoreDataSchema
import Foundation

extension ModelLint {
    mutating func check(_ attribute: AttributeSchema, of entity: EntitySchema) {
        let label = "\(entity.name).\(attribute.name)"
        if attribute.type == .undefined, !attribute.isTransient {
            error("noType", entity.name, attribute.name, "“\(label)” has no type. Only a transient attribute can do without one.")
        }
        if attribute.type == .composite, !schema.composites.contains(where: { $0.name == attribute.compositeName }) {
            error("unknownComposite", entity.name, attribute.name, "“\(label)” is of the composite type “\(attribute.compositeName ?? "")”, which "
                + "the model does not declare.")
        }
        if attribute.type == .transformable, (attribute.valueTransformerName ?? "").isEmpty {
            warning("noTransformer", entity.name, attribute.name, "“\(label)” is transformable without a transformer, or with an insecure one. "
                + "Set NSSecureUnarchiveFromData or a transformer of your own.")
        }
        if attribute.type == .transformable, attribute.valueTransformerName == "NSKeyedUnarchiveFromData" {
            warning("insecureTransformer", entity.name, attribute.name, "“\(label)” is unarchived insecurely. Set NSSecureUnarchiveFromData.")
        }
        if attribute.allowsExternalBinaryDataStorage, attribute.type != .binary, attribute.type != .transformable {
            warning("externalStorage", entity.name, attribute.name, "“\(label)” allows external storage, which only binary values have.")
        }
        if attribute.derivationFormat != nil, attribute.isTransient {
            error("derivedTransient", entity.name, attribute.name, "“\(label)” is derived and transient: it must be one of the two.")
        }
        if let format = attribute.derivationFormat { checkDerivation(format, of: entity, attribute.name) }
        checkRules(attribute, of: entity)
    }

    private mutating func checkDerivation(_ format: String, of entity: EntitySchema, _ name: String) {
        do { _ = try PredicateFormat.parseExpression(format) } catch let mistake {
            error("badExpression", entity.name, name, "“\(entity.name).\(name)” is derived from “\(format)”, which is no expression: \(mistake.reason).")
        }
    }

    /// Bounds that no value meets, and defaults that break them.
    private mutating func checkRules(_ attribute: AttributeSchema, of entity: EntitySchema) {
        let label = "\(entity.name).\(attribute.name)"
        func bound(_ codes: Set<Int>) -> Double? {
            for rule in attribute.validationRules {
                guard case .code(let code) = rule.warning, codes.contains(code), let text = rule.predicateFormat.split(separator: " ").last
                else { continue }
                return Double(text)
            }
            return nil
        }
        let least = bound([1620, 1670, 1640]), most = bound([1610, 1660, 1630])
        if let least, let most, least > most {
            error("badBounds", entity.name, attribute.name, "“\(label)” has a minimum above its maximum: no value is valid.")
        }
        let value: Double? = switch attribute.defaultValue {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        case .string(let text) where attribute.type == .string: Double(text.utf16.count)
        default: nil
        }
        if let value, least.map({ value < $0 }) ?? false || most.map({ value > $0 }) ?? false {
            warning("badDefault", entity.name, attribute.name, "The default of “\(label)” is outside of its bounds: an object is invalid until it is "
                + "changed.")
        }
        for rule in attribute.validationRules {
            guard rule.warning == .code(1680), let literal = rule.predicateFormat.split(separator: " ", maxSplits: 2).last,
                  let pattern = BoundRule.unquoted(literal) else { continue }
            if (try? NSRegularExpression(pattern: pattern)) == nil {
                error("badPattern", entity.name, attribute.name, "The regular expression of “\(label)”, “\(pattern)”, is none.")
            }
        }
    }

    mutating func check(_ relationship: RelationshipSchema, of entity: EntitySchema) {
        let label = "\(entity.name).\(relationship.name)"
        guard let destination = entities[relationship.destinationName] else {
            return error("unknownDestination", entity.name, relationship.name, "“\(label)” leads to “\(relationship.destinationName)”, but the model "
                + "has no such entity.")
        }
        if relationship.maxCount > 0, relationship.minCount > relationship.maxCount {
            error("badCount", entity.name, relationship.name, "“\(label)” has a minimum of \(relationship.minCount) and a maximum of "
                + "\(relationship.maxCount).")
        }
        if relationship.isOrdered, !relationship.isToMany {
            warning("orderedToOne", entity.name, relationship.name, "“\(label)” is ordered and to-one: there is nothing to order.")
        }
        if relationship.deleteRule == .noAction {
            warning("noAction", entity.name, relationship.name, "“\(label)” has the delete rule No Action, which may leave the objects it leads to "
                + "pointing at one that is gone.")
        }
        guard let name = relationship.inverseName else {
            return warning("noInverse", entity.name, relationship.name, "“\(label)” has no inverse. Give it one: without, Core Data cannot keep both "
                + "sides in step.")
        }
        guard let inverse = self.relationship(name, destination) else {
            return error("unknownInverse", entity.name, relationship.name, "“\(label)” names the inverse “\(name)”, which "
                + "“\(destination.name)” does not have.")
        }
        if let other = relationship.inverseEntityName, !line(of: destination).contains(where: { $0.name == other }) {
            error("badInverse", entity.name, relationship.name, "“\(label)” leads to “\(destination.name)”, and its inverse is said to belong to "
                + "“\(other)”.")
        }
        let leadsBack = entities[inverse.destinationName].map { target in
            line(of: entity).contains { $0.name == target.name } || line(of: target).contains { $0.name == entity.name }
        } ?? false
        if inverse.inverseName != relationship.name || !leadsBack {
            error("badInverse", entity.name, relationship.name, "The inverse of “\(label)” is “\(destination.name).\(name)”, but the inverse of that "
                + "is \(inverse.inverseName.map { "“\(inverse.destinationName).\($0)”" } ?? "nothing").")
        }
    }

    mutating func check(_ request: FetchTemplateSchema, label: String, _ line: Int?) {
        guard let entity = entities[request.entityName] else {
            return add(.error, "unknownEntity", line, label, "The \(label) fetches “\(request.entityName)”, but the model has no such entity.")
        }
        if let format = request.predicateFormat { checkPredicate(format, of: entity, label: "The \(label)", line) }
        for key in request.sortKeys.compactMap({ $0.keyPath.split(separator: ".").first.map(String.init) }) where !names(entity).contains(key) {
            add(.error, "unknownProperty", line, label, "The \(label) sorts by “\(key)”, which “\(entity.name)” does not have.")
        }
    }

    /// A predicate that is none, or whose key paths lead nowhere.
    mutating func checkPredicate(_ format: String, of entity: EntitySchema, label: String, _ line: Int?) {
        let tree: PredicateTree
        do { tree = try PredicateFormat.parse(format) } catch let mistake {
            return add(.error, "badPredicate", line, entity.name, "\(label) has the predicate “\(format)”, which is none: \(mistake.reason).")
        }
        for path in KeyPathSearch.paths(in: tree) { checkPath(path, of: entity, label: label, line) }
    }

    private mutating func checkPath(_ path: [String], of entity: EntitySchema, label: String, _ line: Int?) {
        var current = entity
        for key in path {
            if key.hasPrefix("@") || ["self", "SELF", "objectID", "entity"].contains(key) { return }
            // A property of a subentity is found at run time.
            let owner = [current] + schema.entities.filter { self.line(of: $0).contains { $0.name == current.name } }
            guard let holder = owner.first(where: { names($0).contains(key) }) else {
                return add(.error, "unknownProperty", line, entity.name, "\(label) asks for “\(path.joined(separator: "."))”, and "
                    + "“\(current.name)” has no “\(key)”.")
            }
            guard let next = relationship(key, holder).flatMap({ entities[$0.destinationName] }) else { return }
            current = next
        }
    }
}

/// Key paths from the evaluated object that a predicate asks for; those inside subqueries, whose objects are others, are left out.
enum KeyPathSearch {
    static func paths(in tree: PredicateTree) -> [[String]] {
        switch tree {
        case .constant, .block: []
        case .and(let parts), .or(let parts): parts.flatMap(paths)
        case .not(let part): paths(in: part)
        case .comparison(let comparison): paths(in: comparison.left) + paths(in: comparison.right)
        }
    }

    private static func paths(in tree: ExpressionTree) -> [[String]] {
        switch tree {
        case .keyPath(.evaluatedObject, let keys): [keys]
        case .keyPath(let operand, _): paths(in: operand)
        case .function(_, let arguments): arguments.flatMap(paths)
        case .call(let operand, _, let arguments): paths(in: operand) + arguments.flatMap(paths)
        case .cast(let operand, _): paths(in: operand)
        case .aggregate(let parts): parts.flatMap(paths)
        case .subquery(let collection, _, _): paths(in: collection)
        case .conditional(let condition, let first, let second): paths(in: condition) + paths(in: first) + paths(in: second)
        case .element(let operand, _): paths(in: operand)
        case .set(_, let left, let right): paths(in: left) + paths(in: right)
        case .block(_, let arguments): arguments.flatMap(paths)
        case .constant, .evaluatedObject, .variable, .anyKey: []
        }
    }
}
