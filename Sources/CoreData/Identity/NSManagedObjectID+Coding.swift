import Foundation

/// What lets `#Predicate` capture an ID, which asks for `Codable`: `#Predicate<Person> { $0.manager?.objectID == id }`.
extension NSManagedObjectID: Codable {
    /// Encodes the URI. Throws for a temporary ID: it means nothing elsewhere.
    public func encode(to encoder: any Encoder) throws {
        if isTemporaryID {
            throw EncodingError.invalidValue(self, EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "The object ID \(self) is temporary. Save its object before encoding it."))
        }
        var container = encoder.singleValueContainer()
        try container.encode(uriRepresentation())
    }
}

/// Lets an initialiser answer an object that is there already: an extension of a class cannot assign `self`.
private protocol Adopting {}

extension Adopting {
    init(adopting value: Self) { self = value }
}

extension NSManagedObjectID: Adopting {}

extension Decodable where Self: NSManagedObjectID {
    /// Decodes a URI with the coordinator under `CodingUserInfoKey.persistentStoreCoordinator` in the decoder's `userInfo`.
    /// Throws when there is none, or none of its stores is the ID's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let coordinator = decoder.userInfo[.persistentStoreCoordinator] as? NSPersistentStoreCoordinator else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Set userInfo[.persistentStoreCoordinator] of the decoder to decode object IDs.")
        }
        let uri = try container.decode(URL.self)
        guard let id = coordinator.managedObjectID(forURIRepresentation: uri) as? Self else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "No store of the coordinator holds the object \(uri.absoluteString).")
        }
        self.init(adopting: id)
    }
}

extension CodingUserInfoKey {
    /// The `NSPersistentStoreCoordinator` with which a decoder finds object IDs. Not Apple's.
    public static let persistentStoreCoordinator = CodingUserInfoKey(stringKey: "NSPersistentStoreCoordinator")

    private init(stringKey: String) {
        guard let key = CodingUserInfoKey(rawValue: stringKey) else { fatalError("Any text is a key.") }
        self = key
    }
}
