import CoreData
import Testing

class Person: NSManagedObject {}
final class Firm: NSManagedObject {}
final class Apprentice: Person {}
private final class Hidden: NSManagedObject {}
enum Nested { struct Deeper { final class Item: NSManagedObject {} } }

@Suite("Classes of entities")
struct EntityClassLookupTests {
    private func model(_ entities: NSEntityDescription...) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private let module = String(reflecting: Firm.self).split(separator: ".")[0]

    @Test("A class is found by module and name, also when it is nested in other types")
    func qualified() {
        let all = model(
            ModelSamples.entity("A", className: "\(module).Firm"), ModelSamples.entity("B", className: "\(module).Nested.Deeper.Item"),
            ModelSamples.entity("C", className: NSStringFromClass(Person.self)))
        #expect(all.entitiesByName["A"]?.managedObjectClass() == Firm.self)
        #expect(all.entitiesByName["B"]?.managedObjectClass() == Nested.Deeper.Item.self)
        #expect(all.entitiesByName["C"]?.managedObjectClass() == Person.self)
        #expect(all.entity(for: Nested.Deeper.Item.self)?.name == "B")
    }

    @Test("No class name is NSManagedObject; neither is a class that is none, or missing")
    func unknown() {
        let all = model(
            ModelSamples.entity("A"), ModelSamples.entity("B", className: "Foundation.NSArray"),
            ModelSamples.entity("C", className: "NoSuchModule.NoSuchClass"), ModelSamples.entity("D", className: "..."))
        for entity in all.entities { #expect(entity.managedObjectClass() == NSManagedObject.self) }
    }

    @Test("A class that is used teaches its module, for other entities of the model as well", arguments: ["Person", ".Person", "Stale.Person"])
    func learning(className: String) {
        let all = model(ModelSamples.entity("Someone", className: className), ModelSamples.entity("Business", className: "Firm"))
        #expect(all.entity(for: Person.self)?.name == "Someone")
        #expect(all.entitiesByName["Someone"]?.managedObjectClass() == Person.self)
        #expect(all.entitiesByName["Business"]?.managedObjectClass() == Firm.self)
    }

    @Test("A private class is bound when it is used, though no name leads to it")
    func privateClass() {
        let all = model(ModelSamples.entity("Hidden", className: "Hidden"))
        #expect(all.entitiesByName["Hidden"]?.managedObjectClass() == NSManagedObject.self)
        #expect(all.entity(for: Hidden.self)?.name == "Hidden")
        #expect(all.entitiesByName["Hidden"]?.managedObjectClass() == Hidden.self)
    }

    @Test("A subclass without an entity stands for its superclass's; NSManagedObject for none")
    func superclasses() {
        let all = model(ModelSamples.entity("Person", className: "Person"))
        #expect(all.entity(for: Apprentice.self)?.name == "Person")
        #expect(all.entitiesByName["Person"]?.managedObjectClass() != Apprentice.self)
        #expect(all.entity(for: NSManagedObject.self) == nil)
        #expect(all.entity(for: Firm.self) == nil)
    }

    @Test("An entity whose class is missing takes its ancestor's")
    func ancestors() {
        let parent = ModelSamples.entity("Person", className: "\(module).Person"), child = ModelSamples.entity("Child", className: "Child")
        parent.subentities = [child]
        #expect(model(parent, child).entitiesByName["Child"]?.managedObjectClass() == Person.self)
    }

    @Test("Of several entities with one class, the one called like it is taken, else the first by name")
    func ambiguity() {
        let named = model(ModelSamples.entity("Alpha", className: "Person"), ModelSamples.entity("Person", className: "Person"))
        #expect(named.entity(for: Person.self)?.name == "Person")
        let others = model(ModelSamples.entity("Zeta", className: "Person"), ModelSamples.entity("Beta", className: "Person"))
        #expect(others.entity(for: Person.self)?.name == "Beta")
    }

    @Test("Without a class name the entity's own name counts")
    func byEntityName() {
        #expect(model(ModelSamples.entity("Firm")).entity(for: Firm.self)?.name == "Firm")
    }

    @Test("Two models bind the same class apart")
    func severalModels() {
        let first = model(ModelSamples.entity("Person", className: "Person"))
        let second = model(ModelSamples.entity("Human", className: "Person"))
        #expect(first.entity(for: Person.self) === first.entities[0])
        #expect(second.entity(for: Person.self) === second.entities[0])
    }

    @Test("Naming a class anew before the model is used is seen")
    func renaming() {
        let all = model(ModelSamples.entity("A", className: "\(module).Firm"))
        #expect(all.entities[0].managedObjectClass() == Firm.self)
        all.entities[0].managedObjectClassName = "\(module).Person"
        #expect(all.entities[0].managedObjectClass() == Person.self)
        #expect(all.entity(for: Firm.self) == nil && all.entity(for: Person.self) === all.entities[0])
    }
}
