import CoreData

/// Classes of the random fetch test's entities, as the generator writes them, for `#Predicate`.
///
/// Some properties have other names than their attributes: tests extend `NSManagedObject` with those.
final class TypedItem: NSManagedObject {
    override class var _generatedClass: NSManagedObject.Type? { TypedItem.self }
    override class var _propertyNames: [String] { ["name", "amount", "ratio", "flag", "born", "size", "uuid", "boss", "place", "tags", "staff", "ident"] }

    override class var _keyPathNames: [AnyKeyPath: String] {
        var names: [AnyKeyPath: String] = [:]
        names[\TypedItem.words] = "name"
        names[\TypedItem?.?.words] = "name"
        names[\TypedItem.amount] = "amount"
        names[\TypedItem?.?.amount] = "amount"
        names[\TypedItem.ratio] = "ratio"
        names[\TypedItem?.?.ratio] = "ratio"
        names[\TypedItem.flag] = "flag"
        names[\TypedItem?.?.flag] = "flag"
        names[\TypedItem.born] = "born"
        names[\TypedItem?.?.born] = "born"
        names[\TypedItem.extent] = "size"
        names[\TypedItem?.?.extent] = "size"
        names[\TypedItem.token] = "uuid"
        names[\TypedItem?.?.token] = "uuid"
        names[\TypedItem.boss] = "boss"
        names[\TypedItem?.?.boss] = "boss"
        names[\TypedItem.place] = "place"
        names[\TypedItem?.?.place] = "place"
        names[\TypedItem.tags] = "tags"
        names[\TypedItem?.?.tags] = "tags"
        names[\TypedItem.staff] = "staff"
        names[\TypedItem?.?.staff] = "staff"
        names[\TypedItem.number] = "ident"
        names[\TypedItem?.?.number] = "ident"
        names[\TypedItem.objectID] = "objectID"
        names[\TypedItem?.?.objectID] = "objectID"
        return names
    }

    var words: String? { _string(at: 0) }
    var amount: Int64? { _optionalInt64(at: 1) }
    var ratio: Double? { _optionalDouble(at: 2) }
    var flag: Bool? { _optionalBool(at: 3) }
    var born: Date? { _date(at: 4) }
    var extent: Int64? { _optionalInt64(at: 5) }
    var token: UUID? { _uuid(at: 6) }
    var boss: TypedItem? { _toOne(at: 7, as: TypedItem.self) }
    var place: TypedSite? { _toOne(at: 8, as: TypedSite.self) }
    var tags: Set<TypedTag> { _toMany(at: 9, as: TypedTag.self) }
    var staff: Set<TypedItem> { _toMany(at: 10, as: TypedItem.self) }
    var number: Int64 { _int64(at: 11) }
}

final class TypedSite: NSManagedObject {
    override class var _generatedClass: NSManagedObject.Type? { TypedSite.self }
    override class var _propertyNames: [String] { ["name", "size", "chief", "items"] }

    override class var _keyPathNames: [AnyKeyPath: String] {
        var names: [AnyKeyPath: String] = [:]
        names[\TypedSite.words] = "name"
        names[\TypedSite?.?.words] = "name"
        names[\TypedSite.extent] = "size"
        names[\TypedSite?.?.extent] = "size"
        names[\TypedSite.chief] = "chief"
        names[\TypedSite?.?.chief] = "chief"
        names[\TypedSite.items] = "items"
        names[\TypedSite?.?.items] = "items"
        names[\TypedSite.objectID] = "objectID"
        names[\TypedSite?.?.objectID] = "objectID"
        return names
    }

    var words: String? { _string(at: 0) }
    var extent: Int64? { _optionalInt64(at: 1) }
    var chief: TypedItem? { _toOne(at: 2, as: TypedItem.self) }
    var items: Set<TypedItem> { _toMany(at: 3, as: TypedItem.self) }
}

final class TypedTag: NSManagedObject {
    override class var _generatedClass: NSManagedObject.Type? { TypedTag.self }
    override class var _propertyNames: [String] { ["label", "weight", "on", "tagged"] }

    override class var _keyPathNames: [AnyKeyPath: String] {
        var names: [AnyKeyPath: String] = [:]
        names[\TypedTag.label] = "label"
        names[\TypedTag?.?.label] = "label"
        names[\TypedTag.weight] = "weight"
        names[\TypedTag?.?.weight] = "weight"
        names[\TypedTag.on] = "on"
        names[\TypedTag?.?.on] = "on"
        names[\TypedTag.tagged] = "tagged"
        names[\TypedTag?.?.tagged] = "tagged"
        names[\TypedTag.objectID] = "objectID"
        names[\TypedTag?.?.objectID] = "objectID"
        return names
    }

    var label: String? { _string(at: 0) }
    var weight: Int64? { _optionalInt64(at: 1) }
    var on: Bool? { _optionalBool(at: 2) }
    var tagged: Set<TypedItem> { _toMany(at: 3, as: TypedItem.self) }
}
