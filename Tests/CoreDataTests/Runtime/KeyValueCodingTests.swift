import CoreData
import Foundation
import Testing

@Suite("Key-value coding")
struct KeyValueCodingTests {
    /// A department of three: salaries 1, 2 and none; two are called "a".
    private func staff(_ body: (NSManagedObjectContext, NSManagedObject, [NSManagedObject]) throws -> Void) throws {
        try ObservedOffice().run { context in
            let department = context.insert("Department", "d")
            let people = [("a", 1), ("a", 2), ("b", nil)].map { (name: String, salary: Int?) in
                let person = context.insert("Employee", name)
                person.setValue(salary, forKey: "salary")
                person.setValue(department, forKey: "dept")
                return person
            }
            try body(context, department, people)
        }
    }

    @Test("Paths lead through to-ones; through a to-many to a set of values, through an ordered one to an ordered set")
    func paths() throws {
        try staff { context, department, people in
            #expect(people[0].value(forKeyPath: "dept.name") as? String == "d")
            #expect(context.insert("Employee").value(forKeyPath: "dept.name") == nil)
            #expect(department.value(forKeyPath: "employees.name") as? Set<String> == ["a", "b"])
            #expect(department.value(forKeyPath: "employees.salary") as? NSSet == NSSet(array: [1, 2]))
            let list = context.insert("Playlist")
            for name in ["x", "y", "x"] { list.mutableOrderedSetValue(forKey: "songs").add(context.insert("Song", name)) }
            #expect((list.value(forKeyPath: "songs.name") as? NSOrderedSet)?.array as? [String] == ["x", "y"])
            #expect(people[0].value(forKeyPath: "dept.employees.@count") as? Int == 3)
            #expect(people[0].value(forKeyPath: "name.length") as? Int == 1)
        }
    }

    @Test("Collection operators over a to-many: nil counts as 0 in an average and nowhere else")
    func operators() throws {
        try staff { context, department, people in
            func answer(_ path: String) -> Any? { department.value(forKeyPath: "employees." + path) }
            #expect(answer("@count") as? Int == 3 && answer("@sum.salary") as? Int == 3 && answer("@avg.salary") as? Double == 1)
            #expect(answer("@min.salary") as? Int == 1 && answer("@max.salary") as? Int == 2 && answer("@max.name") as? String == "b")
            #expect((answer("@unionOfObjects.name") as? [String])?.sorted() == ["a", "a", "b"])
            #expect(answer("@distinctUnionOfObjects.name") as? Set<String> == ["a", "b"])
            let empty = context.insert("Department")
            #expect(empty.value(forKeyPath: "employees.@sum.salary") as? Int == 0)
            #expect(empty.value(forKeyPath: "employees.@max.salary") == nil)
            #expect(empty.value(forKeyPath: "employees.@count") as? Int == 0)
        }
    }

    @Test("Unions of sets and arrays unite what each object answers, a relationship too")
    func unions() throws {
        try staff { context, department, people in
            let employees = department.value(forKeyPath: "employees") as? NSSet
            let all = NSArray(array: [department, department])
            #expect(all.value(forKeyPath: "@distinctUnionOfSets.employees") as? NSSet == employees)
            #expect((all.value(forKeyPath: "@unionOfArrays.employees") as? NSArray)?.count == 6)
            #expect(department.value(forKeyPath: "employees.@distinctUnionOfSets.dept.employees") as? NSSet == employees)
            #expect(throws: Never.self) { try department.validateValue("x", forKey: "unheardOf") }
            #expect(people.count == 3)
        }
    }

