import CoreDataGraph
import CoreDataPredicate
import CoreDataStorage

extension ResultsTracker {
    func performFetch() throws {
        // Changes made before are part of what is fetched, and not news to the delegate.
        context.processPendingChanges()
        scope = nil
        try checkSectionKey()
        let (found, scope) = try fetch()
        replace(ResultList(try grouped(found.map { ResultItem(object: $0) }), hasSections: sectionKeyPath != nil))
        self.scope = scope
        awaited = []
        backlog = []
        listen()
        tellFetched()
    }

    /// The request's results now, and what tracking them takes.
    func fetch() throws -> ([AnyObject], ResultScope?) {
        let stores = (request as? NSPersistentStoreRequest)?.affectedStores
        let found = try context.results(of: settings, in: stores)
        if let stranger = found.first(where: { !accepts($0) }) {
            throw ErrorTranslation.error(StoreError.invalidRequest("The controller’s results are not of its result type: the fetch gave "
                + "an object of the class \(type(of: stranger)). Make the request’s type, its resultType and the entity’s class agree."))
        }
        guard settings.resultType == .managedObjectResultType else { return (found, nil) }
        let runtime = context.requireRuntime()
        var plan = try FetchPlanner.plan(settings, in: runtime)
        plan.stores = stores?.map(\.rowStore.number)
        if let test = plan.objectTest { plan.predicate = plan.predicate.map { .and([$0, test]) } ?? test }
        return (found, ResultScope(plan: plan, entity: runtime.resolved.entities[plan.entity]))
    }

    /// A key that nobody knows is found here also where there is no object yet: the first one would stop the program.
    private func checkSectionKey() throws {
        guard let path = sectionKeyPath, settings.resultType == .managedObjectResultType else { return }
        // An entity nobody knows is told by the fetch.
        guard let entity = try? settings.resolveEntity(in: context.requireRuntime().model),
              let (key, owner, advice) = SectionKey.unknown(in: path, of: entity)
        else { return }
        throw problem("The section key path “\(path)” leads nowhere: “\(owner)” is not key value coding-compliant for the key "
            + "“\(key)”. \(advice)")
    }

    /// Results in sections. Throws when a section's objects are not together, or the section key is none.
    private func grouped(_ items: [ResultItem]) throws -> [ItemSection<ResultItem>] {
        guard let path = sectionKeyPath else { return [ItemSection(name: "", items: items)] }
        let probe = UndefinedKeyProbe()
        context.undefinedKeys = probe
        defer { context.undefinedKeys = nil }
        let origin = origin(of: items, at: path)
        if let origin, let known = cachedSections(of: items, from: origin, at: path) { return known }
        var sections: [ItemSection<ResultItem>] = [], seen = Set<String>()
        for (index, item) in items.enumerated() {
            let name = sectionName(of: item, at: path)
            if let (key, entity) = probe.missed {
                throw problem("The section key path “\(path)” leads nowhere: “\(entity)” is not key value "
                    + "coding-compliant for the key “\(key)”.")
            }
            if sections.last?.name != name {
                guard seen.insert(name).inserted else {
                    throw problem("The fetched object at index \(index) has an out of order section name ‘\(name)’. Objects must be "
                        + "sorted by section name: let the first sort descriptor order objects as “\(path)” groups them.")
                }
                sections.append(ItemSection(name: name, items: []))
            }
            sections[sections.count - 1].items.append(item)
        }
        if let cacheName, let origin { SectionCache.shared.keep(sections, named: cacheName, from: origin) }
        return sections
    }

    private func problem(_ text: String) -> NSError {
        ErrorTranslation.cocoa(NSCoreDataError, text, [ErrorTranslation.reasonKey: text])
    }

    /// The section key's value as text; nil is the empty name (FR21).
    func sectionName(of item: ResultItem, at path: String) -> String {
        let value: Any? = switch item.object {
        case let object as NSManagedObject: object.value(forKeyPath: path)
        case let dictionary as NSDictionary: dictionary[path]
        default: nil
        }
        return switch value {
        case nil, is NSNull: ""
        case let text as String: text
        case let object as NSObject: object.description
        case .some(let value): "\(value)"
        }
    }
}

/// Learns of keys nobody knows, where Apple's raises, while a throwing function is on the path.
///
/// Invariant: set on a context during one read on its queue.
final class UndefinedKeyProbe {
    private(set) var missed: (key: String, entity: String)?

    func note(_ key: String, _ entity: String) { missed = missed ?? (key, entity) }
}
