import CoreData
import CoreDataTestSupport

/// One store that holds a world, and a context on it with its objects by number.
final class FetchStack {
    let context: NSManagedObjectContext
    let coordinator: NSPersistentStoreCoordinator
    private let folder: TemporaryFolder?
    private(set) var objects: [Int: NSManagedObject] = [:]

    init(_ model: NSManagedObjectModel, sqlite: Bool) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        folder = sqlite ? try TemporaryFolder() : nil
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["synchronous": "OFF"]]
        try coordinator.addPersistentStore(
            ofType: sqlite ? NSSQLiteStoreType : NSInMemoryStoreType, configurationName: nil, at: folder?.file("Fetch.sqlite"),
            options: sqlite ? options : nil)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Makes the context show the world, touching only what differs from `old`.
    func show(_ world: PlainWorld, from old: PlainWorld = PlainWorld()) {
        for number in old.things.keys.sorted() where world.things[number] == nil {
            if let object = objects.removeValue(forKey: number) { context.delete(object) }
        }
        let numbers = world.things.keys.sorted()
        for number in numbers where old.things[number] == nil {
            guard let thing = world.things[number] else { continue }
            objects[number] = NSEntityDescription.insertNewObject(forEntityName: thing.kind.rawValue, into: context)
        }
        for number in numbers { showValues(of: number, world, old) }
        for number in numbers { showLinks(of: number, world, old) }
    }

    private func showValues(of number: Int, _ world: PlainWorld, _ old: PlainWorld) {
        guard let thing = world.things[number], let object = objects[number] else { return }
        for field in thing.kind.fields {
            let value = thing.values[field.name] ?? .none
            if old.things[number] != nil ? value != (old.things[number]?.values[field.name] ?? .none) : !value.isNone {
                object.setValue(value.stored(as: field.type), forKey: field.name)
            }
        }
    }

    private func showLinks(of number: Int, _ world: PlainWorld, _ old: PlainWorld) {
        guard let thing = world.things[number], let object = objects[number] else { return }
        for link in thing.kind.links {
            let members = thing.links[link.name] ?? []
            if members == old.things[number]?.links[link.name] ?? [] { continue }
            let related = members.compactMap { objects[$0] }
            switch link.count {
            case .one: object.setValue(related.first, forKey: link.name)
            case .many: object.setValue(Set(related), forKey: link.name)
            case .ordered: object.setValue(NSOrderedSet(array: related), forKey: link.name)
            }
        }
    }
}

extension PlainValue {
    func stored(as type: FetchType) -> Any? {
        switch (type, self) {
        case (.float, .real(let value)): Float(value)
        case (.transformable, .text(let text)): [text] as NSArray
        default: object { $0 }
        }
    }
}

extension NSManagedObject {
    var ident: Int { value(forKey: "ident") as? Int ?? -1 }
}
