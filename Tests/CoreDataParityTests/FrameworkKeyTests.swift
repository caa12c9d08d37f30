import CoreData
import Testing

@Suite("Key paths through the framework's own objects")
struct FrameworkKeyTests {
    @Test("An object's entity, context, store and ID answer for their properties", arguments: StoreKind.allCases)
    func answers(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            context.name = "main"
            let work = context.make("Department", ["name": "work"])
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            #expect(ann.value(forKeyPath: "objectID.isTemporaryID") as? Bool == true)
            try context.save()
            #expect(ann.value(forKeyPath: "entity.name") as? String == "Employee")
            #expect(ann.value(forKeyPath: "dept.entity.managedObjectClassName") as? String == "NSManagedObject")
            #expect(ann.value(forKeyPath: "managedObjectContext.name") as? String == "main")
            #expect(ann.value(forKeyPath: "managedObjectContext.hasChanges") as? Bool == false)
            #expect(ann.value(forKeyPath: "objectID.entity.name") as? String == "Employee")
            #expect(ann.value(forKeyPath: "objectID.URIRepresentation") as? URL == ann.objectID.uriRepresentation())
            #expect(ann.value(forKeyPath: "objectID.persistentStore.type") as? String == kind.type)
            #expect(ann.value(forKeyPath: "managedObjectContext.persistentStoreCoordinator.persistentStores.identifier") as? [String?]
                == [stack.store.identifier])
            #expect(ann.value(forKeyPath: "entity.relationshipsByName.dept.destinationEntity.name") as? String == "Department")
            #expect(ann.value(forKeyPath: "entity.attributesByName.salary.optional") as? Bool == true)
            #expect(ann.value(forKeyPath: "entity.superentity.name") == nil)
            #expect(work.value(forKeyPath: "employees.entity.name") as? Set<String> == ["Employee"])
            #expect(([ann, work] as NSArray).value(forKeyPath: "entity.name") as? [String] == ["Employee", "Department"])
        }
    }

    @Test("So they do in predicates evaluated in memory", arguments: StoreKind.allCases)
    func predicates(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            context.name = "main"
            let work = context.make("Department", ["name": "work"])
            let ann = context.make("Employee", ["name": "Ann", "dept": work])
            func holds(_ format: String, _ arguments: Any?...) -> Bool {
                NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() }).evaluate(with: ann)
            }
            #expect(holds("entity.name == 'Employee' AND dept.entity.name == 'Department'"))
            #expect(holds("managedObjectContext.name == 'main'"))
            #expect(holds("objectID.entity.name == 'Employee' AND objectID.isTemporaryID == YES"))
            #expect(holds("isInserted == YES AND hasChanges == YES AND isDeleted == NO"))
            #expect(holds("objectID == %@", ann.objectID) && holds("SELF == %@", ann) && holds("dept.objectID == %@", work.objectID))
            #expect(holds("dept.objectID IN %@", [work.objectID]) && !holds("objectID == %@", work.objectID))
            #expect([ann, work].filter { NSPredicate(format: "entity.name == %@", "Department").evaluate(with: $0) } == [work])
        }
    }
}
