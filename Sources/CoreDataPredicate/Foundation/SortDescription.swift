import Foundation

/// One sort term as a value: what every kind of sort descriptor comes down to.
package struct SortDescription: Sendable, Hashable {
    /// Dotted.
    package var keyPath: String
    package var isAscending: Bool
    package var comparison: SortComparison

    package init(keyPath: String, isAscending: Bool, comparison: SortComparison = .binary) {
        self.keyPath = keyPath
        self.isAscending = isAscending
        self.comparison = comparison
    }

    /// The term of a typed descriptor. Throws when its key path has no name, or when it compares by no key path.
    package init<Compared>(_ descriptor: SortDescriptor<Compared>) throws {
        guard let path = descriptor.keyPath else {
            throw PredicateBridgingError("A SortDescriptor without a key path cannot sort a fetch. Make it from one: SortDescriptor(\\.name).")
        }
        self.init(
            keyPath: try KeyPathNames.name(of: path), isAscending: descriptor.order == .forward,
            comparison: descriptor.stringComparator.map(SortComparison.init) ?? .binary)
    }

    /// The term of a Foundation descriptor, by its key or by the name of its key path.
    package init(_ descriptor: NSSortDescriptor) throws {
        if let own = descriptor as? KeySortDescriptor {
            self = own.term
        } else {
            self.init(keyPath: try KeyPathNames.name(of: descriptor.keyPath), isAscending: descriptor.ascending)
        }
    }
}

/// How two values of a sort term are compared; all but `closure` go by a selector of Apple's.
package enum SortComparison: Sendable, Hashable {
    /// `compare:`
    case binary
    case caseInsensitive
    case localized
    case localizedCaseInsensitive
    /// As Finder sorts names: numbers by value.
    case localizedStandard
    /// A selector no store knows.
    case selector(String)
    /// A comparator block.
    case closure

    package init(selector: String?) {
        self = switch selector {
        case nil, "compare:": .binary
        case "caseInsensitiveCompare:": .caseInsensitive
        case "localizedCompare:": .localized
        case "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive
        case "localizedStandardCompare:": .localizedStandard
        case .some(let name): .selector(name)
        }
    }

    init(_ comparator: String.StandardComparator) {
        let isLexical = String.StandardComparator(comparator, order: .forward) == .lexical
        self = isLexical ? .binary : .localizedStandard
    }

    /// The selector's name; nil for a closure.
    package var selector: String? {
        switch self {
        case .binary: "compare:"
        case .caseInsensitive: "caseInsensitiveCompare:"
        case .localized: "localizedCompare:"
        case .localizedCaseInsensitive: "localizedCaseInsensitiveCompare:"
        case .localizedStandard: "localizedStandardCompare:"
        case .selector(let name): name
        case .closure: nil
        }
    }
}
