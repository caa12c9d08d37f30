import CoreDataSchema

/// Writes one class.
struct ClassDeclaration {
    let plan: ClassPlan
    let type: ClassPlan.Class
    let access: GenerationOptions.Access
    let locate: Locator
    let types: TypeNames

    private var modifier: String { access == .internal ? "" : access.rawValue + " " }

    func lines() throws(GenerationError) -> [String] {
        let name = SwiftName.escaped(type.name)
        try checkAccessors()
        var text = SourceText()
        text.line("/// The entity “\(type.entity.name)”\(type.entity.isAbstract ? ", which is abstract" : "").")
        text.line("\(modifier)class \(name): \(type.superclass.map(SwiftName.escaped) ?? types("NSManagedObject")) {")
        appendTables(to: &text, className: name)
        for property in type.declared { try append(property, to: &text) }
        text.line("}")
        text.append(familyExtension(className: name))
        return text.lines
    }

    /// The tables by which CoreData checks the slots and typed queries find names; inherited properties are included,
    /// because a key path's root is the class it was written with.
    private func appendTables(to text: inout SourceText, className: String) {
        let properties = type.entity.properties
        // By this key-value coding tells the class from those that people derive from it.
        text.line("\(modifier)override class var _generatedClass: \(types("NSManagedObject")).Type? { \(className).self }", indent: 1)
        text.line("\(modifier)override class var _propertyNames: [\(types("String"))] {", indent: 1)
        text.line("[", indent: 2)
        for property in properties { text.line("\(SourceText.literal(property.name)),", indent: 3) }
        text.line("]", indent: 2)
        text.line("}", indent: 1)
        text.line()
        let table = "[\(types("AnyKeyPath")): \(types("String"))]"
        text.line("\(modifier)override class var _keyPathNames: \(table) {", indent: 1)
        text.line("var names: \(table) = [:]", indent: 2)
        // Each also through an optional, from which `\School.best?.name` is put together; an object's ID stands for it.
        let named = properties.map { (SwiftName.property($0.name), $0.name) } + [("objectID", "objectID")]
        for (property, name) in named {
            text.line("names[\\\(className).\(property)] = \(SourceText.literal(name))", indent: 2)
            text.line("names[\\\(className)?.?.\(property)] = \(SourceText.literal(name))", indent: 2)
        }
        text.line("return names", indent: 2)
        text.line("}", indent: 1)
        text.line()
        appendFetchRequest(to: &text, className: className)
    }

    /// `Person.fetchRequest()` must have one meaning. A subclass's method would compete with its superclass's, so in a family
    /// of classes the topmost has an extension for all of them, and each only says which entity it fetches.
    private func appendFetchRequest(to text: inout SourceText, className: String) {
        let entity = SourceText.literal(type.entity.name)
        if isInFamily {
            let override = generatedSuperclass == nil ? "" : "override "
            text.line("\(modifier)\(override)class var _fetchedEntityName: \(types("String")) { \(entity) }", indent: 1)
            return
        }
        let request = "\(types("NSFetchRequest"))<\(className)>"
        text.line("@nonobjc \(modifier)class func fetchRequest() -> \(request) {", indent: 1)
        text.line("\(request)(entityName: \(entity))", indent: 2)
        text.line("}", indent: 1)
    }

    private func familyExtension(className: String) -> [String] {
        guard isInFamily, generatedSuperclass == nil else { return [] }
        let request = "\(types("NSFetchRequest"))<Self>"
        return [
            "", "extension _ContextInitializable where Self: \(className) {",
            "    \(modifier)static func fetchRequest() -> \(request) {", "        \(request)(entityName: _fetchedEntityName)", "    }", "}",
        ]
    }

    /// A handwritten superclass knows nothing of what is generated.
    private var generatedSuperclass: String? { type.superclass.flatMap { name in plan.classes.first { $0.name == name }?.name } }

    private var isInFamily: Bool {
        generatedSuperclass != nil || plan.classes.contains { $0.superclass == type.name }
    }

