import CoreDataSchema
import Foundation

extension XMLModelReader {
    mutating func attribute(_ element: ModelXMLElement, of owner: String) throws(ModelFileError) -> AttributeSchema {
        let name = try requiredName(element, "attribute", in: owner)
        let label = "\(owner).\(name)"
        var attribute = AttributeSchema(name: name, type: .undefined)
        attribute.isOptional = try flag("optional", of: element)
        attribute.isTransient = try flag("transient", of: element)
        attribute.type = try type(of: element, label, isTransient: attribute.isTransient)
        attribute.usesScalar = try optionalFlag("usesScalarValueType", of: element)
        attribute.valueTransformerName = element.text("valueTransformerName")
        attribute.valueClassName = element.text("customClassName")
        attribute.allowsExternalBinaryDataStorage = try flag("allowsExternalBinaryDataStorage", of: element)
        attribute.preservesValueInHistoryOnDeletion = try flag("preserveAfterDeletion", of: element)
        attribute.allowsCloudEncryption = try flag("allowsCloudEncryption", of: element)
        attribute.isIndexedBySpotlight = try flag("spotlightIndexingEnabled", of: element)
        attribute.isIndexed = try flag("indexed", of: element)
        attribute.compositeName = element.text("composite")
        attribute.renamingIdentifier = element.text("elementID")
        attribute.versionHashModifier = element.text("versionHashModifier")
        attribute.userInfo = try userInfo(in: element)
        if try flag("derived", of: element) {
            guard let format = element.text("derivationExpression") else {
                throw content(element, "The derived attribute “\(label)” has no expression.", "Add derivationExpression or remove derived.")
            }
            attribute.derivationFormat = format
        }
        attribute.defaultValue = try defaultValue(of: element, attribute, label)
        attribute.validationRules = try validationRules(of: element, attribute.type, label)
        return attribute
    }

    private func type(of element: ModelXMLElement, _ label: String, isTransient: Bool) throws(ModelFileError) -> AttributeType {
        let known = AttributeText.typeNames.map(\.name).joined(separator: ", ")
        guard let text = element.text("attributeType") else {
            if isTransient { return .undefined }
            throw content(
                element, "The attribute “\(label)” has no type. Only a transient attribute can do without one.",
                "Set attributeType to one of: \(known).")
        }
        if let type = AttributeText.type(named: text) { return type }
        throw content(
            element, "The attribute “\(label)” is of the unknown type “\(text)”.", "Set attributeType to one of: \(known).")
    }

    private mutating func defaultValue(
        of element: ModelXMLElement, _ attribute: AttributeSchema, _ label: String
    ) throws(ModelFileError) -> AttributeValue {
        if attribute.type == .date, let text = element.text("defaultDateTimeInterval") {
            if let seconds = AttributeText.real(text) { return .real(seconds) }
            throw content(
                element, "The default date of “\(label)” is “\(text)”, which is not a number.",
                "Write seconds since 2001-01-01 UTC in defaultDateTimeInterval.")
        }
        guard let text = element.attributes["defaultValueString"] else { return .null }
        if attribute.type == .string { return .string(text) }
        guard !text.isEmpty else { return .null }
        switch parse(text, as: attribute.type) {
        case .value(let value): return value
        case .wrong(let expected):
            throw content(
                element, "The default of “\(label)” is “\(text)”, which is not \(expected).", "Correct defaultValueString or remove it.")
        case .meaningless(let why):
            warnings.append(content(
                element, "The default “\(text)” of “\(label)” is ignored: \(why).", "Correct defaultValueString or remove it."))
            return .null
        }
    }

    private enum ParsedDefault {
        case value(AttributeValue)
        /// An error; the text says what was expected.
        case wrong(String)
        /// Apple's compiler makes no default of it without complaint, so such models are in use.
        case meaningless(String)
    }

    private func parse(_ text: String, as type: AttributeType) -> ParsedDefault {
        func bounded<T: FixedWidthInteger>(_: T.Type) -> ParsedDefault {
            guard let value = AttributeText.integer(text), T(exactly: value) != nil else {
                return .wrong("a whole number from \(T.min) to \(T.max)")
            }
            return .value(.integer(value))
        }
        switch type {
        case .integer16: return bounded(Int16.self)
        case .integer32: return bounded(Int32.self)
        case .integer64: return bounded(Int64.self)
        case .boolean:
            let value = AttributeText.boolean(text) ?? AttributeText.real(text).map { $0 != 0 }
            return value.map { .value(.integer($0 ? 1 : 0)) } ?? .wrong("YES or NO")
        case .double: return AttributeText.real(text).map { .value(.real($0)) } ?? .wrong("a number")
        case .float: return AttributeText.real(text).map { .value(.real(Double(Float($0)))) } ?? .wrong("a number")
        case .decimal: return AttributeText.decimal(text).map { .value(.decimal($0)) } ?? .wrong("a number")
        case .date: return AttributeText.date(text).map { .value(.real($0)) } ?? .wrong("a date like 2001-12-31 23:59:59")
        case .string, .uri: return .value(.string(text))
        case .uuid: return UUID(uuidString: text).map { .value(.uuid($0)) } ?? .meaningless("it is not a UUID")
        case .binary, .transformable, .undefined, .objectID, .composite:
            return .meaningless("this type takes no default in text")
        }
    }
}
