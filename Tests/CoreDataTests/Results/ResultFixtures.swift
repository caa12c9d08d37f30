import CoreData
import Foundation
import Synchronization
import Testing

/// People in teams, and things of no interest.
enum CrewModel {
    static func make() -> NSManagedObjectModel {
        let person = NSEntityDescription(), boss = NSEntityDescription(), thing = NSEntityDescription()
        person.name = "Person"
        person.managedObjectClassName = NSStringFromClass(Member.self)
        let initial = CompanyModel.attribute("initial", .stringAttributeType)
        initial.isTransient = true
        person.properties = [
            CompanyModel.attribute("name", .stringAttributeType), CompanyModel.attribute("team", .stringAttributeType),
            CompanyModel.attribute("salary", .integer64AttributeType), CompanyModel.attribute("note", .stringAttributeType), initial,
        ]
        boss.name = "Boss"
        boss.managedObjectClassName = NSStringFromClass(Member.self)
        boss.properties = []
        person.subentities = [boss]
        thing.name = "Thing"
        thing.properties = [CompanyModel.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [person, boss, thing]
        return model
    }
}

/// A class with a value that is computed, under a key of the model and under one that is not.
final class Member: NSManagedObject {
    /// While set, counts how often initials are asked for.
    @TaskLocal static var counting: AskedCount?

    override func value(forKey key: String) -> Any? {
        if key == "initial" { Self.counting?.note() }
        return switch key {
        case "initial": (super.value(forKey: "name") as? String).map { String($0.prefix(1)) }
        default: super.value(forKey: key)
        }
    }

    override func value(forUndefinedKey key: String) -> Any? {
        key == "shout" ? (super.value(forKey: "team") as? String)?.uppercased() : super.value(forUndefinedKey: key)
    }
}

final class AskedCount: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func note() { value.withLock { $0 += 1 } }
}

/// What a delegate was told, a line each: `insert Bob -(0,1)`, `move Bob (0,1)(1,0)`, `section insert Sales 1`.
final class DelegateLog: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var lines: [String] = []
    private(set) var controllers: [NSFetchedResultsController<NSFetchRequestResult>] = []
    /// Called with each line.
    var onLine: (String) -> Void = { _ in }

    func clear() { lines = [] }

    /// Without the first and last line, which must be the announcements.
    var batch: [String] {
        guard lines.count > 1, lines.first == "will", lines.last == "did", lines.count(where: { $0 == "will" || $0 == "did" }) == 2 else {
            return ["not one batch: \(lines)"]
        }
        return Array(lines[1..<lines.count - 1])
    }

    private func add(_ line: String) {
        lines.append(line)
        onLine(line)
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        controllers.append(controller)
        add("will")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { add("did") }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        func text(_ path: IndexPath?) -> String { path.map { "(\($0.section),\($0.row))" } ?? "-" }
        let name = (anObject as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
        add("\(type.text) \(name) \(text(indexPath))\(text(newIndexPath))")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) { add("section \(type.text) \(sectionInfo.name) \(sectionIndex)") }
}

extension NSFetchedResultsChangeType {
    var text: String {
        switch self {
        case .insert: "insert"
        case .delete: "delete"
        case .move: "move"
        case .update: "update"
        }
    }
}

/// A context with a controller over its people, and the log of a delegate.
struct Crew {
    let stack: RuntimeStack
    let context: NSManagedObjectContext
    let controller: NSFetchedResultsController<NSManagedObject>
    let log = DelegateLog()

    /// Saves the people (name, team, salary) in another context, then fetches them, sorted by team and name.
    init(
        _ people: [(name: String, team: String?, salary: Int)], type: String = NSInMemoryStoreType, predicate: NSPredicate? = nil,
        sort: [String] = ["team", "name"], section: String? = "team", entity: String = "Person",
        _ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws {
        stack = try RuntimeStack(type: type, model: CrewModel.make())
        let seed = stack.context()
        try seed.performAndWait {
            for person in people { seed.hire(person.name, person.team, person.salary) }
            try seed.save()
        }
        context = stack.context()
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        configure(request)
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: section, cacheName: nil)
        controller.delegate = log
    }

    /// Three people in two teams, fetched.
    static func standard(_ type: String = NSInMemoryStoreType, predicate: NSPredicate? = nil) throws -> Crew {
        let crew = try Crew(
            [("Carol", "Sales", 10), ("Alice", "Engineering", 10), ("Bob", "Engineering", 1)], type: type, predicate: predicate)
        try crew.fetch()
        return crew
    }

    func fetch() throws { try context.performAndWait { try controller.performFetch() } }

    /// Runs a change, processes it, and gives what the delegate was told.
    @discardableResult
    func changing(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        try context.performAndWait {
            log.clear()
            try body(context)
            context.processPendingChanges()
        }
        return log.lines.isEmpty ? [] : log.batch
    }

    /// Runs a change in another context, saves it there and merges it here.
    @discardableResult
    func merging(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        let other = stack.context(), saved = Saved(other)
        try other.performAndWait {
            try body(other)
            try other.save()
        }
        let note = try #require(saved.note)
        return try changing { $0.mergeChanges(fromContextDidSave: note) }
    }

    /// The results as text: `[Engineering: Alice,Bob][Sales: Carol]`.
    var contents: String {
        context.performAndWait {
            (controller.sections ?? []).map { section in
                let names = (section.objects ?? []).map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "nil" }
                return "[\(section.name): \(names.joined(separator: ","))]"
            }.joined()
        }
    }
}

/// Keeps the did-save note of a context.
///
/// Unchecked Sendable: written and read on one thread, in which the context saves.
final class Saved: @unchecked Sendable {
    private(set) var note: Notification?
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: context, queue: nil) { [weak self] in
            self?.note = $0
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension NSManagedObjectContext {
    @discardableResult
    func hire(_ name: String, _ team: String?, _ salary: Int = 10, as entity: String = "Person") -> NSManagedObject {
        let person = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        person.setValue(name, forKey: "name")
        person.setValue(team, forKey: "team")
        person.setValue(salary, forKey: "salary")
        return person
    }

    func person(_ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try fetch(request).first, "nobody is called \(name)")
    }
}

let bothStores = [NSInMemoryStoreType, NSSQLiteStoreType]
