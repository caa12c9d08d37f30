import NLCoreData
import Testing

extension Person {
    /// Not in the model.
    var shoutedName: String { (name ?? "").uppercased() }
}

@Suite struct SortingTests {
    @Test("Sorted across a to-one, by key path and by key; nil first", arguments: StoreKind.allCases)
    func acrossRelationships(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            for (person, department) in [("Ada", "Zoo"), ("Cleo", "Attic"), ("Dan", "Mill")] {
                let lab = try Department.insert()
                lab.name = department
                try #require(try Person.fetchSingle("name == %@", person)).department = lab
            }
            try current().save()
            let order = ["Bob", "Cleo", "Dan", "Ada"]
            #expect(names(try Person.fetch(sortedBy: [SortDescriptor(\.department?.name)])) == order)
            #expect(names(try Person.fetch(sortedByKey: "department.name")) == order)
        }
    }

    @Test("A property that is not in the model cannot be sorted by (thrown, not trapped); filtering by it asks the objects")
    func unmodelled() throws {
        try withOffice { _ in
            try insertPeople()
            let error = #expect(throws: (any Error).self) { try Person.fetch(sortedBy: [SortDescriptor(\.shoutedName)]) }
            #expect("\(String(describing: error))".contains("Person"))
            #expect(names(try Person.fetch(where: #Predicate { $0.shoutedName == "ADA" })) == ["Ada"])
        }
    }

    @Test("A subclass sorts by its own and by inherited properties", arguments: StoreKind.allCases)
    func subclasses(_ kind: StoreKind) throws {
        try withOffice(kind) { _ in
            for (name, badge) in [("B", 1), ("A", 2), ("C", 1)] {
                let employee = try Employee.insert()
                employee.name = name
                employee.badge = Int32(badge)
            }
            let order: [SortDescriptor<Employee>] = [SortDescriptor(\.badge, order: .reverse), SortDescriptor(\.name)]
            #expect(try Employee.fetch(sortedBy: order).map(\.name) == ["A", "B", "C"])
        }
    }
}
