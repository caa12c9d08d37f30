import CoreDataModelFile

/// How generated classes are written.
package struct GenerationOptions: Sendable {
    package enum Access: String, Sendable, CaseIterable { case `public`, `package`, `internal` }

    package var access = Access.public
    /// The model's file name, for line 1 of each file.
    package var modelName: String
    /// Where the model's parts stand, for errors; nil when it did not come from a file.
    package var source: ModelSource?

    package init(modelName: String, access: Access = .public, source: ModelSource? = nil) {
        self.modelName = modelName
        self.access = access
        self.source = source
    }
}

/// One file of Swift source.
package struct GeneratedFile: Sendable, Equatable {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
