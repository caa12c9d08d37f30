import Foundation

/// The entity of a batch request: as given, or by name.
package enum RequestSubject {
    case name(String)
    case entity(NSEntityDescription)

    package var name: String {
        switch self {
        case .name(let name): name
        case .entity(let entity): entity.name ?? ""
        }
    }

    package var entity: NSEntityDescription? {
        if case .entity(let entity) = self { entity } else { nil }
    }

    /// The entity in a model. Throws `FetchRequestError` naming the entity when the model has none such.
    package func resolve(in model: NSManagedObjectModel) throws -> NSEntityDescription {
        if let entity, entity.owningModel === model { return entity }
        guard let found = model.entitiesByName[name] else {
            throw FetchRequestError.unknownEntity(name, known: model.entities.compactMap(\.name).sorted())
        }
        return found
    }
}
