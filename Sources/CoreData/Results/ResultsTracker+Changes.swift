import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

// From what the context says changed to what the delegate is told. The cost depends on how many objects changed, not on how
// many there are: for each a test, two comparisons with its neighbours and, where it moves, a search by halves.
extension ResultsTracker {
    /// The context's note.
    func contextDidChange(_ info: [AnyHashable: Any]) {
        guard scope != nil else { return }
        if info[NSInvalidatedAllObjectsKey] != nil {
            // FR24: nothing is known of any object any more; the list waits for the next performFetch.
            scope = nil
            awaited = []
            backlog = []
            return
        }
        guard delegate != nil else { return }
        var changed = awaited
        awaited = []
        for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey] {
            for object in info[key] as? Set<NSManagedObject> ?? [] { changed.insert(ResultItem(object: object)) }
        }
        take(changed)
    }

    /// What a merge brings that its note will not name: rows updated elsewhere that are faults here or not here at all, rows
    /// inserted elsewhere that were known already (FR23). Called before the note; `flush` after it.
    func expect(updated: [RowKey], inserted: [RowKey]) {
        guard let scope, delegate != nil else { return }
        let updated = updated.filter(scope.concerns), inserted = inserted.filter(scope.concerns)
        guard !(updated.isEmpty && inserted.isEmpty) else { return }
        // One read for all of them. What cannot be read now fails, with its reason, when its fault fires.
        for row in (try? context.rows(for: updated + inserted)) ?? [] {
            let object = context.object(for: row.key)
            if object.isUnfired { object.row = row }
        }
        for key in updated { awaited.insert(ResultItem(object: context.object(for: key))) }
        for object in context.objects(for: inserted) where indexPath(of: object) == nil {
            awaited.insert(ResultItem(object: object))
        }
    }

    /// Objects that left the context without being deleted (rollback).
    func expectGone(_ objects: [NSManagedObject]) {
        guard scope != nil, delegate != nil else { return }
        for object in objects { awaited.insert(ResultItem(object: object)) }
    }

    func flush() {
        guard !awaited.isEmpty else { return }
        let changed = awaited
        awaited = []
        take(changed)
    }

    /// Works batches off one after the other: what the delegate changes meanwhile waits.
    private func take(_ changed: Set<ResultItem>) {
        backlog.append(changed)
        guard !isDelivering else { return }
        isDelivering = true
        defer { isDelivering = false }
        while !backlog.isEmpty { update(backlog.removeFirst()) }
    }

    private func update(_ changed: Set<ResultItem>) {
        guard let scope, let list else { return }
        let concerned = changed.filter { item in (item.object as? NSManagedObject).map { scope.concerns($0.key) } ?? false }
        if concerned.isEmpty { return }
        // Who was before the window and goes moves everybody in it.
        if scope.isWindowed { return refetch(touched: concerned) }
        context.loadRows(of: concerned.compactMap { $0.object as? NSManagedObject })
        var candidates: [ResultCandidate] = []
        for item in concerned {
            guard let object = item.object as? NSManagedObject else { continue }
            let isMember = list.place(of: item) != nil
            let matches = scope.includes(object, in: context, otherwise: isMember) && object.isIn(scope.plan.stores)
            if isMember || matches { candidates.append(ResultCandidate(item: item, matches: matches, section: matches ? name(of: item) : "")) }
        }
        if !candidates.isEmpty { revise(candidates, scope) }
    }

    private func revise(_ candidates: [ResultCandidate], _ scope: ResultScope) {
        let order = ScopeOrder(scope: scope, waiting: backlog)
        deliver { list in
            var gone: [Int: ResultSection] = [:]
            let changes = ResultRevision.revise(list, candidates, order: order) { gone[$0.index] = self.info(of: $0) }
            return ResultDelivery(list: list, changes: changes, gone: gone)
        }
    }

    private func name(of item: ResultItem) -> String {
        guard let sectionKeyPath else { return "" }
        return sectionName(of: item, at: sectionKeyPath)
    }

    /// A limit or offset lets one object's change decide on another: only the store can tell on which.
    private func refetch(touched: Set<ResultItem>) {
        guard let list else { return }
        let found: [AnyObject]
        do { found = try fetch().0 } catch {
            raise(.generic, "A fetched results controller with a limit or offset could not fetch again after a change: \(error)")
        }
        let new = grouped(found.map { ResultItem(object: $0) })
        let changes = SectionDifference.between(
            list.sections.map { ItemSection(name: $0.name, items: Array($0.items)) }, new, touched: touched)
        if changes.isEmpty { return }
        let gone = Dictionary(uniqueKeysWithValues: changes.deletedSections.map { ($0, info(of: list.sections[$0])) })
        let delivery = ResultDelivery(list: ResultList(new, hasSections: sectionKeyPath != nil), changes: changes, gone: gone)
        deliver { _ in delivery }
    }

    /// Neighbours of the same name in one section. A name that comes again, which sorting by section excludes, makes a section
    /// again; the next `performFetch` throws.
    private func grouped(_ items: [ResultItem]) -> [ItemSection<ResultItem>] {
        guard sectionKeyPath != nil else { return [ItemSection(name: "", items: items)] }
        var sections: [ItemSection<ResultItem>] = []
        for item in items {
            let name = name(of: item)
            if sections.last?.name != name { sections.append(ItemSection(name: name, items: [])) }
            sections[sections.count - 1].items.append(item)
        }
        return sections
    }
}
