/// What is told of a context's events directly: fetched results controllers, which need more than the note carries.
protocol EventObserver: AnyObject {
    /// Called on the context's queue, after the did-change note's sets were made and before it is posted.
    func contextChanged(_ event: EventChanges)
}

/// Observers by weak reference. Used on the context's queue only.
struct EventObservers {
    private struct Entry { weak var observer: (any EventObserver)? }
    private var entries: [Entry] = []

    mutating func add(_ observer: any EventObserver) {
        entries.removeAll { $0.observer == nil }
        entries.append(Entry(observer: observer))
    }

    func tell(_ event: EventChanges) { for entry in entries { entry.observer?.contextChanged(event) } }
}
