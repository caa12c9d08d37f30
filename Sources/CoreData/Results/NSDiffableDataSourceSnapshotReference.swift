/// A snapshot whose identifiers' types only run time knows, as delegates get it. Take it as a value:
/// `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>`.
///
/// Unchecked Sendable: what it holds is written once, under the lock; the identifiers are strings and object IDs where it
/// comes from a results controller, and whatever its maker chose where it comes from a value.
public final class NSDiffableDataSourceSnapshotReference: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var loaded: SnapshotContents<AnyHashable, AnyHashable>?
    private var loader: (() -> SnapshotContents<AnyHashable, AnyHashable>)?

    /// A snapshot of nothing.
    public override init() {
        loaded = SnapshotContents()
        super.init()
    }

    init(_ loader: @escaping () -> SnapshotContents<AnyHashable, AnyHashable>) {
        self.loader = loader
        super.init()
    }

    /// Makes the identifiers, at the latest: once whoever made the reference cannot do it later.
    func load() { _ = contents }

    var contents: SnapshotContents<AnyHashable, AnyHashable> {
        lock.withLock {
            if let loaded { return loaded }
            let made = loader?() ?? SnapshotContents()
            loaded = made
            loader = nil
            return made
        }
    }

    /// How many items all sections have.
    public var numberOfItems: Int { contents.homes.count }
    /// How many sections there are.
    public var numberOfSections: Int { contents.sections.count }
    /// The sections' identifiers in order.
    public var sectionIdentifiers: [Any] { contents.sections.map(\.base) }
    /// All items' identifiers in order.
    public var itemIdentifiers: [Any] { contents.allItems.map(\.base) }
    /// Sections to show again although their identifier stayed.
    public var reloadedSectionIdentifiers: [Any] { contents.reloadedSections.map(\.base) }
    /// Items to show again although their identifier stayed.
    public var reloadedItemIdentifiers: [Any] { contents.reloadedItems.map(\.base) }
    /// Items to show again in the cell they have.
    public var reconfiguredItemIdentifiers: [Any] { contents.reconfiguredItems.map(\.base) }

    /// How many items a section has; 0 for one that is not there.
    public func numberOfItems(inSection sectionIdentifier: AnyHashable) -> Int { contents.items[sectionIdentifier]?.count ?? 0 }

    /// A section's items in order; none for one that is not there.
    public func itemIdentifiersInSection(withIdentifier sectionIdentifier: AnyHashable) -> [Any] {
        (contents.items[sectionIdentifier] ?? []).map(\.base)
    }

    /// The section an item is in; nil for an item that is not there.
    public func sectionIdentifier(forSectionContainingItemIdentifier itemIdentifier: AnyHashable) -> Any? { contents.homes[itemIdentifier]?.base }

    /// An item's index among all items; `NSNotFound` for one that is not there.
    public func index(ofItemIdentifier itemIdentifier: AnyHashable) -> Int { contents.index(of: itemIdentifier) ?? NSNotFound }

    /// A section's index; `NSNotFound` for one that is not there.
    public func index(ofSectionIdentifier sectionIdentifier: AnyHashable) -> Int {
        contents.sections.firstIndex(of: sectionIdentifier) ?? NSNotFound
    }
}

// Makes `as` work between the two, as on Apple's systems.
extension NSDiffableDataSourceSnapshot: _ObjectiveCBridgeable {
    public func _bridgeToObjectiveC() -> NSDiffableDataSourceSnapshotReference {
        let contents = contents
        return NSDiffableDataSourceSnapshotReference { contents.mapped({ AnyHashable($0) }, { AnyHashable($0) }) ?? SnapshotContents() }
    }

    public static func _forceBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
    ) {
        result = _unconditionallyBridgeFromObjectiveC(source)
    }

    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference, result: inout NSDiffableDataSourceSnapshot?
    ) -> Bool {
        result = bridged(source)
        return result != nil
    }

    /// Stops the program for a reference to identifiers of other types.
    public static func _unconditionallyBridgeFromObjectiveC(
        _ source: NSDiffableDataSourceSnapshotReference?
    ) -> NSDiffableDataSourceSnapshot {
        guard let source else { return NSDiffableDataSourceSnapshot() }
        guard let made = bridged(source) else {
            raise(.invalidArgument, "The snapshot's identifiers are not of the types \(SectionIdentifierType.self) and "
                + "\(ItemIdentifierType.self); a results controller's are String and NSManagedObjectID.")
        }
        return made
    }

    private static func bridged(_ source: NSDiffableDataSourceSnapshotReference) -> NSDiffableDataSourceSnapshot? {
        guard let contents = source.contents.mapped({ $0.base as? SectionIdentifierType }, { $0.base as? ItemIdentifierType }) else {
            return nil
        }
        var made = NSDiffableDataSourceSnapshot()
        made.contents = contents
        return made
    }
}

extension SnapshotContents {
    /// The same with other identifiers; nil when one of them cannot be had.
    func mapped<S: Hashable, I: Hashable>(_ section: (Section) -> S?, _ item: (Item) -> I?) -> SnapshotContents<S, I>? {
        var made = SnapshotContents<S, I>()
        for old in sections {
            guard let new = section(old) else { return nil }
            made.append([new])
            let members = (items[old] ?? []).compactMap(item)
            guard members.count == items[old]?.count else { return nil }
            made.append(members, to: new)
        }
        made.reload(sections: reloadedSections.compactMap(section))
        made.reload(reloadedItems.compactMap(item))
        made.reconfigure(reconfiguredItems.compactMap(item))
        return made
    }
}
