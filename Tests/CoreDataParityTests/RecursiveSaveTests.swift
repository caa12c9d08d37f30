import CoreData
import Foundation
import Testing

/// A save that is asked for while the same context's save is at work.
@Suite("Saves within saves")
struct RecursiveSaveTests {
    /// What an observer of a note got from saving the same context.
    private final class Saver {
        // Notes come on the thread that saves.
        nonisolated(unsafe) private(set) var errors: [NSError?] = []
        private var token: (any NSObjectProtocol)?

        init(on name: Notification.Name, of context: NSManagedObjectContext, _ isDue: @escaping () -> Bool) {
            let act: () -> Void = { [unowned self] in
                guard isDue() else { return }
                do {
                    try context.save()
                    errors.append(nil)
                } catch { errors.append(error as NSError) }
            }
            nonisolated(unsafe) let unchecked = act
            token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { _ in unchecked() }
        }

        deinit { if let token { NotificationCenter.default.removeObserver(token) } }
    }

    @Test("Saving in a will-save observer is refused with 132001, and the save at work goes on", arguments: StoreKind.allCases)
    func inWillSave(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let person = context.make("Employee", ["name": "a"])
            let saver = Saver(on: .NSManagedObjectContextWillSave, of: context) {
                person.setValue("b", forKey: "name")
                return true
            }
            try context.save()
            #expect(saver.errors.map { $0?.code } == [132_001])
            #expect(saver.errors.first??.domain == NSCocoaErrorDomain)
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { context in
            let name = try context.only("Employee").text("name")
            #expect(name == "b")
        }
    }

    @Test("Saving in a did-save observer works, and a refused save leaves the next one alone", arguments: StoreKind.allCases)
    func inDidSave(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let person = context.make("Employee", ["name": "a"])
            var isDue = true
            let saver = Saver(on: .NSManagedObjectContextDidSave, of: context) {
                defer { isDue = false }
                if isDue { person.setValue("b", forKey: "name") }
                return isDue
            }
            try context.save()
            #expect(saver.errors == [nil])
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { context in
            let name = try context.only("Employee").text("name")
            #expect(name == "b")
        }
    }
}
