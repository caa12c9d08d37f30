import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

// From what the context says changed to the new results. The cost is a few passes over the references to the results
// (35 ms for 100,000, optimised), reading no values, plus, for each changed object, a test, two comparisons with its
// neighbours and, where it moves, a search by halves. Changes of no interest cost nothing of this.
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
            if object.isFault { object.row = row }
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
        var candidates: [ResultItem: Candidate] = [:]
        for item in changed {
            guard let object = item.object as? NSManagedObject, scope.concerns(object.key) else { continue }
            candidates[item] = Candidate()
        }
        guard !candidates.isEmpty else { return }
        for (index, section) in list.enumerated() {
            for item in section.items where candidates[item] != nil { candidates[item]?.section = index }
        }
        for item in candidates.keys {
            guard let object = item.object as? NSManagedObject else { continue }
            let isMember = candidates[item]?.section != nil
            let matches = scope.includes(object, in: context, otherwise: isMember)
            if isMember || matches { candidates[item]?.matches = matches } else { candidates[item] = nil }
        }
        guard !candidates.isEmpty else { return }
        for (item, candidate) in candidates where candidate.matches { candidates[item]?.name = name(of: item) }
        let new = scope.isWindowed ? refetched(candidates) : ResultArrangement.rearrange(
            list, candidates, hasSections: sectionKeyPath != nil, scope)
        let changes = SectionDifference.between(list, new, touched: Set(candidates.keys))
        if !changes.isEmpty { deliver(changes, from: list, to: new) }
    }

    private func name(of item: ResultItem) -> String {
        guard let sectionKeyPath else { return "" }
        return sectionName(of: item, at: sectionKeyPath)
    }

    /// A limit or offset lets one object's change decide on another: only the store can tell on which.
    private func refetched(_ candidates: [ResultItem: Candidate]) -> [ItemSection<ResultItem>] {
        do {
            let items = try fetch().0.map { ResultItem(object: $0) }
            return ResultArrangement.grouped(items.map { ($0, name(of: $0)) }, hasSections: sectionKeyPath != nil)
        } catch {
            raise(.generic, "A fetched results controller with a limit or offset could not fetch again after a change: \(error)")
        }
    }
}

/// An object that changed: where it was, and whether and in which section it is now.
struct Candidate {
    var section: Int?
    var matches = false
    var name = ""
}

/// Puts changed objects where they belong.
enum ResultArrangement {
    /// The list without the candidates that match no more, and with the others in order. A candidate that is in order where
    /// it stands stays there, also among its equals.
    static func rearrange(
        _ list: [ItemSection<ResultItem>], _ candidates: [ResultItem: Candidate], hasSections: Bool, _ scope: ResultScope
    ) -> [ItemSection<ResultItem>] {
        var kept: [(item: ResultItem, name: String)] = [], joining: [ResultItem] = []
        let old = list.flatMap { section in section.items.map { (item: $0, name: section.name) } }
        kept.reserveCapacity(old.count + candidates.count)
        var next = 0
        for (index, entry) in old.enumerated() {
            guard let candidate = candidates[entry.item] else {
                kept.append(entry)
                continue
            }
            guard candidate.matches else { continue }
            next = max(next, index + 1)
            while next < old.count, candidates[old[next].item] != nil { next += 1 }
            let follows = kept.last.map { scope.order($0.item, entry.item) <= 0 } ?? true
            let precedes = next < old.count ? scope.order(entry.item, old[next].item) <= 0 : true
            if candidate.name == entry.name, follows, precedes { kept.append(entry) } else { joining.append(entry.item) }
        }
        let arriving = candidates.filter { $0.value.section == nil }.keys
        // Equals come in the order of their keys, as stores give them: the newest last.
        joining += arriving.sorted { rank($0) < rank($1) }
        return grouped(merged(kept, scope.sorted(joining).map { ($0, candidates[$0]?.name ?? "") }, scope), hasSections: hasSections)
    }

    /// Unsaved objects (negative keys, the newest the lowest) after saved ones.
    private static func rank(_ item: ResultItem) -> UInt64 {
        guard let key = (item.object as? NSManagedObject)?.key.primaryKey else { return 0 }
        return key < 0 ? UInt64(Int64.max) + key.magnitude : UInt64(key)
    }

    private static func merged(
        _ kept: [(item: ResultItem, name: String)], _ joining: [(item: ResultItem, name: String)], _ scope: ResultScope
    ) -> [(item: ResultItem, name: String)] {
        guard !joining.isEmpty else { return kept }
        var result: [(item: ResultItem, name: String)] = []
        result.reserveCapacity(kept.count + joining.count)
        var start = 0
        for entry in joining {
            var low = start, high = kept.count
            while low < high {
                let middle = (low + high) / 2
                if scope.order(kept[middle].item, entry.item) <= 0 { low = middle + 1 } else { high = middle }
            }
            result += kept[start..<low]
            result.append(entry)
            start = low
        }
        return result + kept[start...]
    }

    /// Neighbours of the same name in one section. A name that comes again, which sorting by section excludes, makes a section
    /// again; the next `performFetch` throws.
    static func grouped(_ entries: [(item: ResultItem, name: String)], hasSections: Bool) -> [ItemSection<ResultItem>] {
        guard hasSections else { return [ItemSection(name: "", items: entries.map(\.item))] }
        var sections: [ItemSection<ResultItem>] = []
        for entry in entries {
            if sections.last?.name != entry.name { sections.append(ItemSection(name: entry.name, items: [])) }
            sections[sections.count - 1].items.append(entry.item)
        }
        return sections
    }
}
