import CoreData
import Testing

/// What a delegate was told, a line each: `insert Bob -(0,1)`, `move Bob (0,1)(1,0)`, `section insert Sales 1`.
final class ListLog: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var lines: [String] = []

    func clear() { lines = [] }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { lines.append("will") }
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { lines.append("did") }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        func text(_ path: IndexPath?) -> String { path.map { "(\($0[0]),\($0[1]))" } ?? "-" }
        let name = (anObject as? NSManagedObject)?.text("name") ?? "?"
        // An update's new index path is documented nowhere.
        lines.append("\(Self.text(type)) \(name) \(text(indexPath))" + (type == .update ? "" : text(newIndexPath)))
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) { lines.append("section \(Self.text(type)) \(sectionInfo.name) \(sectionIndex)") }

    private static func text(_ type: NSFetchedResultsChangeType) -> String {
        switch type {
        case .insert: "insert"
        case .delete: "delete"
        case .move: "move"
        case .update: "update"
        @unknown default: "other"
        }
    }
}

/// A context with a controller over its employees, sorted and grouped by team, and the log of a delegate.
struct Team {
    let stack: Stack
    let controller: NSFetchedResultsController<NSManagedObject>
    let log = ListLog()
    var context: NSManagedObjectContext { controller.managedObjectContext }

    static let standard: [(name: String, team: String?, salary: Int)] = [
        ("Carol", "Sales", 10), ("Alice", "Engineering", 10), ("Bob", "Engineering", 1),
    ]

    static func model() -> NSManagedObjectModel {
        let employee = NSEntityDescription(
            "Employee", of: Teammate.self,
            NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("team", .stringAttributeType),
            NSAttributeDescription("salary", .integer64AttributeType), NSAttributeDescription("note", .stringAttributeType),
            NSAttributeDescription("initial", .stringAttributeType, transient: true))
        let boss = NSEntityDescription("Boss", of: Teammate.self)
        employee.subentities = [boss]
        let thing = NSEntityDescription("Thing", NSAttributeDescription("name", .stringAttributeType))
        let department = NSEntityDescription("Department", NSAttributeDescription("name", .stringAttributeType))
        relate(department, .many("employees"), employee, .one("department"))
        return CoreDataParityTests.model(employee, boss, thing, department)
    }

    init(
        _ people: [(name: String, team: String?, salary: Int)] = Team.standard, kind: StoreKind = .sqlite, predicate: NSPredicate? = nil, by sort: [String] = ["team", "name"], sections: String? = "team",
        cache: String? = nil, fetched: Bool = true, _ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws {
        stack = try Stack(Team.model(), kind)
        try stack.seed { for person in people { $0.hire(person.name, person.team, person.salary) } }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = predicate
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        configure(request)
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: sections, cacheName: cache)
        controller.delegate = log
        if fetched { try fetch() }
    }

    func fetch() throws { try context.run { _ in try controller.performFetch() } }

    /// Changes something and has it processed; gives what the delegate was told, without the announcements, which must be there.
    @discardableResult
    func changing(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        try context.run { context in
            log.clear()
            try body(context)
            context.processPendingChanges()
        }
        let lines = log.lines
        if lines.isEmpty { return [] }
        let isOneBatch = lines.first == "will" && lines.last == "did" && lines.count { $0 == "will" || $0 == "did" } == 2
        return isOneBatch ? Array(lines[1..<lines.count - 1]) : ["not one batch: \(lines)"]
    }

    /// Changes and saves in another context, then merges here.
    @discardableResult
    func merging(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
        let other = stack.newContext(), saves = Recorder(.NSManagedObjectContextDidSave, of: other)
        try other.run {
            try body($0)
            try $0.save()
        }
        let note = try #require(saves.notes.last)
        return try changing { $0.mergeChanges(fromContextDidSave: note) }
    }

    /// The results as text: `[Engineering: Alice,Bob][Sales: Carol]`.
    var contents: String {
        context.performAndWait {
            (controller.sections ?? []).map { section in
                let names = (section.objects ?? []).map { ($0 as? NSManagedObject)?.text("name") ?? "nil" }
                return "[\(section.name): \(names.joined(separator: ","))]"
            }.joined()
        }
    }
}

/// An employee whose initial is computed.
final class Teammate: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        key == "initial" ? (super.value(forKey: "name") as? String).map { String($0.prefix(1)) } : super.value(forKey: key)
    }
}

extension NSManagedObjectContext {
    @discardableResult
    func hire(_ name: String, _ team: String?, _ salary: Int = 10, as entity: String = "Employee") -> NSManagedObject {
        let person = make(entity, ["name": name, "salary": salary])
        person.setValue(team, forKey: "team")
        return person
    }

    func employee(_ name: String) throws -> NSManagedObject { try named(name, "Employee") }
}
