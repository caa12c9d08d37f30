import CoreDataModelFile

/// Why no classes can be made of a model that is otherwise sound.
package struct GenerationError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Kind: Sendable, Equatable {
        /// An entity's class, a property or a value class has a name Swift cannot take.
        case unusableName
        /// Entities that are no relatives share a class: a class must know where each property stands.
        case sharedClass
        /// Two properties would get one accessor.
        case accessorCollision
        /// A fetched property leads to an entity the model does not have.
        case unknownEntity
        /// The configuration file is at fault.
        case configuration
        /// A model cannot be kept in the program.
        case embedding
    }

    package var kind: Kind
    package var path: String
    package var line: Int?
    package var message: String

    package init(_ kind: Kind, path: String, line: Int?, _ message: String) {
        self.kind = kind
        self.path = path
        self.line = line
        self.message = message
    }

    package var location: String { line.map { "\(path):\($0)" } ?? path }
    package var description: String { "\(location): \(message)" }
}
