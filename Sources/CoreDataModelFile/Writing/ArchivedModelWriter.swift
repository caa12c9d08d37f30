import CoreDataSchema
import Foundation

/// Writes a model as the archive Apple's framework keeps in its stores (`Z_MODELCACHE`).
///
/// Only what was seen in archives of Apple's is written. A model with anything else (fetched properties, derived and composite
/// attributes, rules other than bounds, defaults of transformables, indexes over expressions) has no archive: the store is
/// then made without one, as stores before iOS 9 were.
package struct ArchivedModelWriter {
    private let model: ResolvedModel
    private var archive = KeyedArchiveBuilder()
    private let root: Int
    /// Places of entities, by index, and of their properties.
    private var entities: [Int] = []
    private var properties: [[Int]] = []
    private let noUserInfo: Int

    /// nil when the model has something whose archived form is not known.
    package static func archive(of model: ResolvedModel) -> Data? {
        guard obstacle(in: model) == nil else { return nil }
        var writer = ArchivedModelWriter(model)
        return writer.write()
    }

    /// What keeps a model from having an archive, for people: “Book.pages is a derived attribute”; nil when it has one.
    package static func obstacle(in model: ResolvedModel) -> String? { ArchivableModel.obstacle(in: model) }

    private init(_ model: ResolvedModel) {
        self.model = model
        root = archive.reserve()
        noUserInfo = archive.table("NSDictionary", [])
        for entity in model.entities {
            entities.append(archive.reserve())
            properties.append(entity.properties.map { _ in archive.reserve() })
        }
    }

    private mutating func write() -> Data? {
        for entity in model.entities { guard fill(entity) else { return nil } }
        let byName = model.entities.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let names = byName.map { archive.text($0.name) }
        let mapping = archive.object("NSKnownKeysMappingStrategy1", [
            ("length", .inline(.integer(Int64(names.count)))), ("version", .inline(.integer(1))),
            ("keys", .object(archive.list("NSArray", names))),
        ])
        // Apple's mark for a place that is empty; none is here.
        let empty = archive.text("__empty_slot_token_4c24_98dc_ac1e_b773__")
        let known = archive.object("NSKnownKeysDictionary1", [
            ("version", .inline(.integer(1))), ("searchMapping", .object(mapping)), ("emptyToken", .object(empty)),
            ("values", .object(archive.list("NSArray", byName.map { entities[$0.index] }))),
        ])
        let identifiers = (model.schema.versionIdentifiers.isEmpty ? [""] : model.schema.versionIdentifiers).map { archive.text($0) }
        var members: [(key: String, value: KeyedArchiveBuilder.Value)] = [
            ("NSEntities", .object(known)), ("NSFetchRequestTemplates", .object(KeyedArchiveBuilder.null)),
            ("NSVersionIdentifiers", .object(archive.list("NSSet", identifiers))),
        ]
        if !model.schema.configurations.isEmpty { members.append(("NSConfigurations", .object(configurations()))) }
        archive.fill(root, "NSManagedObjectModel", members)
        return archive.data(root: root)
    }

    private mutating func configurations() -> Int {
        var pairs = [(key: "PF_DEFAULT_CONFIGURATION_NAME", value: archive.list("NSArray", entities))]
        for configuration in model.schema.configurations {
            let members = configuration.entityNames.compactMap { model.indexByName[$0].map { entities[$0] } }
            pairs.append((configuration.name, archive.list("NSArray", members)))
        }
        return archive.table("NSMutableDictionary", pairs)
    }

    // MARK: entities

    private mutating func fill(_ entity: ResolvedEntity) -> Bool {
        let schema = entity.schema
        for property in entity.properties { guard fill(property, of: entity) else { return false } }
        let own = entity.properties.map { (key: $0.name, value: properties[entity.index][$0.slot]) }
        let children = entity.subentities.map { (key: model.entities[$0].name, value: entities[$0]) }
        var members: [(key: String, value: KeyedArchiveBuilder.Value)] = [
            ("NSEntityName", .object(archive.text(entity.name))), ("NSClassNameForEntity", .object(archive.text(schema.className))),
            ("NSManagedObjectModel", .object(root)), ("NSUserInfo", .object(userInfo(schema.userInfo))),
            ("NSSubentities", .object(archive.table("NSMutableDictionary", children))),
            ("NSSuperentity", .object(entity.superIndex.map { entities[$0] } ?? KeyedArchiveBuilder.null)),
            ("NSVersionHashModifier", .object(archive.text(schema.versionHashModifier))),
            ("NSProperties", .object(archive.table("NSMutableDictionary", own))),
            ("NSRenamingIdentifier", .object(archive.text(schema.renamingIdentifier ?? entity.name))),
        ]
        if schema.isAbstract { members.append(("NSIsAbstract", .inline(.boolean(true)))) }
        if !schema.uniquenessConstraints.isEmpty {
            let tuples = schema.uniquenessConstraints.map { names($0) }
            members.append(("NSUniqueTuples", .object(archive.list("NSMutableArray", tuples))))
        }
        let indexes = ArchivableModel.indexes(of: entity)
        if !indexes.isEmpty {
            let places = indexes.map { index($0, of: entity) }
            members.append(("NSFetchIndexDescriptions", .object(archive.list("NSMutableArray", places))))
            // Kept beside them: the names of those that span more than one property.
            let lists = indexes.filter { $0.elements.count > 1 }.map { names($0.elements.compactMap(\.propertyName)) }
            members.append(("NSCompoundIndexes", .object(archive.list("NSMutableArray", lists))))
        }
        archive.fill(entities[entity.index], "NSEntityDescription", members)
        return true
    }

    private mutating func names(_ list: [String]) -> Int {
        let texts = list.map { archive.text($0) }
        return archive.list("NSMutableArray", texts)
    }

    private mutating func userInfo(_ info: [String: String]) -> Int {
        if info.isEmpty { return noUserInfo }
        let pairs = info.sorted { $0.key < $1.key }.map { (key: $0.key, value: archive.text($0.value)) }
        return archive.table("NSDictionary", pairs)
    }

    private mutating func index(_ index: FetchIndexSchema, of entity: ResolvedEntity) -> Int {
        let place = archive.reserve()
        let elements = index.elements.map { element in
            archive.object("NSFetchIndexElementDescription", [
                ("NSPropertyName", .object(archive.text(element.propertyName))), ("NSFetchIndexElementType", .inline(.integer(0))),
                ("NSFetchIndexDescription", .object(place)), ("NSAscending", .inline(.boolean(element.isAscending))),
            ])
        }
        archive.fill(place, "NSFetchIndexDescription", [
            ("NSIndexName", .object(archive.text(index.name))), ("NSPartialIndexPredicate", .object(KeyedArchiveBuilder.null)),
            ("NSIndexElements", .object(archive.list("NSArray", elements))), ("NSEntity", .object(entities[entity.index])),
        ])
        return place
    }

    // MARK: properties

    private mutating func fill(_ property: ResolvedProperty, of entity: ResolvedEntity) -> Bool {
        let place = properties[entity.index][property.slot]
        if let attribute = property.attribute { return fill(place, attribute, of: entity) }
        guard let relationship = property.relationship, let inverse = relationship.inverse else { return false }
        fill(place, relationship, inverse, of: entity)
        return true
    }

    /// What both kinds of properties have. The bits of `_P` say what is there and what is not.
    private mutating func shared(
        name: String, isOptional: Bool, isTransient: Bool, isIndexed: Bool, renaming: String?, modifier: String?, info: [String: String],
        isValidated: Bool = false, isSpotlit: Bool = false, of entity: ResolvedEntity
    ) -> [(key: String, value: KeyedArchiveBuilder.Value)] {
        var bits: Int64 = 1
        var members: [(key: String, value: KeyedArchiveBuilder.Value)] = [
            ("NSPropertyName", .object(archive.text(name))), ("NSEntity", .object(entities[entity.index])),
            ("NSRenamingIdentifier", .object(archive.text(renaming ?? name))),
        ]
        func flag(_ key: String, _ isSet: Bool, _ bit: Int64) {
            guard isSet else { return }
            bits |= bit
            members.append((key, .inline(.boolean(true))))
        }
        flag("NSIsOptional", isOptional, 2)
        flag("NSIsTransient", isTransient, 8)
        flag("NSIsIndexed", isIndexed, 0)
        flag("NSIndexedBySpotlight", isSpotlit, 256)
        if !isValidated { bits |= 0x30 }
        if info.isEmpty { bits |= 0x40 } else { members.append(("NSUserInfo", .object(userInfo(info)))) }
        if let modifier { members.append(("NSVersionHashModifier", .object(archive.text(modifier)))) } else { bits |= 0x80 }
        members.append(("_P", .inline(.integer(bits))))
        return members
    }

    private mutating func fill(
        _ place: Int, _ relationship: ResolvedRelationship, _ inverse: PropertyReference, of entity: ResolvedEntity
    ) {
        let schema = relationship.schema
        var members = shared(
            name: schema.name, isOptional: schema.isOptional, isTransient: schema.isTransient, isIndexed: schema.isIndexed,
            renaming: schema.renamingIdentifier, modifier: schema.versionHashModifier, info: schema.userInfo, of: entity)
        members += [
            ("NSDestinationEntity", .object(entities[relationship.destination])),
            ("NSInverseRelationship", .object(properties[inverse.entity][inverse.slot])),
            ("_NSInverseRelationshipName", .object(archive.text(schema.inverseName))),
            ("_NSDestinationEntityName", .object(archive.text(schema.destinationName))),
            ("NSMaxCount", .inline(.integer(Int64(schema.maxCount)))), ("NSMinCount", .inline(.integer(Int64(schema.minCount)))),
            ("NSDeleteRule", .inline(.integer(Int64(schema.deleteRule.rawValue)))),
        ]
        if schema.isOrdered { members.append(("NSIsOrdered", .inline(.boolean(true)))) }
        archive.fill(place, "NSRelationshipDescription", members)
    }

    private mutating func fill(_ place: Int, _ attribute: AttributeSchema, of entity: ResolvedEntity) -> Bool {
        guard let value = defaultValue(attribute) else { return false }
        var members = shared(
            name: attribute.name, isOptional: attribute.isOptional, isTransient: attribute.isTransient,
            isIndexed: ArchivableModel.isIndexed(attribute, of: entity),
            renaming: attribute.renamingIdentifier, modifier: attribute.versionHashModifier, info: attribute.userInfo,
            isValidated: !attribute.validationRules.isEmpty, isSpotlit: attribute.isIndexedBySpotlight, of: entity)
        let flags = (attribute.allowsExternalBinaryDataStorage ? 4 : 0) | (attribute.preservesValueInHistoryOnDeletion ? 16 : 0)
        members += [
            ("NSAttributeType", .inline(.integer(Int64(attribute.type.rawValue)))), ("NSFlagsKey", .inline(.integer(Int64(flags)))),
            ("NSDefaultValue", .object(value)), ("NSValueTransformerName", .object(archive.text(attribute.valueTransformerName))),
            ("NSAttributeValueClassName", .object(archive.text(ArchivableModel.className(of: attribute)))),
        ]
        if attribute.allowsCloudEncryption { members.append(("NSAllowsCloudEncryption", .inline(.boolean(true)))) }
        if !attribute.validationRules.isEmpty { addBounds(of: attribute, to: &members) }
        archive.fill(place, "NSAttributeDescription", members)
        return true
    }

    private mutating func addBounds(of attribute: AttributeSchema, to members: inout [(key: String, value: KeyedArchiveBuilder.Value)]) {
        var predicates: [Int] = [], warnings: [Int] = []
        for bound in attribute.validationRules.compactMap({ ArchivableModel.bound($0, of: attribute.type) }) {
            let left = archive.object("NSSelfExpression", [("NSExpressionType", .inline(.integer(1)))])
            let right = archive.object("NSConstantValueExpression", [
                ("NSConstantValue", .object(archive.number(bound.value))), ("NSExpressionType", .inline(.integer(0))),
            ])
            let operation = archive.object("NSComparisonPredicateOperator", [
                ("NSModifier", .inline(.integer(0))), ("NSVariant", .inline(.integer(bound.operation))), ("NSOptions", .inline(.integer(0))),
                ("NSOperatorType", .inline(.integer(bound.operation))),
            ])
            predicates.append(archive.object("NSComparisonPredicate", [
                ("NSLeftExpression", .object(left)), ("NSRightExpression", .object(right)), ("NSPredicateOperator", .object(operation)),
            ]))
            warnings.append(archive.number(.integer(bound.code)))
        }
        members.append(("NSValidationPredicates", .object(archive.list("NSMutableArray", predicates))))
        members.append(("NSValidationWarnings", .object(archive.list("NSMutableArray", warnings))))
    }

    /// nil for a value whose archived form is not known.
    private mutating func defaultValue(_ attribute: AttributeSchema) -> Int? {
        switch attribute.defaultValue {
        case .null: return KeyedArchiveBuilder.null
        case .integer(let value): return archive.number(attribute.type == .boolean ? .boolean(value != 0) : .integer(value))
        case .real(let value):
            if attribute.type != .date { return archive.number(.real(value)) }
            return archive.object("NSDate", [("NS.time", .inline(.real(value)))])
        case .string(let text): return attribute.type == .string ? archive.text(text) : nil
        case .decimal(let number): return decimal(number)
        case .uuid(let value):
            let bytes = withUnsafeBytes(of: value.uuid) { Data($0) }
            return archive.object("NSUUID", [("NS.uuidbytes", .inline(.data(bytes)))])
        default: return nil
        }
    }

    /// As Foundation archives its own class everywhere.
    private mutating func decimal(_ number: Decimal) -> Int {
        let parts = ArchivedDecimal(number)
        return archive.object("NSDecimalNumber", [
            ("NS.exponent", .inline(.integer(Int64(parts.exponent)))), ("NS.length", .inline(.integer(Int64(parts.length)))),
            ("NS.negative", .inline(.boolean(parts.isNegative))), ("NS.compact", .inline(.boolean(true))),
            ("NS.mantissa", .inline(.data(parts.mantissa))), ("NS.mantissa.bo", .inline(.integer(1))),
        ])
    }
}
