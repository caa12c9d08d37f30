import CoreData
import Testing

@Suite("Delete rules")
struct DeleteRuleTests {
    private func office(_ model: NSManagedObjectModel, _ kind: StoreKind, employees: String...) throws -> Stack {
        let stack = try Stack(model, kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Sales"])
            for name in employees { context.make("Employee", ["name": name, "dept": department]) }
        }
        return stack
    }

    /// a > b0, b1 > two cs each.
    private func chain(_ model: NSManagedObjectModel, _ kind: StoreKind) throws -> Stack {
        let stack = try Stack(model, kind)
        try stack.seed { context in
            let a = context.make("A", ["name": "a"])
            for number in 0..<2 {
                let b = context.make("B", ["name": "b\(number)", "a": a])
                for letter in ["x", "y"] { context.make("C", ["name": "c\(number)\(letter)", "b": b]) }
            }
        }
        return stack
    }

    @Test("DR01: Nullify leaves the employees without department, in memory and store", arguments: StoreKind.allCases)
    func nullify(kind: StoreKind) throws {
        let stack = try office(Models.office(), kind, employees: "Alice", "Bob")
        try stack.run { context in
            let employees = try context.all("Employee")
            #expect(employees.allSatisfy { $0.one("dept") != nil })
            context.delete(try context.only("Department"))
            try context.save()
            #expect(employees.allSatisfy { $0.one("dept") == nil })
        }
        try stack.reopened().run { context in
            try #require(try context.count("Department") == 0)
            try #require(try context.all("Employee").map { $0.one("dept") } == [nil, nil])
        }
    }

