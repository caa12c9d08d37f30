import CoreDataPredicate
import CoreDataSchema
import Foundation

extension ArchivedModelReader {
    mutating func read(_ object: ArchivedObject, named name: String, into entity: inout EntitySchema) throws(ModelFileError) {
        let label = "\(entity.name).\(name)"
        switch object.className {
        case "_NSPropertyDescriptionProxy": return
        case "NSRelationshipDescription": entity.relationships.append(try relationship(object, named: name, label))
        case "NSFetchedPropertyDescription": entity.fetchedProperties.append(try fetchedProperty(object, named: name, label))
        case "NSAttributeDescription", "NSDerivedAttributeDescription", "NSCompositeAttributeDescription":
            entity.attributes.append(try attribute(object, named: name, label))
        // Archives written by other implementations name no class, or one of their own.
        case _ where object["_NSDestinationEntityName"] != nil || object["NSDestinationEntity"] != nil:
            entity.relationships.append(try relationship(object, named: name, label))
        case _ where object["NSAttributeType"] != nil: entity.attributes.append(try attribute(object, named: name, label))
        case let unknown: throw damaged("the property “\(label)” is of the unknown kind “\(unknown ?? "none")”")
        }
    }

    private mutating func attribute(_ object: ArchivedObject, named name: String, _ label: String) throws(ModelFileError) -> AttributeSchema {
        let number = object.integer("NSAttributeType") ?? 0
        guard let type = AttributeType(rawValue: number) else { throw damaged("the attribute “\(label)” is of the unknown type \(number)") }
        var attribute = AttributeSchema(name: name, type: type)
        attribute.isOptional = object.boolean("NSIsOptional")
        attribute.isTransient = object.boolean("NSIsTransient")
        attribute.isIndexed = object.boolean("NSIsIndexed")
        attribute.isIndexedBySpotlight = object.boolean("NSIndexedBySpotlight")
        let flags = object.integer("NSFlagsKey") ?? 0
        attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
        attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
        attribute.allowsCloudEncryption = object.boolean("NSAllowsCloudEncryption")
        attribute.versionHashModifier = object.text("NSVersionHashModifier")
        attribute.renamingIdentifier = renaming(object, name)
        attribute.userInfo = userInfo(object)
        attribute.valueTransformerName = object.text("NSValueTransformerName")
        // For the other types the class follows from the type.
        if type == .transformable || type == .undefined { attribute.valueClassName = object.text("NSAttributeValueClassName") }
        attribute.validationRules = try validationRules(object, label)
        if let expression = object["NSDerivationExpression"] {
            attribute.derivationFormat = PredicatePrinter.text(of: try ArchivedPredicate.expression(expression, self, label))
        }
        if type == .composite { attribute.compositeName = try composite(object, label) }
        if let value = object["NSDefaultValue"] {
            if let value = ArchivedValue.attributeValue(value, as: type) {
                attribute.defaultValue = value
            } else {
                warn("The default of “\(label)” is an object of the class “\(value.className ?? "none")”, which cannot be read and is ignored.")
            }
        }
        return attribute
    }

    private func validationRules(_ object: ArchivedObject, _ label: String) throws(ModelFileError) -> [ValidationRule] {
        let warnings = object["NSValidationWarnings"]?.elements ?? []
        var rules: [ValidationRule] = []
        for (position, predicate) in (object["NSValidationPredicates"]?.elements ?? []).enumerated() {
            let format = try ArchivedPredicate.format(predicate, self, label)
            let warning: ValidationRule.Warning
            switch warnings.indices.contains(position) ? warnings[position].node : .null {
            case .integer(let code): warning = .code(Int(code))
            case .string(let text): warning = Int(text).map { .code($0) } ?? .text(text)
            default: warning = .code(1550)
            }
            rules.append(ValidationRule(predicateFormat: format, warning: warning))
        }
        return rules
    }

    /// A composite's elements lie in the attribute itself; they are given a composite type of the attribute's name.
    private mutating func composite(_ object: ArchivedObject, _ label: String) throws(ModelFileError) -> String {
        guard let elements = object.keyNames.lazy.filter({ $0.hasSuffix("Elements") }).compactMap({ object[$0] }).first else {
            throw damaged("the composite “\(label)” lists no elements")
        }
        var composite = CompositeSchema(name: label, elements: [])
        for element in elements.elements {
            guard let name = element.text("NSPropertyName") else { throw damaged("an element of “\(label)” has no name") }
            composite.elements.append(try attribute(element, named: name, "\(label).\(name)"))
        }
        add(composite)
        return label
    }

