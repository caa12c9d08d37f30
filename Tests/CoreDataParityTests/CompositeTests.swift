import CoreData
import Testing

@Suite("Composite attributes")
struct CompositeTests {
    private static func composite(_ name: String, _ elements: NSAttributeDescription...) -> NSCompositeAttributeDescription {
        let attribute = NSCompositeAttributeDescription()
        attribute.name = name
        attribute.isOptional = true
        attribute.elements = elements
        return attribute
    }

    /// People with an address, which has a place.
    private static func people() -> NSManagedObjectModel {
        let place = composite("place", NSAttributeDescription("latitude", .doubleAttributeType), NSAttributeDescription("longitude", .doubleAttributeType))
        let address = composite(
            "address", NSAttributeDescription("street", .stringAttributeType), NSAttributeDescription("city", .stringAttributeType),
            NSAttributeDescription("number", .integer16AttributeType), NSAttributeDescription("since", .dateAttributeType), place)
        return model(NSEntityDescription("Person", NSAttributeDescription("name", .stringAttributeType), address))
    }

    private let bonn: [String: Any] = ["street": "Main", "city": "Bonn", "number": 5, "place": ["latitude": 50.7, "longitude": 7.1]]

    @Test("The value is a dictionary; elements that are nil are absent, a whole that is nil is nil", arguments: StoreKind.allCases)
    func dictionary(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.seed { context in
            context.make("Person", ["name": "a", "address": bonn])
            context.make("Person", ["name": "b", "address": ["city": "Köln"]])
            context.make("Person", ["name": "c"])
        }
        try stack.reopened().run { context in
            let a = try context.named("a", "Person"), b = try context.named("b", "Person"), c = try context.named("c", "Person")
            let address = try #require(a.value(forKey: "address") as? [String: Any])
            #expect(address["street"] as? String == "Main")
            #expect((address["number"] as? NSNumber)?.intValue == 5)
            #expect((address["place"] as? [String: Any])?["latitude"] as? Double == 50.7)
            #expect(address["since"] == nil)
            #expect(a.value(forKeyPath: "address.city") as? String == "Bonn")
            #expect(a.value(forKeyPath: "address.place.longitude") as? Double == 7.1)
            #expect((b.value(forKey: "address") as? [String: Any])?.count == 1)
            #expect(b.value(forKeyPath: "address.street") == nil)
            #expect(c.value(forKey: "address") == nil)
            #expect(c.value(forKeyPath: "address.place.latitude") == nil)
        }
    }

    @Test("Several stores that answer are sorted together by an element, within an element and behind a to-one too")
    func sortedOverStores() throws {
        let stack = try Stack(Self.people(), .memory)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let places: [(String, [String: Any]?)] = [
            ("a", ["city": "Ulm", "place": ["latitude": 3.0]]), ("b", ["city": "Bonn", "place": ["latitude": 4.0]]),
            ("c", ["city": "Köln", "place": ["latitude": 1.0]]), ("d", nil), ("e", ["city": "Aachen", "place": ["latitude": 2.0]]),
        ]
        try stack.seed { context in
            for (index, (name, address)) in places.enumerated() {
                let person = context.make("Person", ["name": name])
                person.setValue(address, forKey: "address")
                context.assign(person, to: index % 2 == 0 ? stack.store : second)
            }
        }
        try stack.reopened().run { context in
            for (key, expected) in [("address.city", "debca"), ("address.place.latitude", "dceab")] {
                let request = context.request("Person", nil, by: key)
                let all = try context.fetch(request).compactMap { $0.text("name") }.joined()
                request.fetchLimit = 2
                let first = try context.fetch(request).compactMap { $0.text("name") }.joined()
                request.sortDescriptors = [NSSortDescriptor(key: key, ascending: false)]
                request.fetchOffset = 1
                let last = try context.fetch(request).compactMap { $0.text("name") }.joined()
                #expect(all == expected && first == String(expected.prefix(2)) && last == String(String(expected.reversed()).dropFirst().prefix(2)))
            }
        }
    }

