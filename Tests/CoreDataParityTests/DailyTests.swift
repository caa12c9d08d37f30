import CoreData
import Testing

@Suite("Daily behaviours")
struct DailyTests {
    @Test("DD02: A container describes one migrating SQLite store in its default folder")
    func containerDefaults() throws {
        let container = NSPersistentContainer(name: "Parity", managedObjectModel: Models.office())
        #expect(container.persistentStoreDescriptions.count == 1)
        let description = try #require(container.persistentStoreDescriptions.first)
        #expect(description.type == NSSQLiteStoreType)
        #expect(description.url?.lastPathComponent == "Parity.sqlite")
        #expect(description.url?.deletingLastPathComponent().path == NSPersistentContainer.defaultDirectoryURL().path)
        #expect(description.shouldMigrateStoreAutomatically)
        #expect(description.shouldInferMappingModelAutomatically)
        #expect(!description.shouldAddStoreAsynchronously)
        #expect(container.viewContext.concurrencyType == .mainQueueConcurrencyType)
        #expect(container.viewContext.undoManager == nil)
        #expect(container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        let background = container.newBackgroundContext()
        #expect(background.concurrencyType == .privateQueueConcurrencyType)
        #expect(background.parent == nil)
        #expect(background.persistentStoreCoordinator === container.persistentStoreCoordinator)
    }

