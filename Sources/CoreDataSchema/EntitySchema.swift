/// One entity as declared: own properties only, everything else by name.
package struct EntitySchema: Sendable, Equatable {
    package var name: String
    /// nil is `NSManagedObject`. May carry a module ("Shop.Person") or a leading dot (the current module).
    package var className: String?
    package var superentityName: String?
    package var isAbstract = false
    package var attributes: [AttributeSchema] = []
    package var relationships: [RelationshipSchema] = []
    package var fetchedProperties: [FetchedPropertySchema] = []
    package var indexes: [FetchIndexSchema] = []
    /// Legacy `compoundIndexes`: lists of property names.
    package var compoundIndexes: [[String]] = []
    package var uniquenessConstraints: [[String]] = []
    package var codeGeneration = CodeGenerationKind.manual
    /// `elementID`; nil is the name itself.
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String] = [:]

    package init(name: String) { self.name = name }
}

package enum CodeGenerationKind: String, Sendable { case manual, classDefinition = "class", category }

package struct FetchIndexSchema: Sendable, Equatable {
    package var name: String
    package var elements: [FetchIndexElementSchema]
    package var partialPredicateFormat: String?

    package init(name: String, elements: [FetchIndexElementSchema], partialPredicateFormat: String? = nil) {
        self.name = name
        self.elements = elements
        self.partialPredicateFormat = partialPredicateFormat
    }
}

package struct FetchIndexElementSchema: Sendable, Equatable {
    /// nil when the element is an expression.
    package var propertyName: String?
    package var expressionFormat: String?
    package var isRTree = false
    package var isAscending = true

    package init(propertyName: String?, expressionFormat: String? = nil, isRTree: Bool = false, isAscending: Bool = true) {
        self.propertyName = propertyName
        self.expressionFormat = expressionFormat
        self.isRTree = isRTree
        self.isAscending = isAscending
    }
}

package struct FetchedPropertySchema: Sendable, Equatable {
    package var name: String
    package var isOptional = true
    package var request: FetchTemplateSchema
    package var renamingIdentifier: String?
    package var userInfo: [String: String] = [:]

    package init(name: String, request: FetchTemplateSchema) {
        self.name = name
        self.request = request
    }
}
