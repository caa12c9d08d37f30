import CoreDataPredicate
import CoreDataSchema
import Foundation
import Testing

/// Citizens of every shape: values and nils, with and without firms, bosses and tags.
private func population() -> [Citizen] {
    let tags = [("red", 1), ("green", 2), ("", 3)].map { Tag(["text": $0.0, "weight": $0.1]) }
    let boss = Citizen([
        "name": "Boss", "title": "Dr. Boss", "age": 60, "rank": Int16(9), "score": 9.5, "points": Int64(10), "isActive": true,
        "tags": Set([tags[0]]), "nicknames": ["b"],
    ])
    let firms = [
        Firm(["name": "Acme", "boss": boss, "size": 10, "isOpen": true]), Firm(["name": "Bolt", "boss": nil, "size": 3, "isOpen": false]),
    ]
    return [
        boss,
        Citizen([
            "name": "A", "title": "Ännie", "age": 3, "rank": Int16(1), "score": 1.5, "points": Int64(3), "isActive": true,
            "firm": firms[0], "tags": Set(tags), "nicknames": ["z", "y"],
        ]),
        Citizen([
            "name": "B", "title": "abc", "age": 5, "rank": Int16(5), "score": 0.5, "points": nil, "isActive": false,
            "firm": firms[1], "tags": Set([tags[1]]), "nicknames": ["A"],
        ]),
        Citizen([
            "name": nil, "title": "", "age": 0, "rank": Int16(0), "score": 0.0, "points": Int64(0), "isActive": false, "firm": nil,
            "tags": Set<Tag>(), "nicknames": ["q"],
        ]),
        Citizen(["name": "", "title": "ABC", "age": 7, "rank": Int16(3), "score": -2.0, "points": Int64(-1), "isActive": true,
            "firm": nil, "tags": Set(tags.prefix(2)), "nicknames": ["c", "a"]]),
    ]
}

/// The tree prints as `text`, and gives for every citizen what Swift itself gives, by memory's rules for nil and by SQL's.
private func check(
    _ predicate: Predicate<Citizen>, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let tree = try TypedPredicate.tree(of: predicate)
    #expect(PredicatePrinter.text(of: tree) == text, sourceLocation: sourceLocation)
    for citizen in population() {
        let swift = try predicate.evaluate(citizen)
        for rules in [NilRules.memory, .sql] {
            let ours = try PredicateEvaluation.evaluate(tree, subject: citizen, rules: rules)
            #expect(swift == ours, "\(text) by \(rules) on \(citizen.values)", sourceLocation: sourceLocation)
        }
    }
}

