import CoreData
import Testing

/// What a context shows of an object it gave out before.
@Suite("Objects fetched again")
struct RefetchTests {
    /// A context that read an object and let it go, and a save beside it.
    private func changedBeside(_ stack: Stack, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try stack.seed { $0.make("Employee", ["name": "old"]) }
        try stack.run { context in
            let found1 = try context.only("Employee").text("name")
            #expect(found1 == "old")
            try stack.seed { try $0.only("Employee").setValue("new", forKey: "name") }
            try body(context)
        }
    }

    @Test("An object that nobody holds is made anew, with the store's values", arguments: StoreKind.allCases)
    func letGo(kind: StoreKind) throws {
        try changedBeside(Stack(Models.office(), kind)) { context in
            let name = try context.only("Employee").text("name")
            #expect(name == "new")
        }
    }

    @Test("So it is by its ID, and in a fetch of faults", arguments: StoreKind.allCases)
    func byIdentifier(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try changedBeside(stack) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.includesPropertyValues = false
            let found2 = try context.fetch(request).first?.text("name")
            #expect(found2 == "new")
        }
        try stack.run { context in
            let identifier = try context.only("Employee").objectID
            #expect(context.object(with: identifier).text("name") == "new")
            try stack.seed { try $0.only("Employee").setValue("newer", forKey: "name") }
            #expect(context.object(with: identifier).text("name") == "newer")
            try stack.seed { try $0.only("Employee").setValue("newest", forKey: "name") }
            let found3 = try context.existingObject(with: identifier).text("name")
            #expect(found3 == "newest")
        }
    }

    @Test("One that is held, or changed, or retained by its context stays what it was", arguments: StoreKind.allCases)
    func held(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "old"]) }
        try stack.run { context in
            let person = try context.only("Employee")
            #expect(person.text("name") == "old")
            try stack.seed { try $0.only("Employee").setValue("new", forKey: "name") }
            let found4 = try context.only("Employee")
            #expect(found4 === person)
            #expect(person.text("name") == "old")
        }
        try stack.run { context in
            try context.only("Employee").setValue("mine", forKey: "name")
            let found5 = try context.only("Employee").text("name")
            #expect(found5 == "mine")
            context.rollback()
        }
        try stack.run { context in
            context.retainsRegisteredObjects = true
            let found6 = try context.only("Employee").text("name")
            #expect(found6 == "new")
            try stack.seed { try $0.only("Employee").setValue("newer", forKey: "name") }
            let found7 = try context.only("Employee").text("name")
            #expect(found7 == "new")
        }
    }

    @Test("A child shows its parent's unsaved change of an object it had let go", arguments: StoreKind.allCases)
    func inChild(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "old"]) }
        try stack.run { context in
            try stack.newChild(of: context).run { child in
                let found8 = try child.only("Employee").text("name")
                #expect(found8 == "old")
                try context.only("Employee").setValue("new", forKey: "name")
                let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                request.predicate = NSPredicate(format: "name == 'new'")
                let found9 = try child.fetch(request).first?.text("name")
                #expect(found9 == "new")
            }
        }
    }
}