    @Test("DR02: Cascade deletes the pets", arguments: StoreKind.allCases)
    func cascade(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.seed { context in
            let person = context.make("Person", ["name": "Alice"])
            for name in ["Rex", "Tom"] { context.make("Pet", ["name": name, "owner": person]) }
            context.make("Pet", ["name": "stray"])
        }
        try stack.run { context in
            context.delete(try context.only("Person"))
            try context.save()
            #expect(try context.names("Pet") == ["stray"])
        }
        try stack.reopened().run { try #require(try $0.names("Pet") == ["stray"]) }
    }

    @Test("DR03: A cascade goes through two levels, and the did-save note has all of it", arguments: StoreKind.allCases)
    func twoLevels(kind: StoreKind) throws {
        let stack = try chain(Models.chain(), kind)
        try stack.run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.delete(try context.only("A"))
            try context.save()
            #expect(saves.objects(NSDeletedObjectsKey).count == 7)
            #expect(saves.objects(NSUpdatedObjectsKey).isEmpty)
        }
        try stack.reopened().run { context in
            for entity in ["A", "B", "C"] { try #require(try context.count(entity) == 0) }
        }
    }

    @Test("DR04: A ring of cascades ends, each object deleted once", arguments: StoreKind.allCases)
    func ring(kind: StoreKind) throws {
        let stack = try Stack(Models.ring(), kind)
        try stack.seed { context in
            let nodes = ["a", "b", "c"].map { context.make("Node", ["name": $0]) }
            for (index, node) in nodes.enumerated() { node.setValue(nodes[(index + 1) % 3], forKey: "next") }
        }
        try stack.run { context in
            let saves = Recorder(.NSManagedObjectContextDidSave, of: context)
            context.delete(try context.named("a", "Node"))
            try context.save()
            #expect(saves.objects(NSDeletedObjectsKey).count == 3)
            #expect(try context.count("Node") == 0)
        }
    }

    @Test("DR05: Deny refuses with 1600 while there is an employee", arguments: StoreKind.allCases)
    func deny(kind: StoreKind) throws {
        let stack = try office(Models.office(employees: .denyDeleteRule), kind, employees: "Alice")
        try stack.run { context in
            let department = try context.only("Department")
            context.delete(department)
            for error in [try failure { try department.validateForDelete() }, try failure { try context.save() }] {
                #expect(error.isCocoa)
                #expect(error.code == NSValidationRelationshipDeniedDeleteError)
                #expect(error.key == "employees")
                #expect(error.object === department)
                #expect(error.userInfo[NSDetailedErrorsKey] == nil)
            }
        }
        try stack.reopened().run { try #require(try $0.only("Employee").one("dept")?.text("name") == "Sales") }
    }

    @Test("DR06: Deny lets go when the employee is deleted too", arguments: StoreKind.allCases)
    func denyWithoutEmployees(kind: StoreKind) throws {
        let stack = try office(Models.office(employees: .denyDeleteRule), kind, employees: "Alice")
        try stack.run { context in
            let department = try context.only("Department")
            context.delete(department)
            context.delete(try context.only("Employee"))
            try department.validateForDelete()
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.count("Department") == 0)
            try #require(try context.count("Employee") == 0)
        }
    }

    @Test("DR07: A deny below a cascade refuses the whole deletion", arguments: StoreKind.allCases)
    func denyBelowCascade(kind: StoreKind) throws {
        let stack = try chain(Models.chain(last: .denyDeleteRule), kind)
        try stack.run { context in
            context.delete(try context.only("A"))
            let error = try failure { try context.save() }
            #expect(error.details.count == 2)
            #expect(error.details.allSatisfy { $0.code == NSValidationRelationshipDeniedDeleteError && $0.object?.entity.name == "B" })
            context.rollback()
            #expect(!context.hasChanges)
            let a = try context.only("A")
            #expect(!a.isDeleted)
            #expect(a.texts("bs", "name") == ["b0", "b1"])
            #expect(try context.named("b0", "B").texts("cs", "name") == ["c0x", "c0y"])
        }
        try stack.reopened().run { context in
            try #require(try [context.count("A"), context.count("B"), context.count("C")] == [1, 2, 4])
        }
    }

    @Test("DR08: Nullifying a required to-one fails with 1570 on each employee", arguments: StoreKind.allCases, [1, 2])
    func nullifyRequired(kind: StoreKind, employees: Int) throws {
        let stack = try Stack(Models.office(departmentIsOptional: false), kind)
        try stack.seed { context in
            let department = context.make("Department", ["name": "Sales"])
            for number in 0..<employees { context.make("Employee", ["name": "\(number)", "dept": department]) }
        }
        try stack.run { context in
            context.delete(try context.only("Department"))
            let error = try failure { try context.save() }
            #expect(error.code == (employees == 1 ? NSValidationMissingMandatoryPropertyError : NSValidationMultipleErrorsError))
            #expect(error.details.count == employees)
            #expect(error.details.allSatisfy { $0.code == NSValidationMissingMandatoryPropertyError && $0.key == "dept" })
            #expect(Set(error.details.compactMap(\.object)).count == employees)
        }
    }

    @Test("DR09: No action leaves the reference, which leads to an inaccessible object", arguments: StoreKind.allCases)
    func noAction(kind: StoreKind) throws {
        let stack = try office(Models.office(employees: .noActionDeleteRule), kind, employees: "Alice")
        try stack.run { context in
            let employee = try context.only("Employee")
            context.delete(try context.only("Department"))
            try context.save()
            context.refresh(employee, mergeChanges: false)
            let ghost = try #require(employee.one("dept"))
            #expect(ghost.value(forKey: "name") == nil)
        }
    }

    @Test("DR10: Delete rules are followed while changes are processed, not in delete(_:)", arguments: StoreKind.allCases)
    func endOfEvent(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.seed { context in context.make("Pet", ["owner": context.make("Person", ["name": "Alice"])]) }
        try stack.run { context in
            #expect(context.propagatesDeletesAtEndOfEvent)
            let pet = try context.only("Pet")
            context.delete(try context.only("Person"))
            #expect(!pet.isDeleted)
            context.processPendingChanges()
            #expect(pet.isDeleted)
        }
    }

    @Test("DR10: With propagatesDeletesAtEndOfEvent off they are followed no sooner than in save()", arguments: StoreKind.allCases)
    func atSave(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.seed { context in context.make("Pet", ["owner": context.make("Person", ["name": "Alice"])]) }
        try stack.run { context in
            context.propagatesDeletesAtEndOfEvent = false
            let pet = try context.only("Pet")
            context.undoManager = UndoManager()
            context.delete(try context.only("Person"))
            context.processPendingChanges()
            #expect(try context.count("Pet") == 1)
            #expect(!pet.isDeleted)
            context.undo()
            context.redo()
            #expect(!pet.isDeleted)
            try context.save()
            #expect(try context.count("Pet") == 0)
        }
        try stack.reopened().run { try #require(try $0.count("Pet") == 0) }
    }

    @Test("DR11: A cascade takes an unsaved child along", arguments: StoreKind.allCases)
    func unsavedChild(kind: StoreKind) throws {
        let stack = try Stack(Models.household(), kind)
        try stack.seed { $0.make("Person", ["name": "Alice"]) }
        try stack.run { context in
            let person = try context.only("Person")
            context.make("Pet", ["name": "Rex", "owner": person])
            context.delete(person)
            try context.save()
            #expect(try context.count("Pet") == 0)
        }
        try stack.reopened().run { try #require(try $0.count("Pet") == 0) }
    }

    @Test("DR12: A cascade over a to-one applies the department's own rule to the others", arguments: StoreKind.allCases)
    func cascadeOverToOne(kind: StoreKind) throws {
        let stack = try office(Models.office(department: .cascadeDeleteRule), kind, employees: "Alice", "Bob", "Carol")
        try stack.run { context in
            context.delete(try context.named("Alice", "Employee"))
            try context.save()
        }
        try stack.reopened().run { context in
            try #require(try context.count("Department") == 0)
            try #require(try context.names("Employee") == ["Bob", "Carol"])
            try #require(try context.all("Employee").allSatisfy { $0.one("dept") == nil })
        }
    }

    @Test("DR13: Hooks run for cascaded children, and a throw of theirs aborts the save", arguments: StoreKind.allCases)
    func hooksOfChildren(kind: StoreKind) throws {
        let stack = try Stack(Models.household(pet: Stubborn.self), kind)
        try stack.seed { context in context.make("Pet", ["owner": context.make("Person", ["name": "Alice"])]) }
        try stack.run { context in
            let pet = try #require(try context.only("Pet") as? Stubborn)
            context.delete(try context.only("Person"))
            let error = try failure { try context.save() }
            #expect(error.domain == Stubborn.domain)
            #expect(error.code == 7)
            #expect(pet.count(.prepare) == 1)
            #expect(pet.count(.validateDelete) == 1)
            #expect(context.deletedObjects.count == 2)
        }
        try stack.reopened().run { context in
            try #require(try [context.count("Person"), context.count("Pet")] == [1, 1])
        }
    }
}
