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
        /// The class of the nearest ancestor that has one.
        let ancestor: String?
        /// Slots the class declares itself.
        let declared: [ResolvedProperty]
        let settings: EntitySettings
        /// Whether only an extension is written.
        let isExtension: Bool
        /// Whether properties are reached by name: somebody else writes a class of the family.
        let usesNames: Bool
        /// Whether it is the topmost of such a family that is written, and names the key paths of all.
        let answersForFamily: Bool
        /// Whether it is declared `Identifiable`.
        let addsIdentity: Bool
    }

    let model: ResolvedModel
    private(set) var classes: [Class] = []
    /// By entity index; nil is NSManagedObject.
    private(set) var classNames: [String?] = []
    /// What is generated, by entity index.
    private(set) var choices: [CodeGenerationChoice] = []
    /// The settings of each entity, by index.
    private(set) var settings: [EntitySettings] = []

    /// An entity with this user info entry set to NO keeps its handwritten class.
    static let optOutKey = "generatesClass"

    init(_ model: ResolvedModel, _ options: GenerationOptions, _ locate: Locator) throws(GenerationError) {
        self.model = model
        if let stray = options.configuration.entities.keys.filter({ model.indexByName[$0] == nil }).min() {
            throw locate.error(.configuration, stray, nil, "The configuration speaks of the entity “\(stray)”, but the model has no such entity.")
        }
        for entity in model.entities {
            classNames.append(try Self.className(of: entity.schema, locate))
            settings.append(try EntitySettings(entity.schema, options, locate))
        }
        choices = choices(options)
        adoptAccess(options)
        markDeprecated()
        try planClasses(options, locate)
    }

    /// What is written for a class of the program's is no more accessible than it.
    private mutating func adoptAccess(_ options: GenerationOptions) {
        for entity in model.entities {
            if choices[entity.index] == .class {
                settings[entity.index].isAccessKnown = true
            } else if let access = classNames[entity.index].flatMap({ options.handwritten[$0] }) {
                settings[entity.index].access = min(settings[entity.index].access, access)
                settings[entity.index].isAccessKnown = true
            }
        }
    }

    /// What is used of deprecated classes is deprecated itself, so that the generated code compiles without a warning.
    private mutating func markDeprecated() {
        for entity in model.entities where settings[entity.index].deprecation == nil {
            if let ancestor = entity.superIndex { settings[entity.index].deprecation = settings[ancestor].deprecation }
        }
    }

    private mutating func planClasses(_ options: GenerationOptions, _ locate: Locator) throws(GenerationError) {
        var owners: [String: ResolvedEntity] = [:]
        for entity in model.entities {
            guard let name = classNames[entity.index] else { continue }
            if let owner = owners[name] {
                // A subentity may go by its ancestor's class; it adds no class of its own.
                if owner.includes(entity.index) || choices[entity.index] == .manual { continue }
                throw locate.error(
                    .sharedClass, entity.name, nil,
                    "The entities “\(owner.name)” and “\(entity.name)” share the class “\(name)”, but a generated class belongs to one "
                        + "entity and its descendants. Give each its own representedClassName.")
            }
            guard choices[entity.index] != .manual else { continue }
            owners[name] = entity
            classes.append(plan(name, entity, options))
        }
    }

    /// As in Xcode; where a model says nothing at all, every class is generated that the program does not declare.
    private func choices(_ options: GenerationOptions) -> [CodeGenerationChoice] {
        let saysSomething = model.entities.contains { $0.schema.codeGeneration != .manual }
        return model.entities.map { entity in
            if entity.schema.userInfo[Self.optOutKey]?.uppercased() == "NO" { return .manual }
            if let own = options.configuration.entities[entity.name]?.codegen { return own }
            switch entity.schema.codeGeneration {
            case .classDefinition: return .class
            case .category: return .category
            case .manual:
                if let name = classNames[entity.index], options.handwritten[name] != nil { return .manual }
                return options.configuration.general.codegen ?? (saysSomething ? .manual : .class)
            }
        }
    }

    private func plan(_ name: String, _ entity: ResolvedEntity, _ options: GenerationOptions) -> Class {
        var ancestor = entity.superIndex
        while let index = ancestor, classNames[index] == nil { ancestor = model.entities[index].superIndex }
        // Properties of ancestors that are plain managed objects are declared nowhere else.
        let inherited = ancestor.map { model.entities[$0].properties.count } ?? 0
        let own = settings[entity.index], above = ancestor.flatMap { classNames[$0] }
        let superclass = own.superclass ?? above ?? own.rootSuperclass
        let usesNames = isSharedFamily(entity)
        return Class(
            name: name, entity: entity, superclass: superclass, ancestor: above,
            declared: Array(entity.properties[inherited...]), settings: own, isExtension: choices[entity.index] == .category,
            usesNames: usesNames, answersForFamily: usesNames && !isBelowWritten(name, entity, superclass, options.inheritance),
            addsIdentity: addsIdentity(name, entity, superclass, options))
    }

    /// Whether a class above, as the model or the sources say, is written here too.
    private func isBelowWritten(
        _ name: String, _ entity: ResolvedEntity, _ superclass: String?, _ inheritance: [String: Set<String>]
    ) -> Bool {
        if classes.contains(where: { $0.entity.includes(entity.index) }) { return true }
        var due = Array(inheritance[name] ?? []) + (superclass.map { [$0] } ?? []), seen: Set<String> = []
        while let name = due.popLast() {
            if classes.contains(where: { $0.name == name }) { return true }
            if seen.insert(name).inserted { due += inheritance[name] ?? [] }
        }
        return false
    }

    /// Xcode declares its classes `Identifiable`. A second declaration would be an error: none where the class or one above it may have
    /// its own, in the program's sources or beyond what is known of them.
    private func addsIdentity(_ name: String, _ entity: ResolvedEntity, _ superclass: String?, _ options: GenerationOptions) -> Bool {
        // Layers are mogenerator's, which leaves it to the program.
        guard !options.isLayered, options.inheritance[name]?.contains("Identifiable") != true else { return false }
        if let id = entity.property(named: "id") {
            guard isWitness(id, of: entity, name, options) else { return false }
        }
        guard let superclass else { return true }
        // What is generated for a class above declares it, or knows why not.
        guard !classes.contains(where: { $0.name == superclass }) else { return false }
        return lacksIdentity(superclass, options.inheritance)
    }

    /// Whether a property `id` may be what identifies: it is as accessible as the class.
    private func isWitness(_ property: ResolvedProperty, of entity: ResolvedEntity, _ name: String, _ options: GenerationOptions) -> Bool {
        let own = settings[entity.index].access
        if let access = options.handwritten[name], choices[entity.index] == .category, own < access { return false }
        let destination = property.relationship?.destination ?? property.fetched.flatMap { model.indexByName[$0.request.entityName] }
        return destination.map { settings[$0].access >= own } ?? true
    }

    /// Whether the sources show that neither a class nor one above it is `Identifiable`.
    private func lacksIdentity(_ name: String, _ inheritance: [String: Set<String>]) -> Bool {
        var name = name, seen: Set<String> = []
        while name != "NSManagedObject" {
            guard seen.insert(name).inserted, let inherited = inheritance[name], !inherited.contains("Identifiable"),
                  let above = inherited.first(where: { $0 == "NSManagedObject" || inheritance[$0] != nil }) else { return false }
            name = above
        }
        return true
    }

    /// Whether somebody else writes a class of the entity's family. Classes with the opt-out know their slots.
    private func isSharedFamily(_ entity: ResolvedEntity) -> Bool {
        let root = model.entities[entity.rootIndex]
        return (root.index...root.lastDescendant).contains { index in
            guard classNames[index] != nil, model.entities[index].schema.userInfo[Self.optOutKey]?.uppercased() != "NO" else { return false }
            return choices[index] != .class
        }
    }

    private static func className(of entity: EntitySchema, _ locate: Locator) throws(GenerationError) -> String? {
        guard let written = entity.className else { return nil }
        guard let name = SwiftName.bare(written), SwiftName.isIdentifier(name), !["NSManagedObject", "Self"].contains(name) else {
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

extension ResolvedProperty {
    var userInfo: [String: String] { attribute?.userInfo ?? relationship?.schema.userInfo ?? fetched?.userInfo ?? [:] }
}
