import CoreDataSchema

/// How an `@NSManaged` accessor is about to touch its property: what the property must be for the short way.
enum ManagedAccess: UInt8 {
    case readInteger, writeInteger16, writeInteger32, writeInteger64
    case readReal, writeFloat, writeDouble
    case boolean, date, string, uri, data, uuid, decimal, toOne, toMany

    /// Whether the declared type is what the slot holds; otherwise values are converted.
    func fits(_ property: ResolvedProperty) -> Bool {
        switch self {
        case .readInteger: property.storage == .integer || property.storage == .boolean
        case .writeInteger16: property.storage == .integer
        case .writeInteger32: property.attribute?.type == .integer32 || property.attribute?.type == .integer64
        case .writeInteger64: property.attribute?.type == .integer64
        case .readReal: property.storage == .double || property.storage == .float || property.storage == .date
        case .writeFloat: property.storage == .float || property.storage == .double
        case .writeDouble: property.storage == .double || property.storage == .date
        case .boolean: property.storage == .boolean
        case .date: property.storage == .date
        case .string: property.storage == .string
        case .uri: property.storage == .uri
        case .data: property.storage == .data
        case .uuid: property.storage == .uuid
        case .decimal: property.storage == .decimal
        case .toOne: property.storage == .toOne
        case .toMany: property.storage == .toMany
        }
    }
}
