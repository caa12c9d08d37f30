import CoreDataSchema
import CoreDataGraph

/// Sections by cache name, for controllers to come: which came out of which rows.
///
/// An entry is good for the very rows it was made from, in the same order and version, of the same stores; what the request
/// says else does not matter then. A section's name may depend on more than its rows (a computed property, another object):
/// the first and the last object of each section are asked again.
final class SectionCache: Sendable {
    static let shared = SectionCache()

    /// What sections were made from.
    struct Origin: Equatable, Sendable {
        var stores: [String]
        var entity: String
        var entityHash: Data
        var className: String
        var sectionKeyPath: String
        /// Of the rows' keys and versions, in order.
        var rows: Int
        var count: Int
    }

    private struct Entry: Sendable {
        var origin: Origin
        var sections: [(name: String, count: Int)]
    }

    private let entries = LockedValue<[String: Entry]>([:])

    func sections(named name: String, from origin: Origin) -> [(name: String, count: Int)]? {
        entries.withLock { entries in entries[name].flatMap { $0.origin == origin ? $0.sections : nil } }
    }

    func keep(_ sections: [ItemSection<ResultItem>], named name: String, from origin: Origin) {
        let entry = Entry(origin: origin, sections: sections.map { ($0.name, $0.items.count) })
        entries.withLock { $0[name] = entry }
    }

    /// Forgets the entry of a name, or all.
    func forget(_ name: String?) {
        entries.withLock { entries in
            if let name { entries[name] = nil } else { entries = [:] }
        }
    }
}

extension ResultsTracker {
    /// Where the sections of these objects would come from; nil without a cache name, and for objects with unsaved changes or
    /// without a row at hand, of which nobody can tell later whether they are the same.
    func origin(of items: [ResultItem], at path: String) -> SectionCache.Origin? {
        guard cacheName != nil, let coordinator = context.persistentStoreCoordinator, let first = items.first?.object as? NSManagedObject
        else { return nil }
        var hasher = Hasher()
        for item in items {
            guard let object = item.object as? NSManagedObject, let row = object.row, object.state.isDisjoint(with: .pending) else { return nil }
            hasher.combine(row.key)
            hasher.combine(row.version)
        }
        return SectionCache.Origin(
            stores: coordinator.persistentStores.map { $0.identifier ?? "" }, entity: first.entity.name ?? "",
            entityHash: first.entity.versionHash, className: NSStringFromClass(type(of: first)), sectionKeyPath: path,
            rows: hasher.finalize(), count: items.count)
    }

    /// The sections that the cache knows for these objects, if they still hold.
    func cachedSections(of items: [ResultItem], from origin: SectionCache.Origin, at path: String) -> [ItemSection<ResultItem>]? {
        guard let cacheName, let known = SectionCache.shared.sections(named: cacheName, from: origin), known.count * 4 <= items.count else {
            return nil
        }
        var sections: [ItemSection<ResultItem>] = [], start = 0
        for (name, count) in known {
            let members = items[start..<start + count]
            guard let first = members.first, let last = members.last, sectionName(of: first, at: path) == name,
                  sectionName(of: last, at: path) == name
            else { return nil }
            sections.append(ItemSection(name: name, items: Array(members)))
            start += count
        }
        return sections
    }
}
