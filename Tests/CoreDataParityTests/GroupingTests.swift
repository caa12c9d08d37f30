import CoreData
import Testing

@Suite("Dictionaries: groups, paths and windows")
struct GroupingTests {
    /// Lab: Ann 10, Bob 20, Cem nil; Sales: Dee 20; nobody's: Eve 5, Fay 5. Ann leads Lab.
    private func stack(_ kind: StoreKind) throws -> Stack {
        let department = NSEntityDescription("Department", NSAttributeDescription("name", .stringAttributeType))
        let employee = NSEntityDescription(
            "Employee", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("pay", .integer64AttributeType),
            NSAttributeDescription("born", .dateAttributeType))
        relate(department, .many("staff"), employee, .one("dept"))
        relate(department, .one("head"), employee, .one("leads"))
        let stack = try Stack(model(department, employee), kind)
        try stack.seed { context in
            let (lab, sales) = (context.make("Department", ["name": "Lab"]), context.make("Department", ["name": "Sales"]))
            func hire(_ name: String, _ pay: Int?, _ dept: NSManagedObject?) -> NSManagedObject {
                let person = context.make("Employee", ["name": name, "born": Date(timeIntervalSinceReferenceDate: Double(pay ?? 0))])
                person.setValue(pay, forKey: "pay")
                person.setValue(dept, forKey: "dept")
                return person
            }
            lab.setValue(hire("Ann", 10, lab), forKey: "head")
            for (name, pay, dept) in [("Bob", 20, lab), ("Cem", nil, lab), ("Dee", 20, sales), ("Eve", 5, nil), ("Fay", 5, nil)] as [(String, Int?, NSManagedObject?)] {
                _ = hire(name, pay, dept)
            }
        }
        return stack
    }

    private func column(_ name: String, _ expression: NSExpression, _ type: NSAttributeType) -> NSExpressionDescription {
        let column = NSExpressionDescription()
        column.name = name
        column.expression = expression
        column.expressionResultType = type
        return column
    }

    private func function(_ name: String, _ key: String) -> NSExpression {
        NSExpression(forFunction: name, arguments: [NSExpression(forKeyPath: key)])
    }

    private func rows(
        _ context: NSManagedObjectContext, _ columns: [Any], by sort: [NSSortDescriptor] = [], group: [Any]? = nil, having: NSPredicate? = nil,
        where predicate: NSPredicate? = nil, entity: String = "Employee", set: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: entity)
        request.resultType = .dictionaryResultType
        (request.propertiesToFetch, request.propertiesToGroupBy, request.havingPredicate) = (columns, group, having)
        (request.sortDescriptors, request.predicate) = (sort, predicate)
        set(request)
        return try context.fetch(request).map { row in
            (row as? [String: Any] ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
        }
    }

