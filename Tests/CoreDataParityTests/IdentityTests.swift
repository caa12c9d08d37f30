import CoreData
import Testing

@Suite("Object identity and lookup")
struct IdentityTests {
    @Test("ID01: A new object has a temporary ID and is no fault", arguments: StoreKind.allCases)
    func temporaryID(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let object = context.make("Employee")
            #expect(object.objectID.isTemporaryID)
            #expect(object.isInserted)
            #expect(!object.isFault)
        }
    }

    @Test("ID02: Saving gives the same instance another, permanent ID", arguments: StoreKind.allCases)
    func permanentID(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let object = context.make("Employee")
            let before = object.objectID
            try context.save()
            #expect(!object.objectID.isTemporaryID)
            #expect(before.isTemporaryID)
            #expect(object.objectID != before)
            #expect(context.registeredObject(for: object.objectID) === object)
        }
    }

    @Test("ID03: obtainPermanentIDs gives the ID that the save keeps", arguments: StoreKind.allCases)
    func obtainedID(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let department = context.make("Department", ["name": "Sales"])
            let object = context.make("Employee", ["name": "Alice", "dept": department])
            let temporary = object.objectID
            try context.obtainPermanentIDs(for: [object, department])
            let permanent = object.objectID
            #expect(!permanent.isTemporaryID)
            #expect(permanent != temporary)
            #expect(object.isInserted)
            try context.save()
            #expect(object.objectID == permanent)
            let again = try stack.reopened()
            try again.run { try #require(try $0.only("Employee").one("dept")?.text("name") == "Sales") }
        }
    }

    @Test("ID04: The URI of a saved object names store, entity and key; that of an unsaved one has no store")
    func uri() throws {
        let stack = try Stack(Models.office())
        let uuid = try #require(stack.coordinator.metadata(for: stack.store)[NSStoreUUIDKey] as? String)
        try stack.run { context in
            let object = context.make("Employee")
            let temporary = object.objectID.uriRepresentation()
            #expect(temporary.absoluteString.hasPrefix("x-coredata:///Employee/t"))
            #expect(temporary.lastPathComponent.dropFirst().prefix { $0.isHexDigit || $0 == "-" }.count >= 36)
            #expect(temporary != context.make("Department").objectID.uriRepresentation())
            try context.save()
            let url = object.objectID.uriRepresentation()
            #expect(url.absoluteString.hasPrefix("x-coredata://\(uuid)/Employee/p"))
            #expect(Int(url.lastPathComponent.dropFirst()) != nil)
        }
    }

    @Test("ID05: A URI kept as text leads another stack on the file to the same ID")
    func uriRoundTrip() throws {
        let stack = try Stack(Models.office())
        let saved = try stack.seed { $0.make("Employee", ["name": "Alice"]) }
        let text = saved.objectID.uriRepresentation().absoluteString
        let again = try stack.reopened()
        let url = try #require(URL(string: text))
        let found = try #require(again.coordinator.managedObjectID(forURIRepresentation: url))
        #expect(found == saved.objectID)
        #expect(found.entity.name == "Employee")
        try again.run { try #require(try $0.existingObject(with: found).text("name") == "Alice") }
    }

    @Test("ID06: A URI of a store that is not attached gives no ID")
    func foreignURI() throws {
        let stack = try Stack(Models.office())
        let url = try #require(URL(string: "x-coredata://\(UUID().uuidString)/Employee/p1"))
        #expect(stack.coordinator.managedObjectID(forURIRepresentation: url) == nil)
    }

    @Test("ID07: existingObject finds an unsaved object of the context", arguments: StoreKind.allCases)
    func existingUnsaved(kind: StoreKind) throws {
        try Stack(Models.office(), kind).run { context in
            let object = context.make("Employee")
            try #require(try context.existingObject(with: object.objectID) === object)
        }
    }

    @Test("ID08: existingObject gives a realised object to a stack that never saw it", arguments: StoreKind.allCases)
    func existingSaved(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        let again = try stack.reopened()
        try again.run { context in
            let known = try #require(again.coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation()))
            let object = try context.existingObject(with: known)
            #expect(!object.isFault)
            #expect(object.text("name") == "Alice")
        }
    }

    @Test("ID09: existingObject throws 133000 for a deleted row", arguments: StoreKind.allCases)
    func existingDeleted(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        try stack.seed { $0.delete(try $0.only("Employee")) }
        let again = try stack.reopened()
        try again.run { context in
            let known = try #require(again.coordinator.managedObjectID(forURIRepresentation: identifier.uriRepresentation()))
            let error = try failure { _ = try context.existingObject(with: known) }
            #expect(error.isCocoa)
            #expect(error.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("ID10: object(with:) gives a fault for an ID without row", arguments: StoreKind.allCases)
    func objectWithoutRow(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        try stack.seed { $0.delete(try $0.only("Employee")) }
        try stack.run { context in
            let object = context.object(with: identifier)
            #expect(object.isFault)
            #expect(object.objectID == identifier)
            #expect(object.value(forKey: "name") == nil)
        }
    }

    @Test("ID11: registeredObject reads nothing from the store", arguments: StoreKind.allCases)
    func registeredObject(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        try stack.run { context in
            #expect(context.registeredObject(for: identifier) == nil)
            let object = try context.only("Employee")
            #expect(context.registeredObject(for: identifier) === object)
        }
    }

    @Test("ID12: A temporary ID means nothing in a sibling context", arguments: StoreKind.allCases)
    func temporaryIDElsewhere(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let other = stack.newContext()
        try stack.run { context in
            let identifier = context.make("Employee").objectID
            let error = try other.performAndWait { try failure { _ = try other.existingObject(with: identifier) } }
            #expect(error.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("ID13: A permanent ID without a row means nothing in a sibling context", arguments: StoreKind.allCases)
    func obtainedIDElsewhere(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let other = stack.newContext()
        try stack.run { context in
            let object = context.make("Employee")
            try context.obtainPermanentIDs(for: [object])
            let identifier = object.objectID
            let error = try other.performAndWait { try failure { _ = try other.existingObject(with: identifier) } }
            #expect(error.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("ID14: Without a store there are no permanent IDs")
    func noStore() throws {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        try context.performAndWait {
            let object = context.make("Employee")
            _ = try failure { try context.obtainPermanentIDs(for: [object]) }
            #expect(object.objectID.isTemporaryID)
        }
    }

    @Test("ID15: A child's save announces temporary IDs", arguments: StoreKind.allCases)
    func childSaveIDs(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let child = stack.newChild(of: stack.context)
        let saves = Recorder(NSManagedObjectContext.didSaveObjectIDsNotification, of: child)
        try child.run { _ in
            child.make("Employee", ["name": "Alice"])
            child.make("Employee", ["name": "Bob"])
            try child.save()
        }
        #expect(saves.notes.count == 1)
        let identifiers = saves.notes.first?.objectIDs(.insertedObjectIDs) ?? []
        #expect(identifiers.count == 2)
        #expect(identifiers.allSatisfy { $0.isTemporaryID })
    }

    @Test("ID16: A root's save announces permanent IDs", arguments: StoreKind.allCases)
    func rootSaveIDs(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let saves = Recorder(NSManagedObjectContext.didSaveObjectIDsNotification, of: stack.context)
        try stack.run { context in
            context.make("Employee", ["name": "Alice"])
            context.make("Employee", ["name": "Bob"])
            try context.save()
        }
        let identifiers = saves.notes.first?.objectIDs(.insertedObjectIDs) ?? []
        #expect(identifiers.count == 2)
        #expect(identifiers.allSatisfy { !$0.isTemporaryID })
    }

    @Test("ID17: SELF IN takes object IDs", arguments: StoreKind.allCases)
    func selfInIDs(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifiers = try stack.seed { context in
            ["a", "b", "c"].map { context.make("Employee", ["name": $0]) }
        }.map(\.objectID)
        try stack.run { context in
            let predicate = NSPredicate(format: "SELF IN %@", Array(identifiers.prefix(2)))
            try #require(try context.names("Employee", predicate) == ["a", "b"])
            let set = NSPredicate(format: "SELF IN %@", NSSet(array: Array(identifiers.suffix(2))))
            try #require(try context.names("Employee", set) == ["b", "c"])
            try #require(try context.names("Employee", NSPredicate(format: "SELF == %@", identifiers[2])) == ["c"])
            try #require(try context.names("Employee", NSPredicate(format: "self != %@", identifiers[2])) == ["a", "b"])
        }
    }

    @Test("ID17: Object IDs stand for objects on the right of relationships", arguments: StoreKind.allCases)
    func relationshipIDs(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let departments = try stack.seed { context in
            ["x", "y", "z"].map { name in
                let department = context.make("Department", ["name": name])
                context.make("Employee", ["name": "of \(name)", "dept": department])
                return department
            }
        }.map(\.objectID)
        try stack.run { context in
            try #require(try context.names("Employee", NSPredicate(format: "dept == %@", departments[0])) == ["of x"])
            let two = NSPredicate(format: "dept IN %@", Array(departments.prefix(2)))
            try #require(try context.names("Employee", two) == ["of x", "of y"])
            let member = try context.named("of z", "Employee").objectID
            try #require(try context.names("Department", NSPredicate(format: "employees CONTAINS %@", member)) == ["z"])
            try #require(try context.names("Department", NSPredicate(format: "ANY employees == %@", member)) == ["z"])
        }
    }

    @Test("ID05: An ID first asked for after the context's end, or after a saved deletion, still names its store", arguments: StoreKind.allCases)
    func lateID(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let uuid = try #require(stack.coordinator.metadata(for: stack.store)[NSStoreUUIDKey] as? String)
        let (kept, deleted) = try stack.seed { context in
            let pair = (context.make("Employee", ["name": "kept"]), context.make("Employee", ["name": "deleted"]))
            try context.save()
            context.delete(pair.1)
            return pair
        }
        #expect(kept.managedObjectContext == nil)
        for object in [kept, deleted] {
            #expect(object.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata://\(uuid)/Employee/p"))
        }
    }
}
