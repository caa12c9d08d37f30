/// Turns names of a model into names of Swift.
enum SwiftName {
    /// Whether Swift takes it as a name, in backticks if need be.
    static func isIdentifier(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return name != "_" && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
    }

    /// A name as it is declared and used after a dot.
    static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

    /// The Swift name of a property. A name Swift or the superclasses have taken gets an underscore at its end; key-value
    /// coding and predicates go on using the model's name.
    static func property(_ name: String) -> String { taken.contains(name) ? name + "_" : escaped(name) }

    /// "tags" as it stands in `addToTags`.
    static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

    /// A class without its module: ".Person" and "Shop.Person" are Person; nil when nothing is left.
    static func bare(_ className: String?) -> String? {
        guard let className else { return nil }
        // "[Shop.Tag]" and "Array<Shop.Tag>" keep their dots.
        guard className.allSatisfy({ $0 == "." || $0 == "_" || $0.isLetter || $0.isNumber }) else {
            let text = className.drop { $0 == "." }
            return text.isEmpty ? nil : String(text)
        }
        guard className.last != ".", let last = className.split(separator: ".").last else { return nil }
        return String(last)
    }

    /// Whether a value class is one type and no more: nothing in it can end the declaration it is put into.
    static func isTypeText(_ text: String) -> Bool {
        var depth: [Character] = []
        for character in text {
            switch character {
            case "[": depth.append("]")
            case "<": depth.append(">")
            case "(": depth.append(")")
            case "]", ">", ")": guard depth.popLast() == character else { return false }
            case ".", "_", "?": break
            case ",", ":", " ": guard !depth.isEmpty else { return false }
            default: guard character.isLetter || character.isNumber else { return false }
            }
        }
        return depth.isEmpty && text.contains { $0.isLetter }
    }

    private static let keywords: Set<String> = [
        "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat", "rethrows", "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
        "typealias", "var", "where", "while",
    ]

    /// What Swift does not let anyone declare, and what NSObject and NSManagedObject declare without arguments.
    private static let taken: Set<String> = [
        "self", "Self", "Type", "Protocol",
        "classForCoder", "classForKeyedArchiver", "copy", "mutableCopy", "debugDescription", "description", "hash", "hashValue",
        "isProxy", "superclass",
        "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent", "contextShouldIgnoreUnmodeledPropertyChanges",
        "didSave", "didTurnIntoFault", "entity", "faultingState", "fetchRequest", "hasChanges", "hasFault", "hasPersistentChangedValues",
        "isDeleted", "isFault", "isInserted", "isUpdated", "managedObjectContext", "managedObjectModel", "objectID", "objectWillChange",
        "prepareForDeletion", "validateForDelete", "validateForInsert", "validateForUpdate", "willSave", "willTurnIntoFault",
    ]
}
