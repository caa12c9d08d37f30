import CoreData
import Testing

@Suite("What notes say of refreshed objects")
struct RefreshNoteTests {
    @Test("An object whose changes are dropped in the event they were made in is refreshed, not updated", arguments: StoreKind.allCases)
    func dropped(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "a"]) }
        try stack.run { context in
            let person = try context.only("Employee")
            let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            person.setValue("b", forKey: "name")
            context.refresh(person, mergeChanges: false)
            context.processPendingChanges()
            #expect(changes.objects(NSRefreshedObjectsKey) == [person] && changes.objects(NSUpdatedObjectsKey).isEmpty)
            changes.clear()
            // Changed again after it, it is updated.
            person.setValue("c", forKey: "name")
            context.refresh(person, mergeChanges: false)
            person.setValue("d", forKey: "name")
            context.processPendingChanges()
            #expect(changes.objects(NSUpdatedObjectsKey) == [person])
            changes.clear()
            context.refresh(person, mergeChanges: true)
            context.processPendingChanges()
            #expect(changes.objects(NSRefreshedObjectsKey) == [person] && person.text("name") == "d")
        }
    }
}
