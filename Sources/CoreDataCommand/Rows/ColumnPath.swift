import CoreDataSchema
import CoreDataStorage

/// A column of `coredata fetch`: a property, or one reached through relationships.
///
/// Invariant: every step but the last is a relationship; the last is a property, `@count` of the to-many before it, or the row
/// itself (`$id`).
struct ColumnPath {
    enum End {
        case property(ResolvedProperty)
        case composite(ResolvedProperty, [String])
        case count(ResolvedProperty)
        case row
    }

    let text: String
    let steps: [ResolvedProperty]
    let end: End

    init(_ text: String, of entity: ResolvedEntity, in model: ResolvedModel) throws {
        self.text = text
        let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var current = entity, steps: [ResolvedProperty] = [], end: End?
        for (index, key) in keys.enumerated() {
            let isLast = index == keys.count - 1
            if isLast, ["$id", "objectID", "self", "SELF"].contains(key) { end = .row; break }
            if isLast, key == "@count", let last = steps.popLast(), last.storage == .toMany { end = .count(last); break }
            guard let property = current.property(named: key) else { throw ColumnPath.unknown(key, current, text) }
            if let relationship = property.relationship, !isLast {
                steps.append(property)
                current = model.entities[relationship.destination]
            } else if isLast {
                end = .property(property)
            } else if property.storage == .composite {
                end = .composite(property, Array(keys[(index + 1)...]))
                break
            } else {
                throw CommandFailure(.usage, "“\(key)” of \(current.name) is no relationship: nothing can follow it in “\(text)”.")
            }
        }
        guard let end else { throw ColumnPath.unknown(text, entity, text) }
        self.steps = steps
        self.end = end
    }

    private static func unknown(_ key: String, _ entity: ResolvedEntity, _ text: String) -> CommandFailure {
        let advice = NearestName.advice(key, among: entity.properties.map(\.name))
        return CommandFailure(.usage, "\(entity.name) has no property “\(key)”\(text == key ? "" : " (in “\(text)”)"). \(advice)")
    }

    /// The columns shown when none are named: the row, its attributes and its to-ones.
    static func all(of entity: ResolvedEntity, in model: ResolvedModel) throws -> [ColumnPath] {
        try ["$id"].map { try ColumnPath($0, of: entity, in: model) }
            + entity.properties.filter(\.isStored).map { try ColumnPath($0.name, of: entity, in: model) }
    }

    /// Columns with commas between; “*” stands for those shown when none are named.
    static func list(_ text: String, of entity: ResolvedEntity, in model: ResolvedModel) throws -> [ColumnPath] {
        let paths = try text.split(separator: ",", omittingEmptySubsequences: false).flatMap { part in
            let name = part.trimmingCharacters(in: .whitespaces)
            if name.isEmpty { throw CommandFailure(.usage, "--columns “\(text)” has an empty name: write columns with commas between.") }
            return name == "*" ? try all(of: entity, in: model) : [try ColumnPath(name, of: entity, in: model)]
        }
        // A column that stands there twice (“*,name”) is one: the keys of JSON are.
        var seen = Set<String>()
        return paths.filter { seen.insert($0.text).inserted }
    }

    var isNumber: Bool {
        guard !steps.contains(where: { $0.storage == .toMany }) else { return false }
        switch end {
        case .count: return true
        case .property(let property): return [.integer, .double, .float, .decimal].contains(property.storage)
        default: return false
        }
    }

    /// Whether its values are bytes, which a table counts instead of showing.
    var isData: Bool {
        if case .property(let property) = end { property.storage == .data || property.storage == .object } else { false }
    }
}
