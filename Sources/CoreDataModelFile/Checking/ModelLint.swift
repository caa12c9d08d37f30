import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Looks a declared model over for what Xcode and its compiler flag.
///
/// Invariant: never throws, whatever the model; every problem names its place.
struct ModelLint {
    let schema: ModelSchema
    let source: ModelSource
    private(set) var problems: [ModelProblem] = []
    let entities: [String: EntitySchema]

    static func problems(of schema: ModelSchema, _ source: ModelSource) -> [ModelProblem] {
        var lint = ModelLint(schema, source)
        lint.run()
        return lint.problems
    }

    private init(_ schema: ModelSchema, _ source: ModelSource) {
        self.schema = schema
        self.source = source
        entities = Dictionary(schema.entities.map { ($0.name, $0) }) { first, _ in first }
    }

    private mutating func run() {
        for entity in schema.entities {
            checkNames(entity)
            checkInheritance(entity)
            for attribute in entity.attributes { check(attribute, of: entity) }
            for relationship in entity.relationships { check(relationship, of: entity) }
            for property in entity.fetchedProperties { check(property.request, label: "\(entity.name).\(property.name)", line(entity.name, property.name)) }
            checkConstraints(entity)
            checkIndexes(entity)
        }
        for template in schema.fetchTemplates {
            check(template, label: "fetch request “\(template.name)”", source.fetchRequestLines[template.name])
        }
        for configuration in schema.configurations { check(configuration) }
        checkClasses()
        checkRenaming()
        checkCloudKit()
        // Whatever keeps the model from being used and was not found above.
        guard !problems.contains(where: { $0.severity == .error }) else { return }
        do { _ = try ResolvedModel(schema) } catch {
            add(.error, ModelLint.kind(of: error), source.line(of: error), "model", error.description)
        }
    }

    // MARK: Adding

    func line(_ entity: String, _ property: String? = nil) -> Int? {
        property.flatMap { source.propertyLines[entity]?[$0] } ?? source.entityLines[entity]
    }

    mutating func add(_ severity: ModelProblem.Severity, _ kind: String, _ line: Int?, _ place: String, _ message: String) {
        problems.append(ModelProblem(severity, kind, path: source.path, line: line, place: place, message))
    }

    mutating func error(_ kind: String, _ entity: String, _ property: String, _ message: String) {
        add(.error, kind, line(entity, property), "\(entity).\(property)", message)
    }

    mutating func error(_ kind: String, _ entity: String, _ message: String) { add(.error, kind, line(entity), entity, message) }

    mutating func warning(_ kind: String, _ entity: String, _ property: String, _ message: String) {
        add(.warning, kind, line(entity, property), "\(entity).\(property)", message)
    }

    mutating func warning(_ kind: String, _ entity: String, _ message: String) { add(.warning, kind, line(entity), entity, message) }

    static func kind(of error: ModelError) -> String {
        switch error {
        case .duplicateEntity: "duplicateEntity"
        case .duplicateProperty: "duplicateProperty"
        case .unknownSuperentity: "unknownParent"
        case .inheritanceCycle: "inheritanceCycle"
        case .unknownDestination: "unknownDestination"
        case .unknownInverse: "unknownInverse"
        case .unknownConstraintProperty: "unknownProperty"
        case .unknownComposite: "unknownComposite"
        case .unknownConfigurationEntity: "unknownEntity"
        }
    }

    // MARK: Looking up

    /// The entity and its ancestors, nearest first; stops at a circle.
    func line(of entity: EntitySchema) -> [EntitySchema] {
        var result = [entity], seen: Set<String> = [entity.name]
        while let name = result.last?.superentityName, seen.insert(name).inserted, let parent = entities[name] { result.append(parent) }
        return result
    }

    /// Own and inherited properties by name.
    func hasProperty(_ name: String, _ entity: EntitySchema) -> Bool { attribute(name, entity) != nil || relationship(name, entity) != nil }

    func attribute(_ name: String, _ entity: EntitySchema) -> AttributeSchema? {
        for owner in line(of: entity) { if let found = owner.attributes.first(where: { $0.name == name }) { return found } }
        return nil
    }

    func relationship(_ name: String, _ entity: EntitySchema) -> RelationshipSchema? {
        for owner in line(of: entity) { if let found = owner.relationships.first(where: { $0.name == name }) { return found } }
        return nil
    }

    func names(_ entity: EntitySchema) -> [String] {
        line(of: entity).flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) + $0.fetchedProperties.map(\.name) }
    }
}
