import CoreDataStorage
import Foundation

/// A description of which rows to fetch from which entity, in which order and as what.
///
/// `ResultType` must go with `resultType`: a managed object class, `NSManagedObjectID`, `NSDictionary` or `NSNumber`.
open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    package let settings: FetchSettings

    /// A request without entity; set one before executing it.
    public override init() {
        settings = FetchSettings()
        super.init()
    }

    /// A request for all rows of an entity and its subentities. The name is looked up when the request is executed;
    /// executing it throws, naming the entity, when the model has none such.
    public init(entityName: String) {
        settings = FetchSettings(entityName: entityName)
        super.init()
    }

    package init(settings: FetchSettings) {
        self.settings = settings
        super.init()
    }

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }
    package override var fetchSettings: FetchSettings? { settings }

    /// The request as one for any result type, as whoever overrides a context's methods is given it.
    ///
    /// `unsafeBitCast` between two forms of one class: result types are classes, so both are laid out alike, and the object keeps
    /// its own type.
    var erased: NSFetchRequest<NSFetchRequestResult> { unsafeBitCast(self, to: NSFetchRequest<NSFetchRequestResult>.self) }

    /// The name of the entity to fetch from; nil when none was given.
    open var entityName: String? { settings.entityName }

    /// The entity to fetch from. For a request made with a name, nil until it was executed (Apple raises an exception).
    open var entity: NSEntityDescription? {
        get { settings.entity }
        set { settings.entity = newValue }
    }

    /// Which rows; nil is all.
    open var predicate: NSPredicate? {
        get { settings.predicate }
        set { settings.predicate = newValue }
    }

    /// The order, first descriptor first; nil or empty is no order.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { settings.sortDescriptors }
        set { settings.sortDescriptors = newValue }
    }

    /// The most rows to give; 0 is no limit. Default 0.
    open var fetchLimit: Int {
        get { settings.fetchLimit }
        set { settings.fetchLimit = newValue }
    }

    /// How many rows to pass over first. Default 0.
    open var fetchOffset: Int {
        get { settings.fetchOffset }
        set { settings.fetchOffset = newValue }
    }

    /// How many rows to read at a time while the result is walked through; 0 reads all at once. Default 0.
    open var fetchBatchSize: Int {
        get { settings.fetchBatchSize }
        set { settings.fetchBatchSize = newValue }
    }

    /// What to give for each row. Default managed objects.
    open var resultType: NSFetchRequestResultType {
        get { settings.resultType }
        set { settings.resultType = newValue }
    }

    /// Whether rows of subentities count. Default true.
    open var includesSubentities: Bool {
        get { settings.includesSubentities }
        set { settings.includesSubentities = newValue }
    }

    /// Whether the rows' values are read along with their IDs. Default true.
    open var includesPropertyValues: Bool {
        get { settings.includesPropertyValues }
        set { settings.includesPropertyValues = newValue }
    }

    /// Whether the context's unsaved changes decide what matches. Default true; dictionaries always show the store.
    open var includesPendingChanges: Bool {
        get { settings.includesPendingChanges }
        set { settings.includesPendingChanges = newValue }
    }

    /// Whether objects come as faults, their values waiting in the row cache. Default true.
    open var returnsObjectsAsFaults: Bool {
        get { settings.returnsObjectsAsFaults }
        set { settings.returnsObjectsAsFaults = newValue }
    }

    /// Whether equal dictionaries are given once. Default false.
    open var returnsDistinctResults: Bool {
        get { settings.returnsDistinctResults }
        set { settings.returnsDistinctResults = newValue }
    }

    /// Whether objects the context has already take the fetched values. Default false.
    open var shouldRefreshRefetchedObjects: Bool {
        get { settings.shouldRefreshRefetchedObjects }
        set { settings.shouldRefreshRefetchedObjects = newValue }
    }

    /// Key paths of relationships to read along, in one round trip each; nil is none.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { settings.relationshipKeyPathsForPrefetching }
        set { settings.relationshipKeyPathsForPrefetching = newValue }
    }

    /// Properties of dictionaries (names, `NSPropertyDescription`s, `NSExpressionDescription`s); nil is all attributes.
    open var propertiesToFetch: [Any]? {
        get { settings.propertiesToFetch }
        set { settings.propertiesToFetch = newValue }
    }

    /// Properties to group dictionaries by; nil is no grouping.
    open var propertiesToGroupBy: [Any]? {
        get { settings.propertiesToGroupBy }
        set { settings.propertiesToGroupBy = newValue }
    }

    /// Which groups; nil is all.
    open var havingPredicate: NSPredicate? {
        get { settings.havingPredicate }
        set { settings.havingPredicate = newValue }
    }

    /// Executes the request in the context whose block is running on this thread: that of the innermost `perform` or
    /// `performAndWait`. Throws as the context's `fetch(_:)` does, and 134060 outside of every context's block.
    open func execute() throws -> [ResultType] {
        guard let context = HeldExecutors.current.innermost?.context else {
            throw ErrorTranslation.error(StoreError.invalidRequest("execute() was called outside of a context’s block, so there is no "
                + "context to fetch “\(entityName ?? "?")” from. Call it inside perform(_:) or performAndWait(_:), or use fetch(_:) of "
                + "the context."))
        }
        return try context.fetch(self)
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchRequest<ResultType>(settings: settings.copy())
        copy.affectedStores = affectedStores
        return copy
    }

    open override var description: String {
        "<NSFetchRequest entity: \(entityName ?? "none"), limit: \(fetchLimit), offset: \(fetchOffset), result type: \(resultType.rawValue)>"
    }
}
