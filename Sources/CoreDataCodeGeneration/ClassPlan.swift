import CoreDataModelFile
import CoreDataSchema

/// Which classes a model's entities get, and which properties each declares.
///
/// Invariant: `classes` is in the order of `ResolvedModel.entities`, so a superclass stands before its subclasses; each
/// property is declared by exactly one class of an entity's chain.
struct ClassPlan {
    struct Class {
        let name: String
        let entity: ResolvedEntity
        /// nil is NSManagedObject.
        let superclass: String?
        /// Slots the class declares itself.
        let declared: [ResolvedProperty]
    }

    let model: ResolvedModel
    private(set) var classes: [Class] = []
    /// By entity index; nil is NSManagedObject.
    private(set) var classNames: [String?] = []

    /// An entity with this user info entry set to NO keeps its handwritten class.
    static let optOutKey = "generatesClass"

    init(_ model: ResolvedModel, _ locate: Locator) throws(GenerationError) {
        self.model = model
        for entity in model.entities { classNames.append(try Self.className(of: entity.schema, locate)) }
        var owners: [String: ResolvedEntity] = [:]
        for entity in model.entities {
            guard let name = classNames[entity.index] else { continue }
            if let owner = owners[name] {
                // A subentity may go by its ancestor's class; it adds no class of its own.
                if owner.includes(entity.index) { continue }
                throw locate.error(
                    .sharedClass, entity.name, nil,
                    "The entities “\(owner.name)” and “\(entity.name)” share the class “\(name)”, but a generated class belongs to one "
                        + "entity and its descendants. Give each its own representedClassName.")
            }
            owners[name] = entity
            guard entity.schema.userInfo[Self.optOutKey].map({ $0.uppercased() != "NO" }) ?? true else { continue }
            classes.append(plan(name, entity))
        }
    }

    private func plan(_ name: String, _ entity: ResolvedEntity) -> Class {
        var ancestor = entity.superIndex
        while let index = ancestor, classNames[index] == nil { ancestor = model.entities[index].superIndex }
        // Properties of ancestors that are plain managed objects are declared nowhere else.
        let inherited = ancestor.map { model.entities[$0].properties.count } ?? 0
        return Class(
            name: name, entity: entity, superclass: ancestor.flatMap { classNames[$0] },
            declared: Array(entity.properties[inherited...]))
    }

    private static func className(of entity: EntitySchema, _ locate: Locator) throws(GenerationError) -> String? {
        guard let written = entity.className else { return nil }
        guard let name = SwiftName.bare(written), SwiftName.isIdentifier(name), name != "NSManagedObject" else {
            if SwiftName.bare(written) == "NSManagedObject" { return nil }
            throw locate.error(
                .unusableName, entity.name, nil,
                "The class “\(written)” of the entity “\(entity.name)” is no name Swift can use. Correct representedClassName.")
        }
        return name
    }
}

/// Finds the line an error is about.
struct Locator {
    let modelName: String
    let source: ModelSource?

    func error(_ kind: GenerationError.Kind, _ entity: String, _ property: String?, _ message: String) -> GenerationError {
        let line = property.flatMap { source?.propertyLines[entity]?[$0] } ?? source?.entityLines[entity]
        return GenerationError(kind, path: source?.path ?? modelName, line: line, message)
    }
}
