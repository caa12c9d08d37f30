import NLCoreData
import Testing

@Suite struct ObjectTests {
    @Test("NL04: a new object is filled from a conjunction of equalities, unless asked not to", arguments: StoreKind.allCases)
    func filling(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let firm = try Department.insert()
            firm.name = "Lab"
            let identifier = UUID()
            let person = try Person.fetchOrInsertSingle(
                "name == %@ AND 41 == age AND (department == %@ AND identifier == %@) AND isActive == NO AND salary == %@",
                "Ada", firm, identifier, Decimal(1200))
            #expect(person.name == "Ada" && person.age == 41 && person.department == firm && person.identifier == identifier)
            #expect(!person.isActive && person.salary == 1200)
            #expect(try Person.fetchOrInsertSingle("name == %@ AND age == 41", "Ada") == person)

            #expect(try Person.fetchOrInsertSingle("name == %@ AND age > 50", "Old").name == "Old")
            let typed = try Person.fetchOrInsertSingle(where: #Predicate { $0.name == "Typed" && $0.age == 3 })
            #expect(typed.name == "Typed" && typed.age == 3)
            #expect(try Person.fetchOrInsertSingle("name == 'A' OR name == 'B'").name == nil, "OR says nothing")
            #expect(try Person.fetchOrInsertSingle("name == %@", "Blank", filling: false).name == nil)
            #expect(try Person.fetchOrInsertSingle("isActive == YES AND name == %@ AND rating == nil", "Nil").rating == nil)
            #expect(throws: (any Error).self) { try Person.fetchOrInsertSingle("level == %@", 1_000_000) }
        }
    }

