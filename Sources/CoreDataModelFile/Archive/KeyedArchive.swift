import Foundation

/// What NSKeyedArchiver wrote, read by key and class name without making the objects: they are Apple's private classes.
///
/// Invariant: immutable after `init`; `objects` are indices into `nodes`, and number 0 is `$null`.
final class KeyedArchive {
    let nodes: [PropertyListNodes.Node]
    private let objects: [Int]
    private let top: [String: Int]

    init(_ data: Data) throws(PropertyListNodes.Damage) {
        let list = try PropertyListNodes(data)
        nodes = list.nodes
        let root = Self.table(list.root, list.nodes)
        guard let table = root["$objects"], case .array(let objects) = list.nodes[table], let top = root["$top"] else {
            throw PropertyListNodes.Damage(text: "it is no keyed archive")
        }
        self.objects = objects
        self.top = Self.table(top, list.nodes)
    }

    var root: ArchivedObject? { (top["root"] ?? top.values.first).flatMap(object) }

    fileprivate static func table(_ index: Int, _ nodes: [PropertyListNodes.Node]) -> [String: Int] {
        guard case .dictionary(let pairs) = nodes[index] else { return [:] }
        var result: [String: Int] = [:]
        for (key, value) in pairs { if case .string(let name) = nodes[key] { result[name] = value } }
        return result
    }

    fileprivate func isDangling(_ node: Int) -> Bool {
        if case .reference(let number) = nodes[node] { !objects.indices.contains(number) } else { false }
    }

    fileprivate func isReferenceToObject(_ node: Int) -> Bool {
        if case .reference = nodes[node] { object(node) != nil } else { false }
    }

    /// What a node stands for: a reference is followed, `$null` is nil.
    fileprivate func object(_ node: Int) -> ArchivedObject? {
        var index = node
        if case .reference(let number) = nodes[node] {
            guard number > 0, objects.indices.contains(number) else { return nil }
            index = objects[number]
        }
        switch nodes[index] {
        case .null, .reference: return nil
        default: return ArchivedObject(archive: self, index: index, keys: Self.table(index, nodes))
        }
    }
}

/// One object of an archive.
struct ArchivedObject {
    fileprivate let archive: KeyedArchive
    /// Tells objects of one archive apart.
    let index: Int
    fileprivate let keys: [String: Int]

    var node: PropertyListNodes.Node { archive.nodes[index] }

    /// nil for plain values.
    var className: String? {
        guard let type = self["$class"], let name = type["$classname"], case .string(let text) = name.node else { return nil }
        return text
    }

    subscript(_ key: String) -> ArchivedObject? { keys[key].flatMap { archive.object($0) } }

    var keyNames: [String] { keys.keys.sorted() }

    /// The text of a string, immutable or mutable.
    var text: String? {
        if case .string(let text) = node { return text }
        guard let inner = self["NS.string"], case .string(let text) = inner.node else { return nil }
        return text
    }

    func text(_ key: String) -> String? { self[key]?.text }

    func integer(_ key: String) -> Int? {
        switch self[key]?.node {
        case .integer(let value): Int(exactly: value)
        case .boolean(let value): value ? 1 : 0
        case .real(let value): Int(exactly: value)
        default: nil
        }
    }

    func boolean(_ key: String) -> Bool { integer(key).map { $0 != 0 } ?? false }

    /// What is wrong with an object that is no plain value: references to nothing, a class that is none.
    var damage: String? {
        guard case .dictionary = node else { return nil }
        let nodes = keys.values.flatMap { node -> [Int] in
            if case .array(let items) = archive.nodes[node] { items } else { [node] }
        }
        if nodes.contains(where: archive.isDangling) { return "an object of the archive refers to one that is not there" }
        let classes = self["$class"]?["$classes"]?.elements ?? []
        guard className != nil, !classes.isEmpty, classes.allSatisfy({ $0.text != nil }) else { return "an object of the archive has no class" }
        if let key = ArchivedShape.lack(of: self) { return "an object of the archive lacks its \(key)" }
        return nil
    }

    /// Whether a key has a list of references to objects, and of nothing else.
    func hasList(_ key: String) -> Bool {
        guard let list = keys[key], case .array(let items) = archive.nodes[list] else { return false }
        return items.allSatisfy(archive.isReferenceToObject)
    }

    /// The key among those that number objects under which there is no reference to one.
    var brokenNumberedKey: String? {
        keys.first { $0.key.hasPrefix("NS.object.") && !archive.isReferenceToObject($0.value) }?.key
    }

    /// What a key leads to, be it the value or a reference to it.
    func member(_ key: String) -> PropertyListNodes.Node? {
        guard let node = keys[key] else { return nil }
        if case .reference = archive.nodes[node] { return archive.object(node)?.node }
        return archive.nodes[node]
    }

    /// Whatever it refers to by its keys, directly or in a list, but for its class.
    var children: [ArchivedObject] {
        keys.filter { $0.key != "$class" }.values.flatMap { node -> [ArchivedObject] in
            switch archive.nodes[node] {
            case .reference: archive.object(node).map { [$0] } ?? []
            case .array(let items): items.compactMap { archive.object($0) }
            default: []
            }
        }
    }

    /// The class and those above it, as the archive says.
    var classNames: [String] { self["$class"]?["$classes"]?.elements.compactMap(\.text) ?? [] }

    /// False for a dictionary whose lists of keys and values differ in length, or have nothing in some place.
    var hasAsManyKeysAsValues: Bool {
        guard keys["NS.keys"] != nil || classNames.contains("NSDictionary") else { return true }
        func count(_ key: String) -> Int? {
            guard let list = keys[key], case .array(let items) = archive.nodes[list] else { return nil }
            return items.allSatisfy(archive.isReferenceToObject) ? items.count : nil
        }
        guard let names = count("NS.keys"), !hasCollectionAsKey, let values = count("NS.objects") else { return false }
        return names == values
    }

    /// Foundation on Linux stops the program where it compares such a dictionary.
    private var hasCollectionAsKey: Bool {
        guard let list = keys["NS.keys"], case .array(let items) = archive.nodes[list] else { return false }
        return items.contains { archive.object($0).map { !Self.collections.isDisjoint(with: $0.classNames) } ?? false }
    }

    private static let collections: Set<String> = ["NSArray", "NSDictionary", "NSSet", "NSOrderedSet"]

    /// The elements of an array, set or ordered set; empty for anything else.
    var elements: [ArchivedObject] {
        let list = keys["NS.objects"] ?? index
        guard case .array(let items) = archive.nodes[list] else { return [] }
        return items.compactMap { archive.object($0) }
    }

    /// The pairs of a dictionary with texts as keys, of the model cache's compact kind as well.
    var pairs: [(key: String, value: ArchivedObject)] {
        if let mapping = self["searchMapping"], let names = mapping["keys"], let values = self["values"] {
            return Self.pair(names.elements.map(\.text), values.elements)
        }
        guard let names = keys["NS.keys"], case .array(let keyItems) = archive.nodes[names] else { return [] }
        return Self.pair(keyItems.map { archive.object($0)?.text }, elements)
    }

    private static func pair(_ names: [String?], _ values: [ArchivedObject]) -> [(key: String, value: ArchivedObject)] {
        zip(names, values).compactMap { name, value in name.map { ($0, value) } }
    }
}