@Suite("#Predicate as a tree")
struct FoundationTypedPredicateTests {
    @Test("DD04: equality and inequality keep Swift's meaning of nil")
    func equality() throws {
        let name = "A"
        let none: String? = nil
        try check(#Predicate { $0.name == name }, "name == \"A\"")
        try check(#Predicate { $0.name != name }, "name != \"A\"")
        try check(#Predicate { $0.name == nil }, "name == nil")
        try check(#Predicate { $0.name != nil }, "name != nil")
        try check(#Predicate { $0.name == none }, "name == nil")
        try check(#Predicate { !($0.name == "A") }, "NOT name == \"A\"")
        guard case .comparison(let comparison) = try TypedPredicate.tree(of: #Predicate<Citizen> { $0.name != "A" }) else {
            Issue.record("not a comparison")
            return
        }
        #expect(comparison.options == .swiftNil)
    }

    @Test("Order, logic and truth values")
    func logic() throws {
        try check(#Predicate { $0.age > 3 }, "age > 3")
        try check(#Predicate { $0.rank <= 3 }, "rank <= 3")
        try check(#Predicate { $0.title >= "abc" }, "title >= \"abc\"")
        try check(#Predicate { $0.isActive }, "isActive == 1")
        try check(#Predicate { !$0.isActive }, "NOT isActive == 1")
        try check(#Predicate { $0.isActive == false }, "isActive == 0")
        try check(#Predicate { $0.age > 3 && $0.age < 9 && $0.isActive }, "age > 3 AND age < 9 AND isActive == 1")
        try check(#Predicate { $0.age > 5 || $0.isActive && $0.age > 1 }, "age > 5 OR (isActive == 1 AND age > 1)")
        try check(#Predicate { _ in true }, "TRUEPREDICATE")
        try check(#Predicate { $0.isActive || true }, "TRUEPREDICATE")
    }

    @Test("Arithmetic")
    func arithmetic() throws {
        try check(#Predicate { $0.age + 1 > 4 }, "age + 1 > 4")
        try check(#Predicate { $0.age - 1 == 2 }, "age - 1 == 2")
        try check(#Predicate { $0.age * 2 < 12 }, "age * 2 < 12")
        try check(#Predicate { $0.age / 2 == 1 }, "age / 2 == 1")
        try check(#Predicate { $0.age % 2 == 1 }, "modulus:by:(age, 2) == 1")
        try check(#Predicate { $0.score / 2 > 0.5 }, "score / 2 > 0.5")
        try check(#Predicate { -$0.age < -4 }, "0 - age < -4")
    }

    @Test("Optional chaining, coalescing, forcing and if let")
    func optionals() throws {
        try check(#Predicate { $0.firm?.name == "Acme" }, "firm.name == \"Acme\"")
        try check(#Predicate { $0.firm?.name != "Acme" }, "firm.name != \"Acme\"")
        try check(#Predicate { $0.firm?.boss?.name == "Boss" }, "firm.boss.name == \"Boss\"")
        try check(#Predicate { $0.firm == nil }, "firm == nil")
        try check(#Predicate { $0.firm?.isOpen == true }, "firm.isOpen == 1")
        try check(#Predicate { $0.firm?.isOpen ?? true }, "firm.isOpen == 1 OR NOT firm.isOpen != nil")
        try check(#Predicate { ($0.points ?? 0) > 1 }, "TERNARY(points != nil, points, 0) > 1")
        try check(#Predicate { if let firm = $0.firm { firm.size > 5 } else { false } }, "firm != nil AND firm.size > 5")
        try check(#Predicate { if let firm = $0.firm { firm.size > 5 } else { true } },
            "(firm != nil AND firm.size > 5) OR NOT firm != nil")
        let forced = try TypedPredicate.tree(of: #Predicate<Citizen> { $0.firm!.name == "Acme" })
        #expect(PredicatePrinter.text(of: forced) == "firm.name == \"Acme\"")
    }

    @Test("Truths that may be nil, compared with truths")
    func optionalTruths() throws {
        try check(#Predicate { $0.name?.contains("A") == true }, "name != nil AND name CONTAINS \"A\"")
        try check(#Predicate { !($0.name?.contains("A") == true) }, "NOT (name != nil AND name CONTAINS \"A\")")
        try check(#Predicate { $0.name?.starts(with: "A") ?? false }, "name != nil AND name BEGINSWITH \"A\"")
        try check(#Predicate { $0.name?.contains("A") == false },
            "name != nil AND NOT (name != nil AND name CONTAINS \"A\")")
        try check(#Predicate { ($0.age > 3) == $0.isActive },
            "(age > 3 AND isActive == 1) OR (NOT age > 3 AND isActive != nil AND NOT isActive == 1)")
    }

    @Test("Strings")
    func strings() throws {
        try check(#Predicate { $0.title.contains("b") }, "title CONTAINS \"b\"")
        try check(#Predicate { $0.title.starts(with: "a") }, "title BEGINSWITH \"a\"")
        try check(#Predicate { $0.title.contains("") }, "title != nil")
        try check(#Predicate { $0.title.isEmpty }, "title == \"\"")
        try check(#Predicate { $0.title.localizedStandardContains("ANN") }, "title CONTAINS[cdl] \"ANN\"")
        let same = ComparisonResult.orderedSame
        try check(#Predicate { $0.title.caseInsensitiveCompare("abc") == same }, "title ==[c] \"abc\"")
        try check(#Predicate { $0.title.caseInsensitiveCompare("abc") != same }, "NOT title ==[c] \"abc\"")
    }

    @Test("Membership in captured collections and ranges")
    func membership() throws {
        let names = ["A", "B"]
        let set: Set<Int> = [5]
        let optionals: [String?] = ["A", nil]
        let range = 3...5
        try check(#Predicate { names.contains($0.title) }, "title IN {\"A\", \"B\"}")
        try check(#Predicate { set.contains($0.age) }, "age IN {5}")
        try check(#Predicate { !set.contains($0.age) }, "NOT age IN {5}")
        try check(#Predicate { optionals.contains($0.name) }, "NOT name != nil OR (name != nil AND name IN {\"A\"})")
        try check(#Predicate { range.contains($0.age) }, "age BETWEEN {3, 5}")
        try check(#Predicate { (3...5).contains($0.age) }, "age BETWEEN {3, 5}")
        try check(#Predicate { (3..<5).contains($0.age) }, "age >= 3 AND age < 5")
        try check(#Predicate { $0.nicknames.contains("A") }, "nicknames CONTAINS \"A\"")
        try check(#Predicate { citizen in names.contains { $0 == citizen.title } }, "\"A\" == title OR \"B\" == title")
    }

    @Test("To-many relationships")
    func collections() throws {
        try check(#Predicate { $0.tags.contains { $0.text == "red" } }, "SUBQUERY(tags, $x, $x.text == \"red\").@count > 0")
        try check(#Predicate { !$0.tags.contains(where: { $0.weight > 2 }) },
            "NOT SUBQUERY(tags, $x, $x.weight > 2).@count > 0")
        try check(#Predicate { $0.tags.allSatisfy { $0.weight < 3 } }, "SUBQUERY(tags, $x, NOT $x.weight < 3).@count == 0")
        try check(#Predicate { $0.tags.filter { $0.weight > 1 }.count > 1 }, "SUBQUERY(tags, $x, $x.weight > 1).@count > 1")
        try check(#Predicate { $0.tags.count > 1 }, "tags.@count > 1")
        try check(#Predicate { $0.tags.isEmpty }, "tags.@count == 0")
        try check(#Predicate { citizen in citizen.tags.contains { $0.weight == citizen.age } },
            "SUBQUERY(tags, $x, $x.weight == age).@count > 0")
        try check(#Predicate { $0.firm?.boss?.tags.contains { $0.weight == 1 } == true },
            "firm.boss != nil AND SUBQUERY(firm.boss.tags, $x, $x.weight == 1).@count > 0")
        try check(#Predicate { citizen in citizen.tags.contains { a in citizen.tags.contains { $0.weight > a.weight } } },
            "SUBQUERY(tags, $x, SUBQUERY(tags, $x2, $x2.weight > $x.weight).@count > 0).@count > 0")
    }

    @Test("Elements and extremes of arrays")
    func elements() throws {
        try check(#Predicate { $0.nicknames[0] == "A" }, "nicknames[0] == \"A\"")
        try check(#Predicate { $0.nicknames.first == "b" }, "nicknames[FIRST] == \"b\"")
        try check(#Predicate { $0.nicknames.max() == "z" }, "max:(nicknames) == \"z\"")
    }

    @Test("Objects are compared by ID")
    func identifiers() throws {
        let citizens = population()
        let boss = try #require(citizens.first)
        let id = boss.objectID
        let chained = #Predicate<Citizen> { $0.firm?.boss?.objectID == id }
        let tree = try TypedPredicate.tree(of: chained)
        #expect(PredicatePrinter.text(of: tree).hasPrefix("firm.boss == "))
        let own = try TypedPredicate.tree(of: #Predicate<Citizen> { $0.objectID == id })
        #expect(PredicatePrinter.text(of: own).hasPrefix("SELF == "))
        let other = try TypedPredicate.tree(of: #Predicate<Citizen> { $0.firm?.boss?.objectID != id })
        for citizen in citizens {
            #expect(try chained.evaluate(citizen) == tree.evaluate(with: citizen, variables: nil))
            #expect(try own.evaluate(with: citizen, variables: nil) == (citizen === boss))
            #expect(try other.evaluate(with: citizen, variables: nil) != chained.evaluate(citizen))
        }
    }

    @Test("A conditional of truths is a disjunction, of values a TERNARY")
    func conditionals() throws {
        try check(#Predicate { ($0.isActive ? 1 : $0.age) == 1 }, "TERNARY(isActive == 1, 1, age) == 1")
        try check(#Predicate { if $0.isActive { $0.age > 5 } else { $0.age > 1 } },
            "(isActive == 1 AND age > 5) OR (NOT isActive == 1 AND age > 1)")
    }

    @Test("Inherited key paths are named through the subclass's table")
    func inherited() throws {
        let tree = try TypedPredicate.tree(of: #Predicate<Firm> { $0.name == "Acme" })
        #expect(PredicatePrinter.text(of: tree) == "name == \"Acme\"")
    }

    @Test("What no tree can say becomes a block, and only that part")
    func blocks() throws {
        func parts(_ predicate: Predicate<Citizen>) throws -> [PredicateTree] {
            let tree = try TypedPredicate.tree(of: predicate)
            for citizen in population() { #expect(try predicate.evaluate(citizen) == tree.evaluate(with: citizen, variables: nil)) }
            if case .and(let parts) = tree { return parts }
            return [tree]
        }
        let shout = try parts(#Predicate { $0.age > 1 && $0.shout == "ABC" })
        #expect(shout.count == 2)
        #expect(PredicatePrinter.text(of: try #require(shout.first)) == "age > 1")
        guard case .block = shout.last else { Issue.record("no block"); return }
        guard case .block = try parts(#Predicate { $0.title.count > 2 }).first else { Issue.record("no block"); return }
        guard case .block = try parts(#Predicate { ($0 as? Student)?.school == "x" }).first else { Issue.record("no block"); return }
        guard case .block = try parts(#Predicate { $0 is Student }).first else { Issue.record("no block"); return }
        guard case .block = try parts(#Predicate { $0.tags.contains { $0.text.count > 2 } }).first else {
            Issue.record("no block")
            return
        }
    }

    @Test("Parts without the object are computed once")
    func constants() throws {
        let table = ["a": 5]
        try check(#Predicate { $0.age == table["a"] ?? 0 }, "age == 5")
    }

    @Test("A class without a key-path table is a typed error that names it")
    func noTable() throws {
        let error = try #require(throws: KeyPathNameError.self) {
            try TypedPredicate.tree(of: #Predicate<Stranger> { $0.name == "x" })
        }
        #expect(error.description.contains("Stranger"))
        #expect(error.description.contains("no generated key-path table"))
        let named = try TypedPredicate.tree(of: #Predicate<Stranger> { $0.name == "x" }, names: { _ in "nick" })
        #expect(PredicatePrinter.text(of: named) == "nick == \"x\"")
    }

    @Test("A class with an empty table is one without")
    func emptyTable() throws {
        let error = try #require(throws: KeyPathNameError.self) {
            try TypedPredicate.tree(of: #Predicate<Handwritten> { $0.nick == "x" })
        }
        #expect(error.description.contains("Handwritten"))
        #expect(throws: KeyPathNameError.self) { try SortDescription(SortDescriptor(\Handwritten.nick)) }
    }

    @Test("NSPredicate takes a #Predicate, and evaluates it")
    func asNSPredicate() throws {
        let predicate = try #require(NSPredicate(#Predicate<Citizen> { $0.age > 4 }))
        #expect(predicate.predicateFormat == "age > 4")
        #expect(population().filter { predicate.evaluate(with: $0) }.count == 3)
        #expect(NSPredicate(#Predicate<Stranger> { $0.name == "x" }) == nil)
        #expect(throws: KeyPathNameError.self) { try NSPredicate(validating: #Predicate<Stranger> { $0.name == "x" }) }
    }
}

@Suite("Names of key paths")
struct FoundationKeyPathNameTests {
    @Test("Key paths of several steps are named step by step")
    func composed() throws {
        #expect(try KeyPathNames.name(of: \Citizen.name) == "name")
        #expect(try KeyPathNames.name(of: \Citizen.firm?.name) == "firm.name")
        #expect(try KeyPathNames.name(of: \Citizen.firm?.boss?.firm) == "firm.boss.firm")
        #expect(try KeyPathNames.name(of: \Citizen.firm!.boss) == "firm.boss")
        #expect(try KeyPathNames.name(of: (\Citizen.firm!).appending(path: \.size)) == "firm.size")
    }

    @Test("Deep and repeated paths are named, and by the same relationship they cross")
    func deep() throws {
        #expect(try KeyPathNames.name(of: \Citizen.firm?.boss?.firm?.boss?.name) == "firm.boss.firm.boss.name")
        #expect(try KeyPathNames.name(of: \Firm.boss!.firm?.boss?.title) == "boss.firm.boss.title")
        #expect(try KeyPathNames.name(of: \Citizen.firm?.boss?.objectID) == "firm.boss.objectID")
        #expect(try KeyPathNames.name(of: \Citizen.firm!.name) == "firm.name")
    }

    @Test("A property that the table lacks is an error that names the class")
    func missing() throws {
        let error = try #require(throws: KeyPathNameError.self) { try KeyPathNames.name(of: \Citizen.shout) }
        #expect(error.description.contains("Citizen"))
        #expect(throws: KeyPathNameError.self) { try KeyPathNames.name(of: \Citizen.firm?.name.count) }
    }
}
