import CoreData
import Foundation
import Testing

@Suite("Key-value observing: relationships")
struct RelationshipObservingTests {
    private let taker = NoteTaker(), other = NoteTaker()

    @Test("Setting a to-one tells the object and both owners")
    func toOne() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a"), first = context.insert("Department", "d1"), second = context.insert("Department", "d2")
            person.setValue(first, forKey: "dept")
            person.addObserver(taker, forKeyPath: "dept", options: [.old, .new], context: nil)
            for department in [first, second] { department.addObserver(other, forKeyPath: "employees", options: [.old, .new], context: nil) }
            person.setValue(second, forKey: "dept")
            #expect(taker.notes.map(\.kind) == [.setting] && taker.notes[0].old as? NSManagedObject === first)
            #expect(taker.notes[0].new as? NSManagedObject === second)
            let left = other.notes.first { $0.object === first }, joined = other.notes.first { $0.object === second }
            #expect(other.notes.count == 2 && left?.kind == .removal && left?.left == ["a"] && left?.new == nil)
            #expect(joined?.kind == .insertion && joined?.joined == ["a"] && joined?.old == nil)
        }
    }

    @Test("A set tells what joins and what leaves, however it is changed, and the objects are told of the inverse")
    func sets() throws {
        try ObservedOffice().run { context in
            let department = context.insert("Department"), people = ["a", "b", "c"].map { context.insert("Employee", $0) }
            department.addObserver(taker, forKeyPath: "employees", options: [.old, .new], context: nil)
            people[0].addObserver(other, forKeyPath: "dept", options: [.new], context: nil)
            let set = department.mutableSetValue(forKey: "employees")
            set.add(people[0])
            #expect(other.notes.map { $0.new as? NSManagedObject } == [department])
            set.add(people[0])
            set.addObjects(from: people)
            set.remove(people[1])
            set.minus([people[0], people[1]])
            set.union([people[0]])
            set.intersect([people[0]])
            set.setSet([people[1]])
            department.setValue(NSSet(array: people), forKey: "employees")
            let expected: [(NSKeyValueChange, [String], [String])] = [
                (.insertion, [], ["a"]), (.insertion, [], ["b", "c"]), (.removal, ["b"], []), (.removal, ["a"], []),
                (.insertion, [], ["a"]), (.removal, ["c"], []), (.replacement, ["a"], ["b"]), (.setting, ["b"], ["a", "b", "c"]),
            ]
            #expect(taker.notes.map(\.kind) == expected.map(\.0))
            #expect(taker.notes.map(\.left) == expected.map(\.1))
            #expect(taker.notes.map(\.joined) == expected.map(\.2))
        }
    }

    @Test("An ordered set tells where, whichever way it is changed")
    func orderedSets() throws {
        try ObservedOffice().run { context in
            let list = context.insert("Playlist"), songs = ["a", "b", "c", "d"].map { context.insert("Song", $0) }
            list.addObserver(taker, forKeyPath: "songs", options: [.old, .new], context: nil)
            let set = list.mutableOrderedSetValue(forKey: "songs")
            set.add(songs[0])
            set.insert(songs[1], at: 0)
            set.addObjects(from: [songs[0], songs[2]])
            set.replaceObject(at: 1, with: songs[3])
            set.exchangeObject(at: 0, withObjectAt: 2)
            set.removeObject(at: 1)
            list.setValue(NSOrderedSet(array: [songs[0]]), forKey: "songs")
            songs[3].setValue(list, forKey: "list")
            songs[0].setValue(nil, forKey: "list")
            let expected: [(NSKeyValueChange, [Int]?, [String], [String])] = [
                (.insertion, [0], [], ["a"]), (.insertion, [0], [], ["b"]), (.insertion, [2], [], ["c"]),
                (.replacement, [1], ["a"], ["d"]), (.replacement, [0, 2], ["b", "c"], ["c", "b"]), (.removal, [1], ["d"], []),
                (.setting, nil, ["c", "b"], ["a"]), (.insertion, [1], [], ["d"]), (.removal, [0], ["a"], []),
            ]
            #expect(taker.notes.map(\.kind) == expected.map(\.0))
            #expect(taker.notes.map { $0.indexes.map(Array.init) } == expected.map(\.1))
            #expect(taker.notes.map(\.left) == expected.map(\.2))
            #expect(taker.notes.map(\.joined) == expected.map(\.3))
        }
    }

    @Test("Custom accessors over a primitive set: announced with its objects, the inverse is kept and the change told")
    func primitiveSets() throws {
        try ObservedOffice().run { context in
            let department = context.insert("Department"), people = ["a", "b"].map { context.insert("Employee", $0) }
            try context.save()
            department.addObserver(taker, forKeyPath: "employees", options: [.old, .new], context: nil)
            department.willChangeValue(forKey: "employees", withSetMutation: .union, using: Set(people))
            (department.primitiveValue(forKey: "employees") as? NSMutableSet)?.addObjects(from: people)
            #expect(people[0].value(forKey: "dept") == nil)
            department.didChangeValue(forKey: "employees", withSetMutation: .union, using: Set(people))
            #expect(people.allSatisfy { $0.value(forKey: "dept") as? NSManagedObject === department })
            #expect(people.allSatisfy(\.isUpdated) && department.isUpdated)
            department.willChangeValue(forKey: "employees", withSetMutation: .minus, using: [people[0]])
            (department.primitiveValue(forKey: "employees") as? NSMutableSet)?.remove(people[0])
            department.didChangeValue(forKey: "employees", withSetMutation: .minus, using: [people[0]])
            #expect(people[0].value(forKey: "dept") == nil)
            #expect(taker.notes.map(\.kind) == [.insertion, .removal])
            #expect(taker.notes[0].joined == ["a", "b"] && taker.notes[1].left == ["a"])
        }
    }

    @Test("Custom accessors over a primitive ordered set and a primitive to-one")
    func primitiveOrderedSetsAndToOnes() throws {
        try ObservedOffice().run { context in
            let list = context.insert("Playlist"), song = context.insert("Song", "a")
            list.addObserver(taker, forKeyPath: "songs", options: .new, context: nil)
            list.willChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "songs")
            (list.primitiveValue(forKey: "songs") as? NSMutableOrderedSet)?.insert(song, at: 0)
            list.didChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "songs")
            #expect(song.value(forKey: "list") as? NSManagedObject === list)
            #expect(taker.notes.map(\.kind) == [.insertion] && taker.notes[0].joined == ["a"] && taker.notes[0].indexes == [0])

            song.willChangeValue(forKey: "list")
            song.setPrimitiveValue(nil, forKey: "list")
            song.didChangeValue(forKey: "list")
            #expect((list.value(forKey: "songs") as? NSOrderedSet)?.count == 0)
            #expect(taker.notes.map(\.kind) == [.insertion, .removal])
        }
    }

    @Test("Deleting tells those who lose the object by the delete rule")
    func deletion() throws {
        try ObservedOffice().run { context in
            let department = context.insert("Department"), person = context.insert("Employee", "a")
            person.setValue(department, forKey: "dept")
            try context.save()
            department.addObserver(taker, forKeyPath: "employees", options: [.old, .new], context: nil)
            context.delete(person)
            context.processPendingChanges()
            #expect(taker.notes.map(\.kind) == [.removal])
        }
    }

    @Test("A path is followed through to-ones: the end of the path, each link of it, and nil on the way")
    func paths() throws {
        try ObservedOffice().run { context in
            let person = context.insert("Employee", "a"), first = context.insert("Department", "d1"), second = context.insert("Department", "d2")
            person.addObserver(taker, forKeyPath: "dept.name", options: [.initial, .old, .new], context: nil)
            person.setValue(first, forKey: "dept")
            first.setValue("D1", forKey: "name")
            person.setValue(second, forKey: "dept")
            first.setValue("nobody cares", forKey: "name")
            second.setValue("D2", forKey: "name")
            person.setValue(nil, forKey: "dept")
            second.setValue("nobody cares", forKey: "name")
            #expect(taker.notes.map { $0.new as? String } == [nil, "d1", "D1", "d2", "D2", nil])
            #expect(taker.notes.dropFirst().map { $0.old as? String } == [nil, "d1", "D1", "d2", "D2"])
            #expect(taker.notes.allSatisfy { $0.object === person && $0.keyPath == "dept.name" })
            person.removeObserver(taker, forKeyPath: "dept.name")
            person.setValue(first, forKey: "dept")
            #expect(taker.notes.count == 6)
        }
    }

    @Test("A path through a collection stops the program, as at Apple's")
    func collectionPaths() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ObservedOffice().run { context in
                context.insert("Department").addObserver(NoteTaker(), forKeyPath: "employees.name", context: nil)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NSInvalidArgumentException"))
    }
}
