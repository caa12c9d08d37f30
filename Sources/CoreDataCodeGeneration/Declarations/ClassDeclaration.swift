import CoreDataSchema

/// Writes one class, or the extension of a handwritten one.
struct ClassDeclaration {
    let plan: ClassPlan
    let type: ClassPlan.Class
    /// Whether the class is the lower layer of another, which is the program's.
    let isLayered: Bool
    let locate: Locator
    let types: TypeNames

    private var modifier: String { type.settings.access.modifier }

    /// No property can be more accessible than the class it leads to.
    private func modifier(of property: ResolvedProperty) -> String {
        let destination = property.relationship?.destination ?? property.fetched.flatMap { plan.model.indexByName[$0.request.entityName] }
        guard let destination, plan.settings[destination].isAccessKnown else { return modifier }
        return min(type.settings.access, plan.settings[destination].access).modifier
    }

    /// The class as the program speaks of it.
    private var programName: String { SwiftName.escaped(type.name) }
    /// The class that is written.
    private var name: String { isLayered ? "_" + type.name : programName }

    func lines() throws(GenerationError) -> [String] {
        try checkAccessors()
        var text = SourceText()
        if type.isExtension {
            text.line("/// Properties of the entity “\(type.entity.name)”.")
            text.line("extension \(name) {")
            if !isInFamily { appendOwnFetchRequest(to: &text) }
        } else {
            text.line("/// The entity “\(type.entity.name)”\(type.entity.isAbstract ? ", which is abstract" : "").")
            for line in type.settings.documentation { text.line("/// \(line)") }
            if let deprecation = type.settings.deprecation { text.line(deprecation.attribute) }
            text.line("\(modifier)class \(name): \(superclass) {")
            if !type.usesNames { appendTables(to: &text, className: name) }
            appendFetchRequest(to: &text)
        }
        for property in type.declared { try append(property, to: &text) }
        text.line("}")
        text.append(familyExtension())
        text.append(tablesExtension())
        if type.addsIdentity {
            text.line()
            if let deprecation = type.settings.deprecation { text.line(deprecation.attribute) }
            text.line("extension \(name): \(types("Identifiable")) {}")
        }
        return text.lines
    }

    /// The beginning of the program's own layer.
    func start() -> GeneratedFile {
        let open = modifier + "class \(programName): \(name) {"
        var file = GeneratedFile(
            name: "\(type.name).swift", text: "import CoreData\nimport Foundation\n\n/// The entity “\(type.entity.name)”.\n\(open)\n}\n")
        file.isStart = true
        return file
    }

    private var superclass: String {
        guard let superclass = type.superclass else { return types("NSManagedObject") }
        return SwiftName.isIdentifier(superclass) ? SwiftName.escaped(superclass) : superclass
    }

    /// The tables by which CoreData checks the slots and typed queries find names; inherited properties are included,
    /// because a key path's root is the class it was written with.
    private func appendTables(to text: inout SourceText, className: String) {
        let properties = type.entity.properties
        let isDeprecated = type.settings.deprecation != nil || properties.contains { deprecation(of: $0) != nil }
        // By this key-value coding tells the class from those that people derive from it.
        text.line("\(modifier)override class var _generatedClass: \(types("NSManagedObject")).Type? { \(className).self }", indent: 1)
        text.line("\(modifier)override class var _propertyNames: [\(types("String"))] {", indent: 1)
        text.line("[", indent: 2)
        for property in properties { text.line("\(SourceText.literal(property.name)),", indent: 3) }
        text.line("]", indent: 2)
        text.line("}", indent: 1)
        text.line()
        let table = "[\(types("AnyKeyPath")): \(types("String"))]"
        // Deprecated properties are named in what is deprecated itself, or naming them would be a warning.
        if isDeprecated, type.settings.deprecation == nil { text.line("@available(*, deprecated)", indent: 1) }
        text.line("\(modifier)override class var _keyPathNames: \(table) {", indent: 1)
        text.line("var names: \(table) = [:]", indent: 2)
        for root in isLayered ? [className, programName] : [className] { appendNames(of: properties, root, to: &text, indent: 2) }
        text.line("return names", indent: 2)
        text.line("}", indent: 1)
        text.line()
    }

