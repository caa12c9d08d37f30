import CoreData
import Testing

/// Oracle section BA, and the rows of other sections that batch requests decide.
@Suite("Batch requests")
struct BatchTests {
    static func office(_ kind: StoreKind, _ names: String...) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            for (index, name) in names.enumerated() { context.make("Employee", ["name": name, "salary": 10 * (index + 1)]) }
        }
        return stack
    }

    // MARK: Insert

    @Test("BA11: A batch insert that lacks a required value throws 1570 and inserts nothing", arguments: StoreKind.allCases)
    func insertRequired(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.run { context in
            let rows: [[String: Any]] = [["name": "A", "salary": 1], ["salary": 2]]
            let error = try failure { try context.execute(NSBatchInsertRequest(entityName: "Worker", objects: rows)) }
            #expect(error.isCocoa && error.code == NSValidationMissingMandatoryPropertyError && error.key == "name")
            let null = try failure { try context.execute(NSBatchInsertRequest(entityName: "Worker", objects: [["name": NSNull()]])) }
            #expect(null.code == NSValidationMissingMandatoryPropertyError)
            #expect(try context.count("Worker") == 0)
        }
    }

    @Test("BA12: Handlers are called until they answer true, and give exactly the rows before", arguments: StoreKind.allCases)
    func insertHandlers(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            var calls = 0
            let byName = NSBatchInsertRequest(entityName: "Employee", dictionaryHandler: { row in
                calls += 1
                guard calls < 4 else { return true }
                #expect(row.count == 0)
                row.addEntries(from: ["name": "d\(calls)", "salary": calls])
                return false
            })
            byName.resultType = .objectIDs
            let ids = try #require(try context.outcome(byName, as: [NSManagedObjectID].self))
            #expect(calls == 4)
            #expect(try ids.map { try context.existingObject(with: $0).text("name") } == ["d1", "d2", "d3"])
            let entity = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"])
            let byObject = NSBatchInsertRequest(entity: entity, managedObjectHandler: { object in
                calls += 1
                guard calls < 7 else { return true }
                #expect(object.text("name") == nil)
                object.setValue("o\(calls)", forKey: "name")
                return false
            })
            byObject.resultType = .count
            #expect(try context.outcome(byObject, as: Int.self) == 2)
            #expect(try context.names("Employee") == ["d1", "d2", "d3", "o5", "o6"])
            #expect(try context.all("Employee").map { $0.number("salary") } == [1, 2, 3, nil, nil])
        }
    }

    @Test("BA13: A batch insert with an unknown key names it and inserts nothing", arguments: StoreKind.allCases)
    func insertUnknownKey(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.run { context in
            let rows: [[String: Any]] = [["name": "A"], ["nmae": "B"]]
            let error = try failure { try context.execute(NSBatchInsertRequest(entityName: "Employee", objects: rows)) }
            #expect(error.isCocoa && error.localizedDescription.contains("nmae") && error.localizedDescription.contains("name"))
            #expect(try context.count("Employee") == 0)
            #expect(throws: (any Error).self) { try context.execute(NSBatchInsertRequest(entityName: "Employe", objects: [["name": "A"]])) }
        }
    }

    @Test("BA14, TY01: Rows of a batch insert have the defaults they do not give; an explicit null overrides one", arguments: StoreKind.allCases)
    func insertDefaults(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.run { context in
            try context.execute(NSBatchInsertRequest(entityName: "Person", objects: [["name": "A"], ["name": "B", "nickname": NSNull()]]))
            #expect(try context.all("Person").map { $0.text("nickname") } == ["buddy", nil])
        }
    }

    @Test("A batch insert takes a value of each attribute type and gives it back; a wrong type is named and nothing is inserted",
          arguments: StoreKind.allCases)
    func insertTypes(kind: StoreKind) throws {
        let stack = try Stack(Models.scalars(), kind)
        let uuid = UUID(), url = URL(string: "https://example.org/a?b")
        let values: [String: NSObject] = [
            "int16": NSNumber(value: -32768), "int32": NSNumber(value: Int32.max), "int64": NSNumber(value: Int64.min),
            "decimal": NSDecimalNumber(string: "3.33"), "double": NSNumber(value: 0.5), "float": NSNumber(value: Float(1.33)),
            "text": "Zoë" as NSString, "flag": NSNumber(value: true), "date": NSDate(timeIntervalSinceReferenceDate: 1000),
            "data": Data([0, 1, 255]) as NSData, "uuid": uuid as NSUUID,
        ]
        try stack.run { context in
            try context.execute(NSBatchInsertRequest(entityName: "Sample", objects: [[
                "int16": Int16.min, "int32": Int(Int32.max), "int64": Int64.min, "decimal": Decimal(string: "3.33") ?? 0, "double": 0.5,
                "float": Float(1.33), "text": "Zoë", "flag": true, "date": Date(timeIntervalSinceReferenceDate: 1000),
                "data": Data([0, 1, 255]), "uuid": uuid, "url": url as Any,
            ], values]))
            let samples = try context.fetch(context.request("Sample"))
            #expect(samples.count == 2)
            for sample in samples {
                for (key, value) in values { #expect(value.isEqual(sample.value(forKey: key)), "\(key)") }
            }
            #expect(Set(samples.map { $0.value(forKey: "url") as? URL }) == [url, nil])
            for (key, wrong) in ["int16": 40000, "int32": "7", "text": 7, "date": "today", "uuid": "x", "url": 1, "data": "d"] as [String: Any] {
                let rows: [[String: Any]] = [["text": "ok"], [key: wrong]]
                let error = try failure { try context.execute(NSBatchInsertRequest(entityName: "Sample", objects: rows)) }
                #expect(error.isCocoa && error.code == NSManagedObjectValidationError && error.key == key)
                #expect(error.localizedDescription.contains("Sample.\(key)"))
            }
            #expect(try context.count("Sample") == 2)
        }
    }

    @Test("Abstract entities take no rows, subentities do", arguments: StoreKind.allCases)
    func insertSubentity(kind: StoreKind) throws {
        let stack = try Stack(Models.families(), kind)
        try stack.run { context in
            #expect(throws: (any Error).self) { try context.execute(NSBatchInsertRequest(entityName: "Shape", objects: [["name": "s"]])) }
            try context.execute(NSBatchInsertRequest(entityName: "Circle", objects: [["name": "c", "radius": 2.5]]))
            try context.execute(NSBatchInsertRequest(entityName: "Person", objects: [["name": "p"]]))
            context.make("Manager", ["name": "m"])
            try context.save()
            let shape = try context.only("Shape")
            #expect(shape.entity.name == "Circle" && shape.value(forKey: "radius") as? Double == 2.5)
            #expect(try context.names("Person") == ["m", "p"])
        }
    }

    @Test("A batch insert sets a to-one by object ID", arguments: StoreKind.allCases)
    func insertToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.ordered(), kind)
        try stack.seed { context in
            let list = context.make("Playlist", ["name": "l"])
            list.setValue(NSOrderedSet(array: [context.make("Song", ["name": "z"])]), forKey: "songs")
        }
        try stack.run { context in
            let list = try context.only("Playlist")
            try context.execute(NSBatchInsertRequest(entityName: "Song", objects: ["y", "x"].map { ["name": $0, "playlist": list.objectID] }))
            #expect(list.ordered("songs", "name") == ["z", "y", "x"])
            let unsaved = context.make("Playlist")
            #expect(throws: (any Error).self) {
                try context.execute(NSBatchInsertRequest(entityName: "Song", objects: [["name": "w", "playlist": unsaved.objectID]]))
            }
        }
    }

    @Test("UC09: A batch insert with a unique value twice throws under the error policy, and inserts nothing", arguments: StoreKind.allCases)
    func insertDuplicates(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.run { context in
            let rows: [[String: Any]] = [["code": 1, "name": "A"], ["code": 2, "name": "B"], ["code": 1, "name": "C"]]
            let error = try failure { try context.execute(NSBatchInsertRequest(entityName: "Product", objects: rows)) }
            #expect(error.isCocoa && error.code == NSManagedObjectConstraintMergeError)
            #expect(try context.count("Product") == 0)
            context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
            let request = NSBatchInsertRequest(entityName: "Product", objects: rows)
            request.resultType = .count
            #expect(try context.outcome(request, as: Int.self) == 2)
            #expect(try context.names("Product") == ["A", "B"])
        }
    }

    @Test("UC10: Under object trump a batch insert updates the stored row in place: the given keys of a dictionary, everything of an object",
          arguments: StoreKind.allCases)
    func upsert(kind: StoreKind) throws {
        let stack = try Stack(Models.coded(), kind)
        try stack.seed { $0.make("Product", ["code": 1, "name": "old", "stock": 9]) }
        try stack.run { context in
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            let stored = try context.only("Product").objectID
            let request = NSBatchInsertRequest(entityName: "Product", objects: [["code": 1, "name": "new"], ["code": 2, "name": "second"]])
            request.resultType = .objectIDs
            let ids = try #require(try context.outcome(request, as: [NSManagedObjectID].self))
            #expect(ids.first == stored && ids.count == 2)
            context.reset()
            #expect(try context.all("Product").map { $0.text("name") } == ["new", "second"])
            #expect(try context.all("Product").map { $0.number("stock") } == [9, 5])
            var isDone = false
            try context.execute(NSBatchInsertRequest(entityName: "Product", managedObjectHandler: { object in
                defer { isDone = true }
                object.setValue(1, forKey: "code")
                return isDone
            }))
            context.reset()
            let first = try #require(try context.fetch(context.request("Product", NSPredicate(format: "code == 1"))).first)
            #expect(first.objectID == stored)
            #expect(first.text("name") == nil && first.number("stock") == 5)
            #expect(try context.count("Product") == 2)
        }
    }

    // MARK: Update

    @Test("BA01, FA09: A batch update changes the store and not the objects; the row cache answers until stalenessInterval says otherwise",
          arguments: StoreKind.allCases)
    func updateLeavesObjects(kind: StoreKind) throws {
        let stack = try Self.office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            #expect(object.text("name") == "Alice")
            let request = NSBatchUpdateRequest(entityName: "Employee")
            request.propertiesToUpdate = ["name": "Zoe"]
            try context.execute(request)
            #expect(object.text("name") == "Alice")
            context.refresh(object, mergeChanges: false)
            #expect(object.text("name") == "Alice")
            context.refreshAllObjects()
            #expect(object.text("name") == "Alice")
            context.stalenessInterval = 0
            context.refresh(object, mergeChanges: false)
            #expect(object.text("name") == "Zoe")
        }
    }

    @Test("BA02: A batch update answers true, a count or IDs", arguments: StoreKind.allCases)
    func updateResults(kind: StoreKind) throws {
        let stack = try Self.office(kind, "Alice", "Bob", "Cid")
        try stack.run { context in
            let request = NSBatchUpdateRequest(entityName: "Employee")
            request.predicate = NSPredicate(format: "salary > 10")
            request.propertiesToUpdate = ["name": "Zoe"]
            #expect(try context.outcome(request, as: Bool.self) == true)
            request.resultType = .updatedObjectsCountResultType
            #expect(try context.outcome(request, as: Int.self) == 2)
            request.resultType = .updatedObjectIDsResultType
            let ids = try #require(try context.outcome(request, as: [NSManagedObjectID].self))
            let expected = try context.all("Employee", NSPredicate(format: "salary > 10")).map(\.objectID)
            #expect(Set(ids) == Set(expected) && ids.count == 2)
            #expect(try context.names("Employee") == ["Alice", "Zoe", "Zoe"])
        }
    }

    @Test("BA03: A batch update does not enforce required values or rules; a unique violation throws and changes nothing",
          arguments: StoreKind.allCases)
    func updateValidation(kind: StoreKind) throws {
        let stack = try Stack(Models.rules(), kind)
        try stack.seed { $0.make("Worker", ["name": "A", "salary": 1]) }
        try stack.run { context in
            let request = NSBatchUpdateRequest(entityName: "Worker")
            request.resultType = .updatedObjectsCountResultType
            request.propertiesToUpdate = ["salary": -5, "name": NSExpression(forConstantValue: nil)]
            let count = try context.outcome(request, as: Int.self)
            #expect(count == 1)
            #expect(try context.only("Worker").number("salary") == -5)
        }
        let coded = try Stack(Models.coded(), kind)
        try coded.seed { context in for code in 1...3 { context.make("Product", ["code": code, "name": "\(code)"]) } }
        try coded.run { context in
            let request = NSBatchUpdateRequest(entityName: "Product")
            request.propertiesToUpdate = ["code": 7, "name": "x"]
            let error = try failure { try context.execute(request) }
            #expect(error.isCocoa)
            #expect(try context.names("Product") == ["1", "2", "3"])
        }
    }

    @Test("BA04: A batch update of a relationship: a to-one takes an object ID, anything else throws", arguments: StoreKind.allCases)
    func updateRelationship(kind: StoreKind) throws {
        let stack = try Self.office(kind, "Alice", "Bob")
        try stack.seed { $0.make("Department", ["name": "Lab"]) }
        try stack.run { context in
            let lab = try context.only("Department")
            let request = NSBatchUpdateRequest(entityName: "Employee")
            request.propertiesToUpdate = ["dept": lab.objectID]
            try context.execute(request)
            #expect(lab.texts("employees", "name") == ["Alice", "Bob"])
            request.propertiesToUpdate = ["dept": "Lab"]
            #expect(throws: (any Error).self) { try context.execute(request) }
            let other = NSBatchUpdateRequest(entityName: "Department")
            other.propertiesToUpdate = ["employees": NSSet()]
            #expect(throws: (any Error).self) { try context.execute(other) }
        }
    }

    @Test("A batch update works new values out of old ones", arguments: StoreKind.allCases)
    func updateExpressions(kind: StoreKind) throws {
        let stack = try Self.office(kind, "Alice", "Bob")
        try stack.run { context in
            let request = NSBatchUpdateRequest(entityName: "Employee")
            let name = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Employee"]?.attributesByName["name"])
            request.propertiesToUpdate = [
                "salary": NSExpression(format: "salary * 2 + 1"), name: NSExpression(format: "uppercase:(name)"),
            ]
            try context.execute(request)
            #expect(try context.all("Employee").map { $0.number("salary") } == [21, 41])
            #expect(try context.names("Employee") == ["ALICE", "BOB"])
        }
    }

    @Test("A batch update of an entity leaves its subentities when it is told to", arguments: StoreKind.allCases)
    func updateSubentities(kind: StoreKind) throws {
        let stack = try Stack(Models.families(), kind)
        try stack.seed { context in
            context.make("Person", ["name": "p"])
            context.make("Manager", ["name": "m"])
        }
        try stack.run { context in
            let request = NSBatchUpdateRequest(entityName: "Person")
            request.includesSubentities = false
            request.propertiesToUpdate = ["name": "x"]
            try context.execute(request)
            #expect(try context.names("Person") == ["m", "x"])
            request.includesSubentities = true
            try context.execute(request)
            context.reset()
            #expect(try context.names("Person") == ["x", "x"])
        }
    }

    @Test("BA17: A stale context that saves an edit after a batch update gets 133020", arguments: StoreKind.allCases)
    func staleEdit(kind: StoreKind) throws {
        let stack = try Self.office(kind, "Alice")
        try stack.run { context in
            let object = try context.only("Employee")
            _ = object.text("name")
            let request = NSBatchUpdateRequest(entityName: "Employee")
            request.propertiesToUpdate = ["salary": 99]
            try context.execute(request)
            object.setValue("Zoe", forKey: "name")
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == NSManagedObjectMergeError)
        }
    }

    @Test("B18: A batch update's flag shows in memory only after the merge, but a store predicate sees it at once", arguments: StoreKind.allCases)
    func flagAfterMerge(kind: StoreKind) throws {
        let book = NSEntityDescription(
            "Book", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("isRent", .booleanAttributeType, default: false))
        let stack = try Stack(model(book), kind)
        try stack.seed { context in for index in 1...3 { context.make("Book", ["name": "\(index)"]) } }
        try stack.run { context in
            let books = try context.all("Book")
            func flags() -> [Bool?] { books.map { $0.value(forKey: "isRent") as? Bool } }
            #expect(flags() == [false, false, false])
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.propertiesToUpdate = ["isRent": true]
            request.resultType = .updatedObjectIDsResultType
            let ids = try #require(try context.outcome(request, as: [NSManagedObjectID].self))
            #expect(flags() == [false, false, false])
            let found = try context.all("Book", NSPredicate(format: "isRent == true"))
            #expect(found.count == 3)
            #expect(found.map { $0.value(forKey: "isRent") as? Bool } == [false, false, false])
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
            #expect(flags() == [true, true, true])
        }
    }

    // MARK: Delete

    @Test("BA05: A batch delete answers true, a count or IDs; context objects stay until merged", arguments: StoreKind.allCases)
    func deleteResults(kind: StoreKind) throws {
        let stack = try Self.office(kind, "A", "B", "C", "D")
        try stack.run { context in
            let objects = try context.all("Employee")
            #expect(objects.map { $0.text("name") } == ["A", "B", "C", "D"])
            func delete<Result>(_ name: String, _ type: NSBatchDeleteRequestResultType, as kind: Result.Type) throws -> Result? {
                let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
                fetch.predicate = NSPredicate(format: "name == %@", name)
                let request = NSBatchDeleteRequest(fetchRequest: fetch)
                request.resultType = type
                return try context.outcome(request, as: kind)
            }
            #expect(try delete("A", .resultTypeStatusOnly, as: Bool.self) == true)
            #expect(try delete("B", .resultTypeCount, as: Int.self) == 1)
            let ids = try #require(try delete("C", .resultTypeObjectIDs, as: [NSManagedObjectID].self))
            #expect(ids == [objects[2].objectID])
            #expect(try context.names("Employee") == ["D"])
            #expect(objects[2].text("name") == "C" && !objects[2].isDeleted && objects[2].managedObjectContext === context)
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
            #expect(objects[2].isDeleted || objects[2].managedObjectContext == nil)
        }
    }

    @Test("BA06: A batch delete without subentities leaves their rows", arguments: StoreKind.allCases)
    func deleteSubentities(kind: StoreKind) throws {
        let stack = try Stack(Models.families(), kind)
        try stack.seed { context in
            context.make("Person", ["name": "p"])
            context.make("Manager", ["name": "m"])
        }
        try stack.run { context in
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
            fetch.includesSubentities = false
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            #expect(try context.names("Person") == ["m"])
        }
    }

    @Test("A batch delete keeps to the order and window of its fetch", arguments: StoreKind.allCases)
    func deleteWindow(kind: StoreKind) throws {
        let stack = try Self.office(kind, "A", "B", "C", "D", "E")
        try stack.run { context in
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
            fetch.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: false)]
            fetch.fetchOffset = 1
            fetch.fetchLimit = 2
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            #expect(try context.names("Employee") == ["A", "B", "E"])
        }
    }

    @Test("BA07: A batch delete by IDs deletes them; IDs of unrelated entities are an error and nothing is deleted", arguments: StoreKind.allCases)
    func deleteByIDs(kind: StoreKind) throws {
        let stack = try Self.office(kind, "A", "B", "C")
        try stack.seed { $0.make("Department", ["name": "Lab"]) }
        try stack.run { context in
            let objects = try context.all("Employee")
            let lab = try context.only("Department")
            #expect(throws: (any Error).self) {
                try context.execute(NSBatchDeleteRequest(objectIDs: [objects[0].objectID, lab.objectID]))
            }
            #expect(try context.count("Employee") == 3)
            let request = NSBatchDeleteRequest(objectIDs: [objects[0].objectID, objects[2].objectID])
            request.resultType = .resultTypeCount
            #expect(try context.outcome(request, as: Int.self) == 2)
            #expect(try context.names("Employee") == ["B"])
        }
    }

    @Test("BA08: A batch delete asks neither deny rules nor validateForDelete", arguments: StoreKind.allCases)
    func deleteDenied(kind: StoreKind) throws {
        let stack = try Stack(Models.office(employees: .denyDeleteRule), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Lab"])
            context.make("Employee", ["name": "A", "dept": department])
        }
        try stack.run { context in
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Department")))
            #expect(try context.count("Department") == 0)
        }
        let stubborn = try Stack(Models.household(person: Stubborn.self), kind)
        try stubborn.seed { $0.make("Person", ["name": "p"]) }
        try stubborn.run { context in
            try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Person")))
            #expect(try context.count("Person") == 0)
        }
    }

    @Test("BA09: A batch delete fails when a nullified inverse is mandatory, and deletes nothing", arguments: StoreKind.allCases)
    func deleteMandatoryInverse(kind: StoreKind) throws {
        let stack = try Stack(Models.office(departmentIsOptional: false), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Lab"])
            context.make("Department", ["name": "Empty"])
            context.make("Employee", ["name": "A", "dept": department])
        }
        try stack.run { context in
            let error = try failure {
                try context.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Department")))
            }
            #expect(error.isCocoa && error.localizedDescription.contains("nullify inverse"))
            #expect(try context.names("Department") == ["Empty", "Lab"])
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Department")
            fetch.predicate = NSPredicate(format: "name == 'Empty'")
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            #expect(try context.names("Department") == ["Lab"])
        }
    }

    @Test("BA10: A batch delete clears the foreign keys of what it leaves", arguments: StoreKind.allCases)
    func deleteNullifies(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Lab"])
            context.make("Employee", ["name": "A", "dept": department])
        }
        try stack.run { try $0.execute(NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Department"))) }
        try stack.reopened().run { context in
            let employee = try context.only("Employee")
            #expect(employee.one("dept") == nil)
            #expect(try context.names("Employee", NSPredicate(format: "dept == nil")) == ["A"])
        }
    }

    @Test("DD10: A batch delete of parents takes their cascade children, whose IDs it reports too", arguments: StoreKind.allCases)
    func deleteCascades(kind: StoreKind) throws {
        let stack = try Stack(Models.chain(), kind)
        try stack.seed { context in
            let a = context.make("A", ["name": "a"])
            let b = context.make("B", ["name": "b", "a": a])
            context.make("C", ["name": "c", "b": b])
            context.make("C", ["name": "free"])
        }
        try stack.run { context in
            let all = try ["A", "B"].map { try context.only($0).objectID }
            let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "A"))
            request.resultType = .resultTypeObjectIDs
            let ids = try #require(try context.outcome(request, as: [NSManagedObjectID].self))
            #expect(ids.first == all[0] && Set(ids).isSuperset(of: all) && ids.count == 3)
            #expect(try context.count("A") == 0)
            #expect(try context.count("B") == 0)
            #expect(try context.names("C") == ["free"])
        }
    }

    @Test("A batch delete removes join rows and follows cascades round a ring", arguments: StoreKind.allCases)
    func deleteLinks(kind: StoreKind) throws {
        let stack = try Stack(Models.tagged(), kind)
        try stack.seed { context in
            let tags = ["t", "u"].map { context.make("Tag", ["name": $0]) }
            context.make("Item", ["name": "i", "tags": NSSet(array: tags)])
        }
        try stack.run { context in
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Tag")
            fetch.predicate = NSPredicate(format: "name == 't'")
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        let tags = try stack.reopened().run { try $0.only("Item").texts("tags", "name") }
        #expect(tags == ["u"])
        let ring = try Stack(Models.ring(), kind)
        try ring.seed { context in
            let nodes = (0..<5).map { context.make("Node", ["name": "\($0)"]) }
            for index in nodes.indices { nodes[index].setValue(nodes[(index + 1) % 5], forKey: "next") }
            context.make("Node", ["name": "alone"])
        }
        try ring.run { context in
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Node")
            fetch.predicate = NSPredicate(format: "name == '0'")
            try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
            #expect(try context.names("Node") == ["alone"])
        }
    }

    @Test("FE27: A batch works on the affected stores only, and on all without them")
    func affectedStores() throws {
        let stack = try Stack(Models.office(), .memory)
        let second = try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        try stack.run { context in
            for (store, name) in [(stack.store, "first"), (second, "second")] {
                let insert = NSBatchInsertRequest(entityName: "Employee", objects: [["name": name]])
                insert.affectedStores = [store]
                try context.execute(insert)
            }
            let update = NSBatchUpdateRequest(entityName: "Employee")
            update.propertiesToUpdate = ["name": NSExpression(format: "uppercase:(name)")]
            update.affectedStores = [second]
            try context.execute(update)
            #expect(try context.names("Employee") == ["SECOND", "first"])
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Employee"))
            delete.affectedStores = [stack.store]
            delete.resultType = .resultTypeCount
            #expect(try context.outcome(delete, as: Int.self) == 1)
            #expect(try context.names("Employee") == ["SECOND"])
            delete.affectedStores = nil
            #expect(try context.outcome(delete, as: Int.self) == 1)
        }
    }

    @Test("A child context's batch goes to the stores, past its parent", arguments: StoreKind.allCases)
    func child(kind: StoreKind) throws {
        let stack = try Self.office(kind, "A")
        try stack.newChild(of: stack.context).run { child in
            try child.execute(NSBatchInsertRequest(entityName: "Employee", objects: [["name": "B"]]))
            #expect(try child.names("Employee") == ["A", "B"])
        }
        try stack.run { #expect($0.hasChanges == false) }
    }

    @Test("The coordinator executes requests for a context")
    func coordinator() throws {
        let stack = try Self.office(.sqlite, "A")
        try stack.run { context in
            let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Employee"))
            let found = try stack.coordinator.execute(context.request("Employee"), with: context) as? [NSManagedObject]
            #expect(found?.map { $0.text("name") } == ["A"])
            let result = try stack.coordinator.execute(request, with: context) as? NSBatchDeleteResult
            #expect(result?.result as? Bool == true)
            #expect(try context.count("Employee") == 0)
        }
    }

    @Test("NO13, B17: A list hears of a batch delete when it is merged, and not before", arguments: StoreKind.allCases, [false, true])
    func deleteReachesList(kind: StoreKind, asURIs: Bool) throws {
        let stack = try Stack(model(NSEntityDescription("Book", NSAttributeDescription("name", .stringAttributeType))), kind)
        try stack.seed { context in for index in 1...5 { context.make("Book", ["name": "\(index)"]) } }
        try stack.run { context in
            let list = NSFetchedResultsController(
                fetchRequest: context.request("Book", by: "name"), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let delegate = ListEvents()
            list.delegate = delegate
            try list.performFetch()
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "name <= '3'")
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = .resultTypeObjectIDs
            let ids = try #require(try context.outcome(request, as: [NSManagedObjectID].self))
            #expect(delegate.types == [])
            let changes: [Any] = asURIs ? ids.map { $0.uriRepresentation() } : ids
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: changes], into: [context])
            #expect(delegate.types == [.delete, .delete, .delete])
            #expect(list.fetchedObjects?.map { $0.text("name") } == ["4", "5"])
        }
    }
}

/// The kinds of changes a list told of.
final class ListEvents: NSObject, NSFetchedResultsControllerDelegate {
    var types: [NSFetchedResultsChangeType] = []

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        types.append(type)
    }
}

extension NSManagedObjectContext {
    /// What a batch request answers.
    @discardableResult
    func outcome<Result>(_ request: NSPersistentStoreRequest, as type: Result.Type = Any.self) throws -> Result? {
        switch try execute(request) {
        case let result as NSBatchInsertResult: result.result as? Result
        case let result as NSBatchUpdateResult: result.result as? Result
        case let result as NSBatchDeleteResult: result.result as? Result
        default: nil
        }
    }
}
