extension NSFetchedResultsController {
    /// A controller of the request's results in the current stack's `mainContext`, without sections
    /// (`+controllerWithRequest:`). It has not fetched yet; use it on the main queue.
    public static func controller(with request: NSFetchRequest<ResultType>) -> NSFetchedResultsController<ResultType> {
        controller(with: request, sectionNameKeyPath: nil, cacheName: nil)
    }

    /// As the other, grouped by the value at a key path, by which the request must sort first.
    public static func controller(
        with request: NSFetchRequest<ResultType>, sectionNameKeyPath: String?, cacheName: String? = nil
    ) -> NSFetchedResultsController<ResultType> {
        NSFetchedResultsController<ResultType>(
            fetchRequest: request, managedObjectContext: NLCoreData.current.mainContext, sectionNameKeyPath: sectionNameKeyPath,
            cacheName: cacheName)
    }

    /// How many objects a section has; 0 before `performFetch()` and for a section that is not there.
    public func numberOfObjects(inSection section: Int) -> Int {
        guard let sections, sections.indices.contains(section) else { return 0 }
        return sections[section].numberOfObjects
    }
}