    @Test("DD02: Loading stores is synchronous and reports once for each description")
    func loadingStores() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Parity", managedObjectModel: Models.office())
        let memory = NSPersistentStoreDescription()
        memory.type = NSInMemoryStoreType
        let file = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("Parity.sqlite"))
        container.persistentStoreDescriptions = [file, memory]
        var reports: [(NSPersistentStoreDescription, (any Error)?)] = []
        container.loadPersistentStores { reports.append(($0, $1)) }
        #expect(reports.map(\.0) == [file, memory])
        #expect(reports.allSatisfy { $0.1 == nil })
        #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
    }

    @Test("DD02: A store that cannot be opened is reported, not ignored")
    func unloadableStore() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Parity", managedObjectModel: Models.office())
        let missing = folder.url.appendingPathComponent("missing/folder/Parity.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: missing)]
        var errors: [(any Error)?] = []
        container.loadPersistentStores { errors.append($1) }
        #expect(errors.count == 1)
        #expect(errors.first.flatMap { $0 } != nil)
    }

    @Test("DD02: Two containers on one model, and two models with the same names, do not disturb one another")
    func severalContainers() throws {
        let shared = Models.office()
        let containers = try [shared, shared, Models.office()].map { model in
            let container = NSPersistentContainer(name: "Parity", managedObjectModel: model)
            let description = NSPersistentStoreDescription()
            description.type = NSInMemoryStoreType
            container.persistentStoreDescriptions = [description]
            var problem: (any Error)?
            container.loadPersistentStores { problem = $1 }
            if let problem { throw problem }
            return container
        }
        for (number, container) in containers.enumerated() {
            let context = container.newBackgroundContext()
            try context.run { context in
                for _ in 0...number { context.make("Employee", ["name": "\(number)"]) }
                try context.save()
            }
        }
        for (number, container) in containers.enumerated() {
            let context = container.newBackgroundContext()
            try context.run { context in
                try #require(try context.count("Employee") == number + 1)
                try #require(try context.all("Employee").allSatisfy { $0.text("name") == "\(number)" })
            }
        }
    }

    // MARK: Canonically equivalent texts

    private let composed = "Caf\u{E9}"
    private let decomposed = "Cafe\u{301}"

    @Test("DD03: Going from one form of a text to the other is an edit", arguments: StoreKind.allCases)
    func editOfTheForm(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": composed]) }
        try stack.run { context in
            let object = try context.only("Employee")
            object.setValue(decomposed, forKey: "name")
            #expect(object.changedValues().count == 1)
            #expect(object.hasPersistentChangedValues)
            try context.save()
        }
        try stack.reopened().run { context in
            let name = try context.only("Employee").text("name") ?? ""
            #expect(Array(name.unicodeScalars) == Array(decomposed.unicodeScalars))
        }
    }

    @Test("DD03: Equality and order tell the forms apart, saved or pending", arguments: StoreKind.allCases, [true, false])
    func predicatesAndOrder(kind: StoreKind, isSaved: Bool) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            for (index, name) in [composed, decomposed].enumerated() { context.make("Employee", ["name": name, "salary": index]) }
            if isSaved { try context.save() }
            for (index, name) in [composed, decomposed].enumerated() {
                let found = try context.all("Employee", NSPredicate(format: "name == %@", name))
                #expect(found.map { $0.number("salary") } == [index])
            }
            // By code units: "e" sorts before "é".
            #expect(try context.all("Employee", by: "name").map { $0.number("salary") } == [1, 0])
        }
    }

    @Test("DD03: Both forms may stand in a unique attribute", arguments: StoreKind.allCases)
    func uniqueForms(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            context.make("Label", ["text": composed])
            context.make("Label", ["text": decomposed])
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.count("Label") == 2) }
    }

    // MARK: Objects beyond their context

    @Test("DD08: An object that outlives its context keeps its values and has no context", arguments: StoreKind.allCases)
    func outliving(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice", "dept": $0.make("Department", ["name": "Sales"])]) }
        var context: NSManagedObjectContext? = stack.newContext()
        let object = try #require(try context?.run { context in
            let object = try context.only("Employee")
            _ = object.text("name")
            return object
        })
        weak let gone = context
        context = nil
        #expect(eventually { gone == nil })
        #expect(object.managedObjectContext == nil)
        #expect(object.text("name") == "Alice")
        #expect(object.objectID.entity.name == "Employee")
        #expect(!object.hasChanges)
    }

    @Test("DD08: A fault that outlives its context is inaccessible: it reads nil", arguments: StoreKind.allCases)
    func outlivingFault(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice", "salary": 3]) }
        var context: NSManagedObjectContext? = stack.newContext()
        let object = try #require(try context?.run { try $0.only("Employee") })
        context = nil
        #expect(object.managedObjectContext == nil)
        #expect(object.value(forKey: "name") == nil)
        #expect(object.number("salary") ?? 0 == 0)
        #expect(object.one("dept") == nil)
        #expect(!object.isDeleted)
    }

    @Test("DD08: … or stops the program, when its context wanted that")
    func outlivingFaultRaises() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Models.office())
            try stack.seed { $0.make("Employee", ["name": "Alice"]) }
            var context: NSManagedObjectContext? = stack.newContext()
            context?.shouldDeleteInaccessibleFaults = false
            let object = try context?.run { try $0.only("Employee") }
            context = nil
            _ = object?.value(forKey: "name")
        }
        #expect(exit.raised("NSObjectInaccessibleException"))
    }

    // MARK: Unique values

    @Test("DD11: A save may delete a unique value and insert it again", arguments: StoreKind.allCases)
    func replacingAUniqueValue(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "old"]) }
        try stack.run { context in
            context.delete(try context.only("Product"))
            context.make("Product", ["code": 1, "name": "new"])
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.names("Product") == ["new"]) }
    }

    @Test("DD11: A save may swap two unique values", arguments: StoreKind.allCases)
    func swappingUniqueValues(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { context in for code in 1...2 { context.make("Product", ["code": code, "name": "\(code)"]) } }
        try stack.run { context in
            let products = try context.all("Product")
            products[0].setValue(2, forKey: "code")
            products[1].setValue(1, forKey: "code")
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.all("Product").map { $0.number("code") } == [2, 1])
        }
    }

    // MARK: More

    /// Two contexts know an empty department; the other one's child is saved first.
    private func twoParents(_ kind: StoreKind, _ body: (Stack, NSManagedObjectContext) throws -> Void) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Department", ["name": "Sales"]) }
        let other = stack.newContext()
        try stack.run { context in
            let department = try context.only("Department")
            #expect(department.many("employees").isEmpty)
            try other.performAndWait {
                other.make("Employee", ["name": "Bob", "dept": try other.only("Department")])
                try other.save()
            }
            context.make("Employee", ["name": "Alice", "dept": department])
            try body(stack, context)
        }
    }

    @Test("DD01: Two contexts each add a child to one parent, and no child is lost", arguments: StoreKind.allCases, [
        NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType,
    ])
    func childrenFromTwoContexts(kind: StoreKind, policy: NSMergePolicyType) throws {
        try twoParents(kind) { stack, context in
            context.mergePolicy = NSMergePolicy(merge: policy)
            try context.save()
            #expect(try context.only("Department").texts("employees", "name") == ["Alice", "Bob"])
            try stack.reopened().run { try #require(try $0.only("Department").texts("employees", "name") == ["Alice", "Bob"]) }
        }
    }

    @Test("DD01: The error policy refuses the second save: the parent's row has moved", arguments: StoreKind.allCases)
    func childrenFromTwoContextsRefused(kind: StoreKind) throws {
        try twoParents(kind) { stack, context in
            let error = try failure { try context.save() }
            #expect(error.code == NSManagedObjectMergeError)
            let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.map { $0.sourceObject.entity.name } == ["Department"])
            #expect(context.insertedObjects.count == 1)
            try stack.reopened().run { try #require(try $0.only("Department").texts("employees", "name") == ["Bob"]) }
        }
    }

    @Test("DD14: Store trump and object trump are what ME03 and ME04 say, not what NSMergePolicyType's page once said")
    func trumps() {
        #expect(NSMergePolicyType.mergeByPropertyStoreTrumpMergePolicyType.rawValue == 1)
        #expect(NSMergePolicyType.mergeByPropertyObjectTrumpMergePolicyType.rawValue == 2)
        let types = [NSMergePolicy.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback].map(\.mergeType)
        #expect(types.map(\.rawValue) == [0, 1, 2, 3, 4])
    }

    @Test("DD15: Codes of staged migration and of invalid URIs")
    func lateCodes() {
        #expect(NSManagedObjectModelReferenceNotFoundError == 134_504)
        #expect(NSStagedMigrationFrameworkVersionMismatchError == 134_505)
        #expect(NSStagedMigrationBackwardMigrationError == 134_506)
        #expect(NSValidationInvalidURIError == 1690)
    }

    @Test("DD03: An upsert tells the forms apart", arguments: StoreKind.allCases)
    func upsertOfForms(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Label", ["text": composed]) }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            for text in [composed, decomposed] { context.make("Label", ["text": text]) }
            try context.save()
        }
        try stack.reopened().run { context in
            let texts = try context.all("Label", by: "text").compactMap { $0.text("text").map { Array($0.unicodeScalars) } }
            #expect(texts == [decomposed, composed].map { Array($0.unicodeScalars) })
        }
    }

    @Test("DD06: A required to-many without a minimum may be empty", arguments: StoreKind.allCases)
    func requiredToManyWithoutMinimum(kind: StoreKind) throws {
        try Stack(Models.rules(), kind).run { context in
            context.make("Team", ["starters": NSSet(object: context.make("Player"))])
            try context.save()
        }
    }

    @Test("DD07: Membership of a to-many, both ways round, finds each owner once", arguments: StoreKind.allCases)
    func membership(kind: StoreKind) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.seed { context in
            let (red, blue) = (context.make("Tag", ["name": "red"]), context.make("Tag", ["name": "blue"]))
            context.make("Item", ["name": "pen", "tags": NSSet(array: [red, blue])])
            context.make("Item", ["name": "book", "tags": NSSet(array: [blue])])
            context.make("Item", ["name": "bare"])
        }
        try stack.run { context in
            let red = try context.named("red", "Tag")
            for predicate in [
                NSPredicate(format: "tags CONTAINS %@", red), NSPredicate(format: "%@ IN tags", red),
                NSPredicate(format: "tags.name CONTAINS %@", "red"),
            ] { #expect(try context.names("Item", predicate) == ["pen"]) }
        }
    }

    @Test("DD07: A nil test over an absent to-one includes the owners without one", arguments: StoreKind.allCases)
    func nilOverAbsentToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "named", "dept": context.make("Department", ["name": "Sales"])])
            context.make("Employee", ["name": "nameless", "dept": context.make("Department")])
            context.make("Employee", ["name": "free"])
        }
        try stack.run { try #require(try $0.names("Employee", NSPredicate(format: "dept.name == nil")) == ["free", "nameless"]) }
    }

    @Test("DD09: An object made without a context has its defaults and is inserted later with its values", arguments: StoreKind.allCases)
    func detachedObject(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Product", in: context))
            let object = NSManagedObject(entity: entity, insertInto: nil)
            #expect(object.managedObjectContext == nil)
            #expect(object.number("stock") == 5)
            object.setValue("detached", forKey: "name")
            object.setValue(6, forKey: "stock")
            context.insert(object)
            #expect(object.isInserted)
            try context.save()
        }
        try stack.reopened().run { context in
            let object = try context.only("Product")
            #expect(object.text("name") == "detached")
            #expect(object.number("stock") == 6)
        }
    }

    @Test("DD12: An edit of a row deleted elsewhere is never lost silently", arguments: StoreKind.allCases)
    func editOfADeletedRow(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice"]) }
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let object = try context.only("Employee")
            _ = object.text("name")
            try stack.seed { $0.delete(try $0.only("Employee")) }
            object.setValue("mine", forKey: "name")
            do {
                try context.save()
                #expect(try stack.reopened().run { try $0.names("Employee") } == ["mine"])
            } catch {
                #expect((error as NSError).code == NSManagedObjectMergeError)
                #expect(context.hasChanges)
            }
        }
    }

    @Test("DD13: A save merged automatically is announced once, and objects nobody holds stay out", arguments: StoreKind.allCases)
    func oneNoteForAMerge(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in for number in 0..<1000 { context.make("Employee", ["name": "\(number)"]) } }
        stack.context.automaticallyMergesChangesFromParent = true
        let held = try stack.run { context in
            let object = try context.named("7", "Employee")
            _ = object.text("name")
            return object
        }
        _ = try stack.run { $0.registeredObjects.count }
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: stack.context)
        try stack.seed { context in for object in try context.all("Employee") { object.setValue(1, forKey: "salary") } }
        #expect(eventually { !changes.notes.isEmpty })
        #expect(changes.notes.count == 1)
        #expect(changes.objects(NSRefreshedObjectsKey) == [held])
        #expect(try stack.run { $0.registeredObjects.count } == 1)
    }
}
