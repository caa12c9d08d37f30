import CoreDataSchema

/// The predicates and codes by which a model's bounds are checked, as Apple's compiler pairs them.
enum BoundRule {
    /// One bound: its attributes in the file, its predicate up to the number, its error code.
    struct Kind: Sendable {
        let attributeNames: [String]
        let prefix: String
        let code: Int
    }

    static func kinds(for type: AttributeType) -> [Kind] {
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean:
            [Kind(attributeNames: ["minValueString"], prefix: "SELF >= ", code: 1620),
             Kind(attributeNames: ["maxValueString"], prefix: "SELF <= ", code: 1610)]
        case .string:
            [Kind(attributeNames: ["minValueString"], prefix: "length >= ", code: 1670),
             Kind(attributeNames: ["maxValueString"], prefix: "length <= ", code: 1660),
             Kind(attributeNames: ["regularExpressionString"], prefix: "SELF MATCHES ", code: 1680)]
        case .date:
            [Kind(attributeNames: ["minDateTimeInterval", "minValueString"], prefix: "timeIntervalSinceReferenceDate >= ", code: 1640),
             Kind(attributeNames: ["maxDateTimeInterval", "maxValueString"], prefix: "timeIntervalSinceReferenceDate <= ", code: 1630)]
        case .binary, .uuid, .uri, .transformable, .objectID, .composite, .undefined: []
        }
    }

    /// A text as a literal of the predicate format.
    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The text a literal made by `quoted` stands for.
    static func unquoted(_ literal: some StringProtocol) -> String? {
        guard literal.count >= 2, literal.hasPrefix("\""), literal.hasSuffix("\"") else { return nil }
        var result = "", escaped = false
        for character in literal.dropFirst().dropLast() {
            if !escaped, character == "\\" { escaped = true; continue }
            result.append(character)
            escaped = false
        }
        return escaped ? nil : result
    }
}

extension XMLModelReader {
    func validationRules(
        of element: ModelXMLElement, _ type: AttributeType, _ label: String
    ) throws(ModelFileError) -> [ValidationRule] {
        var rules: [ValidationRule] = []
        for kind in BoundRule.kinds(for: type) {
            guard let name = kind.attributeNames.first(where: { element.text($0) != nil }), let text = element.text(name)
            else { continue }
            let operand = name == "regularExpressionString" ? BoundRule.quoted(text) : bound(text, name, type)
            guard let operand else {
                let expected = type == .date ? "a date or seconds since 2001-01-01 UTC" : type == .string ? "a length" : "a number"
                throw content(
                    element, "“\(name)” of “\(label)” is “\(text)”, which is not \(expected).", "Correct the bound or remove it.")
            }
            rules.append(ValidationRule(predicateFormat: kind.prefix + operand, warning: .code(kind.code)))
        }
        return rules
    }

    /// A bound as a literal of the predicate format.
    private func bound(_ text: String, _ name: String, _ type: AttributeType) -> String? {
        switch type {
        case .string:
            guard let length = Int(text), length >= 0 else { return nil }
            return String(length)
        case .date:
            if name.hasSuffix("DateTimeInterval") { return AttributeText.isNumber(text) ? text : nil }
            return AttributeText.date(text).map { $0.rounded() == $0 ? String(Int64($0)) : String($0) }
        default:
            // Older editors wrote bounds of whole numbers with a fraction, which is kept: 4.5 bounds an integer as well.
            return AttributeText.isNumber(text) ? text : nil
        }
    }
}
