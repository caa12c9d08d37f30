import CoreData
import Testing

/// Going back after somebody else deleted: no row, no object.
@Suite("Rollback after a merged deletion")
struct RollbackAfterMergeTests {
    private enum Before: CaseIterable, Sendable { case read, edited, deleted, fault }

    @Test("What others deleted does not come back by a rollback, whatever was done to it here", arguments: StoreKind.allCases)
    func rollback(kind: StoreKind) throws {
        for before in Before.allCases {
            let stack = try Stack(Models.office(), kind)
            try stack.seed { context in
                let sales = context.make("Department", ["name": "Sales"])
                context.make("Employee", ["name": "Alice", "salary": 1, "dept": sales])
                context.make("Employee", ["name": "Bob", "salary": 1, "dept": sales])
            }
            let other = stack.newContext()
            let (alice, sales, identifier) = try stack.run { context in
                let (alice, sales) = (try context.named("Alice", "Employee"), try context.only("Department"))
                #expect(sales.texts("employees", "name") == ["Alice", "Bob"])
                switch before {
                case .read: break
                case .edited: alice.setValue(2, forKey: "salary")
                case .deleted: context.delete(alice)
                case .fault: context.refresh(alice, mergeChanges: false)
                }
                return (alice, sales, alice.objectID)
            }
            let report = Report()
            let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: other, queue: nil) {
                report.note = $0
            }
            try other.run { context in
                context.delete(try context.named("Alice", "Employee"))
                try context.save()
            }
            NotificationCenter.default.removeObserver(token)
            try stack.run { context in
                context.mergeChanges(fromContextDidSave: try #require(report.note))
                context.rollback()
                #expect(!context.hasChanges && context.registeredObject(for: identifier) == nil, "\(before)")
                #expect(!alice.isDeleted && alice.managedObjectContext == nil, "\(before)")
                #expect(throws: (any Error).self) { try context.existingObject(with: identifier) }
                #expect(try context.names("Employee") == ["Bob"], "\(before)")
                #expect(sales.texts("employees", "name") == ["Bob"], "\(before)")
                sales.setValue("Sold", forKey: "name")
                try context.save()
            }
            try stack.reopened().run { (context) throws in
                #expect(try context.names("Employee") == ["Bob"] && context.names("Department") == ["Sold"])
            }
        }
    }

    /// Unchecked Sendable: written while the other context saves, read after.
    private final class Report: @unchecked Sendable { var note: Notification? }
}
