import CoreData
import Testing

/// Public reports about objects, relationships, identity and validation (BUGS.md), each with what its user had a right to.
@Suite("Reported bugs: objects")
struct ObjectBugTests {
    // MARK: Rows that are gone

    @Test("B02: After no action, the other side of the relationship reads nil and never crashes", arguments: StoreKind.allCases)
    func noAction(kind: StoreKind) throws {
        let stack = try menu(.noActionDeleteRule, kind)
        try stack.run { context in
            context.delete(try context.only("Menu"))
            try context.save()
        }
        for stack in [stack, try stack.reopened()] {
            let fresh = stack.newContext()
            try fresh.run { context in
                let item = try context.only("Item")
                #expect(item.text("name") == "soup")
                #expect(item.value(forKeyPath: "menu.name") == nil)
            }
        }
    }

    @Test("B02: … and with nullify the item has no menu", arguments: StoreKind.allCases)
    func nullified(kind: StoreKind) throws {
        let stack = try menu(.nullifyDeleteRule, kind)
        try stack.run { context in
            context.delete(try context.only("Menu"))
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Item").one("menu") == nil) }
    }

    private func menu(_ rule: NSDeleteRule, _ kind: StoreKind) throws -> Stack {
        let menu = NSEntityDescription("Menu", NSAttributeDescription("name", .stringAttributeType))
        let item = NSEntityDescription("Item", NSAttributeDescription("name", .stringAttributeType))
        relate(menu, .many("items", rule), item, .one("menu"))
        let stack = try Stack(model(menu, item), kind)
        try stack.seed { context in
            context.make("Item", ["name": "soup", "menu": context.make("Menu", ["name": "lunch"])])
        }
        return stack
    }

    @Test("B03: object(with:) of a deleted row gives a fault that reads nil; existingObject throws 133000", arguments: StoreKind.allCases)
    func deletedElsewhere(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let identifier = try stack.seed { $0.make("Employee", ["name": "Alice"]) }.objectID
        try stack.seed { $0.delete(try $0.only("Employee")) }
        for isReadFirst in [true, false] {
            try stack.newContext().run { context in
                let object = context.object(with: identifier)
                #expect(object.isFault)
                if isReadFirst { #expect(object.value(forKey: "name") == nil) }
                let error = try failure { _ = try context.existingObject(with: identifier) }
                #expect(error.isCocoa && error.code == NSManagedObjectReferentialIntegrityError)
                #expect(object.value(forKey: "name") == nil)
            }
        }
    }

    @Test("B04: Children another context's cascade deleted read nil, and are gone after the merge", arguments: StoreKind.allCases)
    func cascadedAway(kind: StoreKind) throws {
        let book = NSEntityDescription("Book", NSAttributeDescription("name", .stringAttributeType))
        let chapter = NSEntityDescription("Chapter", NSAttributeDescription("name", .stringAttributeType))
        let page = NSEntityDescription("Page", NSAttributeDescription("text", .stringAttributeType))
        relate(book, .many("chapters", .cascadeDeleteRule), chapter, .one("book"))
        relate(chapter, .many("pages", .cascadeDeleteRule), page, .one("chapter"))
        let stack = try Stack(model(book, chapter, page), kind)
        try stack.seed { context in
            let book = context.make("Book", ["name": "b"])
            for number in 0..<3 {
                let chapter = context.make("Chapter", ["name": "\(number)", "book": book])
                for _ in 0..<3 { context.make("Page", ["text": "old", "chapter": chapter]) }
            }
        }
        let other = stack.newContext()
        let saves = Recorder(.NSManagedObjectContextDidSave, of: other)
        try stack.run { context in
            let pages = try context.fetch(context.request("Page"))
            #expect(pages.count == 9 && pages.allSatisfy { $0.isFault })
            try other.run { other in
                let book = try other.only("Book")
                let old = book.many("chapters")
                book.setValue(NSSet(object: other.make("Chapter", ["name": "new"])), forKey: "chapters")
                for chapter in old { other.delete(chapter) }
                try other.save()
            }
            for page in pages {
                #expect(page.value(forKey: "text") == nil)
                #expect(page.isDeleted)
            }
            context.mergeChanges(fromContextDidSave: try #require(saves.notes.first))
            #expect(try context.count("Page") == 0)
            #expect(try context.names("Chapter") == ["new"])
            try context.save()
        }
    }

    // MARK: Versions and identity

    @Test("B06: Insert, save, then edit after edit: no conflict with oneself, one version a save", arguments: StoreKind.allCases)
    func laterEdits(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let object = context.make("Employee", ["name": "0"])
            try context.save()
            for number in 1...5 {
                object.setValue("\(number)", forKey: "name")
                try context.save()
            }
            // A context that read version 6 sees exactly one more after one more save.
            let other = stack.newContext()
            let rival = try other.performAndWait { () throws -> NSManagedObject in
                let rival = try other.only("Employee")
                #expect(rival.text("name") == "5")
                return rival
            }
            object.setValue("6", forKey: "name")
            try context.save()
            let error = try other.run { other in
                rival.setValue("x", forKey: "name")
                return try failure { try other.save() }
            }
            let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
            #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
        }
    }

    @Test("B08: An object saved to the parent only is not found by the sibling; after the root's save it is", arguments: StoreKind.allCases)
    func temporaryInASibling(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let root = stack.context
        let (child, sibling) = (stack.newChild(of: root), stack.newContext())
        let object = try child.run { child in
            let object = child.make("Employee", ["name": "Alice"])
            try child.save()
            return object
        }
        let before = child.performAndWait { object.objectID }
        #expect(before.isTemporaryID)
        #expect(try sibling.run { sibling in try failure { _ = try sibling.existingObject(with: before) } }.code == 133000)
        try root.run { try $0.save() }
        let after = try child.run { child in
            try child.obtainPermanentIDs(for: [object])
            return object.objectID
        }
        #expect(!after.isTemporaryID)
        #expect(try sibling.run { try $0.existingObject(with: after).text("name") } == "Alice")
        #expect(try child.run { try $0.existingObject(with: after) === object })
    }

    @Test("B10: Without a store permanent IDs are refused; with one added later they are given", arguments: StoreKind.allCases)
    func storeAddedLater(kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            let object = context.make("Employee", ["name": "Alice"])
            let temporary = object.objectID
            #expect(try failure { try context.obtainPermanentIDs(for: [object]) }.isCocoa)
            #expect(object.objectID == temporary)
            #expect(object.isInserted && context.hasChanges)
            let url = kind == .sqlite ? folder.url.appendingPathComponent("Late.sqlite") : nil
            try coordinator.addPersistentStore(ofType: kind.type, configurationName: nil, at: url)
            try context.obtainPermanentIDs(for: [object])
            #expect(!object.objectID.isTemporaryID)
            let permanent = object.objectID
            try context.save()
            #expect(object.objectID == permanent)
            #expect(try context.names("Employee") == ["Alice"])
        }
    }

    // MARK: Ordered relationships

    @Test("B13: Adding to an ordered to-many and inserting at its start", arguments: StoreKind.allCases)
    func orderedAccessors(kind: StoreKind) throws {
        let stack = try images(kind)
        try stack.run { context in
            let event = context.make("Event")
            let (first, second) = (context.make("Image", ["name": "1"]), context.make("Image", ["name": "2"]))
            event.mutableOrderedSetValue(forKey: "images").add(first)
            #expect(event.ordered("images", "name") == ["1"])
            #expect(first.one("event") === event)
            event.mutableOrderedSetValue(forKey: "images").insert(second, at: 0)
            #expect(event.ordered("images", "name") == ["2", "1"])
            #expect(second.one("event") === event)
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Event").ordered("images", "name") == ["2", "1"]) }
    }

    @Test("B14: The order of an ordered to-many outlives restarts", arguments: StoreKind.allCases)
    func orderAfterRestart(kind: StoreKind) throws {
        let stack = try images(kind)
        try stack.seed { context in
            let images = ["c", "a", "b"].map { context.make("Image", ["name": $0]) }
            context.make("Event", ["images": NSOrderedSet(array: images)])
        }
        let second = try stack.reopened()
        try second.run { context in
            let event = try context.only("Event")
            #expect(event.ordered("images", "name") == ["c", "a", "b"])
            event.mutableOrderedSetValue(forKey: "images").moveObjects(at: IndexSet(integer: 1), to: 0)
            try context.save()
            #expect(event.ordered("images", "name") == ["a", "c", "b"])
        }
        try second.reopened().run { try #require(try $0.only("Event").ordered("images", "name") == ["a", "c", "b"]) }
    }

    private func images(_ kind: StoreKind) throws -> Stack {
        let (event, image) = (NSEntityDescription("Event"), NSEntityDescription("Image", NSAttributeDescription("name", .stringAttributeType)))
        relate(event, .many("images", ordered: true), image, .one("event"))
        return try Stack(model(event, image), kind)
    }

    // MARK: Deleting

    @Test("B16: Deleting a parent takes children along that were never loaded", arguments: StoreKind.allCases)
    func unloadedChildren(kind: StoreKind) throws {
        let user = NSEntityDescription("User", NSAttributeDescription("name", .stringAttributeType))
        let post = NSEntityDescription("Post", NSAttributeDescription("name", .stringAttributeType))
        relate(user, .many("posts", .cascadeDeleteRule), post, .one("user"))
        let stack = try Stack(model(user, post), kind)
        try stack.seed { context in
            for number in 0..<3 {
                let user = context.make("User", ["name": "u\(number)"])
                for _ in 0..<10 { context.make("Post", ["name": "of u\(number)", "user": user]) }
            }
        }
        let second = try stack.reopened()
        try second.run { context in
            let user = try context.fetch(context.request("User", NSPredicate(format: "name == 'u1'"))).first
            context.delete(try #require(user))
            try context.save()
        }
        try second.reopened().run { context in
            try #require(try context.names("User") == ["u0", "u2"])
            try #require(try context.count("Post") == 20)
            try #require(try context.names("Post").contains("of u1") == false)
        }
    }

    // MARK: Validation and hooks

    @Test("B30: A guarded stamp in willSave lets a merge policy's retry end with one row, stamped once by either object", arguments: StoreKind.allCases)
    func stampAndMergePolicy(kind: StoreKind) throws {
        let stack = try notes(Stamping.self, kind)
        try stack.run { context in
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            let twin = try #require(context.make("Note", ["unique": 1, "nickname": "new"]) as? Stamping)
            try context.save()
            #expect(twin.stamps == 1)
            #expect(!context.hasChanges)
            #expect(try context.count("Note") == 1)
        }
        try stack.reopened().run { context in
            let note = try context.only("Note")
            try #require(note.text("nickname") == "new")
            // The stored row had the value that the new object was stamped with; its own willSave makes it 2.
            try #require(note.number("updatedAt") == 2)
        }
    }

    @Test("A primitive value that willSave sets is saved with the object", arguments: StoreKind.allCases)
    func primitiveStamp(kind: StoreKind) throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Stamped"
        entity.properties = ["name", "stamp"].map { NSAttributeDescription($0, .stringAttributeType, optional: true) }
        entity.managedObjectClassName = NSStringFromClass(PrimitiveStamp.self)
        model.entities = [entity]
        let stack = try Stack(model, kind)
        try stack.seed { context in context.make("Stamped", ["name": "a"]) }
        try stack.run { context in
            let object = try context.only("Stamped")
            object.setPrimitiveValue("quiet", forKey: "stamp")
            #expect(!context.hasChanges && !object.hasChanges)
            object.setValue("b", forKey: "name")
            try context.save()
            #expect(object.value(forKey: "stamp") as? String == "saved" && !object.hasChanges)
        }
        try stack.reopened().run { context in
            let stored = try context.only("Stamped")
            #expect(stored.value(forKey: "stamp") as? String == "saved")
        }
    }

    @Test("B30: A willSave that changes its object every time is an error, not an endless loop", arguments: StoreKind.allCases)
    func unguardedStamp(kind: StoreKind) throws {
        let stack = try notes(Restless.self, kind, seeded: false)
        try stack.run { context in
            let note = context.make("Note", ["unique": 1])
            let error = try failure { try context.save() }
            #expect(error.isCocoa)
            #expect(note.isInserted && context.hasChanges)
            context.rollback()
        }
        try stack.reopened().run { try #require(try $0.count("Note") == 0) }
    }

    private func notes(_ noteClass: AnyClass, _ kind: StoreKind, seeded: Bool = true) throws -> Stack {
        let note = NSEntityDescription(
            "Note", of: noteClass, NSAttributeDescription("unique", .integer64AttributeType),
            NSAttributeDescription("nickname", .stringAttributeType), NSAttributeDescription("updatedAt", .integer64AttributeType))
        note.uniquenessConstraints = [["unique"]]
        let stack = try Stack(model(note), kind)
        if seeded { try stack.seed { $0.make("Note", ["unique": 1, "nickname": "old"]) } }
        return stack
    }

    @Test("B31: A required relationship is missed, not punished: 1570 first, then the save succeeds", arguments: StoreKind.allCases)
    func linkedLater(kind: StoreKind) throws {
        let (parent, child) = (NSEntityDescription("Parent"), NSEntityDescription("Child", NSAttributeDescription("name", .stringAttributeType)))
        relate(parent, .many("children"), child, .one("parent", optional: false))
        let stack = try Stack(model(parent, child), kind)
        try stack.run { context in
            let child = context.make("Child", ["name": "c"])
            for _ in 0..<2 {
                let error = try failure { try child.validateForInsert() }
                #expect(error.code == NSValidationMissingMandatoryPropertyError)
                #expect(error.key == "parent")
                #expect(child.isInserted && !child.isDeleted && child.text("name") == "c")
                #expect(child.managedObjectContext === context)
            }
            child.setValue(context.make("Parent"), forKey: "parent")
            try child.validateForInsert()
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Child").one("parent") != nil) }
    }

    @Test("B32: Several pending objects with a stored unique value: one row with object-trump, 133021 without", arguments: StoreKind.allCases)
    func pendingTwins(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "stored"]) }
        try stack.newContext().run { context in
            let twins: Set = [context.make("Product", ["code": 1, "name": "second"]), context.make("Product", ["code": 1, "name": "third"])]
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == NSManagedObjectConstraintMergeError)
            let conflicts = try #require(error.userInfo["conflictList"] as? [NSConstraintConflict])
            #expect(Set(conflicts.flatMap(\.conflictingObjects)) == twins)
            #expect(context.insertedObjects == twins)
        }
        try stack.newContext().run { context in
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            context.make("Product", ["code": 1, "name": "second"])
            context.make("Product", ["code": 1, "name": "third"])
            try context.save()
            #expect(!context.hasChanges)
        }
        try stack.reopened().run { context in
            try #require(try context.names("Product").count == 1)
            try #require(try context.names("Product") != ["stored"])
        }
    }

    @Test("B33: Comparing without case or diacritics folds both sides", arguments: StoreKind.allCases)
    func caseInsensitive(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        let names = ["Pakistan", "PAKISTAN", "pakistan", "Pakistàn"]
        try stack.seed { context in for name in names { context.make("Employee", ["name": name]) } }
        try stack.run { context in
            let all = try context.all("Employee")
            for (format, count) in [("name ==[c] %@", 3), ("name ==[cd] %@", 4)] {
                for text in ["pakistan", "Pakistan", "PAKISTAN"] {
                    let predicate = NSPredicate(format: format, text)
                    #expect(try context.names("Employee", predicate).count == count)
                    #expect(all.filter { predicate.evaluate(with: $0) }.count == count)
                }
            }
        }
    }

    @Test("B35: Taking over a required one-to-one leaves the first order invalid; a to-many inverse lets both be saved",
          arguments: StoreKind.allCases, [true, false])
    func requiredOneToOne(kind: StoreKind, isToMany: Bool) throws {
        let order = NSEntityDescription("Order", NSAttributeDescription("name", .stringAttributeType))
        let customer = NSEntityDescription("Customer", NSAttributeDescription("name", .stringAttributeType))
        relate(order, .one("customer", optional: false), customer, isToMany ? .many("orders") : .one("order"))
        let stack = try Stack(model(order, customer), kind)
        try stack.run { context in
            let customer = context.make("Customer")
            let first = context.make("Order", ["name": "1", "customer": customer])
            try context.save()
            let second = context.make("Order", ["name": "2", "customer": customer])
            if isToMany {
                #expect(first.one("customer") === customer)
                return try context.save()
            }
            #expect(first.one("customer") == nil)
            #expect(first.isUpdated)
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationMissingMandatoryPropertyError)
            #expect(error.object === first)
            #expect(error.key == "customer")
            #expect(second.one("customer") === customer)
        }
        try stack.reopened().run { context in
            let orders = try context.all("Order")
            try #require(orders.compactMap { $0.text("name") } == (isToMany ? ["1", "2"] : ["1"]))
            try #require(orders.allSatisfy { $0.one("customer") != nil })
        }
    }
}

/// Raises `updatedAt` in every pass.
final class Restless: NSManagedObject {
    override func willSave() {
        super.willSave()
        setValue((number("updatedAt") ?? 0) + 1, forKey: "updatedAt")
    }
}

/// Stamps itself by primitive values, which make nothing dirty.
final class PrimitiveStamp: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("new", forKey: "stamp")
    }

    override func willSave() {
        super.willSave()
        if !isInserted, !isDeleted { setPrimitiveValue("saved", forKey: "stamp") }
    }
}
