import CoreData
import Synchronization
import Testing

@Suite("The class of a new object")
struct EntityClassTests {
    @Test("NSManagedObject(entity:insertInto:) makes an object of the entity's class, whose hooks run", arguments: StoreKind.allCases)
    func entityClass(kind: StoreKind) throws {
        let (stack, entity) = try stack(of: Breed.self, kind)
        try stack.run { context in
            let object = NSManagedObject(entity: entity, insertInto: context)
            #expect(type(of: object) == Breed.self)
            let breed = try #require(object as? Breed)
            #expect(breed.events == "awake" && breed.isInserted && breed.managedObjectContext === context)
            breed.setValue("Collie", forKey: "name")
            #expect(throws: CocoaError.self) { try context.save() }
            breed.setValue("collie", forKey: "name")
            try context.save()
            #expect(breed.events == "awake, saving")
            #expect(context.registeredObject(for: breed.objectID) === breed)
        }
        try stack.reopened().run { context in
            let breed = try #require(context.only("Animal") as? Breed)
            #expect(breed.value(forKey: "name") as? String == "collie" && breed.events == "awake, saving")
        }
    }

    @Test("So does one that is inserted later, and so does any superclass of the class")
    func laterAndBetween() throws {
        let (stack, entity) = try stack(of: Breed.self, .memory)
        try stack.run { context in
            let detached = NSManagedObject(entity: entity, insertInto: nil)
            #expect(detached is Breed)
            context.insert(detached)
            #expect((detached as? Breed)?.events == "awake")
            let between = AnimalObject(entity: entity, insertInto: context)
            #expect(type(of: between) == Breed.self)
            let named = Terrier(entity: entity, insertInto: context)
            #expect(type(of: named) == Terrier.self)
            let made = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
            #expect(type(of: made) == Breed.self)
        }
    }

    @Test("A class with stored properties cannot be put on: the object stays what was named, whole")
    func storedProperties() throws {
        let (stack, entity) = try stack(of: Numbered.self, .memory)
        try stack.run { context in
            let object = NSManagedObject(entity: entity, insertInto: context)
            #expect(type(of: object) == NSManagedObject.self)
            object.setValue("collie", forKey: "name")
            try context.save()
            #expect(object.value(forKey: "name") as? String == "collie")
            let own = Numbered(entity: entity, insertInto: context)
            #expect(own.numbers == [1, 2, 3])
            let made = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
            #expect((made as? Numbered)?.numbers == [1, 2, 3])
        }
    }

    @Test("The class's deinitialiser runs, once an object")
    func deinitialiser() throws {
        let (stack, entity) = try stack(of: Parting.self, .memory)
        let before = Parting.count.load(ordering: .relaxed)
        try stack.run { context in
            for _ in 0..<10 { #expect(NSManagedObject(entity: entity, insertInto: context) is Parting) }
            context.reset()
        }
        #expect(Parting.count.load(ordering: .relaxed) == before + 10)
    }

    private func stack(of cls: NSManagedObject.Type, _ kind: StoreKind) throws -> (Stack, NSEntityDescription) {
        let entity = NSEntityDescription()
        entity.name = "Animal"
        entity.properties = ["name", "events"].map { NSAttributeDescription($0, .stringAttributeType, optional: true) }
        entity.managedObjectClassName = NSStringFromClass(cls)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return (try Stack(model, kind), entity)
    }
}

class AnimalObject: NSManagedObject {}

class Breed: AnimalObject {
    var events: String? { primitiveValue(forKey: "events") as? String }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("awake", forKey: "events")
    }

    override func willSave() {
        super.willSave()
        setPrimitiveValue("awake, saving", forKey: "events")
    }

    override func validateForInsert() throws {
        try super.validateForInsert()
        if (value(forKey: "name") as? String)?.first?.isUppercase == true { throw CocoaError(.validationStringPatternMatching) }
    }
}

final class Terrier: Breed {}

final class Numbered: NSManagedObject {
    var numbers = [1, 2, 3]
}

final class Parting: NSManagedObject {
    static let count = Atomic(0)
    deinit { Self.count.add(1, ordering: .relaxed) }
}
