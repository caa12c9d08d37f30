import CoreData
import Foundation
import Testing

/// Dictionary results: expressions, groups, distinct, counts, and what they are over several stores.
@Suite("Dictionary fetches")
struct DictionaryFetchTests {
    private static let kinds = [NSSQLiteStoreType, NSInMemoryStoreType]

    @Test("Columns by name, to-one key path, expression and object ID", arguments: kinds)
    func columns(kind: String) throws {
        let context = try RequestStore(type: kind).context()
        func first(_ columns: [Any]) throws -> String? {
            try context.dictionaries("Person", columns, by: ["name"]) { $0.fetchLimit = 1 }.first
        }
        #expect(try first(["name", "dept.name"]) == "dept.name=d0 name=p00")
        #expect(try first([column("d", "dept.name", .stringAttributeType)]) == "d=d0")
        #expect(try first([column("x", "age * 2 + 1", .integer64AttributeType)]) == "x=1")
        #expect(try first([column("n", "uppercase:(name)", .stringAttributeType)]) == "n=P00")
        let oid = NSExpressionDescription()
        oid.name = "oid"
        oid.expression = NSExpression.expressionForEvaluatedObject()
        oid.expressionResultType = .objectIDAttributeType
        #expect(try first([oid, "dept", "objectID"]) == "dept=ID objectID=ID oid=ID")
        #expect(try first([column("entity", "entity.name", .stringAttributeType)]) == "entity=Person")
        #expect(try context.dictionaries("Dept", ["name", column("sum", "people.@sum.age")], by: ["name"]) == ["name=d0 sum=10", "name=d1 sum=10", "name=d2 sum=10"])
    }

    @Test("Functions over all rows", arguments: kinds)
    func aggregates(kind: String) throws {
        let context = try RequestStore(type: kind).context()
        for (format, expected) in [
            ("count:(name)", "15"), ("count:(SELF)", "15"), ("sum:(age)", "30"), ("min:(age)", "0"), ("max:(age)", "4"), ("average:(age)", "2.0"),
            ("median:(age)", "2.0"), ("sum:(wage)", "18"), ("max:(dept.name)", "d2"), ("@sum.age", "30"), ("max:(age) - min:(age)", "4"),
        ] {
            #expect(try context.dictionaries("Person", [column("x", format)]) == ["x=\(expected)"], "\(format)")
        }
        #expect(try context.dictionaries("Person", [column("x", "stddev:(age)", .doubleAttributeType)]).first?.hasPrefix("x=1.414") == true)
        #expect(try context.dictionaries("Person", [column("n", "count:(name)"), column("s", "sum:(age)")]) { $0.predicate = NSPredicate(format: "age > 9") } == ["n=0 s=0"])
    }

    @Test("Groups: by key path, by relationship, by an expression named or given, with HAVING, sorted by a column", arguments: kinds)
    func groups(kind: String) throws {
        let context = try RequestStore(type: kind).context()
        let n = column("n", "count:(name)", .integer64AttributeType)
        func grouped(_ columns: [Any], _ groups: [Any], by sort: [String] = [], having: String? = nil) throws -> [String] {
            try context.dictionaries("Person", columns, by: sort) {
                $0.propertiesToGroupBy = groups
                $0.havingPredicate = having.map { NSPredicate(format: $0) }
            }
        }
        #expect(try grouped(["dept.name", n], ["dept.name"], by: ["dept.name"]) == ["dept.name=d0 n=5", "dept.name=d1 n=5", "dept.name=d2 n=5"])
        #expect(try grouped(["dept", n], ["dept"]) == ["dept=ID n=5", "dept=ID n=5", "dept=ID n=5"])
        let parity = column("parity", "modulus:by:(age, 2)", .integer64AttributeType)
        #expect(try grouped([parity, n], [parity], by: ["parity"]) == ["n=9 parity=0", "n=6 parity=1"])
        #expect(try grouped([parity, n], ["parity"], by: ["-parity"]) == ["n=6 parity=1", "n=9 parity=0"])
        #expect(try grouped([n], [parity], by: ["n"]) == ["n=6", "n=9"])
        #expect(try grouped(["age", n], ["age"], by: ["age"], having: "$n > 2 AND age > 2") == ["age=3 n=3", "age=4 n=3"])
        #expect(try grouped(["age", n], ["age"], having: "count:(name) > 3") == [])
        let half = column("half", "age / 3", .integer64AttributeType), sum = column("sum", "sum:(age)")
        #expect(try grouped([half, sum], [half], by: ["half"]) == ["half=0 sum=9", "half=1 sum=21"])
    }