    @Test("Elements are set by key path, in an address that was nil too, and are saved", arguments: StoreKind.allCases)
    func keyPaths(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.seed { context in
            let a = context.make("Person", ["name": "a", "address": bonn]), b = context.make("Person", ["name": "b"])
            a.setValue("Ulm", forKeyPath: "address.city")
            a.setValue(nil, forKeyPath: "address.street")
            b.setValue(1.5, forKeyPath: "address.place.latitude")
        }
        let second = try stack.reopened()
        try second.run { context in
            let a = try context.named("a", "Person"), b = try context.named("b", "Person")
            #expect(a.value(forKeyPath: "address.city") as? String == "Ulm")
            #expect(a.value(forKeyPath: "address.street") == nil)
            #expect((a.value(forKeyPath: "address.number") as? NSNumber)?.intValue == 5)
            #expect((b.value(forKeyPath: "address.place") as? [String: Any])?.count == 1)
            #expect(!a.hasChanges)
            a.setValue("Ulm", forKeyPath: "address.city")
            #expect(!a.hasPersistentChangedValues)
            a.setValue("Jena", forKeyPath: "address.city")
            #expect(Array(a.changedValues().keys) == ["address"])
            #expect((a.committedValues(forKeys: ["address"])["address"] as? [String: Any])?["city"] as? String == "Ulm")
            context.refresh(a, mergeChanges: false)
            #expect(a.value(forKeyPath: "address.city") as? String == "Ulm")
            b.setValue(nil, forKey: "address")
            try context.save()
        }
        try second.reopened().run { try #require(try $0.named("b", "Person").value(forKey: "address") == nil) }
    }

    @Test("Predicates and sorts go through elements, in the store and over unsaved objects", arguments: StoreKind.allCases)
    func fetching(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.seed { context in
            context.make("Person", ["name": "a", "address": bonn])
            context.make("Person", ["name": "b", "address": ["city": "Aachen", "place": ["latitude": 10.0]]])
            context.make("Person", ["name": "c"])
        }
        try stack.reopened().run { context in
            for unsaved in [false, true] {
                if unsaved { for person in try context.all("Person") { person.setValue(person.text("name")?.uppercased(), forKey: "name") } }
                func names(_ format: String) throws -> [String] {
                    try context.names("Person", NSPredicate(format: format)).map { $0.lowercased() }
                }
                try #require(try names("address.city == 'Bonn'") == ["a"])
                try #require(try names("address.place.latitude > 20") == ["a"])
                try #require(try names("address.city BEGINSWITH[c] 'A'") == ["b"])
                try #require(try names("address.city == nil") == ["c"])
                try #require(try names("address.place.longitude == nil") == ["b", "c"])
                let sorted = try context.all("Person", by: "address.city")
                #expect(sorted.map { $0.text("name")?.lowercased() } == ["c", "b", "a"])
                let request = context.request("Person", nil)
                request.sortDescriptors = [NSSortDescriptor(key: "address.place.latitude", ascending: false)]
                let found = try context.fetch(request)
                #expect(found.map { $0.text("name")?.lowercased() } == ["a", "b", "c"])
            }
            context.rollback()
            let person = try context.named("a", "Person")
            #expect(NSPredicate(format: "address.city == 'Bonn' AND address.place.latitude > 50").evaluate(with: person))
            #expect(!NSPredicate(format: "address.city == 'Ulm'").evaluate(with: person))
        }
    }

    @Test("Dictionary fetches give elements by key path", arguments: StoreKind.allCases)
    func dictionaryResults(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.seed { $0.make("Person", ["name": "a", "address": bonn]) }
        try stack.run { context in
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["name", "address.city"]
            let rows = try context.fetch(request)
            #expect(rows.first?["address.city"] as? String == "Bonn")
        }
    }

    @Test("Undo takes an element back; a child's edit reaches the parent", arguments: StoreKind.allCases)
    func undoAndChildren(kind: StoreKind) throws {
        let stack = try Stack(Self.people(), kind)
        try stack.run { context in
            let person = context.make("Person", ["name": "a", "address": bonn])
            try context.save()
            context.undoManager = UndoManager()
            person.setValue("Ulm", forKeyPath: "address.city")
            context.processPendingChanges()
            context.undo()
            #expect(person.value(forKeyPath: "address.city") as? String == "Bonn")
            context.redo()
            #expect(person.value(forKeyPath: "address.city") as? String == "Ulm")
            let child = stack.newChild(of: context)
            let id = person.objectID
            try child.run { child in
                let mine = try #require(try child.existingObject(with: id) as NSManagedObject?)
                #expect(mine.value(forKeyPath: "address.city") as? String == "Ulm")
                mine.setValue("Wien", forKeyPath: "address.city")
                mine.setValue(7, forKeyPath: "address.number")
                try child.save()
            }
            #expect(person.value(forKeyPath: "address.city") as? String == "Wien")
            try context.save()
        }
        try stack.reopened().run { context in
            let number = try context.only("Person").value(forKeyPath: "address.number") as? NSNumber
            #expect(number?.intValue == 7)
        }
    }

    @Test("Elements have defaults and are validated", arguments: StoreKind.allCases)
    func defaultsAndValidation(kind: StoreKind) throws {
        let size = Self.composite(
            "size", NSAttributeDescription("unit", .stringAttributeType, optional: false, default: "cm"),
            NSAttributeDescription("width", .integer32AttributeType).validated(("SELF > 0", NSValidationNumberTooSmallError)))
        let stack = try Stack(model(NSEntityDescription("Box", NSAttributeDescription("name", .stringAttributeType), size)), kind)
        try stack.run { context in
            let box = context.make("Box", ["name": "a"])
            #expect(box.value(forKeyPath: "size.unit") as? String == "cm")
            box.setValue(-1, forKeyPath: "size.width")
            let error = try failure { try context.save() }
            #expect(error.code == NSValidationNumberTooSmallError && error.key == "size.width")
            box.setValue(3, forKeyPath: "size.width")
            box.setValue(nil, forKeyPath: "size.unit")
            let missing = try failure { try context.save() }
            #expect(missing.code == NSValidationMissingMandatoryPropertyError && missing.key == "size.unit")
            box.setValue("mm", forKeyPath: "size.unit")
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.only("Box").value(forKeyPath: "size.unit") as? String == "mm") }
    }
}
