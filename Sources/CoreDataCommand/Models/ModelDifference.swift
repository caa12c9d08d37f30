import CoreDataSchema

/// What changed between two versions of a model, and whether a migration between them can be inferred.
///
/// The rules are those Apple documents for lightweight migration: parts are matched by renaming identifier, then by name.
struct ModelDifference {
    enum Kind: String { case added, removed, renamed, changed }

    struct Change {
        let kind: Kind
        let place: String
        let text: String
        /// Why no migration can be inferred because of it; nil when it stands in nobody's way.
        var obstacle: String?
    }

    let old: ModelSchema
    let new: ModelSchema
    private(set) var changes: [Change] = []
    /// New entity names to old ones.
    private(set) var origins: [String: String] = [:]

    init(from old: ModelSchema, to new: ModelSchema) {
        self.old = old
        self.new = new
        matchEntities()
        let origin = Dictionary(origins.map { ($0.value, $0.key) }) { first, _ in first }
        for entity in old.entities where origin[entity.name] == nil { add(.removed, entity.name, "entity removed") }
        for entity in new.entities {
            if let before = origins[entity.name].flatMap(old.entity(named:)) { compare(before, entity) } else {
                add(.added, entity.name, "entity added" + (entity.superentityName.map { " below \($0)" } ?? ""))
            }
        }
        compareHierarchies()
        compareParts()
    }

    var obstacles: [Change] { changes.filter { $0.obstacle != nil } }

    mutating func add(_ kind: Kind, _ place: String, _ text: String, obstacle: String? = nil) {
        changes.append(Change(kind: kind, place: place, text: text, obstacle: obstacle))
    }

    // MARK: Entities

    private mutating func matchEntities() {
        let pairs = ModelDifference.match(
            old.entities.map { ($0.name, $0.renamingIdentifier) }, new.entities.map { ($0.name, $0.renamingIdentifier) })
        for (name, before) in pairs { origins[name] = before }
    }

    /// New names to old ones: equal renaming identifiers first, a name standing for one that is not set.
    static func match(_ old: [(name: String, id: String?)], _ new: [(name: String, id: String?)]) -> [String: String] {
        var result: [String: String] = [:], taken = Set<String>()
        func take(_ name: String, _ before: String?) {
            guard let before, result[name] == nil, taken.insert(before).inserted else { return }
            result[name] = before
        }
        for part in new { if let id = part.id { take(part.name, old.first { ($0.id ?? $0.name) == id || $0.name == id }?.name) } }
        for part in new { take(part.name, old.first { $0.name == part.name }?.name) }
        return result
    }

    private mutating func compare(_ before: EntitySchema, _ entity: EntitySchema) {
        if before.name != entity.name { add(.renamed, entity.name, "entity renamed from \(before.name)") }
        if before.superentityName != entity.superentityName, before.superentityName != entity.superentityName.flatMap({ origins[$0] }) {
            add(.changed, entity.name, "parent \(before.superentityName ?? "none") → \(entity.superentityName ?? "none")")
        }
        if before.isAbstract != entity.isAbstract { add(.changed, entity.name, entity.isAbstract ? "now abstract" : "no longer abstract") }
        if before.className != entity.className {
            add(.changed, entity.name, "class \(before.className ?? "none") → \(entity.className ?? "none")")
        }
        if before.versionHashModifier != entity.versionHashModifier { add(.changed, entity.name, "version hash modifier changed") }
        compareAttributes(before, entity)
        compareRelationships(before, entity)
        if Set(before.uniquenessConstraints) != Set(entity.uniquenessConstraints) {
            add(.changed, entity.name, "uniqueness constraints \(lists(before.uniquenessConstraints)) → \(lists(entity.uniquenessConstraints))")
        }
        let indexes = (before.indexes.map(\.name), entity.indexes.map(\.name))
        for name in indexes.0 where !indexes.1.contains(name) { add(.removed, entity.name, "index \(name) removed") }
        for name in indexes.1 where !indexes.0.contains(name) { add(.added, entity.name, "index \(name) added") }
        for index in entity.indexes {
            if let former = before.indexes.first(where: { $0.name == index.name }), former != index {
                add(.changed, entity.name, "index \(index.name) changed")
            }
        }
    }

    private func lists(_ lists: [[String]]) -> String {
        lists.isEmpty ? "none" : lists.map { $0.joined(separator: "+") }.joined(separator: ", ")
    }

    /// Two hierarchies cannot become one.
    private mutating func compareHierarchies() {
        func root(_ name: String, _ schema: ModelSchema) -> String {
            var current = name
            for _ in schema.entities { if let parent = schema.entity(named: current)?.superentityName { current = parent } else { break } }
            return current
        }
        var roots: [String: String] = [:]
        for entity in new.entities {
            guard let before = origins[entity.name] else { continue }
            let (now, then) = (root(entity.name, new), root(before, old))
            if let other = roots[now], other != then {
                add(.changed, entity.name, "now in one hierarchy with entities of another (\(now))",
                    obstacle: "hierarchies that were apart (\(other), \(then)) cannot be merged")
            } else {
                roots[now] = then
            }
        }
    }

    private mutating func compareParts() {
        let configurations = (old.configurations, new.configurations)
        for part in configurations.0 where !configurations.1.contains(where: { $0.name == part.name }) {
            add(.removed, part.name, "configuration removed")
        }
        for part in configurations.1 {
            guard let before = configurations.0.first(where: { $0.name == part.name }) else {
                add(.added, part.name, "configuration added")
                continue
            }
            if Set(before.entityNames) != Set(part.entityNames) { add(.changed, part.name, "entities of the configuration changed") }
        }
        for part in old.fetchTemplates where !new.fetchTemplates.contains(where: { $0.name == part.name }) {
            add(.removed, part.name, "fetch request removed")
        }
        for part in new.fetchTemplates {
            let before = old.fetchTemplates.first { $0.name == part.name }
            if before == nil { add(.added, part.name, "fetch request added") }
            if let before, before != part { add(.changed, part.name, "fetch request changed") }
        }
    }
}
