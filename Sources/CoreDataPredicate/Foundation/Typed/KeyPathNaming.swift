import CoreDataSchema

/// A class whose properties are known by name: what makes Swift key paths usable in predicates and sort descriptors.
///
/// Generated classes conform through their base class and override the table.
public protocol _KeyPathNaming: AnyObject {
    /// Every property, inherited ones too, by its key path *rooted in this class* (`\Student.name`, not `\Person.name`,
    /// since Swift tells key paths of different roots apart), and once more by its key path through an optional of this
    /// class (`\Student?.?.name`), from which paths like `\School.best?.name` are put together.
    static var _keyPathNames: [AnyKeyPath: String] { get }
    /// The name of a key path that no table has, by reading along it; nil when its accessors do not tell.
    static func _name(reading path: AnyKeyPath) -> String?
}

extension _KeyPathNaming {
    public static func _name(reading path: AnyKeyPath) -> String? { nil }
}

/// Tables of classes that cannot override theirs: an extension of a handwritten class overrides nothing. The topmost class of a
/// family answers for all below it; nil for one it does not know.
public protocol _KeyPathTables: AnyObject {
    static func _keyPathNames(of type: AnyObject.Type) -> [AnyKeyPath: String]?
}

/// Why a Swift key path has no name.
package enum KeyPathNameError: DescribedError, Equatable {
    /// The class has no table at all.
    case noTable(type: String)
    /// The class has a table, without this key path. `name` is what the key path calls itself, where the program's symbols tell;
    /// `candidates` are the class's properties of the same type, or all.
    case notInTable(type: String, name: String?, valueType: String, candidates: [String])

    package var description: String {
        switch self {
        case .noTable(let type):
            "The class \(type) has no generated key-path table, and the key path is none of @NSManaged properties, so it has no name. Generate the class with the model plugin, or use string keys."
        case .notInTable(let type, let name, let valueType, let candidates):
            "The key path \(name.map { "\\.\($0)" } ?? "to a \(valueType)") of \(type) is no property of the model’s entity, nor one reached through at most \(KeyPathSearch.relationships) to-one relationships. \(Self.advice(candidates)) A computed property cannot be used: write what it computes, or filter the objects."
        }
    }

    private static func advice(_ candidates: [String]) -> String {
        candidates.isEmpty ? "Use a string key." : "Properties of that type: \(candidates.prefix(12).joined(separator: ", "))."
    }
}
