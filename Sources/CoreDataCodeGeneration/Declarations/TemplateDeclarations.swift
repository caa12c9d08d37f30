import CoreDataPredicate
import CoreDataSchema

/// Writes the model's fetch requests for one class as functions, with a parameter for each variable of the predicate.
struct TemplateDeclarations {
    let plan: ClassPlan
    let type: ClassPlan.Class
    let locate: Locator
    let types: TypeNames

    private typealias Variable = (name: String, type: String)

    func lines() throws(GenerationError) -> [String] {
        let templates = plan.model.schema.fetchTemplates.filter { $0.entityName == type.entity.name }
            .sorted { ModelResolution.precedes($0.name, $1.name) }
        guard !templates.isEmpty else { return [] }
        var text = SourceText(), names: [String: String] = [:]
        text.line()
        if let deprecation = type.settings.deprecation { text.line(deprecation.attribute) }
        text.line("extension \(SwiftName.escaped(type.name)) {")
        for (index, template) in templates.enumerated() {
            let name = functionName(template.name)
            if let other = names.updateValue(template.name, forKey: name) {
                throw locate.error(
                    .accessorCollision, type.entity.name, nil,
                    "The fetch requests “\(other)” and “\(template.name)” both need the Swift name “\(name)”. Rename one.")
            }
            if index > 0 { text.line() }
            try append(template, name, to: &text)
        }
        text.line("}")
        return text.lines
    }

    /// `adultsFetchRequest` for "Adults" and "adults"; what Swift takes of other names.
    private func functionName(_ name: String) -> String {
        let stem = EmbeddedModel.stem(of: name), lower = stem.prefix(1).lowercased() + stem.dropFirst()
        return lower.hasSuffix("FetchRequest") && lower != "FetchRequest" ? lower : lower + "FetchRequest"
    }

    private func append(_ template: FetchTemplateSchema, _ name: String, to text: inout SourceText) throws(GenerationError) {
        let variables = try variables(of: template)
        // No function can be more accessible than the classes it takes.
        let access = plan.classes.filter { one in variables.contains { $0.type.contains(one.name) } }.map(\.settings.access).min()
            .map { min($0, type.settings.access) } ?? type.settings.access
        let request = "\(types("NSFetchRequest"))<\(result(template.resultType))>", local = variables.contains { $0.name == "request" } ? "request_" : "request"
        let parameters = variables.map { "\(SwiftName.escaped($0.name)): \($0.type)" }.joined(separator: ", ")
        text.line("/// The fetch request “\(template.name.split(whereSeparator: \.isNewline).joined(separator: " "))” of the model.", indent: 1)
        text.line("\(access.modifier)static func \(name)(\(parameters)) -> \(request) {", indent: 1)
        text.line("let \(local) = \(request)(entityName: \(SourceText.literal(type.entity.name)))", indent: 2)
        if let format = template.predicateFormat, !format.isEmpty {
            let values = variables.map { "\(SourceText.literal($0.name)): \(SwiftName.escaped($0.name))" }.joined(separator: ", ")
            let predicate = "\(types("NSPredicate"))(format: \(SourceText.literal(format)))"
            text.line("\(local).predicate = \(predicate)\(values.isEmpty ? "" : ".withSubstitutionVariables([\(values)])")", indent: 2)
        }
        for setting in settings(template) { text.line("\(local).\(setting)", indent: 2) }
        text.line("return \(local)", indent: 2)
        text.line("}", indent: 1)
    }

    private func result(_ resultType: Int) -> String {
        switch resultType {
        case 1: types("NSManagedObjectID")
        case 2: types("NSDictionary")
        case 4: types("NSNumber")
        default: SwiftName.escaped(type.name)
        }
    }

    /// What differs from a new request.
    private func settings(_ template: FetchTemplateSchema) -> [String] {
        var result: [String] = []
        if !template.sortKeys.isEmpty {
            let keys = template.sortKeys.map { "\(types("NSSortDescriptor"))(key: \(SourceText.literal($0.keyPath)), ascending: \($0.isAscending))" }
            result.append("sortDescriptors = [\(keys.joined(separator: ", "))]")
        }
        if let kind = [1: "managedObjectID", 2: "dictionary", 4: "count"][template.resultType] { result.append("resultType = .\(kind)ResultType") }
        if template.fetchLimit != 0 { result.append("fetchLimit = \(template.fetchLimit)") }
        if template.fetchBatchSize != 0 { result.append("fetchBatchSize = \(template.fetchBatchSize)") }
        if !template.includesSubentities { result.append("includesSubentities = false") }
        if !template.includesPropertyValues { result.append("includesPropertyValues = false") }
        if !template.includesPendingChanges { result.append("includesPendingChanges = false") }
        if !template.returnsObjectsAsFaults { result.append("returnsObjectsAsFaults = false") }
        if template.returnsDistinctResults { result.append("returnsDistinctResults = true") }
        return result
    }
}

