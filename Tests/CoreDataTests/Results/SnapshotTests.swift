import CoreData
import Foundation
import Testing

@Suite("Results: snapshots and differences")
struct SnapshotTests {
    typealias Snapshot = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>

    private final class Taker: NSObject, NSFetchedResultsControllerDelegate {
        var snapshots: [Snapshot] = [], others = 0
        var references: [NSDiffableDataSourceSnapshotReference] = []

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
        ) {
            references.append(snapshot)
            snapshots.append(snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>)
        }

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) { others += 1 }

        func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { others += 1 }
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { others += 1 }
    }

    private func text(_ snapshot: Snapshot?, _ crew: Crew) -> String {
        crew.context.performAndWait {
            (snapshot?.sectionIdentifiers ?? []).map { section in
                let names = snapshot?.itemIdentifiers(inSection: section).map { crew.context.object(with: $0).value(forKey: "name") as? String ?? "nil" }
                return "[\(section): \((names ?? []).joined(separator: ","))]"
            }.joined()
        }
    }

    @Test("A delegate that takes snapshots gets one with performFetch and with each batch, and nothing else", arguments: bothStores)
    func snapshots(_ type: String) throws {
        let crew = try Crew([("Carol", "Sales", 10), ("Alice", "Engineering", 10), ("Bob", "Engineering", 1)], type: type)
        let taker = Taker()
        crew.controller.delegate = taker
        try crew.fetch()
        #expect(text(taker.snapshots.last, crew) == "[Engineering: Alice,Bob][Sales: Carol]" && taker.snapshots.count == 1)
        #expect(taker.snapshots.last?.reloadedItemIdentifiers == [])
        let alice = try crew.context.performAndWait { try crew.context.person("Alice").objectID }
        try crew.changing { try $0.person("Alice").setValue(11, forKey: "salary") }
        #expect(taker.snapshots.last?.reloadedItemIdentifiers == [alice] && taker.snapshots.count == 2)
        try crew.changing { try $0.person("Alice").setValue("Zoo", forKey: "team") }
        #expect(text(taker.snapshots.last, crew) == "[Engineering: Bob][Sales: Carol][Zoo: Alice]")
        #expect(taker.snapshots.last?.reloadedItemIdentifiers == [alice])
        try crew.changing { $0.delete(try $0.person("Carol")) }
        #expect(text(taker.snapshots.last, crew) == "[Engineering: Bob][Zoo: Alice]")
        #expect(taker.snapshots.count == 4 && taker.others == 0)
        // Read after the results have moved on, and as what it is not.
        let first = try #require(taker.references.first)
        #expect(first.numberOfItems == 3 && first.numberOfSections == 2 && first.sectionIdentifiers as? [String] == ["Engineering", "Sales"])
        #expect(first.index(ofItemIdentifier: alice) == 0 && first.index(ofSectionIdentifier: "Nowhere") == NSNotFound)
        #expect(first.sectionIdentifier(forSectionContainingItemIdentifier: alice) as? String == "Engineering")
        let wrong = (first as Any) as? NSDiffableDataSourceSnapshot<String, Int>
        #expect(wrong == nil)
    }

    @Test("A delegate set after performFetch is asked with its first batch; without section key there is one section")
    func late() throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 1)], sort: ["name"], section: nil)
        crew.controller.delegate = nil
        try crew.fetch()
        let taker = Taker()
        crew.controller.delegate = taker
        try crew.changing { $0.hire("C", "T") }
        #expect(text(taker.snapshots.last, crew) == "[: A,B,C]" && taker.snapshots.count == 1 && taker.others == 0)
        crew.controller.delegate = crew.log
        try #expect(crew.changing { $0.hire("D", "T") } == ["insert D -(0,3)"])
        #expect(crew.controller.fetchedObjects?.count == 4)
    }

    @Test("Snapshots are edited like a list in sections")
    func editing() {
        var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
        snapshot.appendSections(["A", "C"])
        snapshot.insertSections(["B"], beforeSection: "C")
        snapshot.insertSections(["D"], afterSection: "C")
        snapshot.appendItems([1, 2, 3], toSection: "A")
        snapshot.appendItems([9])
        snapshot.insertItems([4], afterItem: 3)
        snapshot.insertItems([0], beforeItem: 1)
        #expect(snapshot.itemIdentifiers == [0, 1, 2, 3, 4, 9] && snapshot.numberOfItems == 6 && snapshot.numberOfSections == 4)
        snapshot.moveItem(0, afterItem: 9)
        snapshot.moveItem(4, beforeItem: 1)
        #expect(snapshot.itemIdentifiers(inSection: "A") == [4, 1, 2, 3] && snapshot.itemIdentifiers(inSection: "D") == [9, 0])
        snapshot.moveSection("D", beforeSection: "A")
        snapshot.moveSection("C", afterSection: "D")
        #expect(snapshot.sectionIdentifiers == ["D", "C", "A", "B"] && snapshot.indexOfSection("A") == 2 && snapshot.indexOfItem(4) == 2)
        snapshot.reloadItems([1, 9])
        snapshot.reconfigureItems([2])
        snapshot.reloadSections(["A"])
        #expect(snapshot.reloadedItemIdentifiers == [1, 9] && snapshot.reconfiguredItemIdentifiers == [2] && snapshot.reloadedSectionIdentifiers == ["A"])
        snapshot.deleteItems([1, 77])
        snapshot.deleteSections(["D"])
        #expect(snapshot.itemIdentifiers == [4, 2, 3] && snapshot.reloadedItemIdentifiers == [] && snapshot.sectionIdentifier(containingItem: 9) == nil)
        #expect(snapshot.numberOfItems(inSection: "B") == 0)
        let reference = snapshot as NSDiffableDataSourceSnapshotReference
        #expect((reference as NSDiffableDataSourceSnapshot<String, Int>).itemIdentifiers == [4, 2, 3])
        snapshot.deleteAllItems()
        #expect(snapshot.numberOfItems == 0 && snapshot.numberOfSections == 0 && reference.numberOfItems == 3)
    }

    @Test("An identifier that is there already stops the program and is named")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
            snapshot.appendSections(["A"])
            snapshot.appendItems([1, 1])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("item identifier 1 twice"))
    }
}
