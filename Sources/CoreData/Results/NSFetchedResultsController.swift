import CoreDataGraph
import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Keeps a request's results in order, in sections and up to date with its context. Use it on the context's queue.
///
/// Without a delegate the results are not kept up to date after `performFetch()` (FR26).
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject, EventObserver {
    public let fetchRequest: NSFetchRequest<ResultType>
    public let managedObjectContext: NSManagedObjectContext
    public let sectionNameKeyPath: String?
    /// Accepted for Apple's sake: sections are counted anew by each `performFetch()`, so no cache can be stale (FR27).
    public let cacheName: String?
    open weak var delegate: NSFetchedResultsControllerDelegate?
    private var list: SectionedList<NSManagedObject>?
    private var terms: [SortTerm] = []
    private var predicate: PredicateTree?
    private var entity: ResolvedEntity?

    /// The request needs at least one sort descriptor; with a section key path the first must sort alike.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext, sectionNameKeyPath: String?,
        cacheName name: String?
    ) {
        guard fetchRequest.sortDescriptors?.isEmpty == false else {
            raise(.invalidArgument, "An instance of NSFetchedResultsController requires a fetch request with sort descriptors.")
        }
        self.fetchRequest = fetchRequest
        managedObjectContext = context
        self.sectionNameKeyPath = sectionNameKeyPath
        cacheName = name
        super.init()
        context.eventObservers.add(self)
    }

    /// Fetches, and cuts into sections. Throws what the fetch throws, and when the results are not in the order of their sections
    /// (FR18).
    open func performFetch() throws {
        let found = try managedObjectContext.results(of: fetchRequest.settings, in: fetchRequest.affectedStores)
        let plan = try ErrorTranslation.translating {
            try FetchPlanner.plan(fetchRequest.settings, in: managedObjectContext.requireRuntime())
        }
        (terms, predicate) = (plan.sort, plan.predicate)
        entity = managedObjectContext.requireRuntime().resolved.entities[plan.entity]
        guard let sectioned = sectioned(found.compactMap { $0 as? NSManagedObject }) else {
            list = nil
            throw ErrorTranslation.cocoa(NSCoreDataError, "The fetched objects are out of order: a section name of "
                + "“\(sectionNameKeyPath ?? "")” comes again after another one. Sort by it first.")
        }
        list = sectioned
    }

    private func sectioned(_ objects: [NSManagedObject]) -> SectionedList<NSManagedObject>? {
        guard let sectionNameKeyPath else { return SectionedList(objects, sectionName: nil) }
        return SectionedList(objects) { object in
            object.value(forKeyPath: sectionNameKeyPath).map { "\($0)" } ?? ""
        }
    }

    // MARK: Results

    /// nil before `performFetch()` (FR02).
    open var fetchedObjects: [ResultType]? { list?.elements.compactMap { $0 as? ResultType } }

    open func object(at indexPath: IndexPath) -> ResultType {
        guard let list else { raise(.internalInconsistency, "cannot access fetched objects before -performFetch:") }
        guard indexPath.count == 2, list.sections.indices.contains(indexPath.section),
              (0..<list.sections[indexPath.section].count).contains(indexPath.row),
              let object = list.elements[list.sections[indexPath.section].start + indexPath.row] as? ResultType
        else { raise(.invalidArgument, "no object at index path \(indexPath)") }
        return object
    }

    /// nil for an object that is not among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? {
        guard let list, let index = list.elements.firstIndex(where: { $0 === object }) else { return nil }
        return Self.indexPath(list.path(of: index))
    }

    open var sections: [NSFetchedResultsSectionInfo]? {
        list?.sections.map { section in Section(name: section.name, indexTitle: title(of: section.name), in: list, at: section) }
    }

    open var sectionIndexTitles: [String] {
        var titles: [String] = []
        for section in list?.sections ?? [] {
            if let title = title(of: section.name), !titles.contains(title) { titles.append(title) }
        }
        return titles
    }

    /// The capital first letter; subclasses and delegates may choose otherwise.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? { sectionName.first.map { $0.uppercased() } }

    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        list?.sections.firstIndex { self.title(of: $0.name) == title } ?? 0
    }

    /// Nothing is kept between runs, so there is nothing to delete.
    open class func deleteCache(withName name: String?) {}

    private func title(of name: String) -> String? {
        guard sectionNameKeyPath != nil else { return nil }
        return delegate?.controller(erased, sectionIndexTitleForSectionName: name) ?? sectionIndexTitle(forSectionName: name)
    }

    private static func indexPath(_ path: SectionPath) -> IndexPath { IndexPath(row: path.row, section: path.section) }

    /// This controller as delegates see it. All stored state is independent of `ResultType`, which is a class (or AnyObject) in
    /// every instance, so both types have one representation.
    private var erased: NSFetchedResultsController<NSFetchRequestResult> {
        Unmanaged<NSFetchedResultsController<NSFetchRequestResult>>.fromOpaque(Unmanaged.passUnretained(self).toOpaque())
            .takeUnretainedValue()
    }

    // MARK: Changes

    func contextChanged(_ event: EventChanges) {
        guard delegate != nil, let old = list, let new = changedList(from: old, by: event) else { return }
        list = new.list
        report(SectionDifference.changes(from: old, to: new.list, touched: new.touched), old: old, new: new.list)
    }

    /// The results after an event; nil when nothing in it concerns them (FR16).
    private func changedList(
        from old: SectionedList<NSManagedObject>, by event: EventChanges
    ) -> (list: SectionedList<NSManagedObject>, touched: Set<NSManagedObject>)? {
        let foreign = event.foreign.filter { concerns(Int($0.entity)) }.map { managedObjectContext.object(for: $0) }
        var touched = Set<NSManagedObject>()
        for object in [event.inserted, event.merged, event.changed, event.refreshed, event.deleted, foreign].joined()
        where concerns(object.runtime.index) {
            touched.insert(object)
        }
        guard !touched.isEmpty else { return nil }
        let matching = touched.filter { object in
            guard object.anchor != nil, !object.state.contains(.deleted) else { return false }
            guard let predicate else { return true }
            return (try? PredicateEvaluation.evaluate(predicate, subject: object, variables: [:], rules: .memory)) ?? false
        }
        var elements = old.elements.filter { !touched.contains($0) }
        guard elements.count < old.elements.count || !matching.isEmpty else { return nil }
        for object in matching.sorted(by: precedes) { elements.insert(object, at: place(of: object, in: elements)) }
        // Objects out of the order of their sections stay as they were until the next performFetch.
        guard let list = sectioned(elements) else { return nil }
        return (list, touched)
    }

    private func concerns(_ index: Int) -> Bool {
        guard let entity else { return false }
        return fetchRequest.includesSubentities ? entity.includes(index) : entity.index == index
    }

    private func precedes(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
        for term in terms {
            let order = term.comparison.compare(value(of: left, term), value(of: right, term))
            if order != 0 { return (order < 0) == term.isAscending }
        }
        return left.key.primaryKey.magnitude < right.key.primaryKey.magnitude
    }

    private func value(of object: NSManagedObject, _ term: SortTerm) -> PredicateValue {
        (try? PredicateEvaluation.evaluate(
            expression: .keyPath(.evaluatedObject, term.keyPath), subject: object, variables: [:], rules: .memory)) ?? .null
    }

    private func place(of object: NSManagedObject, in elements: [NSManagedObject]) -> Int {
        var (low, high) = (0, elements.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(elements[middle], object) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func report(
        _ changes: SectionChanges<NSManagedObject>, old: SectionedList<NSManagedObject>, new: SectionedList<NSManagedObject>
    ) {
        guard !changes.isEmpty, let delegate else { return }
        delegate.controllerWillChangeContent(erased)
        for index in changes.deletedSections { tell(delegate, old, index, .delete) }
        for index in changes.insertedSections { tell(delegate, new, index, .insert) }
        for (object, path) in changes.deletions { tell(delegate, object, path, .delete, nil) }
        for (object, path) in changes.insertions { tell(delegate, object, nil, .insert, path) }
        for (object, from, to) in changes.moves { tell(delegate, object, from, .move, to) }
        for (object, path) in changes.updates { tell(delegate, object, path, .update, nil) }
        delegate.controllerDidChangeContent(erased)
    }

    private func tell(
        _ delegate: NSFetchedResultsControllerDelegate, _ list: SectionedList<NSManagedObject>, _ index: Int,
        _ type: NSFetchedResultsChangeType
    ) {
        let section = list.sections[index]
        let info = Section(name: section.name, indexTitle: title(of: section.name), in: list, at: section)
        delegate.controller(erased, didChange: info, atSectionIndex: index, for: type)
    }

    private func tell(
        _ delegate: NSFetchedResultsControllerDelegate, _ object: NSManagedObject, _ path: SectionPath?,
        _ type: NSFetchedResultsChangeType, _ newPath: SectionPath?
    ) {
        delegate.controller(
            erased, didChange: object, at: path.map(Self.indexPath), for: type, newIndexPath: newPath.map(Self.indexPath))
    }
}

/// A section as it was when it was asked for.
private struct Section: NSFetchedResultsSectionInfo {
    let name: String
    let indexTitle: String?
    private let members: ArraySlice<NSManagedObject>

    init(name: String, indexTitle: String?, in list: SectionedList<NSManagedObject>?, at section: SectionedList<NSManagedObject>.Section) {
        self.name = name
        self.indexTitle = indexTitle
        members = list?.elements[section.start..<(section.start + section.count)] ?? []
    }

    var numberOfObjects: Int { members.count }
    var objects: [Any]? { Array(members) }
}
