import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Testing

@Suite("The check of fetch plans")
struct FetchPlanCheckTests {
    private let model: ResolvedModel

    init() throws {
        var schema = try ConformanceModel.make().schema
        var scratch = AttributeSchema.optional("scratch", .string)
        scratch.isTransient = true
        var address = AttributeSchema.optional("address", .composite)
        address.compositeName = "Address"
        schema.composites = [CompositeSchema(name: "Address", elements: [.optional("city", .string)])]
        schema.add("Extra", attributes: [scratch, address, .optional("title", .string)])
        model = try ResolvedModel(schema)
    }

    private func plan(_ entity: String, _ format: String? = nil, sort: String? = nil) throws -> FetchPlan {
        var plan = FetchPlan(entity: try #require(model.entity(named: entity)).index)
        plan.predicate = try format.map { try PredicateFormat.parse($0) }
        plan.sort = sort.map { [SortTerm(keyPath: $0.split(separator: ".").map(String.init), isAscending: true)] } ?? []
        return plan
    }

    private func message(_ plan: FetchPlan) -> String {
        var plan = plan
        do {
            try FetchPlanCheck.check(&plan, model)
            return "(passed)"
        } catch {
            guard case .invalidRequest(let text) = error else { return "another error: \(error)" }
            return text
        }
    }

    @Test("PR36: an unknown key is named with its entity and the nearest name", arguments: [
        ("nmae == 'x'", "keypath nmae not found in entity <Person>. Did you mean “name”?"),
        ("xyz == 1", "keypath xyz not found in entity <Person>. There are: "),
        ("dept.nam == 'x'", "keypath nam not found in entity <Dept> (in “dept.nam”). Did you mean “name”?"),
        ("ANY tags.wieght > 1", "keypath wieght not found in entity <Tag> (in “tags.wieght”). Did you mean “weight”?"),
        ("NOT (age > 1 AND naem IN {'a'})", "keypath naem not found in entity <Person>. Did you mean “name”?"),
        ("SUBQUERY(tags, $t, $t.nme == 'x').@count > 0", "keypath nme not found in entity <Tag>. Did you mean “name”?"),
        ("tags.@sum.wait > 1", "keypath wait not found in entity <Tag> (in “tags.@sum.wait”). There are: "),
        ("bonus > 1", "keypath bonus not found in entity <Person>. There are: "),
        ("age + yaers > 1", "keypath yaers not found in entity <Person>. There are: "),
        ("lowercase(nick.x) == 'a'", "keypath nick.x not found in entity <Person>: nothing can follow “nick”."),
        ("'a' == Name", "keypath Name not found in entity <Person>. Did you mean “name”?"),
    ])
    func unknownKeys(format: String, expected: String) throws { #expect(message(try plan("Person", format)).hasPrefix(expected)) }

    @Test("PR34: a to-many needs a quantifier, an operator or a collection's place", arguments: [
        "tags.weight > 10", "tags == nil", "dept.members.age == 3", "3 == tags.weight", "tags.weight BETWEEN {1, 2}", "tags IN {1}", "name IN {'a'} AND pupils.age == 1",
        "name CONTAINS tags.name", "SUBQUERY(dept.members, $m, $m.tags.weight == 1).@count > 0", "lowercase(tags.name) == 'x'",
    ])
    func toMany(format: String) throws { #expect(message(try plan("Person", format)).hasPrefix("to-many key not allowed here: ")) }

    @Test("What a to-many may do", arguments: [
        "ANY tags.weight > 10", "ALL tags.weight > 10", "NONE tags.weight > 10", "tags CONTAINS %@", "%@ IN tags", "tags.name CONTAINS 'x'", "tags.@count > 1",
        "tags.@sum.weight > 1", "SUBQUERY(tags, $t, $t.weight > 1).@count == 2", "ANY tags IN %@", "SUBQUERY(tags, $t, ANY $t.people.age > 1).@count > 0",
        "count:(tags) > 1", "dept.members.@count > 1", "SELF == mentor", "dept.boss.mentor.name == nil", "ANY lowercase(tags.name) == 'x'",
        "SUBQUERY(tags, $t, SUBQUERY($t.people, $p, $p.age > age AND $p.name == $t.name).@count > 0).@count > 0", "self IN %@", "token != nil",
    ])
    func allowed(format: String) throws {
        var plan = try plan("Person")
        let arguments: [PredicateArgument] = format.contains("%@") ? [.value(.list([]))] : []
        plan.predicate = try PredicateFormat.parse(format, arguments: arguments)
        #expect(message(plan) == "(passed)")
    }

    @Test("SO07, SO08: sorting by an unknown, to-many or transient key or by an operator is refused", arguments: [
        ("Person", "nam", "keypath nam not found in entity <Person>. Did you mean “name”?"), ("Person", "tags", "to-many key not allowed here"),
        ("Person", "tags.name", "to-many key not allowed here"), ("Extra", "scratch", "keypath scratch not found in entity <Extra>: it is transient"),
        ("Person", "tags.@count", "“tags.@count” cannot be sorted by"),
    ])
    func sorts(entity: String, path: String, expected: String) throws { #expect(message(try plan(entity, sort: path)).hasPrefix(expected)) }

    @Test("Sorting by attributes, to-ones and along to-ones is allowed", arguments: ["name", "dept", "dept.boss.name", "objectID"])
    func allowedSorts(path: String) throws { #expect(message(try plan("Person", sort: path)) == "(passed)") }

    @Test("PR37: transient attributes and blocks are not for stores")
    func transients() throws {
        #expect(message(try plan("Extra", "scratch == 'x'")).contains("transient"))
        var plan = try plan("Extra")
        plan.predicate = .block(PredicateBlock(text: "BLOCKPREDICATE(0x1)") { _, _ in true })
        #expect(message(plan).hasPrefix("BLOCKPREDICATE(0x1) cannot be evaluated by a store"))
    }

    @Test("Composites: their elements are keys, others are not")
    func composites() throws {
        #expect(message(try plan("Extra", "address.city == 'Rome'")) == "(passed)")
        #expect(message(try plan("Extra", "address.town == 'Rome'")) == "keypath town not found in composite <Address> (in “address.town”). There are: city.")
    }

    @Test("Collection operators: unknown, without key, with a key too many", arguments: [
        ("tags.@foo.weight > 1", "“@foo” in “tags.@foo.weight” is not a collection operator."), ("tags.@sum > 1", "“@sum” in “tags.@sum” needs a key after it."),
        ("tags.@count.weight > 1", "nothing can follow @count in “tags.@count.weight”."),
    ])
    func operators(format: String, expected: String) throws { #expect(message(try plan("Person", format)) == expected) }

    @Test("A variable nothing was substituted for is named")
    func variables() throws {
        #expect(message(try plan("Person", "name == $NAME")) == "Nothing was substituted for the variable $NAME of the predicate.")
        // A SUBQUERY's variable is known only inside it.
        #expect(message(try plan("Person", "SUBQUERY(tags, $t, $t.weight > 1).@count > 0 AND age == $t")).contains("$t"))
    }

    private func dictionaries(_ columns: [String], groupBy: [String] = [], having: String? = nil, sort: String? = nil) throws -> FetchPlan {
        var plan = try plan("Person", sort: sort)
        var dictionary = DictionaryPlan(columns: try columns.map {
            DictionaryColumn(name: $0 == "count:(name)" ? "n" : $0, expression: try PredicateFormat.parseExpression($0))
        })
        dictionary.groupBy = groupBy
        dictionary.having = try having.map { try PredicateFormat.parse($0) }
        plan.result = .dictionaries(dictionary)
        return plan
    }

    @Test("FE14, FE17: columns of dictionaries")
    func columns() throws {
        #expect(message(try dictionaries(["name", "dept.name", "dept"])) == "(passed)")
        #expect(message(try dictionaries(["tags"])) == "Invalid to-many relationship in setPropertiesToFetch: “tags”.")
        #expect(message(try dictionaries(["nam"])).contains("Did you mean “name”?"))
        #expect(message(try dictionaries(["age", "count:(name)"], groupBy: ["age"])) == "(passed)")
        #expect(message(try dictionaries(["age", "name"], groupBy: ["age"])).hasPrefix("SELECT columns must be literals, aggregates or grouped: “name”"))
        #expect(message(try dictionaries(["age", "count:(name)"])).hasPrefix("SELECT columns must be literals, aggregates or grouped: “age”"))
        #expect(message(try dictionaries(["age"], groupBy: ["tags.name"])).hasPrefix("to-many key not allowed here"))
        #expect(message(try dictionaries(["@sum.agee"])).contains("Did you mean “age”?"))
        #expect(message(try dictionaries(["age", "count:(name)"], groupBy: ["age"], having: "n > 1 AND $n < 5", sort: "n")) == "(passed)")
        #expect(message(try dictionaries(["age", "count:(name)"], groupBy: ["age"], having: "m > 1")).hasPrefix("keypath m not found"))
    }

    @Test("Prefetched paths are relationships")
    func prefetch() throws {
        var plan = try plan("Person")
        plan.prefetch = [["dept", "members", "tags"]]
        #expect(message(plan) == "(passed)")
        plan.prefetch = [["dept", "name"]]
        #expect(message(plan) == "“name” of entity <Dept> is not a relationship and cannot be prefetched.")
        plan.prefetch = [["detp"]]
        #expect(message(plan).hasPrefix("keypath detp not found in entity <Person>"))
    }
}
