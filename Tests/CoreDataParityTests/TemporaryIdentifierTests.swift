import CoreData
import Testing

@Suite("Temporary IDs after the save")
struct TemporaryIdentifierTests {
    @Test("The context that saved an object finds it by the ID it had before; others do not", arguments: StoreKind.allCases)
    func resolved(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let temporary = try stack.run { context in
            let person = context.make("Employee", ["name": "a"]), temporary = person.objectID
            try context.save()
            #expect(!person.objectID.isTemporaryID && person.objectID != temporary)
            #expect(context.registeredObject(for: temporary) === person)
            #expect(context.object(with: temporary) === person)
            let existing = try context.existingObject(with: temporary)
            #expect(existing === person)
            return temporary
        }
        // Nobody holds it: it is made again, as the saved object it is.
        try stack.run { context in
            context.reset()
            let again = context.object(with: temporary)
            #expect(!again.objectID.isTemporaryID && again.text("name") == "a")
        }
        try stack.newContext().run { context in
            let error = try failure { _ = try context.existingObject(with: temporary) }
            #expect(error.code == NSManagedObjectReferentialIntegrityError)
        }
    }

    @Test("The same after obtainPermanentIDs")
    func obtained() throws {
        try Stack(Models.office()).run { context in
            let person = context.make("Employee", ["name": "a"]), temporary = person.objectID
            try context.obtainPermanentIDs(for: [person])
            #expect(context.object(with: temporary) === person && context.registeredObject(for: temporary) === person)
        }
    }
}
