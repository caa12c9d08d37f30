import Foundation

/// The dotted names of Swift key paths.
package enum KeyPathNames {
    /// The name of `path` by the tables of the classes it leads through: `\.firm?.name` is `firm.name`.
    package static func name(of path: AnyKeyPath) throws(KeyPathNameError) -> String {
        let root = type(of: path).rootType
        guard let naming = modelled(root) else { throw .noTable(type: String(reflecting: root)) }
        let table = KeyPathTableCache.shared.table(of: naming)
        if let name = table.names[path] { return name }
        if let name = composedName(of: path, from: table) { return name }
        throw .notInTable(type: String(reflecting: root), keyPath: String(describing: path))
    }

    /// `type`, or what it wraps as an optional, as a class with a table.
    static func modelled(_ type: Any.Type) -> (any _KeyPathNaming.Type)? {
        if let naming = type as? any _KeyPathNaming.Type { return naming }
        return (type as? any OptionalValue.Type).flatMap { modelled($0.wrappedType) }
    }

    /// The name of a key path of several steps. Key paths cannot be taken apart, but their text lists the steps, each with
    /// the address or name that also appears in the text of the one-step key path of the class it belongs to.
    private static func composedName(of path: AnyKeyPath, from start: KeyPathTable) -> String? {
        var table: KeyPathTable? = start
        var names: [String] = []
        for step in KeyPathText.steps(of: path) {
            guard let known = table?.steps[step] else { return nil }
            names.append(known.name)
            table = modelled(known.valueType).map { KeyPathTableCache.shared.table(of: $0) }
        }
        return names.count > 1 ? names.joined(separator: ".") : nil
    }
}

/// The steps in the text of a key path, without `?` and `!`.
enum KeyPathText {
    static func steps(of path: AnyKeyPath) -> [Substring] {
        let text = path.debugDescription
        guard let start = text.firstIndex(of: "\\") else { return [] }
        var steps: [Substring] = []
        var depth = 0
        var begin = text.index(after: start)
        for index in text.indices[begin...] {
            switch text[index] {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case "." where depth == 0:
                steps.append(text[begin..<index])
                begin = text.index(after: index)
            default: break
            }
        }
        steps.append(text[begin...])
        // The first is the root's name. A nested root (`Outer.Inner`) is printed by its last name alone.
        return steps.dropFirst().map(plain).filter { !$0.isEmpty }
    }

    private static func plain(_ step: Substring) -> Substring {
        var step = step
        while let last = step.last, last == "?" || last == "!" { step.removeLast() }
        return step
    }
}

/// The key paths of one class, ready for look-up.
struct KeyPathTable {
    struct Step {
        var name: String
        var valueType: Any.Type
    }

    let names: [AnyKeyPath: String]
    /// One-step key paths by their text.
    let steps: [Substring: Step]

    init(_ names: [AnyKeyPath: String]) {
        self.names = names
        var steps: [Substring: Step] = [:]
        for (path, name) in names {
            if let step = KeyPathText.steps(of: path).first { steps[step] = Step(name: name, valueType: type(of: path).valueType) }
        }
        self.steps = steps
    }
}

/// The tables read so far, one a class.
///
/// Unchecked Sendable: `tables` is only touched under `lock`; key paths are immutable.
final class KeyPathTableCache: @unchecked Sendable {
    static let shared = KeyPathTableCache()

    private let lock = NSLock()
    private var tables: [ObjectIdentifier: KeyPathTable] = [:]

    func table(of type: any _KeyPathNaming.Type) -> KeyPathTable {
        let identifier = ObjectIdentifier(type)
        if let known = lock.withLock({ tables[identifier] }) { return known }
        // Outside the lock: the table is user-overridable code.
        let table = KeyPathTable(type._keyPathNames)
        lock.withLock { tables[identifier] = table }
        return table
    }
}
