/// A managed object model as it was declared: entities refer to one another by name, nothing is resolved or checked.
///
/// Invariant: a plain value. `ResolvedModel` is its checked, indexed form.
package struct ModelSchema: Sendable, Equatable {
    package var entities: [EntitySchema] = []
    package var composites: [CompositeSchema] = []
    package var configurations: [ConfigurationSchema] = []
    package var fetchTemplates: [FetchTemplateSchema] = []
    /// `userDefinedModelVersionIdentifier`; an empty text counts as one identifier.
    package var versionIdentifiers: [String] = []

    package init() {}

    package func entity(named name: String) -> EntitySchema? { entities.first { $0.name == name } }
}

/// A named subset of the entities. The default configuration (nil) is all of them and is not listed.
package struct ConfigurationSchema: Sendable, Equatable {
    package var name: String
    package var entityNames: [String]

    package init(name: String, entityNames: [String]) {
        self.name = name
        self.entityNames = entityNames
    }
}

/// A composite type: named attributes stored side by side in the owner's row.
package struct CompositeSchema: Sendable, Equatable {
    package var name: String
    package var elements: [AttributeSchema]

    package init(name: String, elements: [AttributeSchema]) {
        self.name = name
        self.elements = elements
    }
}

/// A fetch request kept in the model, with `$VARIABLES` in its predicate.
package struct FetchTemplateSchema: Sendable, Equatable {
    package var name: String
    package var entityName: String
    package var predicateFormat: String?
    package var sortKeys: [SortKeySchema] = []
    /// 0 objects, 1 object IDs, 2 dictionaries, 4 count: `NSFetchRequestResultType`.
    package var resultType = 0
    package var fetchLimit = 0
    package var fetchBatchSize = 0
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false

    package init(name: String, entityName: String) {
        self.name = name
        self.entityName = entityName
    }
}

package struct SortKeySchema: Sendable, Equatable {
    package var keyPath: String
    package var isAscending: Bool

    package init(keyPath: String, isAscending: Bool) {
        self.keyPath = keyPath
        self.isAscending = isAscending
    }
}
