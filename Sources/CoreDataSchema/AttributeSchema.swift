/// One attribute as declared.
package struct AttributeSchema: Sendable, Equatable {
    package var name: String
    package var type: AttributeType
    package var isOptional = false
    package var isTransient = false
    package var defaultValue = AttributeValue.null
    package var validationRules: [ValidationRule] = []
    package var valueTransformerName: String?
    package var valueClassName: String?
    package var allowsExternalBinaryDataStorage = false
    package var preservesValueInHistoryOnDeletion = false
    package var allowsCloudEncryption = false
    package var isIndexedBySpotlight = false
    /// Legacy `indexed="YES"`.
    package var isIndexed = false
    /// `NSDerivedAttributeDescription`: the expression's format.
    package var derivationFormat: String?
    /// Name of the composite type when `type` is `.composite`.
    package var compositeName: String?
    /// `usesScalarValueType`; nil when the file does not say.
    package var usesScalar: Bool?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String] = [:]

    package init(name: String, type: AttributeType) {
        self.name = name
        self.type = type
    }
}

/// A validation predicate and what Apple pairs with it: an error code, or a text shown with the generic code 1550.
package struct ValidationRule: Sendable, Equatable {
    package var predicateFormat: String
    package var warning: Warning

    package enum Warning: Sendable, Equatable { case code(Int), text(String) }

    package init(predicateFormat: String, warning: Warning) {
        self.predicateFormat = predicateFormat
        self.warning = warning
    }
}

/// One relationship as declared.
package struct RelationshipSchema: Sendable, Equatable {
    package var name: String
    package var destinationName: String
    package var inverseName: String?
    /// Entity that declares the inverse, when the file says so.
    package var inverseEntityName: String?
    package var isOptional = false
    package var isTransient = false
    package var isOrdered = false
    package var minCount = 0
    /// 1 is to-one; 0 is to-many without a limit.
    package var maxCount = 1
    package var deleteRule = DeleteRule.nullify
    package var isIndexed = false
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [String: String] = [:]

    package var isToMany: Bool { maxCount != 1 }

    package init(name: String, destinationName: String) {
        self.name = name
        self.destinationName = destinationName
    }
}

/// Raw values are Apple's `NSDeleteRule`.
package enum DeleteRule: Int, Sendable { case noAction = 0, nullify, cascade, deny }
