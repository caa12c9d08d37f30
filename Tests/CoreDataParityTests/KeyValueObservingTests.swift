import CoreData
import Testing

@Suite("LC30: key-value observing")
struct KeyValueObservingParityTests {
    @Test("LC30: Each set of an observed attribute is told, before any save", arguments: StoreKind.allCases)
    func oneNoteASet(kind: StoreKind) throws {
        let stack = try Stack(Models.household(person: Mirror.self), kind)
        try stack.seed { $0.make("Person", ["name": "a"]) }
        try stack.run { context in
            let observer = try #require(context.make("Person") as? Mirror), person = try context.named("a", "Person")
            person.addObserver(observer, forKeyPath: "name", options: [.new], context: nil)
            person.setValue("b", forKey: "name")
            person.setValue("c", forKey: "name")
            #expect(observer.seen == ["b", "c"])
            try context.save()
            #expect(observer.seen == ["b", "c"])
            person.removeObserver(observer, forKeyPath: "name")
            person.setValue("d", forKey: "name")
            #expect(observer.seen == ["b", "c"])
        }
    }
}

/// Keeps the new names it is told of.
final class Mirror: NSManagedObject {
    private(set) var seen: [String] = []

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?, context: UnsafeMutableRawPointer?
    ) {
        if let name = change?[.newKey] as? String { seen.append(name) }
    }
}
