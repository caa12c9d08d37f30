import CoreData
import Testing

@Suite("Relationships and inverses")
struct RelationshipTests {
    @Test("RE01: Setting the to-one fills the to-many at once and makes both dirty", arguments: StoreKind.allCases)
    func settingTheToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Department", ["name": "Sales"])
            context.make("Employee", ["name": "Alice"])
        }
        try stack.run { context in
            let (department, employee) = (try context.only("Department"), try context.only("Employee"))
            employee.setValue(department, forKey: "dept")
            #expect(department.many("employees") == [employee])
            #expect(context.updatedObjects == [department, employee])
        }
    }

    @Test("RE02: Adding to the to-many sets the to-one", arguments: StoreKind.allCases)
    func addingToTheToMany(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let (department, employee) = (context.make("Department"), context.make("Employee"))
            department.mutableSetValue(forKey: "employees").add(employee)
            #expect(employee.one("dept") === department)
            department.mutableSetValue(forKey: "employees").remove(employee)
            #expect(employee.one("dept") == nil)
        }
    }

    @Test("RE03: Moving an object takes it out of the old to-many", arguments: StoreKind.allCases)
    func moving(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Alice", "dept": context.make("Department", ["name": "one"])])
            context.make("Department", ["name": "two"])
        }
        try stack.run { context in
            let (one, two) = (try context.named("one", "Department"), try context.named("two", "Department"))
            let employee = try context.only("Employee")
            employee.setValue(two, forKey: "dept")
            #expect(one.many("employees").isEmpty)
            #expect(two.many("employees") == [employee])
        }
    }

    @Test("RE04: Replacing a to-many clears those who left and sets those who came", arguments: StoreKind.allCases)
    func replacing(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Sales"])
            for name in ["a", "b"] { context.make("Employee", ["name": name, "dept": department]) }
            context.make("Employee", ["name": "c"])
        }
        try stack.run { context in
            let department = try context.only("Department")
            let employees = try context.all("Employee")
            department.setValue(NSSet(array: Array(employees[1...])), forKey: "employees")
            #expect(employees[0].one("dept") == nil)
            #expect(employees[1].one("dept") === department)
            #expect(employees[2].one("dept") === department)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Department").texts("employees", "name") == ["b", "c"]) }
    }

    @Test("RE05: Taking over the other half of a one-to-one leaves its former half alone and dirty", arguments: StoreKind.allCases)
    func oneToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.couple(), kind)
        try stack.seed { context in
            context.make("X", ["name": "x1", "y": context.make("Y", ["name": "y1"])])
            context.make("X", ["name": "x2"])
        }
        try stack.run { context in
            let (x1, x2) = (try context.named("x1", "X"), try context.named("x2", "X"))
            let y1 = try context.only("Y")
            x2.setValue(y1, forKey: "y")
            #expect(y1.one("x") === x2)
            #expect(x1.one("y") == nil)
            #expect(x1.isUpdated)
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.named("x1", "X").one("y") == nil)
            try #require(try context.only("Y").one("x")?.text("name") == "x2")
        }
    }

    @Test("RE06: An unset to-many is empty, never nil", arguments: StoreKind.allCases)
    func unsetToMany(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { #expect(($0.make("Department").value(forKey: "employees") as? NSSet)?.count == 0) }
        try Stack(Models.ordered(), kind).run { #expect(($0.make("Playlist").value(forKey: "songs") as? NSOrderedSet)?.count == 0) }
    }

    @Test("RE07: A many-to-many is read and changed from both sides over reopening", arguments: StoreKind.allCases)
    func manyToMany(kind: StoreKind) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.seed { context in
            let (red, blue) = (context.make("Tag", ["name": "red"]), context.make("Tag", ["name": "blue"]))
            context.make("Item", ["name": "pen", "tags": NSSet(array: [red, blue])])
            context.make("Item", ["name": "book", "tags": NSSet(array: [red])])
        }
        let second = try stack.reopened()
        try second.run { context in
            let pen = try context.named("pen", "Item")
            #expect(pen.texts("tags", "name") == ["blue", "red"])
            let red = try context.named("red", "Tag")
            #expect(red.texts("items", "name") == ["book", "pen"])
            pen.mutableSetValue(forKey: "tags").remove(red)
            #expect(red.texts("items", "name") == ["book"])
            try context.save()
        }
        try second.reopened().run { context in
            try #require(try context.named("pen", "Item").texts("tags", "name") == ["blue"])
            try #require(try context.named("red", "Tag").texts("items", "name") == ["book"])
        }
    }

    @Test("RE08: A saved to-one and its to-many resolve after reopening", arguments: StoreKind.allCases)
    func toOneReopened(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Alice", "dept": context.make("Department", ["name": "Sales"])])
        }
        try stack.reopened().run { context in
            let employee = try context.only("Employee")
            #expect(employee.one("dept")?.text("name") == "Sales")
            #expect(employee.one("dept")?.many("employees") == [employee])
        }
    }

    @Test("RE09: A to-many that was never loaded includes a change of the other side after the save", arguments: StoreKind.allCases)
    func inverseFault(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Bob", "dept": context.make("Department", ["name": "Sales"])])
            context.make("Employee", ["name": "Alice"])
        }
        try stack.run { context in
            let department = try context.only("Department")
            try context.named("Alice", "Employee").setValue(department, forKey: "dept")
            try context.save()
            #expect(department.texts("employees", "name") == ["Alice", "Bob"])
        }
        // The other way: taken away while the to-many is a fault, read before and after the save.
        for readsBefore in [true, false] {
            let again = try stack.reopened()
            try again.run { context in
                let department = try context.only("Department")
                try context.named("Alice", "Employee").setValue(readsBefore ? nil : department, forKey: "dept")
                if readsBefore { #expect(department.texts("employees", "name") == ["Bob"]) }
                try context.save()
                #expect(department.texts("employees", "name") == (readsBefore ? ["Bob"] : ["Alice", "Bob"]))
            }
        }
    }

    @Test("RE03 RE09: A former owner that was never fetched keeps its other members", arguments: StoreKind.allCases, [true, false])
    func formerOwner(kind: StoreKind, isSaved: Bool) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let one = context.make("Department", ["name": "one"])
            for name in ["a", "b", "c"] { context.make("Employee", ["name": name, "dept": one]) }
            context.make("Department", ["name": "two"])
        }
        try stack.run { context in
            let moved = try context.named("b", "Employee")
            let former = try #require(moved.one("dept"))
            moved.setValue(context.make("Department", ["name": "three"]), forKey: "dept")
            if isSaved { try context.save() }
            #expect(former.texts("employees", "name") == ["a", "c"])
            #expect(former.text("name") == "one")
            former.mutableSetValue(forKey: "employees").add(context.make("Employee", ["name": "d"]))
            #expect(former.texts("employees", "name") == ["a", "c", "d"])
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.named("one", "Department").texts("employees", "name") == ["a", "c", "d"])
            try #require(try context.named("three", "Department").texts("employees", "name") == ["b"])
        }
    }

    @Test("RE11: mutableSetValue for a key that is no to-many stops the program")
    func mutableSetOfAnAttribute() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Employee").mutableSetValue(forKey: "nope").add(1) }
        }
        #expect(unknown.raised("NSInvalidArgumentException") || unknown.raised("NSUnknownKeyException"))
        let attribute = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Employee").mutableSetValue(forKey: "name").add(1) }
        }
        #expect(attribute.raised("NSInvalidArgumentException"))
        let toOne = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Stack(Models.office()).run { $0.make("Employee").mutableSetValue(forKey: "dept").add($0.make("Department")) }
        }
        #expect(toOne.raised("NSInvalidArgumentException"))
    }

    @Test("RE12: An ordered to-many keeps its order and a change of it over reopening", arguments: StoreKind.allCases)
    func order(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            let songs = ["a", "b", "c"].map { context.make("Song", ["name": $0]) }
            context.make("Playlist", ["name": "mine", "songs": NSOrderedSet(array: songs)])
        }
        let second = try stack.reopened()
        try second.run { context in
            let playlist = try context.only("Playlist")
            #expect(playlist.ordered("songs", "name") == ["a", "b", "c"])
            playlist.mutableOrderedSetValue(forKey: "songs").moveObjects(at: IndexSet(integer: 2), to: 0)
            #expect(playlist.ordered("songs", "name") == ["c", "a", "b"])
            try context.save()
        }
        try second.reopened().run { context in
            try #require(try context.only("Playlist").ordered("songs", "name") == ["c", "a", "b"])
            try #require(try context.all("Song").allSatisfy { $0.one("playlist")?.text("name") == "mine" })
        }
    }

    @Test("An ordered to-many sorts by descriptors in place, and the order is kept", arguments: StoreKind.allCases)
    func sortedInPlace(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.run { context in
            let songs = ["b", "c", "a"].map { context.make("Song", ["name": $0]) }
            let playlist = context.make("Playlist", ["songs": NSOrderedSet(array: songs)])
            try context.save()
            playlist.mutableOrderedSetValue(forKey: "songs").sort(using: [NSSortDescriptor(key: "name", ascending: true)])
            #expect(playlist.ordered("songs", "name") == ["a", "b", "c"] && playlist.hasChanges)
            try context.save()
        }
        try stack.reopened().run { context in
            let playlist = try context.only("Playlist")
            #expect(playlist.ordered("songs", "name") == ["a", "b", "c"])
        }
    }

    @Test("An object made without a context joins that of what it is connected to, from either side", arguments: StoreKind.allCases)
    func outsider(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.run { context in
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Song", in: context))
            let playlist = context.make("Playlist")
            let first = NSManagedObject(entity: entity, insertInto: nil), second = NSManagedObject(entity: entity, insertInto: nil)
            first.setValue(playlist, forKey: "playlist")
            playlist.mutableOrderedSetValue(forKey: "songs").add(second)
            #expect(first.managedObjectContext === context && second.managedObjectContext === context)
            #expect((playlist.value(forKey: "songs") as? NSOrderedSet)?.array as? [NSManagedObject] == [first, second])
            try context.save()
        }
        try stack.reopened().run { context in
            let count = try context.count(for: context.request("Song", NSPredicate(format: "playlist != nil")))
            #expect(count == 2)
        }
    }

    @Test("RE13: An ordered to-many has no duplicates", arguments: StoreKind.allCases)
    func noDuplicates(kind: StoreKind) throws {
        try Stack(Models.ordered(), kind).run { context in
            let songs = ["a", "b"].map { context.make("Song", ["name": $0]) }
            let playlist = context.make("Playlist", ["songs": NSOrderedSet(array: songs)])
            playlist.mutableOrderedSetValue(forKey: "songs").add(songs[0])
            #expect(playlist.ordered("songs", "name") == ["a", "b"])
            playlist.mutableOrderedSetValue(forKey: "songs").insert(songs[1], at: 0)
            #expect(playlist.ordered("songs", "name") == ["a", "b"])
            songs[0].setValue(playlist, forKey: "playlist")
            #expect(playlist.ordered("songs", "name") == ["a", "b"])
        }
    }

    @Test("RE14: A deleted object leaves an ordered to-many", arguments: StoreKind.allCases)
    func deletedMember(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.run { context in
            let songs = ["a", "b"].map { context.make("Song", ["name": $0]) }
            let playlist = context.make("Playlist", ["songs": NSOrderedSet(array: songs)])
            try context.save()
            context.delete(songs[1])
            try context.save()
            #expect(playlist.ordered("songs", "name") == ["a"])
        }
        try stack.reopened().run { try #require(try $0.only("Playlist").ordered("songs", "name") == ["a"]) }
    }

    @Test("RE10: A relationship without inverse is not maintained, and what it leads to may be gone", arguments: StoreKind.allCases)
    func withoutInverse(kind: StoreKind) throws {
        let (note, page) = (NSEntityDescription("Note"), NSEntityDescription("Page", NSAttributeDescription("name", .stringAttributeType)))
        note.properties = [End.one("page").property(to: page)]
        let stack = try Stack(model(note, page), kind)
        try stack.seed { context in context.make("Note", ["page": context.make("Page", ["name": "one"])]) }
        try stack.run { context in
            let note = try context.only("Note")
            #expect(note.one("page")?.text("name") == "one")
            context.delete(try context.only("Page"))
            try context.save()
            context.refresh(note, mergeChanges: false)
            #expect(note.one("page")?.value(forKey: "name") == nil)
        }
    }

    @Test("RE15: A fetched property is evaluated once and again after its owner is refreshed", arguments: StoreKind.allCases)
    func fetchedProperty(kind: StoreKind) throws {
        let person = NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType))
        let letter = NSEntityDescription("Letter", NSAttributeDescription("recipient", .stringAttributeType))
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = letter
        request.predicate = NSPredicate(format: "recipient == $FETCH_SOURCE.name")
        let letters = NSFetchedPropertyDescription()
        letters.name = "letters"
        letters.fetchRequest = request
        person.properties += [letters]
        let stack = try Stack(model(person, letter), kind)
        try stack.seed { context in
            context.make("Person", ["name": "Alice"])
            context.make("Letter", ["recipient": "Alice"])
            context.make("Letter", ["recipient": "Bob"])
        }
        try stack.run { context in
            let person = try context.only("Person")
            func count() -> Int? { (person.value(forKey: "letters") as? NSArray)?.count ?? (person.value(forKey: "letters") as? [Any])?.count }
            #expect(count() == 1)
            context.make("Letter", ["recipient": "Alice"])
            try context.save()
            #expect(count() == 1)
            context.refresh(person, mergeChanges: false)
            #expect(count() == 2)
        }
    }
}
