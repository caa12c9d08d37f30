import CoreData
import Testing

/// What changed, what was committed, and what the did-change note says of it.
@Suite("Change tracking")
struct ChangeTrackingTests {
    // MARK: Values

    @Test("LC18 LC19: Changed relationships come as objects and sets that stay as they were", arguments: StoreKind.allCases)
    func changedRelationships(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let (sales, alice, bob) = (try context.named("Sales", "Department"), try context.named("Alice", "Employee"), try context.named("Bob", "Employee"))
            bob.setValue(sales, forKey: "dept")
            #expect(bob.changedValues().count == 1)
            #expect(bob.changedValues()["dept"] as? NSManagedObject === sales)
            let changed = try #require(sales.changedValues()["employees"] as? NSSet)
            #expect(changed == NSSet(array: [alice, bob]))
            #expect(bob.committedValues(forKeys: ["dept"])["dept"] is NSNull)
            #expect(sales.committedValues(forKeys: ["employees"])["employees"] as? NSSet == NSSet(object: alice))
            #expect(sales.hasPersistentChangedValues && bob.hasPersistentChangedValues && !alice.hasPersistentChangedValues)
            bob.setValue(nil, forKey: "dept")
            #expect(changed.count == 2)
            #expect(bob.changedValues().isEmpty && sales.changedValues().isEmpty)
            #expect(bob.isUpdated && sales.isUpdated && context.hasChanges)
            alice.setValue(nil, forKey: "dept")
            #expect(alice.changedValues()["dept"] is NSNull)
            #expect(alice.committedValues(forKeys: ["dept"])["dept"] as? NSManagedObject === sales)
            try context.save()
            #expect(alice.changedValues().isEmpty && sales.changedValues().isEmpty)
            #expect(sales.committedValues(forKeys: ["employees"])["employees"] as? NSSet == NSSet())
        }
    }

    @Test("LC20: What was put back as it was has not changed: attributes, to-ones, to-manys and their order", arguments: StoreKind.allCases)
    func putBack(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            context.make("Playlist", ["name": "p", "songs": NSOrderedSet(array: ["a", "b", "c", "d"].map { context.make("Song", ["name": $0]) })])
            context.make("Playlist", ["name": "q"])
        }
        try stack.run { context in
            let (playlist, other) = (try context.named("p", "Playlist"), try context.named("q", "Playlist"))
            let songs = playlist.mutableOrderedSetValue(forKey: "songs")
            let all = try #require(playlist.value(forKey: "songs") as? NSOrderedSet)
            func unchanged(_ location: SourceLocation = #_sourceLocation) throws {
                #expect(playlist.changedValues().isEmpty && !playlist.hasPersistentChangedValues, sourceLocation: location)
                #expect(playlist.hasChanges && context.hasChanges, sourceLocation: location)
                #expect(playlist.ordered("songs", "name") == ["a", "b", "c", "d"], sourceLocation: location)
                #expect(playlist.committedValues(forKeys: ["songs"])["songs"] as? NSOrderedSet == all, sourceLocation: location)
            }
            func changed(_ names: [String], _ location: SourceLocation = #_sourceLocation) {
                #expect(Array(playlist.changedValues().keys) == ["songs"] && playlist.hasPersistentChangedValues, sourceLocation: location)
                #expect(playlist.ordered("songs", "name") == names, sourceLocation: location)
            }
            songs.moveObjects(at: IndexSet(integer: 3), to: 0)
            changed(["d", "a", "b", "c"])
            songs.moveObjects(at: IndexSet(integer: 0), to: 3)
            try unchanged()
            songs.removeObject(at: 1)
            changed(["a", "c", "d"])
            songs.insert(all[1], at: 1)
            try unchanged()
            songs.removeObjects(at: IndexSet(0...1))
            songs.insert(all[1], at: 0)
            changed(["b", "c", "d"])
            songs.insert(all[0], at: 0)
            try unchanged()
            songs.removeAllObjects()
            changed([])
            playlist.setValue(all, forKey: "songs")
            try unchanged()
            // Through the other side, and by way of another owner: the member comes back last.
            (all[3] as? NSManagedObject)?.setValue(other, forKey: "playlist")
            changed(["a", "b", "c"])
            (all[3] as? NSManagedObject)?.setValue(playlist, forKey: "playlist")
            try unchanged()
            #expect(other.changedValues().isEmpty && (all[3] as? NSManagedObject)?.changedValues().isEmpty == true)
            songs.add(context.make("Song", ["name": "e"]))
            changed(["a", "b", "c", "d", "e"])
            songs.removeObject(at: 4)
            try unchanged()
            try context.save()
            #expect(!playlist.hasChanges && playlist.ordered("songs", "name") == ["a", "b", "c", "d"])
        }
        try stack.reopened().run { (context) throws in
            #expect(try context.named("p", "Playlist").ordered("songs", "name") == ["a", "b", "c", "d"])
        }
    }

    @Test("LC20: Put back in part, or back after a save, an order is written", arguments: StoreKind.allCases)
    func putBackInPart(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            context.make("Playlist", ["name": "p", "songs": NSOrderedSet(array: ["a", "b", "c"].map { context.make("Song", ["name": $0]) })])
        }
        for (move, names) in [((2, 0), ["c", "a", "b"]), ((0, 2), ["a", "b", "c"]), ((0, 1), ["b", "a", "c"])] {
            try stack.run { context in
                let playlist = try context.only("Playlist")
                let songs = playlist.mutableOrderedSetValue(forKey: "songs")
                songs.moveObjects(at: IndexSet(integer: 1), to: 0)
                songs.moveObjects(at: IndexSet(integer: 1), to: 0)
                #expect(!playlist.hasPersistentChangedValues)
                songs.moveObjects(at: IndexSet(integer: move.0), to: move.1)
                #expect(playlist.hasPersistentChangedValues)
                try context.save()
            }
            try stack.reopened().run { (context) throws in #expect(try context.only("Playlist").ordered("songs", "name") == names) }
        }
    }

    @Test("LC19: The committed value of an ordered to-many has the stored order", arguments: StoreKind.allCases)
    func committedOrder(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            context.make("Playlist", ["name": "p", "songs": NSOrderedSet(array: ["a", "b", "c", "d"].map { context.make("Song", ["name": $0]) })])
        }
        try stack.run { context in
            let playlist = try context.only("Playlist")
            func committed() -> [String] {
                (playlist.committedValues(forKeys: ["songs"])["songs"] as? NSOrderedSet)?.array
                    .compactMap { ($0 as? NSManagedObject)?.text("name") } ?? []
            }
            let songs = playlist.mutableOrderedSetValue(forKey: "songs")
            songs.moveObjects(at: IndexSet(integer: 3), to: 0)
            #expect(committed() == ["a", "b", "c", "d"])
            songs.removeObject(at: 1)
            songs.add(context.make("Song", ["name": "e"]))
            #expect(playlist.ordered("songs", "name") == ["d", "b", "c", "e"])
            #expect(committed() == ["a", "b", "c", "d"])
            let changed = try #require(playlist.changedValues()["songs"] as? NSOrderedSet)
            #expect(changed.array.compactMap { ($0 as? NSManagedObject)?.text("name") } == ["d", "b", "c", "e"])
            try context.save()
            #expect(committed() == ["d", "b", "c", "e"])
            #expect(playlist.changedValues().isEmpty)
            // Changed from the other side, while the to-many is a fault.
            context.refresh(playlist, mergeChanges: false)
            try context.named("b", "Song").setValue(nil, forKey: "playlist")
            #expect(playlist.ordered("songs", "name") == ["d", "c", "e"])
            #expect(committed() == ["d", "b", "c", "e"])
        }
    }

    @Test("LC18: changedValues of a new object has what was set, committedValues nothing", arguments: StoreKind.allCases)
    func newObject(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let department = context.make("Department", ["name": "d"])
            let employee = context.make("Employee", ["name": "e", "dept": department, "scratch": 7])
            #expect(Set(employee.changedValues().keys) == ["name", "dept"])
            #expect(department.changedValues()["employees"] as? NSSet == NSSet(object: employee))
            for (_, value) in employee.committedValues(forKeys: nil) { #expect(value is NSNull) }
            #expect(employee.hasPersistentChangedValues)
        }
    }

    @Test("LC19: committedValues without keys has every persistent attribute and to-one, nil as NSNull", arguments: StoreKind.allCases)
    func allCommittedValues(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let bob = try context.named("Bob", "Employee")
            bob.setValue("Robert", forKey: "name")
            bob.setValue(3, forKey: "scratch")
            let committed = bob.committedValues(forKeys: nil)
            #expect(committed["name"] as? String == "Bob")
            #expect(committed["dept"] is NSNull)
            #expect((committed["salary"] as? NSNumber)?.intValue == 10)
            #expect(committed["scratch"] == nil)
            #expect(bob.committedValues(forKeys: ["scratch"]).isEmpty)
            #expect(Set(bob.changedValues().keys) == ["name"])
        }
    }

    @Test("LC19: A deletion keeps the committed values; so does a failed save", arguments: StoreKind.allCases)
    func deletedObject(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let alice = try context.named("Alice", "Employee")
            alice.setValue("x", forKey: "name")
            context.delete(alice)
            context.processPendingChanges()
            #expect(alice.committedValues(forKeys: ["name"])["name"] as? String == "Alice")
        }
    }

    @Test("LC19: A value set back to what is stored is no change any more", arguments: StoreKind.allCases)
    func setBack(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let alice = try context.named("Alice", "Employee")
            alice.setValue("x", forKey: "name")
            #expect(alice.hasPersistentChangedValues)
            alice.setValue("Alice", forKey: "name")
            #expect(alice.changedValues().isEmpty && !alice.hasPersistentChangedValues)
            #expect(alice.isUpdated && context.updatedObjects == [alice])
            try context.save()
            #expect(!alice.isUpdated)
        }
    }

    @Test("LC19: changedValuesForCurrentEvent has the values before the event", arguments: StoreKind.allCases)
    func currentEvent(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let (sales, alice) = (try context.named("Sales", "Department"), try context.named("Alice", "Employee"))
            #expect(alice.changedValuesForCurrentEvent().isEmpty)
            alice.setValue("1", forKey: "name")
            alice.setValue("2", forKey: "name")
            #expect(alice.changedValuesForCurrentEvent()["name"] as? String == "Alice")
            context.processPendingChanges()
            #expect(alice.changedValuesForCurrentEvent().isEmpty)
            alice.setValue("3", forKey: "name")
            alice.setValue(nil, forKey: "dept")
            #expect(Set(alice.changedValuesForCurrentEvent().keys) == ["name", "dept"])
            #expect(alice.changedValuesForCurrentEvent()["name"] as? String == "2")
            #expect(alice.changedValuesForCurrentEvent()["dept"] as? NSManagedObject === sales)
            #expect(alice.changedValues()["name"] as? String == "3")
            #expect(sales.changedValuesForCurrentEvent()["employees"] as? NSSet == NSSet(object: alice))
        }
    }

    @Test("LC19: An observer of the did-change note may still ask what the event changed", arguments: StoreKind.allCases)
    func eventOfANote(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let (sales, alice) = (try context.named("Sales", "Department"), try context.named("Alice", "Employee"))
            let seen = Seen()
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { note in
                for object in note.objects(NSUpdatedObjectsKey) {
                    for (key, value) in object.changedValuesForCurrentEvent() { seen.values["\(object.entity.name ?? "").\(key)"] = "\(value)" }
                }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            alice.setValue("1", forKey: "name")
            context.processPendingChanges()
            #expect(seen.values == ["Employee.name": "Alice"])
            seen.values = [:]
            alice.setValue("2", forKey: "name")
            alice.setValue(nil, forKey: "dept")
            context.processPendingChanges()
            #expect(seen.values["Employee.name"] == "1")
            #expect(Set(seen.values.keys) == ["Employee.name", "Employee.dept", "Department.employees"])
            #expect(alice.changedValuesForCurrentEvent().isEmpty && sales.changedValuesForCurrentEvent().isEmpty)
        }
    }

    @Test("LC19: The event's value of an ordered to-many has the order before it", arguments: StoreKind.allCases)
    func eventOrder(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.run { context in
            let songs = ["a", "b", "c"].map { context.make("Song", ["name": $0]) }
            let playlist = context.make("Playlist", ["songs": NSOrderedSet(array: songs)])
            try context.save()
            func before() -> [String]? {
                (playlist.changedValuesForCurrentEvent()["songs"] as? NSOrderedSet)?.array.compactMap { ($0 as? NSManagedObject)?.text("name") }
            }
            playlist.mutableOrderedSetValue(forKey: "songs").moveObjects(at: IndexSet(integer: 2), to: 0)
            #expect(before() == ["a", "b", "c"])
            context.processPendingChanges()
            #expect(before() == nil)
            songs[0].setValue(nil, forKey: "playlist")
            playlist.mutableOrderedSetValue(forKey: "songs").add(context.make("Song", ["name": "d"]))
            #expect(before() == ["c", "a", "b"])
            #expect(playlist.ordered("songs", "name") == ["c", "b", "d"])
        }
    }

    // MARK: The did-change note

    @Test("LC13 LC22: The did-change note lists each object once, under what became of it", arguments: StoreKind.allCases)
    func didChange(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let notes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
            func next() -> [String: Set<NSManagedObject>] {
                context.processPendingChanges()
                defer { notes.clear() }
                var result: [String: Set<NSManagedObject>] = [:]
                for key in [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey] {
                    let objects = notes.objects(key)
                    if !objects.isEmpty { result[key] = objects }
                }
                #expect(notes.notes.count <= 1)
                return result
            }
            let (sales, alice, bob) = (try context.named("Sales", "Department"), try context.named("Alice", "Employee"), try context.named("Bob", "Employee"))
            #expect(next().isEmpty)
            // Inserted and changed in one event: inserted only.
            let carol = context.make("Employee", ["name": "Carol"])
            carol.setValue(1, forKey: "salary")
            #expect(next() == [NSInsertedObjectsKey: [carol]])
            // Changed in a later event: updated, though still unsaved.
            carol.setValue(2, forKey: "salary")
            #expect(next() == [NSUpdatedObjectsKey: [carol]])
            // Both ends of a relationship.
            carol.setValue(sales, forKey: "dept")
            #expect(next() == [NSUpdatedObjectsKey: [carol, sales]])
            // Changed and deleted in one event: deleted; the other end is updated.
            alice.setValue("x", forKey: "name")
            context.delete(alice)
            #expect(next() == [NSDeletedObjectsKey: [alice], NSUpdatedObjectsKey: [sales]])
            // An unsaved object deleted in a later event.
            context.delete(carol)
            #expect(next() == [NSDeletedObjectsKey: [carol], NSUpdatedObjectsKey: [sales]])
            context.refresh(bob, mergeChanges: true)
            #expect(next() == [NSRefreshedObjectsKey: [bob]])
            try context.save()
            #expect(next().isEmpty)
            bob.setValue("y", forKey: "name")
            #expect(next() == [NSUpdatedObjectsKey: [bob]])
            context.rollback()
            #expect(next() == [NSRefreshedObjectsKey: [bob]])
        }
    }

    // MARK: Rollback

    @Test("LC14: rollback asks no store: a row changed or deleted meanwhile does not show", arguments: StoreKind.allCases, [true, false])
    func rollbackKeepsCommitted(kind: StoreKind, isDeletedMeanwhile: Bool) throws {
        let stack = try office(kind)
        try stack.run { context in
            let alice = try context.named("Alice", "Employee")
            alice.setValue("mine", forKey: "name")
            try stack.seed { other in
                let theirs = try other.named("Alice", "Employee")
                if isDeletedMeanwhile { other.delete(theirs) } else { theirs.setValue("theirs", forKey: "name") }
            }
            context.rollback()
            #expect(!context.hasChanges && !alice.hasChanges && alice.changedValues().isEmpty)
            #expect(alice.text("name") == "Alice")
            #expect(alice.one("dept")?.text("name") == "Sales")
        }
    }

    @Test("LC14: rollback puts relationships back, from both ends and through deletions", arguments: StoreKind.allCases)
    func rollbackOfRelationships(kind: StoreKind) throws {
        let stack = try office(kind)
        try stack.run { context in
            let (sales, alice, bob) = (try context.named("Sales", "Department"), try context.named("Alice", "Employee"), try context.named("Bob", "Employee"))
            #expect(sales.many("employees") == [alice])
            sales.setValue(NSSet(object: bob), forKey: "employees")
            context.delete(bob)
            context.processPendingChanges()
            context.delete(sales)
            context.rollback()
            #expect(sales.many("employees") == [alice])
            #expect(alice.one("dept") === sales && bob.one("dept") == nil)
            #expect([sales, alice, bob].allSatisfy { !$0.hasChanges && !$0.isDeleted && $0.managedObjectContext === context })
            #expect(try context.names("Employee") == ["Alice", "Bob"])
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.named("Sales", "Department").texts("employees", "name") == ["Alice"]) }
    }

    /// Sales with Alice; Bob without department.
    private func office(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Alice", "salary": 10, "dept": context.make("Department", ["name": "Sales"])])
            context.make("Employee", ["name": "Bob", "salary": 10])
        }
        return stack
    }
}

/// What an observer saw, on the one thread that posts.
private final class Seen: @unchecked Sendable {
    var values: [String: String] = [:]
}
