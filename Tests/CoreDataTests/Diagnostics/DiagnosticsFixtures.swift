import CoreData
import Foundation

/// Companies with departments with employees, employees with badges and skills; SQLite, files in a temporary folder.
struct FirmStore {
    let coordinator: NSPersistentStoreCoordinator
    let url: URL

    init(deleteRule: NSDeleteRule = .cascadeDeleteRule, type: String = NSSQLiteStoreType) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(deleteRule))
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataDiagnostics-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent("Company.sqlite")
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
    }

    /// The same file, behind a coordinator of its own: nothing is cached.
    init(reopening other: FirmStore) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: other.coordinator.managedObjectModel)
        url = other.url
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// One company of `departments` with `employees` each, every employee with a badge of its own and two shared skills.
    static func filled(
        departments: Int = 1, employees: Int = 20, deleteRule: NSDeleteRule = .cascadeDeleteRule, type: String = NSSQLiteStoreType
    ) throws -> FirmStore {
        let store = try FirmStore(deleteRule: deleteRule, type: type)
        let context = store.context()
        func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
        }
        let company = insert("Company", ["name": "Company"])
        let skills = Set((0..<2).map { insert("Skill", ["name": "skill \($0)"]) })
        for number in 0..<departments {
            let department = insert("Department", ["name": "department \(number)", "company": company])
            for member in 0..<employees {
                let badge = insert("Badge", ["name": "badge \(number).\(member)"])
                _ = insert("Employee", [
                    "name": "employee \(number).\(member)", "salary": member, "dept": department, "badge": badge, "skills": skills,
                ])
            }
        }
        try context.save()
        // Another coordinator: the row cache is empty, as in a program that was just started.
        return type == NSSQLiteStoreType ? try FirmStore(reopening: store) : store
    }

    private static func model(_ deleteRule: NSDeleteRule) -> NSManagedObjectModel {
        let names = ["Company", "Department", "Employee", "Badge", "Skill"]
        let entities = Dictionary(uniqueKeysWithValues: names.map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.properties = [CompanyModel.attribute("name", .stringAttributeType)]
            return (name, entity)
        })
        entities["Employee"]?.properties.append(CompanyModel.attribute("salary", .integer64AttributeType))
        func relate(_ left: String, _ leftName: String, many: Bool, rule: NSDeleteRule, _ right: String, _ rightName: String, many rightMany: Bool) {
            guard let leftEntity = entities[left], let rightEntity = entities[right] else { return }
            let there = NSRelationshipDescription(), back = NSRelationshipDescription()
            (there.name, there.destinationEntity, there.maxCount, there.deleteRule) = (leftName, rightEntity, many ? 0 : 1, rule)
            (back.name, back.destinationEntity, back.maxCount, back.deleteRule) = (rightName, leftEntity, rightMany ? 0 : 1, .nullifyDeleteRule)
            (there.inverseRelationship, back.inverseRelationship) = (back, there)
            (there.isOptional, back.isOptional) = (true, true)
            leftEntity.properties.append(there)
            rightEntity.properties.append(back)
        }
        relate("Company", "departments", many: true, rule: deleteRule, "Department", "company", many: false)
        relate("Department", "employees", many: true, rule: deleteRule, "Employee", "dept", many: false)
        relate("Employee", "badge", many: false, rule: deleteRule, "Badge", "employee", many: false)
        relate("Employee", "skills", many: true, rule: .nullifyDeleteRule, "Skill", "employees", many: true)
        let model = NSManagedObjectModel()
        model.entities = names.compactMap { entities[$0] }
        return model
    }
}

extension NSManagedObjectContext {
    func all(_ entity: String, prefetching paths: [String] = []) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.relationshipKeyPathsForPrefetching = paths.isEmpty ? nil : paths
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        return try fetch(request)
    }
}

extension NSManagedObject {
    func related(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
    func target(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
    var name: String? { value(forKey: "name") as? String }
}
