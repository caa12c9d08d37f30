import Foundation

// `#keyPath` and `#selector`.

extension SourcePort {
    /// What stands between the parentheses behind the word at hand, and the place behind them; goes on there.
    private mutating func operand() -> (start: SourceToken, inside: ArraySlice<SourceToken>, end: Int)? {
        let start = index
        guard token(1)?.isSymbol("(") == true else {
            index += 1
            return nil
        }
        let end = group(start + 1)
        index = end
        return (tokens[start], tokens[(start + 2)..<max(start + 2, end - 1)], end)
    }

    mutating func keyPath() {
        guard let (start, inside, end) = operand() else { return }
        let names = inside.filter { !$0.isSymbol(".") && !$0.isSymbol("?") && !$0.isSymbol("!") }
        guard !names.isEmpty, names.allSatisfy(\.isName) else {
            return note(.hand, start.line, "#keyPath cannot be read here. Write the key as a text.")
        }
        let (types, keys) = Self.split(names.map(\.text))
        let root = types.isEmpty ? enclosingType : types.last == "Self" ? enclosingType : types.last
        let path = keys.joined(separator: "."), range = start.start..<tokens[end - 1].end
        let written = types.isEmpty || types.last == "Self" ? root ?? "" : types.joined(separator: ".")
        if let root, let text = swiftPath(root, keys) {
            change(SourceEdit(range, "(\\\(written).\(text))._kvcKeyPathString!"))
            note(.changed, start.line, "#keyPath(\(names.map(\.text).joined(separator: "."))) is a key path.")
        } else {
            change(SourceEdit(range, SourceText.literal(path)))
            note(.changed, start.line, "#keyPath(\(names.map(\.text).joined(separator: "."))) is the text “\(path)”, which no compiler checks: no @NSManaged "
                + "declaration and no model here says of a key path’s properties that Core Data knows them.")
        }
    }

    /// Types first, by their capitals.
    private static func split(_ names: [String]) -> (types: [String], keys: [String]) {
        let types = names.dropLast().prefix { $0.first?.isUppercase == true }
        return (Array(types), Array(names.dropFirst(types.count)))
    }

    /// `name`, `address?.street`; nil when a property is not known to be Core Data's.
    private func swiftPath(_ root: String, _ keys: [String]) -> String? {
        var type = root, text = ""
        for (index, key) in keys.enumerated() {
            guard let property = knowledge.property(key, of: type) else { return nil }
            text += SwiftName.escaped(key)
            if index == keys.count - 1 { return text }
            guard case .toOne(let destination, let isOptional) = property else { return nil }
            text += isOptional ? "?." : "."
            type = destination
        }
        return nil
    }

    private static let comparisons: [String: String] = [
        "localizedStandardCompare": "localizedStandardCompare:", "localizedCompare": "localizedCompare:", "caseInsensitiveCompare": "caseInsensitiveCompare:",
        "localizedCaseInsensitiveCompare": "localizedCaseInsensitiveCompare:", "compare": "compare:",
    ]

    mutating func selector() {
        guard let (start, inside, end) = operand() else { return }
        let words = inside.filter(\.isName).map(\.text)
        if words.count >= 2, ["NSString", "NSNumber", "NSDate"].contains(words[0]), let name = Self.comparisons[words[1]] {
            change(SourceEdit(start.start..<tokens[end - 1].end, "NSSelectorFromString(\(SourceText.literal(name)))"))
            note(.changed, start.line, "#selector(\(words[0]).\(words[1])) is NSSelectorFromString(\"\(name)\").")
        } else {
            note(.hand, start.line, "#selector exists with Objective-C alone. Use the form that takes a closure (for notifications "
                + "addObserver(forName:object:queue:using:)), or put the statement between #if canImport(ObjectiveC) and #endif.")
        }
    }
}