// MARK: Variables

extension TemplateDeclarations {
    /// The variables in the order of their first appearance, each with the type of what it is compared with.
    private func variables(of template: FetchTemplateSchema) throws(GenerationError) -> [Variable] {
        guard let format = template.predicateFormat, !format.isEmpty else { return [] }
        var found: [Variable] = []
        do {
            collect(try PredicateFormat.parse(format), bound: [], &found)
        } catch {
            throw locate.error(
                .unusableName, type.entity.name, nil, "The predicate of the fetch request “\(template.name)” cannot be read: \(error)")
        }
        if let odd = found.first(where: { !SwiftName.isIdentifier($0.name) }) {
            throw locate.error(
                .unusableName, type.entity.name, nil, "The variable “\(odd.name)” of the fetch request “\(template.name)” has no name Swift can use.")
        }
        return found
    }

    private func collect(_ tree: PredicateTree, bound: Set<String>, _ found: inout [Variable]) {
        switch tree {
        case .constant, .block: break
        case .and(let parts), .or(let parts): for part in parts { collect(part, bound: bound, &found) }
        case .not(let part): collect(part, bound: bound, &found)
        case .comparison(let comparison):
            for (side, other) in [(comparison.left, comparison.right), (comparison.right, comparison.left)] {
                var type = valueType(of: other) ?? "Any"
                let isList = comparison.operation == .between || comparison.operation == .isIn && side == comparison.right
                if isList { type = type == "Any" ? "Any" : "[\(type)]" }
                collect(side, type, bound: bound, &found)
            }
        }
    }

    private func collect(_ expression: ExpressionTree, _ type: String, bound: Set<String>, _ found: inout [Variable]) {
        switch expression {
        case .variable(let name):
            if !bound.contains(name), name != "FETCH_SOURCE", name != "FETCHED_PROPERTY", !found.contains(where: { $0.name == name }) {
                found.append((name, type))
            }
        // Of a variable's own properties nothing is known here.
        case .keyPath(let base, _): collect(base, "Any", bound: bound, &found)
        case .function(_, let arguments): for argument in arguments { collect(argument, type, bound: bound, &found) }
        case .aggregate(let members):
            let member = type.hasPrefix("[") ? String(type.dropFirst().dropLast()) : type
            for one in members { collect(one, member, bound: bound, &found) }
        case .subquery(let collection, let variable, let predicate):
            collect(collection, "Any", bound: bound, &found)
            collect(predicate, bound: bound.union([variable]), &found)
        case .conditional(let condition, let first, let second):
            collect(condition, bound: bound, &found)
            collect(first, type, bound: bound, &found)
            collect(second, type, bound: bound, &found)
        case .cast(let operand, _): collect(operand, "Any", bound: bound, &found)
        case .call(let operand, _, let arguments):
            for one in [operand] + arguments { collect(one, "Any", bound: bound, &found) }
        case .element(let operand, _): collect(operand, "Any", bound: bound, &found)
        case .set(_, let first, let second): for one in [first, second] { collect(one, "Any", bound: bound, &found) }
        case .constant, .evaluatedObject, .anyKey, .block: break
        }
    }

    /// The type of a key path's values, without regard to how many there are; nil where none is known.
    private func valueType(of expression: ExpressionTree) -> String? {
        switch expression {
        case .evaluatedObject: return SwiftName.escaped(type.name)
        case .keyPath(_, let keys) where keys.last == "@count": return types("Int")
        case .keyPath(.evaluatedObject, let keys): return valueType(of: keys)
        case .function(let name, let arguments) where ["uppercase:", "lowercase:", "canonical:", "noindex:", "abs:"].contains(name):
            return arguments.first.flatMap(valueType)
        default: return nil
        }
    }

    private func valueType(of keys: [String]) -> String? {
        var entity = type.entity
        for (index, key) in keys.enumerated() {
            if key == "SELF" || key == "self" { continue }
            guard let property = entity.property(named: key) else { return nil }
            if let attribute = property.attribute { return index == keys.count - 1 ? swiftType(attribute.type) : nil }
            guard let destination = property.relationship?.destination else { return nil }
            entity = plan.model.entities[destination]
        }
        return plan.classNames[entity.index].map(SwiftName.escaped) ?? types("NSManagedObject")
    }

    private func swiftType(_ type: AttributeType) -> String? {
        switch type {
        case .integer16: types("Int16")
        case .integer32: types("Int32")
        case .integer64: types("Int64")
        case .boolean: types("Bool")
        case .double: types("Double")
        case .float: types("Float")
        case .decimal: types("Decimal")
        case .string: types("String")
        case .date: types("Date")
        case .binary: types("Data")
        case .uuid: types("UUID")
        case .uri: types("URL")
        case .objectID: types("NSManagedObjectID")
        case .undefined, .transformable, .composite: nil
        }
    }
}
