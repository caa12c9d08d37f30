import Foundation

/// The dotted names of Swift key paths.
package enum KeyPathNames {
    /// The name of `path` by the tables of the classes it leads through: `\.firm?.name` is `firm.name`.
    package static func name(of path: AnyKeyPath) throws(KeyPathNameError) -> String {
        let root = type(of: path).rootType
        guard let naming = modelled(root) else { throw .noTable(type: String(reflecting: root)) }
        let table = KeyPathTableCache.shared.table(of: naming)
        if let name = table.names[path] ?? KeyPathTableCache.shared.composedName(of: path, from: table) { return name }
        if let name = KeyPathTableCache.shared.readName(of: path, from: naming) { return name }
        if isIdentity(path, of: naming) { return "id" }
        // A class that someone wrote by hand inherits an empty table.
        if table.names.isEmpty { throw .noTable(type: String(reflecting: root)) }
        throw notInTable(path, table)
    }

    /// An `Identifiable` class with a property `id` has two of that name: its own, and the one by which Swift tells objects apart. Where
    /// `\Person.id` may be of any type, or of one that can be compared, Swift may take the second; the first is meant.
    private static func isIdentity(_ path: AnyKeyPath, of naming: any _KeyPathNaming.Type) -> Bool {
        guard type(of: path).valueType == ObjectIdentifier.self, type(of: path).rootType == naming, let type = naming as? any Identifiable.Type
        else { return false }
        return hasOwnIdentity(type)
    }

    private static func hasOwnIdentity<T: Identifiable>(_ type: T.Type) -> Bool { T.ID.self != ObjectIdentifier.self }

    private static func notInTable(_ path: AnyKeyPath, _ table: KeyPathTable) -> KeyPathNameError {
        let valueType = type(of: path).valueType
        let alike = table.direct.filter { $0.valueType == valueType }
        // Off Apple's systems most key paths of classes call themselves `<computed 0x… (String)>`.
        let text = String(describing: path).split(separator: ".").last.map(String.init)
        return .notInTable(
            type: String(describing: type(of: path).rootType), name: text.flatMap { $0.contains("<") || $0.contains(")") ? nil : $0 },
            valueType: String(describing: valueType), candidates: (alike.isEmpty ? table.direct : alike).map(\.name).sorted())
    }

    /// `type`, or what it wraps as an optional, as a class with a table.
    package static func modelled(_ type: Any.Type) -> (any _KeyPathNaming.Type)? {
        if let naming = type as? any _KeyPathNaming.Type { return naming }
        return (type as? any OptionalValue.Type).flatMap { modelled($0.wrappedType) }
    }
}

/// Finds the name of a key path of several steps. A key path cannot be taken apart, so the paths that the tables allow are
/// put together, shortest first, and compared with it: by `KeyPathFingerprint`, since `==` holds a path that was put together
/// unequal to one written out when it ends in `?` (it also compares whether a writable part was remembered).
struct KeyPathSearch {
    /// How many relationships a path may cross before its last property.
    static let relationships = 4

    private let target: AnyKeyPath
    private let fingerprint: KeyPathFingerprint

    init(target: AnyKeyPath) {
        self.target = target
        fingerprint = KeyPathFingerprint(target)
    }

    func name(from start: KeyPathTable) -> String? {
        var reached = start.relationships
        for _ in 1...Self.relationships {
            var further: [KeyPathTable.Entry] = []
            for step in reached {
                guard let destination = KeyPathNames.modelled(step.valueType) else { continue }
                let table = KeyPathTableCache.shared.table(of: destination)
                for (base, entries, links) in table.continuations(of: step) {
                    if let name = match(base, entries, named: step.name) { return name }
                    further += links.compactMap { joined(base, $0, named: step.name) }
                }
            }
            reached = further
        }
        return nil
    }

    private func match(_ base: AnyKeyPath, _ entries: [KeyPathTable.Entry], named name: String) -> String? {
        let wanted = ObjectIdentifier(type(of: target).valueType)
        for entry in entries where ObjectIdentifier(entry.valueType) == wanted {
            if base.appending(path: entry.path).map(KeyPathFingerprint.init) == fingerprint { return "\(name).\(entry.name)" }
        }
        return nil
    }

