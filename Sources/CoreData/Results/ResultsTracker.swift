import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// A controller's results and how they came about, without the type of the results.
///
/// Invariant: `list` is nil until a fetch succeeded; its items are all of the controller's result type. What is kept beside
/// it (`flat`, `infos`) says the same.
///
/// Unchecked Sendable: used on the context's queue only, where the context posts its notes too; it has to cross into the
/// closure that the notification centre keeps.
final class ResultsTracker: @unchecked Sendable {
    let request: AnyObject
    let settings: FetchSettings
    let context: NSManagedObjectContext
    let sectionKeyPath: String?
    let cacheName: String?
    let accepts: (AnyObject) -> Bool
    weak var controller: NSFetchedResultsController<NSFetchRequestResult>?
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            form = nil
            refusesSnapshots = false
        }
    }

    private(set) var list: ResultList?
    /// What the last fetch asked for; nil when nothing can be tracked.
    var scope: ResultScope?
    /// In which form the delegate takes changes; nil until it was tried.
    var form: DeliveryForm?
    /// Whether the default implementation of a method was called: the delegate has none of its own.
    var isRefused = false
    var refusesSnapshots = false
    var isDelivering = false
    /// Objects that changed while the delegate was being told of others.
    var backlog: [Set<ResultItem>] = []
    /// Objects changed by the merge under way that its note will not name.
    var awaited = Set<ResultItem>()
    private var token: (any NSObjectProtocol)?
    /// All objects in order, once somebody asked.
    private var flat: [AnyObject]?
    private var infos: [ResultSection]?

    init(
        request: AnyObject, settings: FetchSettings, context: NSManagedObjectContext, sectionKeyPath: String?, cacheName: String?,
        accepts: @escaping (AnyObject) -> Bool
    ) {
        self.request = request
        self.settings = settings
        self.context = context
        self.sectionKeyPath = sectionKeyPath?.isEmpty == true ? nil : sectionKeyPath
        self.cacheName = cacheName
        self.accepts = accepts
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    func replace(_ list: ResultList?) {
        self.list = list
        flat = nil
        infos = nil
    }

    /// Brings what is kept beside the list up to date with a revision of it.
    func follow(_ changes: SectionChanges<ResultItem>) {
        infos = nil
        let moved = changes.moves.count + changes.deletions.count + changes.insertions.count
        if moved == 0 { return }
        // Many changes cost as much as making it anew; and what has sections that went cannot be counted any more.
        guard let list, moved <= 16, changes.deletedSections.isEmpty, changes.insertedSections.isEmpty, var flat, !list.hasSections else {
            flat = nil
            return
        }
        self.flat = nil
        for row in (changes.deletions.map(\.place.item) + changes.moves.map(\.from.item)).sorted().reversed() { flat.remove(at: row) }
        let arrivals = changes.insertions.map { ($0.place.item, $0.item) } + changes.moves.map { ($0.to.item, $0.item) }
        for (row, item) in arrivals.sorted(by: { $0.0 < $1.0 }) { flat.insert(item.object, at: row) }
        self.flat = flat
    }

    /// Starts listening to the context, once.
    func listen() {
        guard token == nil else { return }
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [weak self] note in self?.contextDidChange(note.userInfo ?? [:]) }
        context.resultTrackers.add(self)
    }

    // MARK: Reading

    var objects: [AnyObject]? {
        guard let list else { return nil }
        if let flat { return flat }
        let objects = list.items.map(\.object)
        flat = objects
        return objects
    }

    func object(at indexPath: IndexPath) -> AnyObject {
        guard let list else { raise(.generic, "cannot access fetched objects before -performFetch:") }
        guard indexPath.count == 2, list.sections.indices.contains(indexPath.section),
              indexPath.row >= 0, indexPath.row < list.sections[indexPath.section].count
        else {
            let count = indexPath.count == 2 && list.sections.indices.contains(indexPath.section)
                ? "section \(indexPath.section) has \(list.sections[indexPath.section].count) objects"
                : "there are \(list.sections.count) sections"
            raise(.invalidArgument, "no object at \(indexPath) in the fetched results: \(count).")
        }
        return list.item(at: ItemPlace(section: indexPath.section, item: indexPath.row)).object
    }

    func indexPath(of object: AnyObject) -> IndexPath? { list?.place(of: ResultItem(object: object)).map { IndexPath($0) } }

    var sectionInfos: [ResultSection]? {
        guard let list else { return nil }
        if let infos { return infos }
        let infos = list.sections.map(info)
        self.infos = infos
        return infos
    }

    func info(of section: ResultListSection) -> ResultSection {
        if let known = section.picture as? ResultSection { return known }
        let made = ResultSection(section, self)
        section.picture = made
        return made
    }

    // MARK: Index titles

    func indexTitle(forSection name: String) -> String? {
        guard let controller else { return nil }
        guard let delegate else { return controller.sectionIndexTitle(forSectionName: name) }
        return delegate.controller(controller, sectionIndexTitleForSectionName: name)
    }

    var indexTitles: [String] {
        var seen = Set<String>()
        return (list?.sections ?? []).compactMap { indexTitle(forSection: $0.name) }.filter { seen.insert($0).inserted }
    }

    func section(forIndexTitle title: String, at index: Int) -> Int {
        let titles = indexTitles
        guard titles.indices.contains(index), titles[index] == title,
              let section = (list?.sections ?? []).firstIndex(where: { indexTitle(forSection: $0.name) == title })
        else { raise(.invalidArgument, "Index title at \(index) is not equal to ‘\(title)’. The index titles are \(titles).") }
        return section
    }
}

extension IndexPath {
    init(_ place: ItemPlace) { self.init(row: place.item, section: place.section) }
}

/// Trackers by weak reference. Used on their context's queue.
struct ResultTrackers {
    private struct Entry {
        weak var tracker: ResultsTracker?
    }

    private var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var all: [ResultsTracker] { entries.compactMap(\.tracker) }

    mutating func add(_ tracker: ResultsTracker) {
        entries.removeAll { $0.tracker == nil }
        entries.append(Entry(tracker: tracker))
    }
}
