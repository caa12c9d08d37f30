import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// A controller's results and how they came about, without the type of the results.
///
/// Invariant: `list` is nil until a fetch succeeded; its items are all of the controller's result type, in sections without
/// empty ones (but for the one section of a controller without section key).
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
        didSet { wantsDifference = nil }
    }

    private(set) var list: [ItemSection<ResultItem>]?
    /// What the last fetch asked for; nil when nothing can be tracked.
    var scope: ResultScope?
    /// Whether the delegate implements `controller(_:didChangeContentWith:)`; nil until it was tried.
    var wantsDifference: Bool?
    var isDelivering = false
    /// Objects that changed while the delegate was being told of others.
    var backlog: [Set<ResultItem>] = []
    /// Objects changed by the merge under way that its note will not name.
    var awaited = Set<ResultItem>()
    private var token: (any NSObjectProtocol)?
    private var cachedObjects: [AnyObject]?
    private var cachedSections: [ResultSection]?
    private var cachedPlaces: [ObjectIdentifier: ItemPlace]?

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

    func replace(_ sections: [ItemSection<ResultItem>]?) {
        list = sections
        cachedObjects = nil
        cachedSections = nil
        cachedPlaces = nil
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
        if let cachedObjects { return cachedObjects }
        let objects = list.flatMap { $0.items.map(\.object) }
        cachedObjects = objects
        return objects
    }

    func object(at indexPath: IndexPath) -> AnyObject {
        guard let list else { raise(.generic, "cannot access fetched objects before -performFetch:") }
        guard indexPath.count == 2, list.indices.contains(indexPath.section),
              list[indexPath.section].items.indices.contains(indexPath.row)
        else {
            let count = indexPath.count == 2 && list.indices.contains(indexPath.section)
                ? "section \(indexPath.section) has \(list[indexPath.section].items.count) objects" : "there are \(list.count) sections"
            raise(.invalidArgument, "no object at \(indexPath) in the fetched results: \(count).")
        }
        return list[indexPath.section].items[indexPath.row].object
    }

    func indexPath(of object: AnyObject) -> IndexPath? { places[ObjectIdentifier(object)].map { IndexPath($0) } }

    private var places: [ObjectIdentifier: ItemPlace] {
        if let cachedPlaces { return cachedPlaces }
        var places: [ObjectIdentifier: ItemPlace] = [:]
        for (section, contents) in (list ?? []).enumerated() {
            for (row, item) in contents.items.enumerated() {
                places[ObjectIdentifier(item.object)] = ItemPlace(section: section, item: row)
            }
        }
        cachedPlaces = places
        return places
    }

    var sectionInfos: [ResultSection]? {
        guard let list else { return nil }
        if let cachedSections { return cachedSections }
        let sections = list.map { ResultSection($0, self) }
        cachedSections = sections
        return sections
    }

    // MARK: Index titles

    func indexTitle(forSection name: String) -> String? {
        guard let controller else { return nil }
        guard let delegate else { return controller.sectionIndexTitle(forSectionName: name) }
        return delegate.controller(controller, sectionIndexTitleForSectionName: name)
    }

    var indexTitles: [String] {
        var seen = Set<String>()
        return (list ?? []).compactMap { indexTitle(forSection: $0.name) }.filter { seen.insert($0).inserted }
    }

    func section(forIndexTitle title: String, at index: Int) -> Int {
        let titles = indexTitles
        guard titles.indices.contains(index), titles[index] == title,
              let section = (list ?? []).firstIndex(where: { indexTitle(forSection: $0.name) == title })
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
