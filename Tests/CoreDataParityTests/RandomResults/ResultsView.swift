import CoreData

/// A list view of the test: it shows what its controller's delegate was told, by the rules of batch updates.
class ResultsView: NSObject {
    typealias Section = (name: String, objects: [NSManagedObjectID])

    let title: String
    let controller: NSFetchedResultsController<NSManagedObject>
    var shown: [Section] = []
    /// Objects reported in the current step, and how often the delegate was called.
    var reported: [NSManagedObjectID: Int] = [:]
    var batches = 0
    var problems: [String] = []

    init(_ title: String, _ controller: NSFetchedResultsController<NSManagedObject>) {
        self.title = title
        self.controller = controller
    }

    /// What the controller has now.
    var current: [Section] {
        (controller.sections ?? []).map { section in
            (section.name, (section.objects ?? []).compactMap { ($0 as? NSManagedObject)?.objectID })
        }
    }

    func startStep() {
        reported = [:]
        batches = 0
    }

    /// Takes what the controller has, as a view does that reloads.
    func reload() { shown = current }

    func report(_ object: NSManagedObjectID) { reported[object, default: 0] += 1 }

    static func text(_ sections: [Section], _ name: (NSManagedObjectID) -> String) -> String {
        sections.map { "[\($0.name): \($0.objects.map(name).joined(separator: " "))]" }.joined()
    }

    static func equal(_ left: [Section], _ right: [Section]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.name == $1.name && $0.objects == $1.objects }
    }
}

/// Takes change by change.
final class ChangesView: ResultsView, NSFetchedResultsControllerDelegate {
    private var old: [Section] = []
    private var sectionDeletes: [Int] = [], sectionInserts: [(Int, String)] = []
    private var leaving: [(IndexPath, NSManagedObjectID)] = [], arriving: [(IndexPath, NSManagedObjectID)] = []
    private var moved: [NSManagedObjectID] = [], isOpen = false

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        batches += 1
        if isOpen { problems.append("two batches at once") }
        isOpen = true
        old = shown
        if !Self.equal(current, shown) { problems.append("will-change no longer shows the old results") }
        (sectionDeletes, sectionInserts, leaving, arriving, moved) = ([], [], [], [], [])
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        if !leaving.isEmpty || !arriving.isEmpty { problems.append("a section after an object") }
        switch type {
        case .insert: sectionInserts.append((sectionIndex, sectionInfo.name))
        case .delete:
            sectionDeletes.append(sectionIndex)
            if sectionInfo.name != old[sectionIndex].name { problems.append("section \(sectionInfo.name) gone, not \(old[sectionIndex].name)") }
        default: problems.append("a section of type \(type)")
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = (anObject as? NSManagedObject)?.objectID else { return problems.append("no object") }
        if type != .insert {
            guard let indexPath, old.indices.contains(indexPath[0]), old[indexPath[0]].objects.indices.contains(indexPath[1]),
                  old[indexPath[0]].objects[indexPath[1]] == object
            else { return problems.append("\(type) from \(String(describing: indexPath)), where the object was not") }
            if type != .update { leaving.append((indexPath, object)) }
        } else if indexPath != nil { problems.append("an insert with an index path") }
        switch (type, newIndexPath) {
        case (.insert, let path?): arriving.append((path, object))
        case (.move, let path?):
            arriving.append((path, object))
            if path == indexPath { problems.append("a move to where it was") }
        case (.delete, nil), (.update, _): break
        default: problems.append("\(type) with the new index path \(String(describing: newIndexPath))")
        }
        report(object)
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        isOpen = false
        var sections = old
        for (path, _) in leaving.sorted(by: { $0.0 > $1.0 }) { sections[path[0]].objects.remove(at: path[1]) }
        for index in sectionDeletes.sorted(by: >) {
            if !sections[index].objects.isEmpty { problems.append("a deleted section still has objects") }
            sections.remove(at: index)
        }
        for (index, name) in sectionInserts.sorted(by: { $0.0 < $1.0 }) {
            guard index <= sections.count else { return problems.append("section \(name) inserted beyond the end") }
            sections.insert((name, []), at: index)
        }
        for (path, object) in arriving.sorted(by: { $0.0 < $1.0 }) {
            guard sections.indices.contains(path[0]), path[1] <= sections[path[0]].objects.count else {
                return problems.append("an object inserted beyond the end")
            }
            sections[path[0]].objects.insert(object, at: path[1])
        }
        shown = sections
        // Whoever is deleted and inserted in one batch left with its section for the same place.
        for (path, object) in leaving where arriving.contains(where: { $0.1 == object && $0.0 == path }) { reported[object] = 1 }
    }
}

/// Takes differences.
final class DifferenceView: ResultsView, NSFetchedResultsControllerDelegate {
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        batches += 1
        guard let objects = shown.first?.objects.applying(diff) else { return problems.append("the difference does not apply") }
        shown[0].objects = objects
        for removal in diff.removals { if case .remove(_, let object, _) = removal { report(object) } }
        for insertion in diff.insertions { if case .insert(_, let object, nil) = insertion { report(object) } }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        problems.append("a delegate that takes differences was told otherwise")
    }
}

#if !canImport(Darwin)
/// Takes snapshots.
final class SnapshotView: ResultsView, NSFetchedResultsControllerDelegate {
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        batches += 1
        let snapshot = snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
        let before = Set(shown.flatMap(\.objects)), after = Set(snapshot.itemIdentifiers)
        shown = snapshot.sectionIdentifiers.map { ($0, snapshot.itemIdentifiers(inSection: $0)) }
        for object in Set(snapshot.reloadedItemIdentifiers).union(before.symmetricDifference(after)) { report(object) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        problems.append("a delegate that takes snapshots was told otherwise")
    }
}
#endif
