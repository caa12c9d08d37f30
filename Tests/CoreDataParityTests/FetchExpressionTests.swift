import CoreData
import Testing

@Suite("NSFetchRequestExpression")
struct FetchExpressionTests {
    private func fill(_ context: NSManagedObjectContext) {
        for (name, people) in [("Lab", [("Ada", 10), ("Bob", 20)]), ("Shop", [("Cleo", 2), ("Lab", 30)])] {
            let department = context.make("Department", ["name": name])
            for (person, salary) in people { context.make("Employee", ["name": person, "salary": salary, "dept": department]) }
        }
    }

    private func fetched(_ request: NSFetchRequest<some NSFetchRequestResult>, _ context: NSManagedObjectContext, count: Bool = false) -> NSExpression {
        NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: request), context: NSExpression(forConstantValue: context), countOnly: count)
    }

    @Test("As the right side of IN: objects, their IDs, values; in a store, among unsaved objects and in memory", arguments: StoreKind.allCases)
    func membership(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed(fill)
        try stack.run { context in
            let departments = context.request("Department", NSPredicate(format: "name == 'Lab'"))
            let inLab = NSPredicate(format: "dept IN %@", fetched(departments, context))
            #expect(try context.names("Employee", inLab) == ["Ada", "Bob"])
            #expect(try context.all("Employee").filter { inLab.evaluate(with: $0) }.compactMap { $0.text("name") } == ["Ada", "Bob"])
            #expect(try context.names("Employee", NSPredicate(format: "NOT (dept IN %@)", fetched(departments, context))) == ["Cleo", "Lab"])
            let names = NSFetchRequest<NSDictionary>(entityName: "Department")
            names.resultType = .dictionaryResultType
            names.propertiesToFetch = ["name"]
            #expect(try context.names("Employee", NSPredicate(format: "name IN %@", fetched(names, context))) == ["Lab"])
            let others = context.request("Employee", NSPredicate(format: "salary > 15"))
            #expect(try context.names("Department", NSPredicate(format: "SUBQUERY(employees, $e, $e IN %@).@count == 1", fetched(others, context)))
                == ["Lab", "Shop"])
            try context.named("Lab", "Department").setValue("Office", forKey: "name")
            #expect(try context.names("Employee", inLab) == [], "the request runs each time, with unsaved changes")
        }
    }

    @Test("As a count", arguments: StoreKind.allCases)
    func count(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed(fill)
        try stack.run { context in
            let two = fetched(context.request("Department"), context, count: true)
            let predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "salary"), rightExpression: two, modifier: .direct, type: .equalTo, options: [])
            let found = try context.names("Employee", predicate)
            #expect(found == ["Cleo"])
            #expect(two.expressionValue(with: nil, context: nil) as? Int == 2)
        }
    }

    @Test("Its parts, and what is no fetch")
    func parts() throws {
        let stack = try Stack(Models.office())
        try stack.run { context in
            let request = context.request("Department")
            let expression = try #require(fetched(request, context, count: true) as? NSFetchRequestExpression)
            #expect(expression.isCountOnlyRequest && expression.requestExpression.constantValue as? NSPersistentStoreRequest === request)
            #expect(expression.contextExpression.constantValue as? NSManagedObjectContext === context)
            #expect(expression.description.hasPrefix("FETCH(") && expression.description.hasSuffix(", YES)"))
            let wrong = NSFetchRequestExpression.expression(
                forFetch: NSExpression(forConstantValue: 1), context: NSExpression(forConstantValue: context), countOnly: false)
            let error = try failure { _ = try context.all("Employee", NSPredicate(format: "dept IN %@", wrong)) }
            #expect(error.code == NSCoreDataError)
            let unknown = fetched(NSFetchRequest<NSManagedObject>(entityName: "Nobody"), context)
            let inner = try failure { _ = try context.all("Employee", NSPredicate(format: "dept IN %@", unknown)) }
            #expect(inner.code == NSCoreDataError && inner.localizedDescription.contains("Nobody"))
        }
    }
}
