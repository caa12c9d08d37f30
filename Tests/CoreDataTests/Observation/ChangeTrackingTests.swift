import CoreData
import Foundation
import Testing

/// An employee with a property the model does not have.
class Tracked: NSManagedObject {
    var mood: String? {
        willSet { willChangeValue(forKey: "mood") }
        didSet { didChangeValue(forKey: "mood") }
    }
}

/// One that wants to be saved when such a property changes.
final class Moody: Tracked {
    override class var contextShouldIgnoreUnmodeledPropertyChanges: Bool { false }
}

@Suite("What an object says of its changes and relationships")
struct ChangeTrackingTests {
    private func run(_ type: AnyClass? = nil, _ body: (NSManagedObjectContext, NSManagedObject, NSManagedObject) throws -> Void) throws {
        let model = ObservedOffice.model()
        if let type { model.entitiesByName["Employee"]?.managedObjectClassName = NSStringFromClass(type) }
        let scratch = CompanyModel.attribute("scratch", .stringAttributeType)
        scratch.isTransient = true
        model.entitiesByName["Employee"]?.properties.append(scratch)
        let context = try RuntimeStack(model: model).context()
        try context.performAndWait {
            let person = context.insert("Employee", "a"), department = context.insert("Department", "d")
            person.setValue(department, forKey: "dept")
            try context.save()
            try body(context, person, department)
        }
    }

    @Test("The event's changes come with their values before it; transient ones are not among them")
    func currentEvent() throws {
        try run { context, person, department in
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            person.setValue("b", forKey: "name")
            person.setValue("note", forKey: "scratch")
            person.setValue(nil, forKey: "dept")
            let first = person.changedValuesForCurrentEvent()
            #expect(first["name"] as? String == "a" && first["dept"] as? NSManagedObject === department && first.count == 2)
            #expect(Set(person.changedValues().keys) == ["name", "dept"])
            context.processPendingChanges()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            person.setValue("c", forKey: "name")
            person.setValue(1, forKey: "salary")
            let second = person.changedValuesForCurrentEvent()
            #expect(second["name"] as? String == "b" && second["salary"] is NSNull && second.count == 2)
            #expect(person.committedValues(forKeys: ["name", "scratch"])["name"] as? String == "a")
            #expect(person.committedValues(forKeys: ["scratch"]).isEmpty)
        }
    }

    @Test("Relationships say whether they are loaded, and name their objects' IDs without making or firing them")
    func relationships() throws {
        try run { context, person, department in
            let identifier = department.objectID
            context.reset()
            let again = context.object(with: identifier)
            #expect(again.faultingState != 0 && again.hasFault(forRelationshipNamed: "employees"))
            #expect(again.value(forKey: "name") as? String == "d")
            #expect(again.faultingState == 0 && again.hasFault(forRelationshipNamed: "employees"))
            #expect(again.objectIDs(forRelationshipNamed: "employees") == [person.objectID])
            let member = try #require((again.value(forKey: "employees") as? Set<NSManagedObject>)?.first)
            #expect(member.isFault && !again.hasFault(forRelationshipNamed: "employees"))
            #expect(member.objectIDs(forRelationshipNamed: "dept") == [identifier])
            member.setValue(nil, forKey: "dept")
            #expect(member.objectIDs(forRelationshipNamed: "dept").isEmpty)
        }
    }

    @Test("willAccess fires a fault, for any key or none; didAccess ends it")
    func access() throws {
        try run { context, person, _ in
            for key in ["name", nil] {
                context.refresh(person, mergeChanges: false)
                #expect(person.isFault)
                person.willAccessValue(forKey: key)
                #expect(!person.isFault && person.primitiveValue(forKey: "name") as? String == "a")
                person.didAccessValue(forKey: key)
            }
            #expect(!person.hasChanges && !context.hasChanges)
        }
    }

    @Test("An announced change counts as an update though no value differs; a primitive one does not count")
    func announced() throws {
        try run { context, person, _ in
            person.setPrimitiveValue("quiet", forKey: "name")
            #expect(!person.hasChanges)
            person.willChangeValue(forKey: "salary")
            person.didChangeValue(forKey: "salary")
            #expect(person.isUpdated && person.hasChanges && context.updatedObjects == [person])
        }
    }

    @Test("Announced changes of unmodeled properties leave the object clean, unless its class says otherwise", arguments: [false, true])
    func unmodeled(counts: Bool) throws {
        try run(counts ? Moody.self : Tracked.self) { context, person, _ in
            let taker = NoteTaker(), tracked = try #require(person as? Tracked)
            person.addObserver(taker, forKeyPath: "mood", context: nil)
            tracked.mood = "fine"
            #expect(taker.notes.count == 1)
            #expect(person.hasChanges == counts && context.hasChanges == counts && !person.hasPersistentChangedValues)
            try context.save()
            #expect(!person.hasChanges)
        }
    }

    @Test("A nil for an accessor that has none goes to setNilValueForKey")
    func nilForKey() throws {
        try run(Counted.self) { context, person, _ in
            let counted = try #require(person as? Counted)
            counted.setValue(5, forKey: "salary")
            #expect(counted.value(forKey: "salary") as? Int == 5)
            counted.setValue(nil, forKey: "salary")
            #expect(counted.asked == ["salary"] && counted.value(forKey: "salary") as? Int == -1)
        }
    }
}

/// Has a number that cannot be nil.
final class Counted: NSManagedObject {
    var asked: [String] = []

    var salary: Int {
        get { (primitiveValue(forKey: "salary") as? NSNumber)?.intValue ?? 0 }
        set {
            willChangeValue(forKey: "salary")
            setPrimitiveValue(newValue, forKey: "salary")
            didChangeValue(forKey: "salary")
        }
    }

    override func setNilValueForKey(_ key: String) {
        asked.append(key)
        salary = -1
    }

    override class var _keyPathNames: [AnyKeyPath: String] { [\Counted.salary: "salary"] }
}
