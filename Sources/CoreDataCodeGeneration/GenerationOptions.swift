import CoreDataModelFile

/// How generated classes are written.
package struct GenerationOptions: Sendable {
    package enum Access: String, Sendable, CaseIterable, Comparable {
        case `public`, `package`, `internal`

        private var width: Int { self == .public ? 2 : self == .package ? 1 : 0 }
        package static func < (left: Access, right: Access) -> Bool { left.width < right.width }

        /// As it stands before a declaration.
        var modifier: String { self == .internal ? "" : rawValue + " " }
    }

    package var access = Access.public
    /// The model's file name, for line 1 of each file.
    package var modelName: String
    /// Where the model's parts stand, for errors; nil when it did not come from a file.
    package var source: ModelSource?
    /// What a configuration file says; its access level counts where the entity names one.
    package var configuration = GenerationConfiguration()
    /// Classes the program declares itself, and how accessible they are: entities that do not say how their code is generated keep them.
    package var handwritten: [String: Access] = [:]
    /// What the program says each of those classes inherits and conforms to, in the class and in extensions.
    package var inheritance: [String: Set<String>] = [:]
    /// Classes of other models of the same program.
    package var neighbours: Set<String> = []
    /// Each class in two layers: `_Person`, which is generated, and `Person`, which is begun once and then belongs to the program.
    package var isLayered = false
    /// The text of a model to be kept in the program; nil for none.
    package var embedded: String?
    /// Other models of the same program that are kept in it: the name each goes by, and its path.
    package var embeddedNeighbours: [String: String] = [:]

    package init(modelName: String, access: Access = .public, source: ModelSource? = nil) {
        self.modelName = modelName
        self.access = access
        self.source = source
    }
}

/// What is generated for an entity: Xcode's choices.
package enum CodeGenerationChoice: String, Sendable, CaseIterable {
    /// The class and its properties.
    case `class`
    /// An extension of the program's own class, with the properties.
    case category
    /// Nothing.
    case manual
}

/// Which types properties have.
package enum TypeStyle: String, Sendable, CaseIterable {
    /// `Set<Tag>`, `[Tag]`, `Int64?`, `Decimal`.
    case swift
    /// What Xcode declares: `NSSet?`, `NSOrderedSet?`, `NSNumber?`, `NSDecimalNumber?`, `NSObject?`.
    case xcode
}

/// One file of Swift source.
package struct GeneratedFile: Sendable, Equatable {
    package var name: String
    package var text: String
    /// The beginning of a file that belongs to the program: written only where there is none yet.
    package var isStart = false

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
