import CoreData
import Testing

@Suite("Access that fires no fault")
struct UnfiredAccessTests {
    private static func office(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "d"])
            for name in ["a", "b"] { context.make("Employee", ["name": name, "dept": department]) }
        }
        return stack
    }

    @Test("The IDs of a relationship's objects leave object and relationship as they were", arguments: StoreKind.allCases)
    func identifiers(kind: StoreKind) throws {
        try Self.office(kind).run { context in
            let people = try context.all("Employee")
            let department = try context.only("Department")
            #expect(Set(department.objectIDs(forRelationshipNamed: "employees")) == Set(people.map(\.objectID)))
            #expect(department.isFault && department.hasFault(forRelationshipNamed: "employees"))
            #expect(people[0].objectIDs(forRelationshipNamed: "dept") == [department.objectID] && people[0].isFault)
            // Loaded by itself, and changed.
            #expect(department.text("name") == "d")
            #expect(department.objectIDs(forRelationshipNamed: "employees").count == 2)
            #expect(department.hasFault(forRelationshipNamed: "employees"))
            people[0].setValue(nil, forKey: "dept")
            let new = context.make("Employee", ["name": "c", "dept": department])
            #expect(Set(department.objectIDs(forRelationshipNamed: "employees")) == [people[1].objectID, new.objectID])
            #expect(people[0].objectIDs(forRelationshipNamed: "dept") == [] && new.objectIDs(forRelationshipNamed: "dept") == [department.objectID])
            #expect(department.texts("employees", "name") == ["b", "c"])
            #expect(Set(department.objectIDs(forRelationshipNamed: "employees")) == [people[1].objectID, new.objectID])
        }
    }

    @Test("An ordered relationship's IDs come in its order, with changes made before it was loaded", arguments: StoreKind.allCases)
    func ordered(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            let songs = ["x", "a", "m"].map { context.make("Song", ["name": $0]) }
            context.make("Playlist").setValue(NSOrderedSet(array: songs), forKey: "songs")
        }
        try stack.run { context in
            let playlist = try context.only("Playlist"), songs = try context.all("Song")
            #expect(playlist.objectIDs(forRelationshipNamed: "songs") == [songs[2], songs[0], songs[1]].map(\.objectID))
            #expect(playlist.hasFault(forRelationshipNamed: "songs"))
        }
    }

    @Test("A primitive value of a fault is nil and leaves it one; announced access fires it", arguments: StoreKind.allCases)
    func primitive(kind: StoreKind) throws {
        try Self.office(kind).run { context in
            let person = try context.all("Employee")[0]
            #expect(person.primitiveValue(forKey: "name") == nil && person.primitiveValue(forKey: "dept") == nil && person.isFault)
            person.willAccessValue(forKey: "name")
            #expect(person.primitiveValue(forKey: "name") as? String == "a")
            person.didAccessValue(forKey: "name")
            #expect(person.primitiveValue(forKey: "dept") is NSManagedObject)
            context.refresh(person, mergeChanges: false)
            #expect(person.primitiveValue(forKey: "name") == nil && person.isFault && person.text("name") == "a")
            let new = NSManagedObject(entity: person.entity, insertInto: nil)
            new.setPrimitiveValue("n", forKey: "name")
            #expect(new.primitiveValue(forKey: "name") as? String == "n")
        }
    }

    @Test("Removing what an ordered relationship does not have says which relationship and which index")
    func emptyPlace() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.ordered(), .memory).run { context in
                context.make("Playlist").mutableOrderedSetValue(forKey: "songs").removeObject(at: 0)
            }
        }
        #expect(exit.raised("NSRangeException"))
        #if os(Linux)
        #expect(exit.raised("The ordered relationship “Playlist.songs” has no object at index 0: it is empty."))
        #endif
    }
}
