import CoreDataSchema

/// Why a model file cannot be used. `description` reads `file:line: reason what to do`, the form editors can jump to.
///
/// Invariant: `reason` and `advice` are whole sentences; `line` counts from 1 and is nil when the file as a whole is meant.
package struct ModelFileError: DescribedError, Equatable {
    package enum Kind: Sendable, Equatable {
        /// Nothing is there.
        case missing
        /// Something is there, but not a model.
        case notAModel
        /// It is there but cannot be read.
        case unreadable
        /// Not well-formed XML, or a broken archive.
        case malformed
        /// A format Apple gave up: Xcode 3's `elements`.
        case obsoleteFormat
        /// Several versions and nothing that says which is current, or one that does not exist.
        case noCurrentVersion
        /// The file is well-formed and says something impossible.
        case content
        /// The model's parts contradict one another.
        case reference(ModelError)
    }

    package var kind: Kind
    package var path: String
    package var line: Int?
    package var reason: String
    package var advice: String

    package init(_ kind: Kind, path: String, line: Int? = nil, reason: String, advice: String) {
        self.kind = kind
        self.path = path
        self.line = line
        self.reason = reason
        self.advice = advice
    }

    /// `file` or `file:line`.
    package var location: String { line.map { "\(path):\($0)" } ?? path }
    package var message: String { advice.isEmpty ? reason : "\(reason) \(advice)" }
    package var description: String { "\(location): \(message)" }
}
