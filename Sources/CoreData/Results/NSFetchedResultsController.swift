import CoreDataGraph

/// A fetch's results, grouped into sections and, while there is a delegate, kept up to date with the context.
///
/// Use it on its context's queue. Without a delegate the results stay as `performFetch()` found them (FR26).
///
/// Invariant: no stored property depends on the result type, and a result is one reference to an object. So one and the same
/// controller can be handed to delegates as `NSFetchedResultsController<NSFetchRequestResult>`, as at Apple's, where the
/// result type does not exist at run time.
open class NSFetchedResultsController<ResultType: NSFetchRequestResult>: NSObject {
    let tracker: ResultsTracker

    /// A controller without results yet. The request needs sort descriptors, of which the first ones order the sections;
    /// one without stops the program, as Apple's exception does (FR01). Under `name` the sections are kept in memory, so that a
    /// later `performFetch()` of the same rows need not ask each object for its section; nil keeps nothing.
    public init(
        fetchRequest: NSFetchRequest<ResultType>, managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        guard fetchRequest.sortDescriptors?.isEmpty == false else {
            raise(.invalidArgument, "An instance of NSFetchedResultsController requires a fetch request with sort descriptors"
                + (fetchRequest.entityName.map { " (entity “\($0)”)" } ?? "") + ".")
        }
        tracker = ResultsTracker(
            request: fetchRequest, settings: fetchRequest.settings, context: context, sectionKeyPath: sectionNameKeyPath,
            cacheName: name, accepts: { $0 is ResultType })
        super.init()
        // Same representation, see the class's invariant; the tracker only ever calls it and passes it on.
        tracker.controller = Unmanaged<NSFetchedResultsController<NSFetchRequestResult>>
            .fromOpaque(Unmanaged.passUnretained(self).toOpaque()).takeUnretainedValue()
    }

    /// Fetches and groups. Throws what the fetch throws; 134060 when the objects are not sorted by section, or the section
    /// key is none.
    open func performFetch() throws { try tracker.performFetch() }

    /// The request. Change it only between two `performFetch()`.
    open var fetchRequest: NSFetchRequest<ResultType> {
        // It was given as this type; what a delegate's parameter, or a bit cast before, makes of it has the same representation.
        Unmanaged<NSFetchRequest<ResultType>>.fromOpaque(Unmanaged.passUnretained(tracker.request).toOpaque()).takeUnretainedValue()
    }

    /// The context that is fetched from and watched.
    open var managedObjectContext: NSManagedObjectContext { tracker.context }

    /// The key path whose value groups objects into sections; nil for one section.
    open var sectionNameKeyPath: String? { tracker.sectionKeyPath }

    /// The name given for a cache.
    open var cacheName: String? { tracker.cacheName }

    /// Whom to tell of changes; while nil nothing is tracked.
    open weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { tracker.delegate }
        set { tracker.delegate = newValue }
    }

    /// Forgets the sections kept under a name, or all of them for nil. What is kept is used for the very same rows only, so that
    /// nothing stale comes back without it either (FR27); call it where the section key is computed from something else.
    open class func deleteCache(withName name: String?) { SectionCache.shared.forget(name) }

    // MARK: Objects

    /// The results in order; nil before `performFetch()`.
    open var fetchedObjects: [ResultType]? {
        // Each object was tested to be a ResultType when it came; both arrays are one reference to a buffer of references.
        tracker.objects.map { unsafeBitCast($0, to: [ResultType].self) }
    }

    /// The object at a place. Stops the program before `performFetch()` and for a place beyond the results.
    open func object(at indexPath: IndexPath) -> ResultType {
        unsafeDowncast(tracker.object(at: indexPath), to: ResultType.self)
    }

    /// Where an object is; nil when it is not among the results.
    open func indexPath(forObject object: ResultType) -> IndexPath? { tracker.indexPath(of: object) }

    // MARK: Sections

    /// The sections in order: exactly one without section key; nil before `performFetch()`.
    open var sections: [any NSFetchedResultsSectionInfo]? { tracker.sectionInfos }

    /// A section's title in an index when the delegate gives none: the capitalised first letter of its name, nil for an empty name.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        sectionName.first.map { $0.uppercased() }
    }

    /// The sections' index titles in order, each once.
    open var sectionIndexTitles: [String] { tracker.indexTitles }

    /// The first section that has an index title. Stops the program for a title that is not at that place among `sectionIndexTitles`.
    open func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        tracker.section(forIndexTitle: title, at: sectionIndex)
    }
}
