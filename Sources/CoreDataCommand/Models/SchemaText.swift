import CoreDataSchema

/// Names of the model's parts as Xcode shows them.
extension AttributeType {
    var title: String {
        switch self {
        case .undefined: "Undefined"
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .decimal: "Decimal"
        case .double: "Double"
        case .float: "Float"
        case .string: "String"
        case .boolean: "Boolean"
        case .date: "Date"
        case .binary: "Binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "Transformable"
        case .objectID: "Object ID"
        case .composite: "Composite"
        }
    }
}

extension DeleteRule {
    var title: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }
}

extension AttributeValue {
    /// A default value as the model's file would say it; nil for none.
    func text(as type: AttributeType) -> String? {
        switch self {
        case .null: nil
        case .integer(let value): type == .boolean ? (value != 0 ? "YES" : "NO") : String(value)
        case .real(let value): type == .date ? DateText.text(value) : value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): "“\(value)”"
        case .uuid(let value): value.uuidString
        case .data(let value): "\(value.count) bytes"
        case .reference, .object, .composite: "a value"
        }
    }
}

extension AttributeSchema {
    var typeTitle: String { type == .composite ? "Composite \(compositeName ?? "?")" : type.title }

    /// What is special about it, in words.
    var remarks: [String] {
        var remarks: [String] = [isOptional ? "optional" : "required"]
        if isTransient { remarks.append("transient") }
        if let derivationFormat { remarks.append("derived from \(derivationFormat)") }
        if let text = defaultValue.text(as: type) { remarks.append("default \(text)") }
        for rule in validationRules { remarks.append(rule.predicateFormat) }
        if allowsExternalBinaryDataStorage { remarks.append("external storage") }
        if let valueTransformerName { remarks.append("transformer \(valueTransformerName)") }
        if let valueClassName { remarks.append("class \(valueClassName)") }
        if isIndexed { remarks.append("indexed") }
        if preservesValueInHistoryOnDeletion { remarks.append("kept in history") }
        return remarks
    }
}

extension RelationshipSchema {
    var typeTitle: String { (isToMany ? (isOrdered ? "ordered to-many " : "to-many ") : "to-one ") + destinationName }

    var remarks: [String] {
        var remarks = [isOptional ? "optional" : "required"]
        if isTransient { remarks.append("transient") }
        remarks.append(inverseName.map { "inverse \($0)" } ?? "no inverse")
        if deleteRule != .nullify { remarks.append("on delete: \(deleteRule.title)") }
        if minCount > 0 || maxCount > 1 { remarks.append("\(minCount) to \(maxCount == 0 ? "any number" : String(maxCount))") }
        return remarks
    }
}
