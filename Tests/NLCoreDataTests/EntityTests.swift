import NLCoreData
import Testing

/// Not in any model file: each goes by the entity it names.
class Leaf: NSManagedObject, EntityNaming {
    class var entityName: String { "Page" }
}

final class Cover: Leaf {
    override class var entityName: String { "Cover" }
}

/// Two entities share it, and it does not say which it is.
final class Sheet: NSManagedObject {}

@Suite struct EntityTests {
    @Test("NL01: an entity goes by its class, also when its name is another", arguments: StoreKind.allCases)
    func byClass(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            #expect(Person.entityName == "Person" && Paper.entityName == "Invoice")
            try Paper.insert().number = 7
            try current().save()
            #expect(try Paper.fetchSingle("number == 7")?.entity.name == "Invoice")
            #expect(try Paper.count() == 1)
            #expect(NSFetchRequest<Paper>(entity: Paper.self).entityName == "Invoice")
        }
    }

    @Test("NL01: a class may name its entity, a subclass another; every call goes by it")
    func named() throws {
        let stack = NLCoreData()
        stack.persistentStoreType = NSInMemoryStoreType
        stack.managedObjectModel = leaves()
        try NLCoreData.withStack(stack) {
            let page = try Leaf.insert()
            #expect(Leaf.entityName == "Page" && Cover.entityName == "Cover")
            #expect(page.entity.name == "Page")
            #expect(try Cover.insert().entity.name == "Cover")
            #expect(try Leaf.count() == 2, "covers are pages")
            #expect(try Cover.fetch().count == 1)
            #expect(NSFetchRequest<Leaf>(entity: Leaf.self).entityName == "Page")
            #expect(throws: NLCoreDataError.ambiguousEntity(className: "Sheet", candidates: ["Blue", "Red"])) { try Sheet.fetch() }
            #expect(throws: NLCoreDataError.unknownEntity(className: "Person", known: ["Blue", "Cover", "Page", "Red"])) { try Person.insert() }
        }
    }

    private func leaves() -> NSManagedObjectModel {
        func entity(_ name: String, _ type: NSManagedObject.Type) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            entity.managedObjectClassName = NSStringFromClass(type)
            return entity
        }
        let page = entity("Page", Leaf.self), cover = entity("Cover", Cover.self)
        page.subentities = [cover]
        let model = NSManagedObjectModel()
        model.entities = [page, cover, entity("Red", Sheet.self), entity("Blue", Sheet.self)]
        return model
    }

    @Test("A class without an entity: an error that names it and the entities there are")
    func unknown() throws {
        try withOffice { _ in
            let error = #expect(throws: NLCoreDataError.self) { try Leaf.fetch() }
            guard case .unknownEntity(let name, let known) = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(name.contains("Leaf") && known.contains("Person") && known.contains("Tag"))
            #expect(error?.localizedDescription.contains("Person") == true)
        }
    }

    @Test("NL02, §1.3: an abstract entity's one-liners find its subentities' objects, unless that is switched off", arguments: StoreKind.allCases)
    func abstract(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try Desk.insert().floor = 1
            try Room.insert().floor = 2
            #expect(try Place.fetch(sortedBy: [SortDescriptor(\.floor)]).map { "\(type(of: $0))" } == ["Desk", "Room"])
            #expect(try Place.count() == 2 && Desk.count() == 1)
            #expect(NSFetchRequest<Place>(entity: Place.self).includesSubentities)
            #expect(throws: NLCoreDataError.abstractEntity(name: "Place", subentities: ["Desk", "Room"])) { try Place.insert() }
            stack.includesSubentitiesByDefault = false
            #expect(!NSFetchRequest<Place>.includesSubentitiesByDefault)
            #expect(!NSFetchRequest<Place>(entity: Place.self).includesSubentities)
            #expect(try Place.fetch().isEmpty && Place.count() == 0 && Desk.count() == 1)
        }
    }

    @Test("Subclasses: a superclass finds both, a subclass its own; key paths of the superclass work", arguments: StoreKind.allCases)
    func subclasses(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let employee = try Employee.insert()
            employee.name = "Eve"
            employee.badge = 9
            #expect(try Person.count() == 5 && Employee.count() == 1)
            #expect(try Employee.fetch(where: #Predicate { $0.name == "Eve" && $0.badge == 9 }) == [employee])
            #expect(try Employee.fetch(sortedBy: [SortDescriptor(\.name)]) == [employee])
            #expect(try Person.fetchSingle("name == 'Eve'") === employee)
        }
    }

    @Test("NL03: one object of three without an order; none of none", arguments: StoreKind.allCases)
    func single(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            #expect(try Person.fetchSingle() == nil)
            try insertPeople()
            #expect(try Person.fetchSingle() != nil)
            #expect(try Person.fetchSingle(sortedByKey: "age", ascending: false)?.name == "Cleo")
        }
    }
}