    @Test("NL05, §1.3: a nil predicate deletes nothing; writing it out deletes all; the block's request decides", arguments: StoreKind.allCases)
    func deletion(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let context = current(), nothing: NSPredicate? = nil
            #expect(throws: NLCoreDataError.nilPredicate(className: "Person")) { try Person.delete(with: nothing, in: context) }
            #expect(try Person.count() == 4)
            let two = try Person.delete(in: context) { request in
                request.sort(by: \.name)
                request.fetchOffset = 1
                request.fetchLimit = 2
            }
            #expect(two == 2)
            #expect(names(try Person.fetch(sortedBy: [SortDescriptor(\.name)])) == ["Ada", "Dan"])
            #expect(try Person.delete(range: 1..<9, in: context, sortedBy: [SortDescriptor(\.name)]) == 1)
            #expect(names(try Person.fetch()) == ["Ada"])
            #expect(try Person.delete(in: context) == 1)
            #expect(try Person.count() == 0)
            context.rollback()
            #expect(try Person.count() == 4)
        }
    }

    @Test("Deleting follows the rules of relationships", arguments: StoreKind.allCases)
    func rules(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let lab = try Department.insert(), person = try Person.insert()
            lab.name = "Lab"
            person.department = lab
            for title in ["a", "b"] {
                let project = try Project.insert()
                project.title = title
                lab.addToProjects(project)
            }
            try current().save()
            #expect(try Project.count() == 2)
            try lab.delete()
            try current().save()
            #expect(try Project.count() == 0)
            #expect(person.department == nil)
            #expect(throws: NLCoreDataError.detachedObject(className: "Department")) { try lab.delete() }
        }
    }

    @Test("§1.3: count, delete and fetch with a block use the context they are given", arguments: StoreKind.allCases)
    func givenContext(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let folder = try TemporaryFolder()
            let other = office(kind, folder)
            try other.newContext().performOn { context in
                try Person.insert(in: context)
                #expect(try Person.fetch(in: context) { $0.fetchLimit = 5 }.count == 1)
                #expect(try Person.count(in: context) { $0.predicate = NSPredicate(value: true) } == 1)
                #expect(try Person.delete(in: context) { _ in } == 1)
            }
            #expect(try Person.count() == 0)
            #expect(stack.storeCoordinator !== other.storeCoordinator)
        }
    }

    @Test("Ranges", arguments: StoreKind.allCases)
    func ranges(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let order: [SortDescriptor<Person>] = [SortDescriptor(\.name)]
            #expect(names(try Person.fetch(range: 1..<3, sortedBy: order)) == ["Bob", "Cleo"])
            #expect(names(try Person.fetch(range: 3..<9, sortedBy: order)) == ["Dan"])
            #expect(try Person.fetch(range: 2..<2, sortedBy: order).isEmpty, "an empty range is not “no limit”")
            #expect(names(try Person.fetch(range: 0..<1, with: NSPredicate(format: "age > 40"))) == ["Cleo"])
            #expect(throws: NLCoreDataError.negativeIndex(-2)) { try Person.fetch(range: -2..<1) }
        }
    }

    @Test("Aggregates, over numbers, dates and none", arguments: StoreKind.allCases)
    func aggregates(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            func number(_ function: AggregateFunction, _ predicate: NSPredicate? = nil) throws -> Double? {
                (try Person.aggregate(function, on: "age", with: predicate) as? NSNumber)?.doubleValue
            }
            #expect(try number(.sum) == 122)
            #expect(try number(.average) == 30.5)
            #expect(try number(.minimum) == 17)
            #expect(try number(.maximum) == 52)
            #expect(try number(.count) == 4)
            #expect(try number(.sum, NSPredicate(format: "age < 18")) == 34)
            #expect(try number("max") == 52 && number("max:") == 52)
            #expect(throws: (any Error).self) { try Person.aggregate("frobnicate:", on: "age") }
            #expect(try Person.aggregate(.maximum, on: "birthday") == nil)
            let day = Date(timeIntervalSinceReferenceDate: 86_400)
            try #require(try Person.fetchSingle()).birthday = day
            try current().save()
            #expect(try Person.aggregate(.maximum, on: "birthday") as? Date == day)
            #expect(throws: NLCoreDataError.unknownAttribute(entity: "Person", attribute: "shoe")) { try Person.aggregate(.sum, on: "shoe") }
        }
    }

    @Test("NL14: new, saved, edited, deleted and saved", arguments: StoreKind.allCases)
    func persisted(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let person = try Person.insert()
            #expect(!person.isPersisted && person.isNew)
            try person.obtainPermanentID()
            #expect(!person.objectID.isTemporaryID && !person.isPersisted)
            try current().save()
            #expect(person.isPersisted && !person.isNew)
            person.name = "edited"
            #expect(person.isPersisted)
            try person.delete()
            try current().save()
            #expect(!person.isPersisted)
            #expect(throws: NLCoreDataError.detachedObject(className: "Person")) { try person.obtainPermanentID() }
        }
    }

    @Test("NL15: by object ID, in another context; nil for a deleted row; another class is an error", arguments: StoreKind.allCases)
    func byID(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try insertPeople()
            let ada = try #require(try Person.fetchSingle("name == 'Ada'")), identifier = ada.objectID
            #expect(try Person.fetch(objectID: identifier) === ada)
            let other = stack.newContext()
            try other.performAndWait {
                let found = try Person.fetch(objectID: identifier, in: other)
                #expect(found?.name == "Ada" && found !== ada)
                #expect(throws: NLCoreDataError.wrongClass(expected: "Tag", found: "Person")) { try Tag.fetch(objectID: identifier, in: other) }
            }
            try ada.delete()
            #expect(try Person.fetch(objectID: identifier) == nil)
            try current().save()
            #expect(try Person.fetch(objectID: identifier) == nil)
            #expect(try elsewhere(stack) { try Person.fetch(objectID: identifier, in: $0)?.name } == nil)
        }
    }

    @Test("IDs without objects, in order", arguments: StoreKind.allCases)
    func identifiers(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let ids = try Person.fetchObjectIDs(with: NSPredicate(format: "age == 17"), sortedBy: [SortDescriptor(\.name)])
            #expect(try ids.map { try Person.fetch(objectID: $0)?.name } == ["Bob", "Dan"])
        }
    }

    @Test("A touched object is updated though nothing changed", arguments: StoreKind.allCases)
    func touching(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try insertPeople()
            let person = try #require(try Person.fetchSingle())
            let name = person.name
            #expect(!person.isUpdated)
            person.touch()
            #expect(person.isUpdated && current().hasChanges && person.name == name)
        }
    }

    @Test("A copy in another context is the same record with this object's values; a clone is a new one", arguments: StoreKind.allCases)
    func copying(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try insertPeople()
            let ada = try #require(try Person.fetchSingle("name == 'Ada'"))
            ada.name = "Countess"
            let other = stack.newContext()
            try other.performAndWait {
                let copy = try ada.copy(to: other)
                #expect(copy.objectID == ada.objectID && copy.managedObjectContext === other && copy.name == "Countess")
                let new = try Person.insert()
                new.name = "New"
                let newCopy = try new.copy(to: other)
                #expect(newCopy.managedObjectContext === other && newCopy.name == "New" && newCopy.isInserted)
            }
            #expect(try ada.copy(to: current()) === ada)
            let clone = try ada.clone()
            #expect(clone !== ada && clone.name == "Countess" && clone.age == 36 && clone.isInserted)
        }
    }

    @Test("A useful description: ID, attributes with NULL and data length, relationships one level deep")
    func description() throws {
        try withOffice { _ in
            let person = try Person.insert(), lab = try Department.insert(), tag = try Tag.insert()
            person.name = "Ada"
            person.photo = Data(count: 12)
            person.department = lab
            person.addToTags(tag)
            let lines = person.usefulDescription.split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("Person (") == true && lines.first?.hasSuffix(person.objectIDString) == true)
            for line in ["\tname: Ada", "\tphoto: DATA (length 12)", "\tbirthday: NULL", "\tdepartment: Department \(lab.objectIDString)",
                         "\tmanager: NULL", "\ttags: (1)", "\t\tTag \(tag.objectIDString)", "\treports: (0)"] {
                #expect(lines.contains(line), "\(line)")
            }
            #expect(person.managedAttributeNames == [
                "age", "birthday", "homepage", "identifier", "isActive", "level", "name", "photo", "rating", "salary"])
            #expect(person.managedRelationshipNames == ["department", "manager", "reports", "tags"])
        }
    }

    @Test("Conditions as dictionaries: all, one, count, nil for no value; find or create fills the new one", arguments: StoreKind.allCases)
    func conditions(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            #expect(Set(names(try Person.fetch(where: ["age": 17]))) == ["Bob", "Dan"])
            #expect(names(try Person.fetch(where: ["age": 17], sortedBy: [SortDescriptor(\.name)], limit: 1)) == ["Bob"])
            #expect(try Person.find(where: ["age": 17, "name": "Dan"])?.name == "Dan")
            #expect(try Person.find(where: ["name": "Nobody"]) == nil)
            #expect(try Person.count(where: ["birthday": nil]) == 4)
            #expect(try Person.count(where: [:]) == 4)
            let zoe = try Person.findOrCreate(where: ["name": "Zoe", "age": 8])
            #expect(zoe.name == "Zoe" && zoe.age == 8)
            #expect(try Person.findOrCreate(where: ["name": "Zoe", "age": 8]) == zoe)
            let made = try Person.create(with: ["name": "Made", "age": 1, "shoe": 44])
            #expect(made.name == "Made" && made.age == 1)
            #expect(made.update(with: ["name": "Changed"]).isEmpty && made.name == "Changed")
            #expect(throws: (any Error).self) { try Person.find(where: ["shoe": 1]) }
        }
    }
}

extension NSManagedObjectContext {
    func performOn(_ body: (NSManagedObjectContext) throws -> Void) rethrows { try performAndWait { try body(self) } }
}
