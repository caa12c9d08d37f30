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
    let contents: ItemSection<ResultItem>
    private weak var tracker: ResultsTracker?

    init(_ contents: ItemSection<ResultItem>, _ tracker: ResultsTracker) {
        self.contents = contents
        self.tracker = tracker
    }

    var name: String { contents.name }
    var indexTitle: String? { tracker?.indexTitle(forSection: name) }
    var numberOfObjects: Int { contents.items.count }
    var objects: [Any]? { contents.items.map(\.object) }
}

/// One result, compared by identity.
struct ResultItem: Hashable {
    let object: AnyObject

    static func == (left: ResultItem, right: ResultItem) -> Bool { left.object === right.object }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(object)) }
}
