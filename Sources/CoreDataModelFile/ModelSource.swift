import CoreDataSchema

/// Where the parts of one version stand in its file.
///
/// Invariant: lines count from 1; a part that is not listed has no line of its own.
package struct ModelSource: Sendable {
    package var path: String
    package var entityLines: [String: Int] = [:]
    /// Entity, then property.
    package var propertyLines: [String: [String: Int]] = [:]
    package var configurationLines: [String: Int] = [:]
    package var fetchRequestLines: [String: Int] = [:]
    /// What the editor was told of CloudKit, which only its own checks and these here ask for.
    package var isUsedWithCloudKit = false
    package var cloudKitConfigurations: Set<String> = []

    package init(path: String) { self.path = path }

    /// Checks a model's references; what is wrong is reported with its file and line.
    package func resolve(_ schema: ModelSchema) throws(ModelFileError) -> ResolvedModel {
        do {
            return try ResolvedModel(schema)
        } catch {
            throw ModelFileError(.reference(error), path: path, line: line(of: error), reason: error.description, advice: "")
        }
    }

    /// The line of the declaration an error complains about.
    package func line(of error: ModelError) -> Int? {
        switch error {
        case .duplicateEntity(let entity), .unknownSuperentity(let entity, _), .inheritanceCycle(let entity):
            entityLines[entity]
        case .duplicateProperty(let entity, let property), .unknownConstraintProperty(let entity, let property),
             .unknownDestination(let entity, let property, _), .unknownInverse(let entity, let property, _),
             .unknownComposite(let entity, let property, _):
            propertyLines[entity]?[property] ?? entityLines[entity]
        case .unknownConfigurationEntity(let configuration, _):
            configurationLines[configuration]
        }
    }
}
