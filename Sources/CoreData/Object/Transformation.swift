import CoreDataSchema

/// Transformable attributes: objects to the bytes a store keeps, and back.
///
/// Without a transformer the bytes are a keyed archive of property-list and Foundation value classes.
package enum Transformation {
    /// nil when the bytes cannot be turned into an object: the attribute then reads nil (TY14).
    package static func object(from data: Data, of property: ResolvedProperty, in object: NSManagedObject?) -> Any? {
        switch means(of: property) {
        case .archive: try? SecureArchive.object(from: data)
        case .transformer(let transformer):
            transformer.isArchiving ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        case .missing: nil
        }
    }

    /// Throws when the value cannot be archived.
    package static func data(from object: Any, of property: ResolvedProperty, entity: String) throws -> Data? {
        switch means(of: property) {
        case .archive:
            do { return try SecureArchive.data(from: object) } catch {
                throw refusal(property, entity, "the value (\(type(of: object))) cannot be archived: \(error.localizedDescription)")
            }
        case .transformer(let transformer):
            let result = transformer.isArchiving ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
            if let data = result as? Data { return data }
            throw refusal(property, entity, "its value transformer “\(name(of: property))” did not turn the value (\(type(of: object))) into Data")
        case .missing:
            throw refusal(property, entity, "no value transformer is registered under the name “\(name(of: property))”. Register it with "
                + "ValueTransformer.setValueTransformer(_:forName:) before the store is used")
        }
    }

    /// What turns an attribute's objects into bytes. A name nobody registered does not fall back to archiving: the bytes would
    /// be of another kind than those the name stands for.
    private enum Means { case archive, transformer(ValueTransformer), missing }

    private static func means(of property: ResolvedProperty) -> Means {
        let name = name(of: property)
        if name.isEmpty { return .archive }
        return ValueTransformer(forName: NSValueTransformerName(rawValue: name)).map(Means.transformer) ?? .missing
    }

    private static func name(of property: ResolvedProperty) -> String { property.attribute?.valueTransformerName ?? "" }

    private static func refusal(_ property: ResolvedProperty, _ entity: String, _ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError, userInfo: [
            NSLocalizedDescriptionKey: "The transformable attribute “\(entity).\(property.name)” cannot be saved: \(reason).",
        ])
    }
}
