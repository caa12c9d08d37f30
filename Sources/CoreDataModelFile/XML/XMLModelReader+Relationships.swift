import CoreDataSchema

extension XMLModelReader {
    static let deleteRules: [(name: String, rule: DeleteRule)] = [
        ("Nullify", .nullify), ("Cascade", .cascade), ("Deny", .deny), ("No Action", .noAction),
    ]

    func relationship(_ element: ModelXMLElement, of owner: String) throws(ModelFileError) -> RelationshipSchema {
        let name = try requiredName(element, "relationship", in: owner)
        let label = "\(owner).\(name)"
        guard let destination = element.text("destinationEntity") else {
            throw content(element, "The relationship “\(label)” has no destination.", "Name an entity in destinationEntity.")
        }
        var relationship = RelationshipSchema(name: name, destinationName: destination)
        relationship.inverseName = element.text("inverseName")
        relationship.inverseEntityName = element.text("inverseEntity")
        relationship.isOptional = try flag("optional", of: element)
        relationship.isTransient = try flag("transient", of: element)
        relationship.isOrdered = try flag("ordered", of: element)
        relationship.isIndexed = try flag("indexed", of: element)
        relationship.minCount = try number("minCount", of: element) ?? 0
        let isToMany = try flag("toMany", of: element)
        let maxCount = try number("maxCount", of: element)
        relationship.maxCount = isToMany ? maxCount ?? 0 : 1
        relationship.renamingIdentifier = element.text("elementID")
        relationship.versionHashModifier = element.text("versionHashModifier")
        relationship.userInfo = try userInfo(in: element)
        if let text = element.text("deletionRule") {
            guard let rule = Self.deleteRules.first(where: { $0.name == text })?.rule else {
                let known = Self.deleteRules.map(\.name).joined(separator: ", ")
                throw content(element, "The delete rule of “\(label)” is “\(text)”.", "Set deletionRule to one of: \(known).")
            }
            relationship.deleteRule = rule
        }
        if relationship.minCount < 0 || (relationship.maxCount > 0 && relationship.minCount > relationship.maxCount) {
            throw content(
                element, "“\(label)” has a minimum of \(relationship.minCount) and a maximum of \(relationship.maxCount).",
                "The minimum must be 0 or more and not above the maximum.")
        }
        return relationship
    }

    mutating func fetchedProperty(_ element: ModelXMLElement, of owner: String) throws(ModelFileError) -> FetchedPropertySchema {
        let name = try requiredName(element, "fetched property", in: owner)
        guard let request = element.children(named: "fetchRequest").first else {
            throw content(element, "The fetched property “\(owner).\(name)” has no fetch request.", "Give it one, or remove it.")
        }
        let template = try fetchTemplate(request, name: request.text("name") ?? "fetchedPropertyFetchRequest")
        var property = FetchedPropertySchema(name: name, request: template)
        property.isOptional = try flag("optional", of: element)
        property.renamingIdentifier = element.text("elementID")
        property.userInfo = try userInfo(in: element)
        return property
    }

    mutating func fetchTemplate(_ element: ModelXMLElement, name: String) throws(ModelFileError) -> FetchTemplateSchema {
        guard let entity = element.text("entity") else {
            throw content(element, "The fetch request “\(name)” names no entity.", "Name one in the attribute “entity”.")
        }
        willFetch(entity, by: name, element)
        var template = FetchTemplateSchema(name: name, entityName: entity)
        template.predicateFormat = element.text("predicateString")
        template.resultType = try number("resultType", of: element) ?? 0
        template.fetchLimit = try number("fetchLimit", of: element) ?? 0
        template.fetchBatchSize = try number("fetchBatchSize", of: element) ?? 0
        template.includesSubentities = try optionalFlag("includeSubentities", of: element) ?? true
        template.includesPropertyValues = try optionalFlag("includePropertyValues", of: element) ?? true
        template.includesPendingChanges = try optionalFlag("includesPendingChanges", of: element) ?? true
        template.returnsObjectsAsFaults = try optionalFlag("returnObjectsAsFaults", of: element) ?? true
        template.returnsDistinctResults = try flag("returnDistinctResults", of: element)
        return template
    }

    func fetchIndex(_ element: ModelXMLElement, of owner: String) throws(ModelFileError) -> FetchIndexSchema {
        let name = try requiredName(element, "fetch index", in: owner)
        var elements: [FetchIndexElementSchema] = []
        for part in element.children(named: "fetchIndexElement") {
            let property = part.text("property"), expression = part.text("expression")
            guard property != nil || expression != nil else {
                throw content(part, "An element of the index “\(owner).\(name)” names no property.", "Name one in the attribute “property”.")
            }
            elements.append(FetchIndexElementSchema(
                propertyName: property, expressionFormat: property == nil ? expression : nil,
                isRTree: part.text("type")?.lowercased() == "rtree", isAscending: part.text("order") != "descending"))
        }
        return FetchIndexSchema(name: name, elements: elements, partialPredicateFormat: element.text("partialIndexPredicate"))
    }
}