    @Test("Columns along to-ones, and by expressions along them", arguments: StoreKind.allCases)
    func paths(kind: StoreKind) throws {
        try stack(kind).run { context in
            let head = column("head", NSExpression(forKeyPath: "dept.head.name"), .stringAttributeType)
            try #expect(rows(context, ["name", "dept.name", head], by: [NSSortDescriptor(key: "name", ascending: true)]) == [
                "dept.name=Lab head=Ann name=Ann", "dept.name=Lab head=Ann name=Bob", "dept.name=Lab head=Ann name=Cem",
                "dept.name=Sales name=Dee", "name=Eve", "name=Fay",
            ])
            let double = column("double", NSExpression(format: "pay * 2 + 1"), .integer64AttributeType)
            try #expect(rows(context, [double], by: [NSSortDescriptor(key: "double", ascending: false)], where: NSPredicate(format: "pay != nil")) == [
                "double=41", "double=41", "double=21", "double=11", "double=11",
            ])
            let size = column("size", NSExpression(format: "staff.@count"), .integer64AttributeType)
            try #expect(rows(context, ["name", size], by: [NSSortDescriptor(key: "name", ascending: true)], entity: "Department") == ["name=Lab size=3", "name=Sales size=1"])
            let top = column("top", NSExpression(format: "staff.@max.pay"), .integer64AttributeType)
            try #expect(rows(context, [top], by: [NSSortDescriptor(key: "name", ascending: true)], entity: "Department") == ["top=20", "top=20"])
        }
    }

    @Test("Groups by an attribute, a path and a to-one, nil being a group", arguments: StoreKind.allCases)
    func groups(kind: StoreKind) throws {
        try stack(kind).run { context in
            let count = column("n", function("count:", "name"), .integer64AttributeType), sum = column("sum", function("sum:", "pay"), .integer64AttributeType)
            try #expect(rows(context, ["pay", count], by: [NSSortDescriptor(key: "pay", ascending: true)], group: ["pay"]) == ["n=1", "n=2 pay=5", "n=1 pay=10", "n=2 pay=20"])
            try #expect(rows(context, ["dept.name", count, sum], by: [NSSortDescriptor(key: "dept.name", ascending: true)], group: ["dept.name"]) == [
                "n=2 sum=10", "dept.name=Lab n=3 sum=30", "dept.name=Sales n=1 sum=20",
            ])
            let found = try rows(context, ["dept", sum], by: [NSSortDescriptor(key: "sum", ascending: false)], group: ["dept"])
            #expect(found.map { String($0.suffix(6)) } == ["sum=30", "sum=20", "sum=10"] && found[0].hasPrefix("dept=") && found[2] == "sum=10")
            let ages = ["min:", "max:", "average:"].map { column($0, function($0, "pay"), .doubleAttributeType) }
            try #expect(rows(context, ages) == ["average:=12.0 max:=20.0 min:=5.0"])
            try #expect(rows(context, [count], where: NSPredicate(format: "pay > 100")) == ["n=0"])
            try #expect(rows(context, [count], group: ["pay"], where: NSPredicate(format: "pay > 100")) == [])
        }
    }

    #if os(Linux)
    @Test("Having on aggregates, columns and keys; windows and counts are of groups", arguments: StoreKind.allCases)
    func having(kind: StoreKind) throws {
        try stack(kind).run { context in
            let count = column("n", function("count:", "name"), .integer64AttributeType)
            let byPay = [NSSortDescriptor(key: "pay", ascending: true)]
            for format in ["n > 1", "$n > 1", "count:(name) > 1", "n >= 2 AND pay != nil"] {
                try #expect(rows(context, ["pay", count], by: byPay, group: ["pay"], having: NSPredicate(format: format)) == ["n=2 pay=5", "n=2 pay=20"], "\(format)")
            }
            let variable = NSComparisonPredicate(
                leftExpression: NSExpression(forVariable: "n"), rightExpression: NSExpression(forConstantValue: 1), modifier: .direct, type: .equalTo)
            try #expect(rows(context, ["pay", count], by: byPay, group: ["pay"], having: variable) == ["n=1", "n=1 pay=10"])
            try #expect(rows(context, ["pay", count], by: byPay, group: ["pay"]) { $0.fetchOffset = 1; $0.fetchLimit = 2 } == ["n=2 pay=5", "n=1 pay=10"])
            try #expect(rows(context, ["pay", count], by: byPay, group: ["pay"]) { $0.fetchOffset = 9 } == [])
            let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
            (request.resultType, request.propertiesToFetch, request.propertiesToGroupBy) = (.dictionaryResultType, ["pay", count], ["pay"])
            try #expect(context.count(for: request) == 4)
            request.havingPredicate = NSPredicate(format: "n > 1")
            try #expect(context.count(for: request) == 2)
        }
    }
    #endif

    @Test("Distinct rows in their order, with windows", arguments: StoreKind.allCases)
    func distinct(kind: StoreKind) throws {
        try stack(kind).run { context in
            func pays(_ set: (NSFetchRequest<NSDictionary>) -> Void = { _ in }) throws -> [String] {
                try rows(context, ["pay"], by: [NSSortDescriptor(key: "pay", ascending: false)]) { request in
                    request.returnsDistinctResults = true
                    set(request)
                }
            }
            try #expect(pays() == ["pay=20", "pay=10", "pay=5", ""])
            try #expect(pays { $0.fetchLimit = 2; $0.fetchOffset = 1 } == ["pay=10", "pay=5"])
            try #expect(rows(context, ["dept.name"], by: [NSSortDescriptor(key: "dept.name", ascending: true)]) { $0.returnsDistinctResults = true } == ["", "dept.name=Lab", "dept.name=Sales"])
        }
    }

    @Test("Dictionaries show the store, unsaved changes aside", arguments: StoreKind.allCases)
    func pending(kind: StoreKind) throws {
        try stack(kind).run { context in
            try context.named("Ann", "Employee").setValue(99, forKey: "pay")
            context.delete(try context.named("Bob", "Employee"))
            context.make("Employee", ["name": "New", "pay": 1])
            let count = column("n", function("count:", "name"), .integer64AttributeType)
            try #expect(rows(context, [count]) == ["n=6"])
            try #expect(rows(context, ["name"], by: [NSSortDescriptor(key: "name", ascending: true)], where: NSPredicate(format: "pay == 10")) == ["name=Ann"])
            try #expect(context.names("Employee", NSPredicate(format: "pay < 6 OR pay == 99")) == ["Ann", "Eve", "Fay", "New"])
        }
    }

    @Test("Unsaved changes take part in sort, limit and offset of objects, and not where they are excluded", arguments: StoreKind.allCases)
    func windows(kind: StoreKind) throws {
        try stack(kind).run { context in
            try context.named("Eve", "Employee").setValue(100, forKey: "pay")
            context.delete(try context.named("Dee", "Employee"))
            context.make("Employee", ["name": "Gus", "pay": 15])
            let request = context.request("Employee", NSPredicate(format: "pay > 4"), by: "pay", "name")
            func names() throws -> [String] { try context.fetch(request).compactMap { $0.text("name") } }
            try #expect(names() == ["Fay", "Ann", "Gus", "Bob", "Eve"])
            #if os(Linux)
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            try #expect(names() == ["Ann", "Gus", "Bob"])
            try #expect(context.count(for: request) == 3)
            #endif
            (request.fetchOffset, request.fetchLimit) = (50, 3)
            try #expect(names() == [] && context.count(for: request) == 0)
            (request.fetchOffset, request.fetchLimit, request.includesPendingChanges) = (0, 2, false)
            try #expect(names() == ["Eve", "Fay"])
        }
    }

    @Test("Batches of objects keep the answer of the fetch while objects change and go", arguments: StoreKind.allCases)
    func batches(kind: StoreKind) throws {
        try stack(kind).run { context in
            let request = context.request("Employee", NSPredicate(format: "pay != nil"), by: "name")
            request.fetchBatchSize = 2
            let found = try context.fetch(request)
            #expect(found.count == 5 && found[0].text("name") == "Ann")
            found[1].setValue("Zed", forKey: "name")
            context.delete(found[4])
            try context.save()
            #expect(found.dropLast().map { $0.text("name") } == ["Ann", "Zed", "Dee", "Eve"])
            #expect(found[4].text("name") == nil || found[4].isDeleted || found[4].managedObjectContext == nil)
        }
    }
}
