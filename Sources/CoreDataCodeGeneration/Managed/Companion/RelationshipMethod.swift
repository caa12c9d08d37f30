/// What a method that Core Data supplies does, by its name in Swift.
struct RelationshipMethod {
    private enum Kind { case add, remove, insert, removeAt, replace }

    private let kind: Kind
    private let key: String

    /// nil when Core Data has none of this name.
    init?(_ name: String, _ labels: [String]) {
        let forms: [(prefix: String, labels: [String], kind: Kind)] = [
            ("addTo", [""], .add), ("removeFrom", [""], .remove), ("insertInto", ["", "at"], .insert), ("removeFrom", ["at"], .removeAt),
            ("replace", ["at", "with"], .replace),
        ]
        guard let form = forms.first(where: { labels == $0.labels && name.hasPrefix($0.prefix) && name.utf8.count > $0.prefix.utf8.count }) else {
            guard let (kind, key) = Self.older(name, labels) else { return nil }
            self.kind = kind
            self.key = key
            return
        }
        kind = form.kind
        key = Self.lowercased(String(name.dropFirst(form.prefix.count)))
    }

    /// `addTagsObject(_:)`, `removeTagsObject(_:)`, `addTags(_:)`, `removeTags(_:)`: Objective-C's names, as Xcode 7 wrote them.
    private static func older(_ name: String, _ labels: [String]) -> (Kind, String)? {
        guard labels == [""] else { return nil }
        for (prefix, kind) in [("add", Kind.add), ("remove", .remove)] where name.hasPrefix(prefix) {
            var rest = name.dropFirst(prefix.count)
            if rest.hasSuffix("Object") { rest = rest.dropLast(6) }
            if rest.first?.isUppercase == true { return (kind, lowercased(String(rest))) }
        }
        return nil
    }

    /// The run time tries the capital letter too.
    private static func lowercased(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }

    func isIndex(_ parameter: Int) -> Bool {
        switch kind {
        case .add, .remove: false
        case .insert: parameter == 1
        case .removeAt, .replace: parameter == 0
        }
    }

    func source(_ values: [String]) -> String {
        switch kind {
        case .add: "_managedAdd(\(values[0]), to: \"\(key)\")"
        case .remove: "_managedRemove(\(values[0]), from: \"\(key)\")"
        case .insert: "_managedInsert(\(values[0]), at: \(values[1]), in: \"\(key)\")"
        case .removeAt: "_managedRemove(at: \(values[0]), from: \"\(key)\")"
        case .replace: "_managedReplace(at: \(values[0]), with: \(values[1]), in: \"\(key)\")"
        }
    }
}
