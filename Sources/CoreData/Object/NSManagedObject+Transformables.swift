import CoreDataSchema
import CoreDataStorage

/// Transformable attributes of one object.
extension NSManagedObject {
    /// An attribute's value as an object. Bytes are turned into one once: reading again answers the same object, as at Apple's.
    final func attributeObject(of property: ResolvedProperty) -> Any? {
        let value = value(at: property.slot)
        guard case .data(let data) = value, property.storage == .object else {
            return ValueBridging.object(from: value, of: property, in: self)
        }
        if let known = edits?.unarchived?[property.slot], known.data == data { return known.object }
        guard let object = ValueBridging.object(from: value, of: property, in: self) else { return nil }
        keep(object, of: data, at: property.slot)
        return object
    }

    private final func keep(_ object: Any, of data: Data, at slot: Int) {
        (edits ?? makeEdits()).unarchived = (edits?.unarchived ?? [:]).merging([slot: (data, object)]) { $1 }
    }

    /// Turns the bytes of all transformables into objects, and throws 4864, naming attribute and object, for what cannot be read.
    final func readTransformables() throws {
        for slot in runtime.objectSlots where runtime.resolved.properties[slot].storage == .object {
            guard case .data(let data) = value(at: slot), edits?.unarchived?[slot]?.data != data else { continue }
            let property = runtime.resolved.properties[slot]
            switch Transformation.reading(of: data, of: property) {
            case .object(let object): if let object { keep(object, of: data, at: slot) }
            case .unreadable(let error, let isRefusal):
                noteUnreadable(property, error)
                if isRefusal { throw ErrorTranslation.unreadable(self, property, error) }
            }
        }
    }
}
