import CoreDataGraph

/// One section of a controller's results, as it was when it was asked for.
public protocol NSFetchedResultsSectionInfo {
    /// The section key's value as text; empty for a nil value, and for the one section of a controller without section key.
    var name: String { get }
    /// The section's title in an index; nil when the delegate gives none.
    var indexTitle: String? { get }
    /// How many objects the section has.
    var numberOfObjects: Int { get }
    /// The section's objects in order.
    var objects: [Any]? { get }
}

/// A section as delegates and views see it.
///
/// Invariant: immutable; a change makes new ones.
final class ResultSection: NSFetchedResultsSectionInfo {
    let name: String
    let numberOfObjects: Int
    private let parts: ContiguousArray<ContiguousArray<ResultItem>>
    private weak var tracker: ResultsTracker?

    init(_ section: ResultListSection, _ tracker: ResultsTracker) {
        name = section.name
        numberOfObjects = section.count
        parts = section.parts
        self.tracker = tracker
    }

    var indexTitle: String? { tracker?.indexTitle(forSection: name) }
    var objects: [Any]? {
        var objects: [Any] = []
        objects.reserveCapacity(numberOfObjects)
        for part in parts { for item in part { objects.append(item.object) } }
        return objects
    }
}
