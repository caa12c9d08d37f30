import CoreDataSchema

/// Transformable attributes: objects to the bytes a store keeps, and back.
package enum Transformation {
    /// What a store's bytes are for the attribute.
    enum Reading {
        case object(Any?)
        /// Why they cannot be turned into an object: the attribute reads nil. `isRefusal` when reading an archive failed,
        /// which throwing functions throw; a transformer's own nil, or a missing transformer, is only told of.
        case unreadable(NSError, isRefusal: Bool)
    }

    static func reading(of data: Data, of property: ResolvedProperty) -> Reading {
        switch means(of: property) {
        case .archive(let classes, _): return archived(data, classes)
        case .transformer(let transformer):
            let object = transformer.isArchiving ? transformer.transformedValue(data) : transformer.reverseTransformedValue(data)
            if let object { return .object(object) }
            if let archiving = transformer as? NSSecureUnarchiveFromDataTransformer,
               case .unreadable(let error, _) = archived(data, type(of: archiving).allowedTopLevelClasses) {
                return .unreadable(error, isRefusal: true)
            }
            return .unreadable(failure("its value transformer “\(name(of: property))” answered nil"), isRefusal: false)
        case .missing:
            return .unreadable(failure("no value transformer is registered under the name “\(name(of: property))”"), isRefusal: false)
        }
    }

    private static func archived(_ data: Data, _ classes: [AnyClass]) -> Reading {
        do { return .object(try SecureArchive.object(from: data, allowing: classes)) } catch {
            return .unreadable(error as NSError, isRefusal: true)
        }
    }

    private static func failure(_ text: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: CocoaError.Code.coderReadCorrupt.rawValue, userInfo: [NSLocalizedDescriptionKey: text])
    }

    /// Throws when the value cannot be archived.
    package static func data(from object: Any, of property: ResolvedProperty, entity: String) throws -> Data? {
        switch means(of: property) {
        case .archive(let classes, let isSecure):
            do { return try SecureArchive.data(from: object, allowing: classes, requiringSecureCoding: isSecure) } catch {
                throw refusal(property, entity, "the value (\(type(of: object))) cannot be archived: \(error.localizedDescription)")
            }
        case .transformer(let transformer):
            let result = transformer.isArchiving ? transformer.reverseTransformedValue(object) : transformer.transformedValue(object)
            if let data = result as? Data { return data }
            throw refusal(property, entity, "its value transformer “\(name(of: property))” did not turn the value (\(type(of: object))) into "
                + "Data" + reason(of: transformer, object))
        case .missing:
            throw refusal(property, entity, "no value transformer is registered under the name “\(name(of: property))”. Register it with "
                + "ValueTransformer.setValueTransformer(_:forName:) before the store is used")
        }
    }

    /// Why an archiving transformer refused a value, when its list of classes says so.
    private static func reason(of transformer: ValueTransformer, _ object: Any) -> String {
        guard let archiving = transformer as? NSSecureUnarchiveFromDataTransformer else { return "" }
        do {
            _ = try SecureArchive.data(from: object, allowing: type(of: archiving).allowedTopLevelClasses, requiringSecureCoding: true)
            return ""
        } catch { return ": \(error.localizedDescription)" }
    }

    // MARK: Means

    /// What turns an attribute's objects into bytes. A name nobody registered does not fall back to archiving: the bytes would
    /// be of another kind than those the name stands for.
    private enum Means { case archive([AnyClass], isSecure: Bool), transformer(ValueTransformer), missing }

    private static let keyedNames = [NSValueTransformerName.keyedUnarchiveFromDataTransformerName.rawValue, "NSKeyedUnarchiveFromDataTransformerName"]

    private static func means(of property: ResolvedProperty) -> Means {
        let name = name(of: property)
        if name.isEmpty || keyedNames.contains(name) { return .archive(defaultClasses + ownClass(of: property), isSecure: false) }
        return ValueTransformer(forName: NSValueTransformerName(rawValue: name)).map(Means.transformer) ?? .missing
    }

    /// The classes of an attribute without a transformer of its own: what the program registered for all such attributes.
    private static var defaultClasses: [AnyClass] {
        let names: [NSValueTransformerName] = [.keyedUnarchiveFromDataTransformerName, .secureUnarchiveFromDataTransformerName]
        let registered = names.lazy.compactMap { ValueTransformer.registeredByProgram($0) as? NSSecureUnarchiveFromDataTransformer }.first
        return SecureArchive.valueClasses + (registered.map { type(of: $0).allowedTopLevelClasses } ?? [])
    }

    /// The class the model gives the attribute.
    private static func ownClass(of property: ResolvedProperty) -> [AnyClass] {
        guard let name = property.attribute?.valueClassName, !name.isEmpty else { return [] }
        let names = [name] + ModuleCandidates.ambient.map { "\($0).\(name)" }
        // NSObject would allow everything.
        return names.lazy.compactMap { NSClassFromString($0) }.first.map { $0 == NSObject.self ? [] : [$0] } ?? []
    }

    private static func name(of property: ResolvedProperty) -> String { property.attribute?.valueTransformerName ?? "" }

    private static func refusal(_ property: ResolvedProperty, _ entity: String, _ reason: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreSaveError, userInfo: [
            NSLocalizedDescriptionKey: "The transformable attribute “\(entity).\(property.name)” cannot be saved: \(reason).",
        ])
    }
}
