import CoreData
import Foundation

/// A department with employees, built in code; classes are plain managed objects read by key.
enum CompanyModel {
    static func make() -> NSManagedObjectModel {
        let department = NSEntityDescription(), employee = NSEntityDescription()
        department.name = "Department"
        employee.name = "Employee"
        let employees = NSRelationshipDescription(), dept = NSRelationshipDescription()
        employees.name = "employees"
        employees.destinationEntity = employee
        employees.maxCount = 0
        employees.isOptional = true
        employees.deleteRule = .nullifyDeleteRule
        dept.name = "dept"
        dept.destinationEntity = department
        dept.maxCount = 1
        dept.isOptional = true
        employees.inverseRelationship = dept
        dept.inverseRelationship = employees
        department.properties = [attribute("name", .stringAttributeType), employees]
        employee.properties = [
            attribute("name", .stringAttributeType), attribute("salary", .integer64AttributeType), attribute("hired", .dateAttributeType), dept,
        ]
        let model = NSManagedObjectModel()
        model.entities = [department, employee]
        return model
    }

    static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = true
        return attribute
    }
}

/// A coordinator over one store, and contexts on it.
struct RuntimeStack {
    let coordinator: NSPersistentStoreCoordinator
    let url: URL?

    init(type: String = NSInMemoryStoreType, model: NSManagedObjectModel = CompanyModel.make()) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        if type == NSSQLiteStoreType {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataRuntime-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            url = folder.appendingPathComponent("Store.sqlite")
        } else {
            url = nil
        }
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }
}
