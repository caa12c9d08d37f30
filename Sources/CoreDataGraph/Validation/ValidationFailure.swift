import CoreDataSchema

/// One thing wrong with one property of one object.
package struct ValidationFailure: Sendable, Equatable {
    package var slot: Int
    /// Apple's code: 1570 missing, 1580 too few, 1590 too many, the rule's own, or 1550 when the rule carries a text.
    package var code: Int
    /// `.null` for to-many relationships.
    package var value: AttributeValue
    /// The violated predicate, for failures of rules.
    package var predicateFormat: String?
    /// The rule's text for the user.
    package var warning: String?
    /// The element of a composite attribute that is wrong; nil for the property as a whole.
    package var element: ElementPath?

    package init(slot: Int, code: Int, value: AttributeValue, predicateFormat: String? = nil, warning: String? = nil) {
        self.slot = slot
        self.code = code
        self.value = value
        self.predicateFormat = predicateFormat
        self.warning = warning
    }
}

/// An element within a composite attribute.
package struct ElementPath: Sendable, Equatable {
    package let names: [String]
    package let type: AttributeType

    package init(names: [String], type: AttributeType) {
        self.names = names
        self.type = type
    }
}
