import CoreDataGraph

/// In which form a delegate takes changes.
enum DeliveryForm {
    case single, difference, snapshot
}

/// A list after changes, and how it differs from the one before.
struct ResultDelivery {
    let list: ResultList
    let changes: SectionChanges<ResultItem>
    /// Sections that went, as they were, by their old index.
    let gone: [Int: ResultSection]
}

extension ResultsTracker {
    /// Has the results revised and tells the delegate, in its form. `revise` changes the list it is given, or makes another.
    func deliver(_ revise: (ResultList) -> ResultDelivery) {
        guard let controller, let delegate, let old = list else { return }
        switch form {
        case .single: tell(delegate, controller, from: old) { revise(old) }
        case .difference:
            let delivery = adopt(revise(old))
            delegate.controller(controller, didChangeContentWith: difference(delivery.changes))
        case .snapshot:
            tellSnapshot(delegate, controller, after: adopt(revise(old)).changes)
        case nil:
            // Which methods the delegate has shows when they are called, with the new results in place; if it has none for
            // whole results, the old ones come back until it was told that they change.
            let delivery = revise(old.copy())
            if takesWholeResults(delegate, controller, delivery) { return }
            form = .single
            tell(delegate, controller, from: old) { delivery }
        }
    }

    /// `performFetch` is news for who takes snapshots.
    func tellFetched() {
        guard scope != nil, form == nil || form == .snapshot, !refusesSnapshots, let controller, let delegate else { return }
        refusesSnapshots = !tellSnapshot(delegate, controller, after: SectionChanges())
        if !refusesSnapshots { form = .snapshot }
    }

    private func takesWholeResults(
        _ delegate: any NSFetchedResultsControllerDelegate, _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        _ delivery: ResultDelivery
    ) -> Bool {
        guard !refusesSnapshots || sectionKeyPath == nil else { return false }
        let old = list
        replace(delivery.list)
        if !refusesSnapshots {
            refusesSnapshots = !tellSnapshot(delegate, controller, after: delivery.changes)
            if !refusesSnapshots {
                form = .snapshot
                return true
            }
        }
        if sectionKeyPath == nil {
            isRefused = false
            delegate.controller(controller, didChangeContentWith: difference(delivery.changes))
            if !isRefused {
                form = .difference
                return true
            }
        }
        replace(old)
        return false
    }

    @discardableResult
    private func adopt(_ delivery: ResultDelivery) -> ResultDelivery {
        if delivery.list === list { follow(delivery.changes) } else { replace(delivery.list) }
        return delivery
    }

    // MARK: Change by change

    private func tell(
        _ delegate: any NSFetchedResultsControllerDelegate, _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        from old: ResultList, _ revise: () -> ResultDelivery
    ) {
        delegate.controllerWillChangeContent(controller)
        // A delegate that fetched anew in between has the changes already.
        if list === old {
            let delivery = adopt(revise())
            tellSections(delegate, controller, delivery)
            tellObjects(delegate, controller, delivery.changes)
        }
        delegate.controllerDidChangeContent(controller)
    }

    private func tellSections(
        _ delegate: any NSFetchedResultsControllerDelegate, _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        _ delivery: ResultDelivery
    ) {
        for index in delivery.changes.deletedSections {
            guard let section = delivery.gone[index] else { continue }
            delegate.controller(controller, didChange: section, atSectionIndex: index, for: .delete)
        }
        let new = delivery.changes.insertedSections.map { ($0, info(of: delivery.list.sections[$0])) }
        for (index, section) in new {
            delegate.controller(controller, didChange: section, atSectionIndex: index, for: .insert)
        }
    }

    private func tellObjects(
        _ delegate: any NSFetchedResultsControllerDelegate, _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        _ changes: SectionChanges<ResultItem>
    ) {
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
    }

    // MARK: As a whole

    /// False when the delegate has no such method.
    @discardableResult
    private func tellSnapshot(
        _ delegate: any NSFetchedResultsControllerDelegate, _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        after changes: SectionChanges<ResultItem>
    ) -> Bool {
        guard let list else { return false }
        isRefused = false
        let snapshot = NSDiffableDataSourceSnapshotReference { [identifier] in
            var contents = SnapshotContents<AnyHashable, AnyHashable>()
            for section in list.sections {
                contents.append([section.name])
                contents.append(section.items.compactMap(identifier), to: section.name)
            }
            contents.reload((changes.updates + changes.moves).compactMap { identifier($0.item) })
            // Whoever leaves or comes with its whole section was deleted and inserted.
            let left = Set(changes.deletions.compactMap { identifier($0.item) })
            contents.reload(changes.insertions.compactMap { identifier($0.item) }.filter(left.contains))
            return contents
        }
        delegate.controller(controller, didChangeContentWith: snapshot)
        // Here it can still read the objects' IDs; nobody says where the delegate takes it.
        if !isRefused { snapshot.load() }
        return !isRefused
    }

    private func difference(_ changes: SectionChanges<ResultItem>) -> CollectionDifference<NSManagedObjectID> {
        typealias Change = CollectionDifference<NSManagedObjectID>.Change
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
        // Offsets of one list's places are distinct, so that it is one.
        return CollectionDifference(parts) ?? [NSManagedObjectID]().difference(from: [])
    }

    private func identifier(_ item: ResultItem) -> NSManagedObjectID? { (item.object as? NSManagedObject)?.objectID }
}
