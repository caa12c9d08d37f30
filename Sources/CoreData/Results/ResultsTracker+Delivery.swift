import CoreDataGraph

extension ResultsTracker {
    /// The default implementation of `controller(_:didChangeContentWith:)` was called: the delegate has none of its own.
    func delegateWantsSingleChanges() { wantsDifference = false }

    /// Makes `new` the results and tells the delegate.
    func deliver(
        _ changes: SectionChanges<ResultItem>, from old: [ItemSection<ResultItem>], to new: [ItemSection<ResultItem>]
    ) {
        guard let controller, let delegate else { return }
        if sectionKeyPath == nil, wantsDifference != false, tellDifference(changes, to: delegate, controller, from: old, to: new) {
            return
        }
        delegate.controllerWillChangeContent(controller)
        replace(new)
        for index in changes.deletedSections {
            delegate.controller(controller, didChange: ResultSection(old[index], self), atSectionIndex: index, for: .delete)
        }
        for index in changes.insertedSections {
            delegate.controller(controller, didChange: ResultSection(new[index], self), atSectionIndex: index, for: .insert)
        }
        for entry in changes.deletions {
            delegate.controller(controller, didChange: entry.item.object, at: IndexPath(entry.place), for: .delete, newIndexPath: nil)
        }
        for entry in changes.insertions {
            delegate.controller(controller, didChange: entry.item.object, at: nil, for: .insert, newIndexPath: IndexPath(entry.place))
        }
        for (passages, type) in [(changes.moves, NSFetchedResultsChangeType.move), (changes.updates, .update)] {
            for passage in passages {
                delegate.controller(
                    controller, didChange: passage.item.object, at: IndexPath(passage.from), for: type,
                    newIndexPath: IndexPath(passage.to))
            }
        }
        delegate.controllerDidChangeContent(controller)
    }

    /// False when the delegate turned out not to implement it: then nobody saw the new results yet, and the old ones are back.
    private func tellDifference(
        _ changes: SectionChanges<ResultItem>, to delegate: any NSFetchedResultsControllerDelegate,
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        from old: [ItemSection<ResultItem>], to new: [ItemSection<ResultItem>]
    ) -> Bool {
        guard let difference = difference(changes) else { return false }
        replace(new)
        delegate.controller(controller, didChangeContentWith: difference)
        guard wantsDifference == false else {
            wantsDifference = true
            return true
        }
        replace(old)
        return false
    }

    private func difference(_ changes: SectionChanges<ResultItem>) -> CollectionDifference<NSManagedObjectID>? {
        typealias Change = CollectionDifference<NSManagedObjectID>.Change
        func identifier(_ item: ResultItem) -> NSManagedObjectID? { (item.object as? NSManagedObject)?.objectID }
        var parts: [Change] = changes.deletions.compactMap { entry in
            identifier(entry.item).map { .remove(offset: entry.place.item, element: $0, associatedWith: nil) }
        }
        parts += changes.insertions.compactMap { entry in
            identifier(entry.item).map { .insert(offset: entry.place.item, element: $0, associatedWith: nil) }
        }
        for passage in changes.moves + changes.updates {
            guard let identifier = identifier(passage.item) else { continue }
            parts.append(.remove(offset: passage.from.item, element: identifier, associatedWith: passage.to.item))
            parts.append(.insert(offset: passage.to.item, element: identifier, associatedWith: passage.from.item))
        }
        return CollectionDifference(parts)
    }
}
