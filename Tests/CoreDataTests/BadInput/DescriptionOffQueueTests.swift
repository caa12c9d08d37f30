import CoreData
import Testing

@Suite("Printing objects")
struct DescriptionOffQueueTests {
    @Test("Printing an object off its queue neither stops the program nor fires, with the queue check on")
    func offQueue() async {
        await #expect(processExitsWith: .success) {
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try RuntimeStack()
            let context = stack.context()
            let (employee, dept) = try context.performAndWait {
                let dept = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
                let employee = context.hire("Ada")
                employee.setValue(dept, forKey: "dept")
                try context.save()
                return (employee, dept)
            }
            #expect(employee.description.contains("name = Ada;"))
            #expect(employee.description.contains("dept = <\(dept.objectID.uriRepresentation().absoluteString)>;"))
            #expect(String(reflecting: employee) == employee.description || employee.debugDescription == employee.description)
            context.performAndWait { context.refresh(employee, mergeChanges: false) }
            #expect(employee.description.contains("data: <fault>"))
            #expect(employee.isFault)
        }
    }

    @Test("Printing loads no relationship and makes no object")
    func loadsNothing() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType)
        defer { if let url = stack.url { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }
        let writer = stack.context()
        try writer.performAndWait {
            let dept = NSEntityDescription.insertNewObject(forEntityName: "Department", into: writer)
            writer.hire("Ada").setValue(dept, forKey: "dept")
            try writer.save()
        }
        let reader = stack.context()
        try reader.performAndWait {
            let employee = try #require(try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).first)
            #expect(employee.value(forKey: "name") as? String == "Ada")
            #expect(employee.description.contains("salary = nil;") && employee.description.contains("/Department/p1>"))
            #expect(reader.registeredObjects.count == 1, "the department was not made")
            let dept = try #require(employee.value(forKey: "dept") as? NSManagedObject)
            #expect(dept.isFault && dept.description.contains("<fault>") && dept.isFault)
            dept.willAccessValue(forKey: nil)
            #expect(dept.description.contains("employees = \"<relationship fault>\";"))
            #expect(dept.hasFault(forRelationshipNamed: "employees"))
            _ = (dept.value(forKey: "employees") as? NSSet)?.count
            #expect(dept.description.contains("employees = (<\(employee.objectID.uriRepresentation().absoluteString)>);"))
        }
    }

    @Test("An object of no context shows its defaults and edits")
    func detached() throws {
        let model = CompanyModel.make()
        let employee = try #require(model.entitiesByName["Employee"])
        try #require(employee.attributesByName["salary"]).defaultValue = 7
        let object = NSManagedObject(entity: employee, insertInto: nil)
        #expect(object.description.contains("salary = 7;"))
        object.setValue("Ada", forKey: "name")
        #expect(object.description.contains("name = Ada;") && object.description.contains("dept = nil;"))
    }
}
