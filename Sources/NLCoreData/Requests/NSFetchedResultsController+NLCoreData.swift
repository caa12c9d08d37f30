extension NSFetchedResultsController {
    /// A controller on the current stack's main context (`+controllerWithRequest:` of the original). It does not fetch: call
    /// `performFetch()`. The request needs a sort descriptor; with a section key path the first must sort alike.
    public convenience init(
        with request: NSFetchRequest<ResultType>, sectionNameKeyPath: String? = nil, cacheName: String? = nil
    ) {
        self.init(
            fetchRequest: request, managedObjectContext: .mainContext, sectionNameKeyPath: sectionNameKeyPath, cacheName: cacheName)
    }

    /// How many objects a section has; 0 for one that is not there, and before `performFetch()`.
    public func numberOfObjects(inSection section: Int) -> Int {
        guard let sections, sections.indices.contains(section) else { return 0 }
        return sections[section].numberOfObjects
    }
}
