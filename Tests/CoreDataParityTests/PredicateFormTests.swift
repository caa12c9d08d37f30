import CoreData
import Testing

@Suite("Forms of predicates")
struct PredicateFormTests {
    private func items(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.tagged(), kind)
        try stack.seed { context in
            let tags = ["red", "green"].map { context.make("Tag", ["name": $0]) }
            context.make("Item", ["name": "A", "tags": NSSet(array: tags)])
            context.make("Item", ["name": "B", "tags": NSSet(object: tags[0])])
            context.make("Item", ["name": "C"])
        }
        return stack
    }

    @Test("PR30: SOME prints as ANY, NONE as NOT ANY")
    func some() {
        #expect(NSPredicate(format: "SOME a = 1").predicateFormat == "ANY a == 1")
        #expect(NSPredicate(format: "NONE a = 1").predicateFormat == "NOT ANY a == 1")
    }

    @Test("PR31: ALL is true of an empty collection, in memory and in a store", arguments: StoreKind.allCases)
    func all(kind: StoreKind) throws {
        try items(kind).run { context in
            let predicate = NSPredicate(format: "ALL tags.name == 'red'")
            try #expect(context.names("Item", predicate) == ["B", "C"])
            try #expect(context.all("Item").filter { predicate.evaluate(with: $0) }.compactMap { $0.text("name") } == ["B", "C"])
        }
    }

    @Test("An unordered to-many is equal to a set of its members, an ordered one to them in their order")
    func relationshipsAsValues() throws {
        let stack = try Stack(Models.tagged(), .sqlite)
        try stack.run { context in
            let tags = ["red", "green", "blue"].map { context.make("Tag", ["name": $0]) }
            let item = context.make("Item", ["name": "A", "tags": NSSet(array: tags)])
            #expect(NSPredicate(format: "tags == %@", NSSet(array: tags.reversed())).evaluate(with: item))
            #expect(!NSPredicate(format: "tags == %@", NSSet(array: Array(tags.dropLast()))).evaluate(with: item))
            #expect(NSPredicate(format: "tags.name == %@", NSSet(array: ["blue", "red", "green"])).evaluate(with: item))
            let row: NSDictionary = ["tags": NSOrderedSet(array: tags)]
            #expect(NSPredicate(format: "tags == %@", NSOrderedSet(array: tags)).evaluate(with: row))
            #expect(!NSPredicate(format: "tags == %@", NSOrderedSet(array: tags.reversed())).evaluate(with: row))
        }
    }

    @Test("Written lists are equal in their order, in a store too", arguments: StoreKind.allCases)
    func lists(kind: StoreKind) throws {
        try items(kind).run { context in
            try #expect(context.names("Item", NSPredicate(format: "{name, 'x'} == {'A', 'x'}")) == ["A"])
            try #expect(context.names("Item", NSPredicate(format: "{'x', name} == {'A', 'x'}")) == [])
            try #expect(context.names("Item", NSPredicate(format: "{'x', name} != {'A', 'x'}")) == ["A", "B", "C"])
        }
    }

    #if os(Linux)
    @Test("PR11: NOT IN is no operator; the error names the right form")
    func notIn() throws {
        let error = try failure { _ = try NSPredicate(validating: "name NOT IN %@", arguments: [["a"]]) }
        #expect(error.localizedDescription.contains("NOT (key IN collection)"))
        #expect(NSPredicate(format: "NOT (name IN %@)", ["a"]).evaluate(with: ["name": "b"] as NSDictionary))
    }

    // Apple's store refuses two to-manys in one path; here they are joined.
    @Test("PR35: A path through two to-manys gives each owner once", arguments: StoreKind.allCases)
    func twoToManys(kind: StoreKind) throws {
        try items(kind).run { context in
            try #expect(context.names("Item", NSPredicate(format: "ANY tags.items.name == 'B'")) == ["A", "B"])
            try #expect(context.names("Item", NSPredicate(format: "SUBQUERY(tags, $t, ANY $t.items.name == 'B').@count > 0")) == ["A", "B"])
        }
    }
    #endif

    @Test("B22: A template with a SUBQUERY over a variable takes its variables", arguments: StoreKind.allCases)
    func template(kind: StoreKind) throws {
        try items(kind).run { context in
            let template = NSPredicate(format: "name != $n AND SUBQUERY(tags, $t, $t.name CONTAINS $part).@count > 0")
            try #expect(context.names("Item", template.withSubstitutionVariables(["n": "A", "part": "ed"])) == ["B"])
            #expect(throws: (any Error).self) { try context.names("Item", template.withSubstitutionVariables(["n": "A"])) }
        }
    }

    @Test("B23: ANY over a to-one finds its rows; an absent key is one error that names it and the entity", arguments: StoreKind.allCases)
    func anyOfToOne(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let dept = context.make("Department", ["name": "R&D"])
            context.make("Employee", ["name": "Ada", "dept": dept])
            context.make("Employee", ["name": "Bob"])
        }
        try stack.run { context in
            try #expect(context.names("Employee", NSPredicate(format: "ANY dept.name == 'R&D'")) == ["Ada"])
            #if os(Linux)
            let error = try failure { _ = try context.names("Employee", NSPredicate(format: "ANY market.remoteID = 3")) }
            #expect(error.localizedDescription.contains("market") && error.localizedDescription.contains("Employee"))
            #endif
        }
    }
}
