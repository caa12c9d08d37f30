import CoreDataSchema

/// Why a model has no XML form: it says something that Xcode's format has no place for.
package struct ModelWritingError: DescribedError, Equatable {
    /// The entity, property or request at fault.
    package var part: String
    package var reason: String

    package init(part: String, reason: String) {
        self.part = part
        self.reason = reason
    }

    package var description: String { "“\(part)” cannot be written to a model file: \(reason)" }
}