    @Test("Arrays, sets and ordered sets of objects answer keys and paths in kind")
    func collections() throws {
        try staff { context, department, people in
            let array = people as NSArray, set = NSSet(array: people), ordered = NSOrderedSet(array: people)
            #expect(array.value(forKey: "name") as? [String] == ["a", "a", "b"])
            #expect((array.value(forKey: "salary") as? NSArray)?.object(at: 2) is NSNull)
            #expect(set.value(forKey: "name") as? Set<String> == ["a", "b"])
            #expect((ordered.value(forKey: "name") as? NSOrderedSet)?.array as? [String] == ["a", "b"])
            #expect(array.value(forKeyPath: "dept.name") as? [String] == ["d", "d", "d"])
            #expect(array.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["a", "b"])
            #expect(ordered.value(forKeyPath: "@sum.salary") as? Int == 3)
            #expect(NSArray(array: [array, array]).value(forKeyPath: "@unionOfArrays.name") as? [String] == ["a", "a", "b", "a", "a", "b"])
            #expect(NSArray(array: [array, array]).value(forKeyPath: "@distinctUnionOfArrays.name") as? [String] == ["a", "b"])
            #expect(NSSet(array: [set]).value(forKeyPath: "@distinctUnionOfSets.name") as? Set<String> == ["a", "b"])
            #expect(NSSet(array: [set]).value(forKeyPath: "@unionOfSets.name") as? Set<String> == ["a", "b"])
            array.setValue("z", forKey: "name")
            #expect(people.allSatisfy { $0.value(forKey: "name") as? String == "z" })
            set.setValue("D", forKeyPath: "dept.name")
            #expect(department.value(forKey: "name") as? String == "D")
        }
    }

    @Test("Setting along a path, many keys at once, and nil as NSNull")
    func setting() throws {
        try staff { context, department, people in
            people[0].setValue("D", forKeyPath: "dept.name")
            context.insert("Employee").setValue("nobody", forKeyPath: "dept.name")
            #expect(department.value(forKey: "name") as? String == "D")
            people[0].setValuesForKeys(["name": "n", "salary": NSNull()])
            let values = people[0].dictionaryWithValues(forKeys: ["name", "salary", "dept"])
            #expect(values["name"] as? String == "n" && values["salary"] is NSNull && values["dept"] as? NSManagedObject === department)
            let newcomer = context.insert("Employee", "new")
            people[0].mutableSetValue(forKeyPath: "dept.employees").add(newcomer)
            #expect(newcomer.value(forKey: "dept") as? NSManagedObject === department)
        }
    }

    @Test("What every managed object has is answered by key, too")
    func ownKeys() throws {
        try staff { context, department, people in
            #expect(department.value(forKey: "self") as? NSManagedObject === department)
            #expect(department.value(forKey: "objectID") as? NSManagedObjectID == department.objectID)
            #expect(department.value(forKey: "entity") as? NSEntityDescription === department.entity)
            #expect(department.value(forKey: "managedObjectContext") as? NSManagedObjectContext === context)
            #expect(department.value(forKey: "hasChanges") as? Bool == true && department.value(forKey: "isInserted") as? Bool == true)
            #expect(department.value(forKey: "inserted") as? Bool == true && department.value(forKey: "isDeleted") as? Bool == false)
            #expect(people[0].value(forKeyPath: "dept.objectID") as? NSManagedObjectID == department.objectID)
            #expect((people as NSArray).value(forKey: "objectID") as? [NSManagedObjectID] == people.map(\.objectID))
        }
    }

    @Test("Unknown keys, unknown operators and keys of values without them stop the program", arguments: ["nope", "employees.nope", "employees.@nope.name", "name.nope"])
    func unknownKeys(path: String) async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path] in
            try ObservedOffice().run { context in
                let department = context.insert("Department", "d")
                context.insert("Employee", "e").setValue(department, forKey: "dept")
                _ = department.value(forKeyPath: path)
            }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("NSUnknownKeyException") && text.contains("nope"))
    }

    @Test("Validating along a path reaches the object at its end")
    func validating() throws {
        try staff { _, _, people in
            var value: AnyObject? = NSNumber(value: 5)
            #expect(throws: (any Error).self) { try people[0].validateValue(&value, forKeyPath: "dept.name") }
            value = "text" as AnyObject
            try people[0].validateValue(&value, forKeyPath: "dept.name")
        }
    }
}