    @Test("Functions of a to-many work on each row, and in groups on the rows of the group", arguments: kinds)
    func toManyFunctions(kind: String) throws {
        let context = try RequestStore(type: kind).context()
        #expect(try context.dictionaries("Dept", ["name", column("n", "count:(people)"), column("s", "sum:(people.age)"), column("m", "max:(people.age)")], by: ["name"])
            == ["m=4 n=5 name=d0 s=10", "m=4 n=5 name=d1 s=10", "m=4 n=5 name=d2 s=10"])
        #expect(try context.dictionaries("Person", ["age", column("n", "count:(tags)")], by: ["age"]) { $0.propertiesToGroupBy = ["age"] }
            == (0..<5).map { "age=\($0) n=3" })
    }

    @Test("What SQL cannot say is made of the rows, and reported", arguments: [("median:(age)", "x=2.0"), ("median:(age) + 1", "x=3.0")])
    func outsideSQL(format: String, expected: String) throws {
        let context = try RequestStore().context()
        let counts = try CoreDataDiagnostics.counting {
            try #expect(context.dictionaries("Person", [column("x", format)]) == [expected])
        }
        #expect(counts.evaluationsOutsideSQL == 1 && counts.roundTrips == 1)
        let filtered = try context.dictionaries("Person", ["name"], by: ["-name"]) {
            $0.predicate = NSPredicate(format: "median:(dept.people.age) == age AND age < 4")
            $0.fetchLimit = 2
        }
        #expect(filtered == ["name=p22", "name=p12"])
    }

    @Test("Over several stores groups, sums, distinct rows and the order know no border")
    func severalStores() throws {
        let store = try RequestStore()
        let second = try store.addStore(departments: 2)
        let context = store.context()
        let n = column("n", "count:(name)"), sum = column("s", "sum:(age)")
        #expect(try context.dictionaries("Person", [n, sum]) == ["n=25 s=50"])
        #expect(try context.dictionaries("Person", ["age", n], by: ["-age"]) { $0.propertiesToGroupBy = ["age"] } == (0..<5).reversed().map { "age=\($0) n=5" })
        #expect(try context.dictionaries("Person", ["age"], by: ["age"]) { $0.returnsDistinctResults = true } == (0..<5).map { "age=\($0)" })
        #expect(try context.dictionaries("Person", ["name"], by: ["-name"]) { $0.fetchLimit = 2; $0.fetchOffset = 1 } == ["name=p23", "name=p22"])
        #expect(try context.dictionaries("Person", ["name", "dept.name"], by: ["-dept.name", "name"]) { $0.fetchLimit = 2; $0.fetchOffset = 14 }
            == ["dept.name=d10 name=p104", "dept.name=d1 name=p10"])
        #expect(try context.dictionaries("Person", [n]) { $0.affectedStores = [second] } == ["n=10"])
    }

    @Test("Counting dictionaries counts what would come")
    func counting() throws {
        let context = try RequestStore().context()
        func count(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> Int {
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = ["age"]
            change(request)
            #expect(try context.fetch(request).count == context.count(for: request))
            return try context.count(for: request)
        }
        #expect(try count { _ in } == 15)
        #expect(try count { $0.returnsDistinctResults = true } == 5)
        #expect(try count { $0.returnsDistinctResults = true; $0.fetchLimit = 3 } == 3)
        #expect(try count { $0.fetchLimit = 4; $0.fetchOffset = 13 } == 2)
        #expect(try count { $0.propertiesToGroupBy = ["age"]; $0.havingPredicate = NSPredicate(format: "age > 1") } == 3)
        #expect(try count { $0.propertiesToFetch = [column("n", "count:(name)")] } == 1)
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
        #expect(try count { _ in } == 15, "dictionaries show the store")
    }

    @Test("Wrong names in columns, groups, HAVING and prefetching are errors that name the nearest", arguments: kinds)
    func wrongNames(kind: String) throws {
        let context = try RequestStore(type: kind).context()
        #expect(message { _ = try context.dictionaries("Person", ["nmae"]) }.contains("keypath nmae not found in entity <Person>. Did you mean “name”?"))
        #expect(message { _ = try context.dictionaries("Person", ["dept.nmae"]) }.contains("Did you mean “name”?"))
        #expect(message { _ = try context.dictionaries("Person", [column("x", "sum:(aeg)")]) }.contains("Did you mean “age”?"))
        #expect(message { _ = try context.dictionaries("Person", ["age"]) { $0.propertiesToGroupBy = ["aeg"] } }.contains("Did you mean “age”?"))
        #expect(message {
            _ = try context.dictionaries("Person", ["age"]) { $0.propertiesToGroupBy = ["age"]; $0.havingPredicate = NSPredicate(format: "$m > 1") }
        }.contains("$m"))
        #expect(message { _ = try context.dictionaries("Person", [column("x", "age + 1"), column("n", "count:(name)")]) }.contains("SELECT columns must be"))
        #expect(message { _ = try context.dictionaries("Dept", ["people"]) }.contains("Invalid to-many relationship in setPropertiesToFetch"))
        #expect(message { _ = try context.dictionaries("Person", [3]) }.contains("take names or property descriptions"))
        let objects = context.request("Person")
        objects.propertiesToFetch = ["nmae"]
        #expect(message { _ = try context.fetch(objects) }.contains("Did you mean “name”?"))
        objects.propertiesToFetch = ["name", "dept"]
        #expect(try context.fetch(objects).count == 15)
        objects.relationshipKeyPathsForPrefetching = ["dept.boos"]
        #expect(message { _ = try context.fetch(objects) }.contains("Did you mean “boss”?"))
        #expect(message { _ = try context.names("Person", nil, by: ["dept.nmae"]) }.contains("Did you mean “name”?"))
    }
}
