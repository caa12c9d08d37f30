import Foundation

extension _FoundationCompletion where Self == NSSortDescriptor {
    /// By the value at a dotted key; nil stands for the object itself.
    public init(key: String?, ascending: Bool) {
        self = KeySortDescriptor(SortDescription(keyPath: key ?? "self", isAscending: ascending))
    }

    /// By the value at a dotted key, compared by a selector; nil is `compare:`. Stores know `compare:`,
    /// `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` and `localizedStandardCompare:`.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        let comparison = SortComparison(selector: selector?.description)
        self = KeySortDescriptor(SortDescription(keyPath: key ?? "self", isAscending: ascending, comparison: comparison))
    }

    /// By the value at a dotted key, compared by a closure. For arrays in memory: no store can sort by it.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self = KeySortDescriptor(
            SortDescription(keyPath: key ?? "self", isAscending: ascending, comparison: .closure), closure: cmptr)
    }

    /// By a property of a modelled class, of any type. Stops the program when the class has no key-path table.
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool) {
        self = NSSortDescriptor.named(keyPath, ascending, .binary)
    }

    /// By a property of a modelled class, compared by a selector. Stops the program when the class has no key-path table.
    public init<Root, Value>(keyPath: KeyPath<Root, Value>, ascending: Bool, selector: Selector?) {
        self = NSSortDescriptor.named(keyPath, ascending, SortComparison(selector: selector?.description))
    }

    /// The typed descriptor as one of Foundation's. Stops the program when its key path has no name;
    /// `init(validating:)` throws instead.
    public init<Compared>(_ sortDescriptor: SortDescriptor<Compared>) {
        do { self = try NSSortDescriptor(validating: sortDescriptor) } catch { fatalError("\(error)") }
    }

    /// The typed descriptor as one of Foundation's, or a thrown error that names the key path without a name. Not Apple's.
    public init<Compared>(validating sortDescriptor: SortDescriptor<Compared>) throws {
        self = KeySortDescriptor(try SortDescription(sortDescriptor), path: sortDescriptor.keyPath ?? \Any.self)
    }
}

extension _FoundationCompletion where Self: NSSortDescriptor {
    /// The dotted key; nil for a descriptor made from a Swift key path that has no name.
    public var key: String? { (try? SortDescription(self))?.keyPath }

    /// What values are compared by; nil for a comparator closure.
    public var selector: Selector? { (try? SortDescription(self)).flatMap { $0.comparison.selector }.map { Selector($0) } }
}

extension NSSortDescriptor {
    fileprivate static func named(_ path: AnyKeyPath, _ isAscending: Bool, _ comparison: SortComparison) -> NSSortDescriptor {
        do {
            let name = try KeyPathNames.name(of: path)
            return KeySortDescriptor(
                SortDescription(keyPath: name, isAscending: isAscending, comparison: comparison), path: path)
        } catch {
            fatalError(error.description)
        }
    }
}