    /// Each also through an optional, from which `\School.best?.name` is put together; an object's ID stands for it.
    private func appendNames(of properties: [ResolvedProperty], _ root: String, to text: inout SourceText, indent: Int) {
        for (property, name) in properties.map({ (SwiftName.property($0.name), $0.name) }) + [("objectID", "objectID")] {
            text.line("names[\\\(root).\(property)] = \(SourceText.literal(name))", indent: indent)
            text.line("names[\\\(root)?.?.\(property)] = \(SourceText.literal(name))", indent: indent)
        }
    }

    /// Extensions override nothing: the topmost class of a family that somebody else writes in answers for all of it.
    private func tablesExtension() -> [String] {
        guard type.answersForFamily else { return [] }
        let family = plan.classes.filter { type.entity.includes($0.entity.index) }
        let table = "[\(types("AnyKeyPath")): \(types("String"))]"
        var text = SourceText()
        text.line()
        if let deprecation = type.settings.deprecation { text.line(deprecation.attribute) }
        text.line("extension \(name): _KeyPathTables {")
        if family.contains(where: { $0.entity.properties.contains { deprecation(of: $0) != nil } || $0.settings.deprecation != nil }),
           type.settings.deprecation == nil {
            text.line("@available(*, deprecated)", indent: 1)
        }
        text.line("\(modifier)static func _keyPathNames(of type: AnyObject.Type) -> \(table)? {", indent: 1)
        text.line("var names: \(table) = [:]", indent: 2)
        for (index, member) in family.enumerated() {
            let name = SwiftName.escaped(member.name)
            text.line("\(index == 0 ? "" : "} else ")if type == \(name).self {", indent: 2)
            appendNames(of: member.entity.properties, name, to: &text, indent: 3)
        }
        text.line("}", indent: 2)
        text.line("return names.isEmpty ? nil : names", indent: 2)
        text.line("}", indent: 1)
        text.line("}")
        return text.lines
    }

    /// `Person.fetchRequest()` must have one meaning. A subclass's method would compete with its superclass's, so in a family
    /// of classes each has an extension of the protocol, and each only says which entity it fetches.
    private func appendFetchRequest(to text: inout SourceText) {
        guard isInFamily else { return appendOwnFetchRequest(to: &text) }
        guard !type.usesNames else { return }
        let override = generatedSuperclass == nil ? "" : "override "
        text.line("\(modifier)\(override)class var _fetchedEntityName: \(types("String")) { \(SourceText.literal(type.entity.name)) }", indent: 1)
    }

    private func appendOwnFetchRequest(to text: inout SourceText) {
        let request = "\(types("NSFetchRequest"))<\(programName)>"
        text.line("@nonobjc \(modifier)class func fetchRequest() -> \(request) {", indent: 1)
        text.line("\(request)(entityName: \(SourceText.literal(type.entity.name)))", indent: 2)
        text.line("}", indent: 1)
    }

    /// The topmost class answers for all that say which entity they fetch; extensions cannot override what says it, and answer each
    /// for themselves.
    private func familyExtension() -> [String] {
        guard isInFamily, type.usesNames || generatedSuperclass == nil else { return [] }
        let request = "\(types("NSFetchRequest"))<Self>"
        let entity = type.usesNames ? SourceText.literal(type.entity.name) : "_fetchedEntityName"
        var result = [""]
        if let deprecation = type.settings.deprecation { result.append(deprecation.attribute) }
        result += [
            "extension _ContextInitializable where Self: \(name) {",
            "    \(modifier)static func fetchRequest() -> \(request) {", "        \(request)(entityName: \(entity))", "    }", "}",
        ]
        return result
    }

    /// A handwritten superclass knows nothing of what is generated.
    private var generatedSuperclass: String? { type.ancestor.flatMap { name in plan.classes.first { $0.name == name }?.name } }

    private var isInFamily: Bool {
        isLayered || generatedSuperclass != nil || plan.classes.contains { $0.ancestor == type.name }
    }

    private func append(_ property: ResolvedProperty, to text: inout SourceText) throws(GenerationError) {
        let declaration = try declaration(of: property)
        let name = SwiftName.property(property.name)
        let deprecation = deprecation(of: property)
        text.line()
        for line in EntitySettings.documentation(property.userInfo) { text.line("/// \(line)", indent: 1) }
        if name == property.name + "_" {
            text.line("/// “\(property.name)” in the model, in keys and in predicates: Swift needs that name for something else.", indent: 1)
        }
        if let deprecation { text.line(deprecation.attribute, indent: 1) }
        text.line("\(modifier(of: property))var \(name): \(declaration.type) {", indent: 1)
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
            if let deprecation { text.line(deprecation.attribute, indent: 1) }
            text.line("\(modifier(of: property))func \(mutator.signature) {", indent: 1)
            text.line(mutator.body, indent: 2)
            text.line("}", indent: 1)
        }
    }

    private func mutators(of property: ResolvedProperty, _ relationship: ResolvedRelationship) -> [RelationshipMutators.Mutator] {
        RelationshipMutators(
            destination: className(at: relationship.destination), isOrdered: relationship.isOrdered, address: address(of: property),
            style: type.settings.types, types: types
        ).declare(property.name)
    }

    private func address(of property: ResolvedProperty) -> PropertyAddress {
        type.usesNames ? .name(property.name) : .slot(property.slot)
    }

    /// Its own, or that of the class it leads to; a member of a deprecated class needs none.
    private func deprecation(of property: ResolvedProperty) -> Deprecation? {
        if let own = Deprecation(property.userInfo) { return own }
        guard type.settings.deprecation == nil else { return nil }
        if let relationship = property.relationship { return plan.settings[relationship.destination].deprecation }
        return property.fetched.flatMap { plan.model.indexByName[$0.request.entityName] }.flatMap { plan.settings[$0].deprecation }
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
        if let attribute = property.attribute { return try declaration(of: property, attribute, owner) }
        if let relationship = property.relationship {
            return PropertyDeclaration(
                relationship.schema, to: className(at: relationship.destination), at: address(of: property), style: type.settings.types, types)
        }
        let destination = property.fetched?.request.entityName ?? ""
        guard let entity = plan.model.indexByName[destination] else {
            throw locate.error(
                .unknownEntity, owner, property.name,
                "The fetched property “\(owner).\(property.name)” fetches “\(destination)”, but the model has no such entity.")
        }
        return PropertyDeclaration(fetched: className(at: entity), at: address(of: property))
    }

    /// User info keys for a value's type: that of the program's own whose raw value is stored, and the class of transformable values.
    /// The second and third are mogenerator's.
    private static let rawTypeKeys = ["swiftType", "attributeValueScalarType"], valueClassKey = "attributeValueClassName"

    private func declaration(
        of property: ResolvedProperty, _ attribute: AttributeSchema, _ owner: String
    ) throws(GenerationError) -> PropertyDeclaration {
        let address = address(of: property)
        func checked(_ name: String?, _ key: String) throws(GenerationError) -> String? {
            // Models of Objective-C write pointers.
            let type = SwiftName.bare(name?.trimmingCharacters(in: ["*", " "]))
            guard let name = type, !SwiftName.isTypeText(name) else { return type }
            throw locate.error(
                .unusableName, owner, property.name,
                "The value class “\(name)” of “\(owner).\(property.name)” is no type Swift can use. Correct \(key).")
        }
        for key in Self.rawTypeKeys {
            guard let name = try checked(attribute.userInfo[key], key) else { continue }
            if let declaration = PropertyDeclaration(attribute, as: name, at: address, types) { return declaration }
        }
        var valueClass = try checked(attribute.valueClassName, "customClassName")
        if valueClass == nil, attribute.type == .transformable || attribute.type == .undefined {
            valueClass = try checked(attribute.userInfo[Self.valueClassKey] ?? attribute.userInfo[Self.rawTypeKeys[0]], Self.valueClassKey)
        }
        return PropertyDeclaration(attribute, at: address, valueClass: valueClass, style: type.settings.types, types)
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