    private func append(_ property: ResolvedProperty, to text: inout SourceText) throws(GenerationError) {
        let declaration = try declaration(of: property)
        let name = SwiftName.property(property.name)
        text.line()
        if name == property.name + "_" {
            text.line("/// “\(property.name)” in the model, in keys and in predicates: Swift needs that name for something else.", indent: 1)
        }
        text.line("\(modifier)var \(name): \(declaration.type) {", indent: 1)
        if let setter = declaration.setter {
            text.line("get { \(declaration.getter) }", indent: 2)
            text.line("set { \(setter) }", indent: 2)
        } else {
            text.line(declaration.getter, indent: 2)
        }
        text.line("}", indent: 1)
        guard let relationship = property.relationship, relationship.isToMany else { return }
        for mutator in mutators(of: property, relationship) {
            text.line()
            text.line("\(modifier)func \(mutator.signature) {", indent: 1)
            text.line(mutator.body, indent: 2)
            text.line("}", indent: 1)
        }
    }

    private func mutators(of property: ResolvedProperty, _ relationship: ResolvedRelationship) -> [(signature: String, body: String)] {
        RelationshipMutators.declare(
            property.name, of: className(at: relationship.destination), isOrdered: relationship.isOrdered, slot: property.slot, types)
    }

    private func className(at entity: Int) -> String {
        plan.classNames[entity].map(SwiftName.escaped) ?? types("NSManagedObject")
    }

    private func declaration(of property: ResolvedProperty) throws(GenerationError) -> PropertyDeclaration {
        let owner = plan.model.entities[property.declaringEntity].name
        guard SwiftName.isIdentifier(property.name) else {
            throw locate.error(
                .unusableName, owner, property.name,
                "The property “\(owner).\(property.name)” has no name Swift can use. Rename it; elementID keeps the old name for migration.")
        }
        if let attribute = property.attribute {
            let valueClass = SwiftName.bare(attribute.valueClassName)
            if let valueClass, !SwiftName.isTypeText(valueClass) {
                throw locate.error(
                    .unusableName, owner, property.name,
                    "The value class “\(valueClass)” of “\(owner).\(property.name)” is no type Swift can use. Correct customClassName.")
            }
            return PropertyDeclaration(attribute, slot: property.slot, valueClass: valueClass, types)
        }
        if let relationship = property.relationship {
            return PropertyDeclaration(
                relationship.schema, to: className(at: relationship.destination), slot: property.slot, types)
        }
        let destination = property.fetched?.request.entityName ?? ""
        guard let entity = plan.model.indexByName[destination] else {
            throw locate.error(
                .unknownEntity, owner, property.name,
                "The fetched property “\(owner).\(property.name)” fetches “\(destination)”, but the model has no such entity.")
        }
        return PropertyDeclaration(fetched: className(at: entity), slot: property.slot)
    }

    /// "tags" and "Tags" would both get `addToTags`, and an attribute may be called `addToTags` itself. Methods that only
    /// differ in what they take are no collision for Swift, but would be one for whoever reads them.
    private func checkAccessors() throws(GenerationError) {
        var owners: [String: ResolvedProperty] = [:]
        func claim(_ name: String, _ property: ResolvedProperty) throws(GenerationError) {
            guard let other = owners.updateValue(property, forKey: name), other.slot != property.slot else { return }
            let owner = plan.model.entities[property.declaringEntity].name
            throw locate.error(
                .accessorCollision, owner, property.name,
                "The properties “\(other.name)” and “\(property.name)” of “\(type.entity.name)” both need the Swift name “\(name)”. Rename one.")
        }
        for property in type.entity.properties {
            try claim(SwiftName.property(property.name), property)
            guard let relationship = property.relationship, relationship.isToMany else { continue }
            for mutator in mutators(of: property, relationship) {
                try claim(String(mutator.signature.prefix { $0 != "(" }), property)
            }
        }
    }
}
