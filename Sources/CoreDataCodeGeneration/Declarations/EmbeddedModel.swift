/// Writes a model into the program, so that no file is needed beside it.
enum EmbeddedModel {
    static func lines(_ contents: String, modelName: String, named name: String, _ access: GenerationOptions.Access) -> [String] {
        let modifier = access.modifier, stem = stem(of: modelName)
        let lines = contents.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        // As many marks as nothing in the text can end or interpolate.
        var marks = "#"
        while contents.contains("\"\"\"" + marks) || contents.contains("\\" + marks) { marks += "#" }
        return [
            "extension NSManagedObjectModel {",
            "    /// The model “\(stem)”, kept in the program: it needs no file beside it. Always the same object.",
            "    \(modifier)static let \(SwiftName.escaped(name)) = NSManagedObjectModel(_contents: \(marks)\"\"\"",
        ] + lines.map { $0.isEmpty ? "" : "        " + $0 } + ["        \"\"\"\(marks))", "}"]
    }

    /// `shopModel` for “Shop.xcdatamodeld”.
    static func name(of modelName: String) -> String {
        let stem = stem(of: modelName)
        return stem.prefix(1).lowercased() + stem.dropFirst() + "Model"
    }

    /// “Shop” of “Shop.xcdatamodeld”, as far as Swift takes it.
    static func stem(of modelName: String) -> String {
        let name = modelName.prefix { $0 != "." }.split { !($0.isLetter || $0.isNumber || $0 == "_") }.enumerated().map { index, part in
            index == 0 ? String(part) : SwiftName.capitalized(String(part))
        }.joined()
        return SwiftName.isIdentifier(name) ? name : "model" + name
    }
}
