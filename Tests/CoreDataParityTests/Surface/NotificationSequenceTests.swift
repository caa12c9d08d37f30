import CoreData
import Foundation
import Testing

@Suite("API surface: notifications as a sequence")
struct NotificationSequenceTests {
    @Test("What is posted while the loop is busy waits; other senders are not heard")
    func sequence() async throws {
        let container = try SurfaceModel.container(), context = container.newBackgroundContext(), other = container.newBackgroundContext()
        defer { try? SurfaceModel.remove(container) }
        var notes = NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context).makeAsyncIterator()
        for (index, context) in [context, other, context].enumerated() {
            try await context.perform {
                SurfacePerson(context: context).name = "\(index)"
                try context.save()
            }
        }
        for _ in 0..<2 {
            let inserted = await notes.next()?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
            #expect(inserted?.count == 1 && inserted?.first?.managedObjectContext === context)
        }
    }

    @Test("A loop ends with its task")
    func cancellation() async {
        let name = Notification.Name("NotificationSequenceTests")
        let task = Task {
            var count = 0
            for await _ in NotificationCenter.default.notifications(named: name) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }
}