    private func relationship(_ object: ArchivedObject, named name: String, _ label: String) throws(ModelFileError) -> RelationshipSchema {
        let named = object.text("_NSDestinationEntityName") ?? object["NSDestinationEntity"]?.text("NSEntityName")
        guard let destination = named else { throw damaged("the relationship “\(label)” has no destination") }
        var relationship = RelationshipSchema(name: name, destinationName: destination)
        let inverse = object["NSInverseRelationship"]
        relationship.inverseName = object.text("_NSInverseRelationshipName") ?? inverse?.text("NSPropertyName")
        if relationship.inverseName != nil { relationship.inverseEntityName = inverse?["NSEntity"]?.text("NSEntityName") ?? destination }
        relationship.isOptional = object.boolean("NSIsOptional")
        relationship.isTransient = object.boolean("NSIsTransient")
        relationship.isIndexed = object.boolean("NSIsIndexed")
        relationship.isOrdered = object.boolean("NSIsOrdered")
        relationship.minCount = object.integer("NSMinCount") ?? 0
        relationship.maxCount = object.integer("NSMaxCount") ?? 0
        // Archives leave out what is zero.
        let rule = object.integer("NSDeleteRule") ?? DeleteRule.noAction.rawValue
        guard let deleteRule = DeleteRule(rawValue: rule) else { throw damaged("the relationship “\(label)” has the unknown delete rule \(rule)") }
        relationship.deleteRule = deleteRule
        relationship.versionHashModifier = object.text("NSVersionHashModifier")
        relationship.renamingIdentifier = renaming(object, name)
        relationship.userInfo = userInfo(object)
        return relationship
    }

    private func fetchedProperty(_ object: ArchivedObject, named name: String, _ label: String) throws(ModelFileError) -> FetchedPropertySchema {
        guard let request = object["NSFetchRequest"] else { throw damaged("the fetched property “\(label)” has no fetch request") }
        var template = try fetchTemplate(request, named: "fetchedPropertyFetchRequest")
        if let entity = object.text("_NSFetchRequestEntityName") { template.entityName = entity }
        var property = FetchedPropertySchema(name: name, request: template)
        property.isOptional = object.boolean("NSIsOptional")
        property.renamingIdentifier = renaming(object, name)
        property.userInfo = userInfo(object)
        return property
    }

    func fetchTemplate(_ object: ArchivedObject, named name: String) throws(ModelFileError) -> FetchTemplateSchema {
        let entity = object["NSEntity"]?.text("NSEntityName") ?? object.text("NSEntityName") ?? ""
        var template = FetchTemplateSchema(name: name, entityName: entity)
        if let predicate = object["NSPredicate"] { template.predicateFormat = try ArchivedPredicate.format(predicate, self, name) }
        for descriptor in object["NSSortDescriptors"]?.elements ?? [] {
            guard let key = descriptor.text("NSKey") else { continue }
            template.sortKeys.append(SortKeySchema(keyPath: key, isAscending: descriptor.boolean("NSAscending")))
        }
        template.resultType = object.integer("NSResultType") ?? 0
        template.fetchLimit = object.integer("NSFetchLimit") ?? 0
        template.fetchBatchSize = object.integer("NSBatchSize") ?? 0
        // 30 is a fresh request's value; the order of the bits is inferred from that of its flags.
        if object.boolean("NSHasFetchRequestFlags"), let flags = object.integer("NSFetchRequestFlags") {
            template.returnsDistinctResults = flags & 1 != 0
            template.includesSubentities = flags & 2 != 0
            template.includesPropertyValues = flags & 4 != 0
            template.returnsObjectsAsFaults = flags & 8 != 0
            template.includesPendingChanges = flags & 16 != 0
        }
        return template
    }

    func fetchIndex(_ object: ArchivedObject, of entity: String) throws(ModelFileError) -> FetchIndexSchema? {
        guard let name = object.text("NSIndexName") else { throw damaged("an index of “\(entity)” has no name") }
        var elements: [FetchIndexElementSchema] = []
        for element in object["NSIndexElements"]?.elements ?? [] {
            let expression = element["NSExpression"] ?? element["NSProperty"]?["NSExpression"]
            let format = try expression.map { object throws(ModelFileError) in
                PredicatePrinter.text(of: try ArchivedPredicate.expression(object, self, "\(entity).\(name)"))
            }
            elements.append(FetchIndexElementSchema(
                propertyName: format == nil ? element.text("NSPropertyName") : nil, expressionFormat: format,
                isRTree: element.integer("NSFetchIndexElementType") == 1, isAscending: element.boolean("NSAscending")))
        }
        let partial = try object["NSPartialIndexPredicate"].map { predicate throws(ModelFileError) in
            try ArchivedPredicate.format(predicate, self, "\(entity).\(name)")
        }
        return elements.isEmpty ? nil : FetchIndexSchema(name: name, elements: elements, partialPredicateFormat: partial)
    }
}
