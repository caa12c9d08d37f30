import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// What `description` says: the values that are loaded, and nothing else. It is printed by debuggers, logs and failed
    /// expectations, on whatever thread: it fires no fault, makes no object and asks for no queue.
    final var summary: String {
        var text = "<\(type(of: self)): \(Unmanaged.passUnretained(self).toOpaque())> (entity: \(runtime.name); id: "
        text += objectID.uriRepresentation().absoluteString
        guard !isUnfired else { return text + "; data: <fault>)" }
        text += "; data: {\n"
        for property in runtime.resolved.properties where property.storage != .fetched {
            text += "    \(property.name) = \(loadedText(of: property));\n"
        }
        return text + "})"
    }

    private final func loadedText(of property: ResolvedProperty) -> String {
        if property.storage == .toMany {
            guard let keys = toMany?[property.slot]?.members?.keys else { return "\"<relationship fault>\"" }
            return "(" + keys.map(identifierText).joined(separator: ", ") + ")"
        }
        let value = edits?[property.slot] ?? row?.unreadValue(property.slot)
        switch value ?? runtime.defaults[property.slot] {
        case .reference(let key): return identifierText(key)
        // Unarchiving runs a transformer of the program's: reading the property does that, printing does not.
        case .object(let box) where box.value is ExternalData: return "<external data>"
        case .data(let data) where property.storage == .object: return "<\(data.count) archived bytes>"
        case let value: return ValueBridging.object(from: value, of: property, in: self).map { "\($0)" } ?? "nil"
        }
    }

    /// The ID of a destination from its key alone: looking for its object would touch the context's registry.
    private final func identifierText(_ key: RowKey) -> String {
        let store = key.isTemporary ? nil : anchor?.context?.persistentStoreCoordinator?.store(number: key.store)?.identifier
        let entities = runtime.resolvedModel.entities
        let name = entities.indices.contains(Int(key.entity)) ? entities[Int(key.entity)].name : "?"
        let reference: ObjectURI.Reference = key.isTemporary
            ? .temporary(ObjectURI.temporaryText(key.primaryKey)) : .primaryKey(key.primaryKey)
        return "<\(ObjectURI.url(storeIdentifier: store, entityName: name, reference: reference).absoluteString)>"
    }
}