    private func joined(_ base: AnyKeyPath, _ entry: KeyPathTable.Entry, named name: String) -> KeyPathTable.Entry? {
        base.appending(path: entry.path).map { KeyPathTable.Entry(path: $0, name: "\(name).\(entry.name)") }
    }
}

/// The steps of a key path as two salted hashes, 128 bits: what a key path hashes is the identity of each step and the types
/// between them.
struct KeyPathFingerprint: Equatable {
    private let first: Int
    private let second: Int

    init(_ path: AnyKeyPath) {
        first = path.hashValue
        var hasher = Hasher()
        hasher.combine(1)
        hasher.combine(path)
        second = hasher.finalize()
    }
}

/// The key paths of one class, ready for look-up and for putting together.
struct KeyPathTable {
    struct Entry {
        var path: AnyKeyPath
        var name: String
        var valueType: Any.Type { type(of: path).valueType }
    }

    let names: [AnyKeyPath: String]
    /// Rooted in the class, and those of them that lead to a class with a table.
    let direct: [Entry]
    let relationships: [Entry]
    /// The same, rooted in an optional of the class.
    let chained: [Entry]
    let chainedRelationships: [Entry]

    init(_ names: [AnyKeyPath: String]) {
        self.names = names
        let entries = names.map { Entry(path: $0.key, name: $0.value) }
        direct = entries.filter { !(type(of: $0.path).rootType is any OptionalValue.Type) }
        chained = entries.filter { type(of: $0.path).rootType is any OptionalValue.Type }
        relationships = direct.filter { KeyPathNames.modelled($0.valueType) != nil }
        chainedRelationships = chained.filter { KeyPathNames.modelled($0.valueType) != nil }
    }

    /// How a path that arrives at this class goes on: from the object, from `?`, or from `!`.
    func continuations(of step: Entry) -> [(base: AnyKeyPath, entries: [Entry], links: [Entry])] {
        guard let optional = step.valueType as? any OptionalValue.Type else { return [(step.path, direct, relationships)] }
        let chain = (base: step.path, entries: chained, links: chainedRelationships)
        guard let forced = step.path.appending(path: optional.forcingPath) else { return [chain] }
        return [chain, (forced, direct, relationships)]
    }
}

/// The tables read so far, one a class, and the names put together so far.
///
/// Unchecked Sendable: the dictionaries are only touched under `lock`; key paths are immutable.
final class KeyPathTableCache: @unchecked Sendable {
    static let shared = KeyPathTableCache()

    private let lock = NSLock()
    private var tables: [ObjectIdentifier: KeyPathTable] = [:]
    private var composed: [AnyKeyPath: String] = [:]

    func table(of type: any _KeyPathNaming.Type) -> KeyPathTable {
        let identifier = ObjectIdentifier(type)
        if let known = lock.withLock({ tables[identifier] }) { return known }
        // Outside the lock: the table is user-overridable code.
        let table = KeyPathTable((type as? any _KeyPathTables.Type)?._keyPathNames(of: type) ?? type._keyPathNames)
        lock.withLock { tables[identifier] = table }
        return table
    }

    func composedName(of path: AnyKeyPath, from table: KeyPathTable) -> String? {
        if let known = lock.withLock({ composed[path] }) { return known }
        guard let name = KeyPathSearch(target: path).name(from: table) else { return nil }
        lock.withLock { composed[path] = name }
        return name
    }

    func readName(of path: AnyKeyPath, from type: any _KeyPathNaming.Type) -> String? {
        if let known = lock.withLock({ composed[path] }) { return known }
        // Outside the lock: accessors are the program's code.
        guard let name = type._name(reading: path) else { return nil }
        lock.withLock { composed[path] = name }
        return name
    }
}

extension AnyKeyPath {
    /// The dotted key of a path of modelled properties, as key-value coding writes it; nil for other paths.
    public var _kvcKeyPathString: String? { try? KeyPathNames.name(of: self) }
}
