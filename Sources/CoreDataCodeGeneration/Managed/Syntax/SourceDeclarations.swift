/// What the sources of one module declare, as far as `@NSManaged` needs it.
struct SourceDeclarations {
    enum Kind: String { case `class`, `struct`, `enum`, actor, `protocol` }

    struct NominalType {
        var path: [String]
        var kind: Kind
        /// private or fileprivate.
        var isPrivate: Bool
        /// public, open or package, as written; nil for everything else.
        var access: String?
        var isGeneric: Bool
        var inherited: [TypeSyntax]
        /// Of an enumeration: the tokens that declare its cases.
        var cases: [String] = []
        var hasPayload = false
        var file: String
        var line: Int
    }

    struct Alias {
        var path: [String]
        var target: TypeSyntax
        var isGeneric: Bool
    }

    struct Parameter: Equatable {
        var label: String
        var type: TypeSyntax
    }

    struct Managed {
        enum Form {
            case property(TypeSyntax)
            case function([Parameter], result: TypeSyntax?, isThrowing: Bool)
        }

        var name: String
        var form: Form
        /// The type it stands in, as written there.
        var context: [String]
        var isInExtension: Bool
        /// In a function's body, or in a generic type.
        var isUnreachable: Bool
        var isPrivate: Bool
        var isStatic: Bool
        var file: String
        var line: Int
    }

    var types: [NominalType] = []
    /// What extensions add to what types inherit, by the path of the type.
    var conformances: [(path: [String], inherited: [TypeSyntax])] = []
    var aliases: [Alias] = []
    var managed: [Managed] = []
    var imports: Set<String> = []
    /// `@NSManaged` that is not followed by something known.
    var unreadable: [(file: String, line: Int, text: String)] = []
}
