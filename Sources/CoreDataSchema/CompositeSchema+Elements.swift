/// Composite types looked into.
extension ModelSchema {
    package func composite(named name: String?) -> CompositeSchema? { composites.first { $0.name == name } }

    /// The value a new object starts with. A composite without one of its own is made of its elements' defaults.
    package func defaultValue(of attribute: AttributeSchema) -> AttributeValue { defaultValue(of: attribute, depth: 0) }

    private func defaultValue(of attribute: AttributeSchema, depth: Int) -> AttributeValue {
        // A composite that contains itself ends at a depth no real model has.
        guard attribute.type == .composite, attribute.defaultValue.isNull, depth < 8 else { return attribute.defaultValue }
        var values: [String: AttributeValue] = [:]
        for element in composite(named: attribute.compositeName)?.elements ?? [] {
            let value = defaultValue(of: element, depth: depth + 1)
            if !value.isNull { values[element.name] = value }
        }
        return values.isEmpty ? .null : .composite(values)
    }
}
