import CoreData
import Foundation

/// A controller over employees sorted by team (their department's name) and name, with a log of what its delegate was told.
final class ResultsFixture: NSFetchedResultsControllerDelegate {
    let stack: RuntimeStack
    let context: NSManagedObjectContext
    let controller: NSFetchedResultsController<NSManagedObject>
    var log: [String] = []

    init(type: String = NSInMemoryStoreType, sectioned: Bool = true, predicate: NSPredicate? = nil, people: [(String, String, Int)]) throws {
        stack = try RuntimeStack(type: type, model: Self.model())
        let context = stack.context()
        self.context = context
        try context.performAndWait {
            for (name, team, salary) in people { Self.insert(name, team, salary, into: context) }
            try context.save()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = (sectioned ? ["team", "name"] : ["name"]).map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sectioned ? "team" : nil, cacheName: nil)
        controller.delegate = self
        try context.performAndWait { try controller.performFetch() }
    }

    static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription(), animal = NSEntityDescription()
        person.name = "Person"
        person.properties = [
            CompanyModel.attribute("name", .stringAttributeType), CompanyModel.attribute("team", .stringAttributeType),
            CompanyModel.attribute("salary", .integer64AttributeType),
        ]
        animal.name = "Animal"
        animal.properties = [CompanyModel.attribute("name", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [person, animal]
        return model
    }

    @discardableResult
    static func insert(_ name: String, _ team: String, _ salary: Int, into context: NSManagedObjectContext) -> NSManagedObject {
        let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        person.setValue(name, forKey: "name")
        person.setValue(team, forKey: "team")
        person.setValue(salary, forKey: "salary")
        return person
    }

    func person(_ name: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "name == %@", name)
        return try context.fetch(request).first
    }

    func delete(_ name: String) throws { if let person = try person(name) { context.delete(person) } }

    /// Names by section.
    var shown: [[String]] {
        (controller.sections ?? []).map { ($0.objects ?? []).compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } }
    }

    // MARK: NSFetchedResultsControllerDelegate

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append(controller === self.controller ? "will" : "a stranger")
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("did \(controller.fetchedObjects?.count ?? -1)")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) { log.append("\(type) section \(sectionInfo.name) \(sectionIndex)") }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let name = (anObject as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
        let paths = [indexPath, newIndexPath].map { path in path.map { "(\($0.section),\($0.row))" } ?? "-" }
        log.append("\(type) \(name) \(paths.joined(separator: " "))")
    }
}
