import CoreDataSchema

/// Transformable attributes: objects to the bytes a store keeps, and back.
///
/// Without a transformer the bytes are a keyed archive of property-list and Foundation value classes.
package enum Transformation {
    /// nil when the bytes cannot be turned into an object: the attribute then reads nil (TY14).
    package static func object(from data: Data, of property: ResolvedProperty, in object: NSManagedObject?) -> Any? {
        if let transformer = transformer(of: property) {
            return transformer.isArchiving ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
        }
        return try? SecureArchive.object(from: data)
    }

    /// Throws when the value cannot be archived.
    package static func data(from object: Any, of property: ResolvedProperty, entity: String) throws -> Data? {
        if let transformer = transformer(of: property) {
            let result = transformer.isArchiving ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
            guard let data = result as? Data else {
                throw refusal(property, entity, "its value transformer “\(property.attribute?.valueTransformerName ?? "")” did not turn "
                    + "the value (\(type(of: object))) into Data")
            }
            return data
        }
        do { return try SecureArchive.data(from: object) } catch {
            throw refusal(property, entity, "the value (\(type(of: object))) cannot be archived: \(error.localizedDescription)")
        }
    }

    private static func transformer(of property: ResolvedProperty) -> ValueTransformer? {
        guard let name = property.attribute?.valueTransformerName, !name.isEmpty else { return nil }
        return ValueTransformer(forName: NSValueTransformerName(rawValue: name))
    }

    private static func refusal(_ property: ResolvedProperty, _ entity: String, _ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError, userInfo: [
            NSLocalizedDescriptionKey: "The transformable attribute “\(entity).\(property.name)” cannot be saved: \(reason).",
        ])
    }
}
