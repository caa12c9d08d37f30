/// How a value of a type travels, and so how the companion, which does not import the module, spells it.
enum ValueShape {
    /// A type of the library, as it is written.
    case plain(String, SwiftType.Nominal?)
    /// One reference to an object.
    case object
    /// One reference to the storage of an array, set or dictionary.
    case collection
    /// An enumeration of the program's without associated values, whose cases a stand-in repeats.
    case enumeration(SwiftType.Nominal)

    struct Failure: Error { var reason: String }

    private static let libraries: Set<String> = ["Swift", "Foundation", "FoundationEssentials", "CoreData"]
    private static let collections: Set<String> = ["Array", "Set", "Dictionary"]

    /// The shape of a type without its optional.
    init(_ type: SwiftType) throws(Failure) {
        let isForeign = type.nominals.contains { !Self.libraries.contains($0.module) }
        switch type {
        case .nominal(let nominal, _) where nominal.kind == .class: self = .object
        case .anyObject: self = .object
        case .nominal(let nominal, _) where isForeign && nominal.module == "Swift" && Self.collections.contains(nominal.path[0].name):
            self = .collection
        case .nominal(let nominal, _) where isForeign && nominal.kind == .enum && nominal.module != "Swift": self = .enumeration(nominal)
        case .nominal(let nominal, _) where isForeign && nominal.kind == .struct && !Self.libraries.contains(nominal.module):
            throw Failure(reason: "the structure “\(nominal.path.map(\.name).joined(separator: "."))” has a layout the companion cannot know")
        case _ where isForeign: throw Failure(reason: "its type has a layout the companion cannot know")
        case .tuple: throw Failure(reason: "Core Data keeps no tuples")
        case .nominal(let nominal, let arguments): self = .plain(Self.spelling(type), arguments.isEmpty ? nominal : nil)
        case .existential: self = .plain(Self.spelling(type), nil)
        }
    }

    static func spelling(_ type: SwiftType) -> String {
        if let wrapped = type.wrapped {
            let text = spelling(wrapped)
            return text.hasPrefix("any ") ? "(\(text))?" : text + "?"
        }
        switch type {
        case .nominal(let nominal, let arguments):
            let module = nominal.module == "FoundationEssentials" ? "Foundation" : nominal.module
            let name = nominal.path[0].name == "_NSRange" ? "NSRange" : nominal.path.map(\.name).joined(separator: ".")
            return "\(module).\(name)" + (arguments.isEmpty ? "" : "<\(arguments.map(spelling).joined(separator: ", "))>")
        case .anyObject: return "AnyObject"
        case .existential(let protocols):
            return protocols.isEmpty ? "Any" : "any " + protocols.map { "\($0.module).\($0.path[0].name)" }.joined(separator: " & ")
        case .tuple(let elements): return "(\(elements.map(spelling).joined(separator: ", ")))"
        }
    }
}
