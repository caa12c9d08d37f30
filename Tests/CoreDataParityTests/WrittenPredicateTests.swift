import CoreData
import Testing

/// Predicates as apps write them, against answers worked out by hand: in stores and by `evaluate(with:)`.
@Suite("Predicates as apps write them")
struct WrittenPredicateTests {
    private static func crew() -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("nick", .stringAttributeType),
            NSAttributeDescription("age", .integer64AttributeType), NSAttributeDescription("size", .integer16AttributeType),
            NSAttributeDescription("height", .doubleAttributeType), NSAttributeDescription("born", .dateAttributeType),
            NSAttributeDescription("active", .booleanAttributeType))
        let pet = NSEntityDescription(
            "Pet", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("kind", .stringAttributeType),
            NSAttributeDescription("age", .integer64AttributeType))
        relate(person, .one("boss"), person, .many("reports"))
        relate(person, .many("pets"), pet, .one("owner"))
        return model(person, pet)
    }

    private static func fill(_ context: NSManagedObjectContext) {
        func day(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
        let ada = context.make("Person", ["name": "Ada", "nick": "A", "age": 36, "size": 3, "height": 1.7, "born": day(0), "active": true])
        let bob = context.make("Person", ["name": "Bob", "age": 17, "size": 1, "height": 1.8, "born": day(31_536_000), "active": false, "boss": ada])
        let cleo = context.make(
            "Person", ["name": "Cléo", "nick": "c*o", "age": 52, "size": 2, "height": 1.65, "born": day(-86_400), "active": true, "boss": ada])
        let dan = context.make(
            "Person", ["name": "Dan", "nick": "100%", "age": 17, "size": 5, "height": 1.8, "born": day(1000), "active": false, "boss": bob])
        for (name, kind, age, owner) in [("Rex", "dog", 3, ada), ("Tom", "cat", 5, ada), ("Tim", "cat", 1, cleo), ("Max", "dog", 9, dan)] {
            context.make("Pet", ["name": name, "kind": kind, "age": age, "owner": owner])
        }
    }

    /// Each format with the initials of who is found, in order.
    private static let formats: [(String, String)] = [
        ("born > CAST(0, 'NSDate')", "BD"), ("born >= CAST(0.0, \"NSDate\")", "ABD"), ("now() > born", "ABCD"), ("born + 100 > CAST(1050, 'NSDate')", "BD"),
        ("pets.@count == 2", "A"), ("pets.@count > 0", "ACD"), ("0 < pets.@count", "ACD"), ("count:(pets) = 1", "CD"), ("pets[SIZE] == 2", "A"),
        ("ANY pets.name IN {'Rex', 'Tim'}", "AC"), ("any pets.name in {'Rex', 'Tim'}", "AC"), ("NOT ANY pets.kind == 'dog'", "BC"), ("NOT (ANY pets.kind == 'dog')", "BC"),
        ("NONE pets.kind == 'dog'", "BC"), ("ALL pets.kind == 'cat'", "BC"), ("SOME pets.age > 4", "AD"), ("ANY pets.age BETWEEN {4, 9}", "AD"),
        ("ANY pets.name LIKE[c] 't?m'", "AC"), ("ANY pets.age > 4 AND ANY pets.kind == 'dog'", "AD"), ("'Rex' IN pets.name", "A"), ("pets.name CONTAINS 'Rex'", "A"),
        ("SUBQUERY(pets, $p, $p.kind == 'cat' AND $p.age > 1).@count > 0", "A"), ("SUBQUERY(pets, $p, $p.age > 2).@count == pets.@count", "ABD"),
        ("SUBQUERY(pets, $p, $p.kind == 'dog').@count == 0", "BC"), ("SUBQUERY(reports, $r, ANY $r.pets.kind == 'cat').@count > 0", "A"),
        ("SUBQUERY(reports, $r, SUBQUERY($r.pets, $p, $p.age > 8).@count > 0).@count = 1", "B"), ("count:(SUBQUERY(pets, $p, $p.age > 0)) == 2", "A"),
        ("pets.@sum.age > 7", "AD"), ("pets.@max.age == 5", "A"), ("pets.@avg.age == 4", "A"), ("pets.@min.age < 3", "C"), ("sum:(pets.age) == 8", "A"), ("max:(pets.age) == 9", "D"),
        ("age BETWEEN {17, 36}", "ABD"), ("age BETWEEN {#size * 10, 40}", "AB"), ("age IN {17, 52}", "BCD"), ("!(age IN {17})", "AC"), ("NOT age IN {17}", "AC"),
        ("name MATCHES 'Cl\\\\p{L}o'", "C"), ("name MATCHES[c] 'ada|bob'", "AB"), ("name MATCHES '.*[abn]'", "ABD"), ("name LIKE[cd] 'cle?'", "C"), ("name LIKE '*a*'", "AD"),
        ("name CONTAINS[cd] 'E'", "C"), ("name CONTAINS[d] 'e'", "C"), ("name BEGINSWITH[c] 'd'", "D"), ("name ENDSWITH 'b'", "B"), ("name ENDSWITH[c] 'A'", "A"),
        ("nick CONTAINS '%'", "D"), ("nick == '100%'", "D"), ("nick LIKE 'c\\\\*o'", "C"), ("name ==[c] 'ADA'", "A"), ("name ==[cd] 'CLEO'", "C"), ("name !=[c] 'ADA'", "BCD"),
        ("name >= 'B' AND name < 'D'", "BC"), ("'Ada' == name", "A"), ("3 < #size", "D"), ("'d' IN name", "A"), ("name IN {'Ada', \"Dan\"}", "AD"),
        ("TRUEPREDICATE", "ABCD"), ("FALSEPREDICATE", ""), ("TRUEPREDICATE AND age > 20", "AC"), ("NOT FALSEPREDICATE", "ABCD"), ("#size > 2", "AD"), ("SELF.#size > 2", "AD"),
        ("active == YES", "AC"), ("active = true", "AC"), ("active == NO", "BD"), ("active != 1", "BD"), ("active == FALSE", "BD"), ("!(active == YES)", "BD"),
        ("modulus:by:(age, 2) == 0", "AC"), ("age * 2 == 34", "BD"), ("age + #size > 37", "AC"), ("age - #size * 10 > 0", "ABC"), ("(age & 1) == 1", "BD"), ("(#size | 4) == 7", "A"),
        ("(#size ^ 1) == 2", "A"), ("(#size << 1) == 2", "B"), ("age / 2 == 8", "BD"), ("age ** 2 == 289", "BD"), ("-age < -40", "C"), ("abs:(age - 40) < 5", "A"), ("age = 0x11", "BD"),
        ("sqrt:(age) == 6", "A"), ("ceiling:(height) == 2", "ABCD"), ("floor:(height) == 1", "ABCD"), ("add:to:(age, 1) == 18", "BD"), ("#size == 3.0", "A"), ("age == '36'", "A"), ("height > 1.7", "BD"),
        ("length:(name) == 3", "ABD"), ("lowercase:(name) == 'bob'", "B"), ("uppercase(name) == 'BOB'", "B"),
        ("boss.name == 'Ada'", "BC"), ("boss == nil", "A"), ("boss != nil", "BCD"), ("boss.boss.name == 'Ada'", "D"), ("boss.pets.@count == 2", "BC"), ("ANY boss.pets.kind == 'dog'", "BC"),
        ("ANY reports.name BEGINSWITH 'B'", "A"), ("ANY reports.pets.kind == 'dog'", "B"), ("reports.@count == 2", "A"), ("boss.age > age", "B"), ("boss.#size > #size", "BC"), ("SELF.age == 36", "A"),
        ("TERNARY(age > 20, 'old', 'young') == 'old'", "AC"), ("TERNARY(active == YES, age, #size) > 4", "ACD"), ("nick != nil", "ACD"), ("nick <> NULL", "ACD"), ("nick = NIL", "B"), ("nick == nil OR nick == 'A'", "AB"),
        ("NOT (age > 20 OR #size > 4)", "B"), ("age > 20 || #size > 4 && age < 18", "ACD"), ("(age > 20 OR #size > 4) AND age < 40", "AD"), ("age > 16 and not age > 17", "BD"),
        ("age =< 17", "BD"), ("age => 36", "AC"), ("age <> 17", "AC"), ("CAST(age, 'NSString') == '36'", "A"), ("CAST('17', 'NSNumber') == age", "BD"), ("born == CAST(1000, 'NSDate')", "D"),
    ]

    private func initials(_ objects: [NSManagedObject]) -> String { objects.compactMap { $0.text("name")?.prefix(1) }.joined() }

    @Test("Formats, in a store, in a child context, counted and in memory", arguments: StoreKind.allCases)
    func formats(kind: StoreKind) throws {
        let stack = try Stack(Self.crew(), kind)
        try stack.seed(Self.fill)
        try stack.run { context in
            let everybody = try context.all("Person")
            for (format, expected) in Self.formats {
                let predicate = NSPredicate(format: format)
                let request = context.request("Person", predicate, by: "name")
                do {
                    let found = try context.fetch(request), count = try context.count(for: request)
                    #expect(initials(found) == expected && count == expected.count, "\(format)")
                } catch { Issue.record("\(format): \(error)") }
                #expect(initials(everybody.filter { predicate.evaluate(with: $0) }) == expected, "\(format), in memory")
                let printed = predicate.predicateFormat
                #expect(NSPredicate(format: printed) == predicate, "\(format) prints as \(printed)")
            }
        }
    }

    @Test("Placeholders, objects, IDs, collections, variables and predicates made of parts", arguments: StoreKind.allCases)
    func parts(kind: StoreKind) throws {
        let stack = try Stack(Self.crew(), kind)
        try stack.seed(Self.fill)
        try stack.run { context in
            let everybody = try context.all("Person")
            let ada = try context.named("Ada", "Person"), dan = try context.named("Dan", "Person")
            let rex = try context.named("Rex", "Pet")
            let minimum = NSPredicate(format: "age > $min")
            let older = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forConstantValue: 20), modifier: .direct,
                type: .greaterThan, options: [])
            let anyDog = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "pets.kind"), rightExpression: NSExpression(forConstantValue: "DOG"), modifier: .any,
                type: .equalTo, options: .caseInsensitive)
            let sum = NSExpression(forFunction: "add:to:", arguments: [NSExpression(forKeyPath: "age"), NSExpression(forKeyPath: "size")])
            let cases: [(NSPredicate, String)] = [
                (NSPredicate(format: "SELF IN %@", [ada, dan]), "AD"), (NSPredicate(format: "self in %@", NSSet(array: [ada, dan])), "AD"),
                (NSPredicate(format: "NOT (SELF IN %@)", [ada.objectID, dan.objectID]), "BC"), (NSPredicate(format: "SELF == %@", ada), "A"),
                (NSPredicate(format: "SELF != %@", ada.objectID), "BCD"), (NSPredicate(format: "boss == %@", ada), "BC"),
                (NSPredicate(format: "boss IN %@", [ada]), "BC"), (NSPredicate(format: "ANY pets == %@", rex), "A"),
                (NSPredicate(format: "%@ IN pets", rex), "A"), (NSPredicate(format: "pets CONTAINS %@", rex), "A"),
                (NSPredicate(format: "ANY pets IN %@", [rex]), "A"), (NSPredicate(format: "NONE pets IN %@", [rex]), "BCD"),
                (NSPredicate(format: "%K.@count == %d", "pets", 2), "A"), (NSPredicate(format: "%K.%K == %@", "boss", "name", "Ada"), "BC"),
                (NSPredicate(format: "ANY %K.%K == %@", "pets", "kind", "dog"), "AD"), (NSPredicate(format: "%K BETWEEN %@", "age", [17, 36]), "ABD"),
                (NSPredicate(format: "%K BETWEEN {%@, %@}", "age", 17, 36), "ABD"), (NSPredicate(format: "born < %@", NSDate(timeIntervalSinceReferenceDate: 0)), "C"),
                (NSPredicate(format: "born BETWEEN %@", [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1000)]), "AD"),
                (NSPredicate(format: "height > %f AND age < %i", 1.7, 20), "BD"), (NSPredicate(format: "age == %ld", 36), "A"), (NSPredicate(format: "name == '%@'", argumentArray: []), ""),
                (NSPredicate(format: "active == %@", NSNumber(value: true)), "AC"), (NSPredicate(format: "nick == %@", NSNull()), "B"),
                (NSPredicate(format: "nick == %@", nil), "B"), (NSPredicate(format: "name CONTAINS[cd] %@ OR nick == %@", "e", "A"), "AC"),
                (NSPredicate(format: "(#size & %d) == %d", 1, 1), "ABD"), (NSPredicate(format: "name IN %@ AND age > %@", ["Ada", "Bob"], 20), "A"),
                (NSPredicate(format: "%@ == name", "Ada"), "A"), (NSPredicate(format: "%K == %@ && %K != %@", argumentArray: ["active", true, "name", "Ada"]), "C"),
                (NSPredicate(value: true), "ABCD"), (NSPredicate(value: false), ""), (NSCompoundPredicate(notPredicateWithSubpredicate: older), "BD"),
                (NSCompoundPredicate(andPredicateWithSubpredicates: [older, anyDog]), "A"), (NSCompoundPredicate(orPredicateWithSubpredicates: [older, anyDog]), "ACD"),
                (NSCompoundPredicate(andPredicateWithSubpredicates: []), "ABCD"), (NSCompoundPredicate(orPredicateWithSubpredicates: []), ""),
                (NSCompoundPredicate(type: .not, subpredicates: [anyDog]), "BC"), (minimum.withSubstitutionVariables(["min": 20]), "AC"), (anyDog, "AD"),
                (NSComparisonPredicate(leftExpression: sum, rightExpression: NSExpression(format: "40 - 1"), modifier: .direct, type: .equalTo, options: []), "A"),
                (NSComparisonPredicate(
                    leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forAggregate: ["Ada", NSExpression(forConstantValue: "Bob")]),
                    modifier: .direct, type: .in, options: []), "AB"),
            ]
            for (predicate, expected) in cases {
                do {
                    let found = try context.fetch(context.request("Person", predicate, by: "name"))
                    #expect(initials(found) == expected, "\(predicate.predicateFormat)")
                } catch {
                    Issue.record("\(predicate.predicateFormat): \(error)")
                }
                #expect(initials(everybody.filter { predicate.evaluate(with: $0) }) == expected, "\(predicate.predicateFormat), in memory")
            }
            #expect(minimum.evaluate(with: ada, substitutionVariables: ["min": 30]) && !minimum.evaluate(with: dan, substitutionVariables: ["min": 30]))
            let block = NSPredicate { object, _ in (object as? NSManagedObject)?.text("name") == "Dan" }
            #expect(initials(everybody.filter { block.evaluate(with: $0) }) == "D")
            #expect(initials((everybody as NSArray).filtered(using: older).compactMap { $0 as? NSManagedObject }) == "AC")
        }
    }

    @Test("predicateFormat prints as Apple's", arguments: [
        ("a = 1 && b = 2", "a == 1 AND b == 2"), ("a == 1 || b == 2", "a == 1 OR b == 2"), ("NOT a == 1", "NOT a == 1"), ("!(a == 1 AND b == 2)", "NOT (a == 1 AND b == 2)"),
        ("a BETWEEN {1,10}", "a BETWEEN {1, 10}"), ("SOME a = 1", "ANY a == 1"), ("a in {1,2}", "a IN {1, 2}"), ("name contains[cd] 'x'", "name CONTAINS[cd] \"x\""),
        ("a <> nil", "a != nil"), ("a = NULL", "a == nil"), ("self == 1", "SELF == 1"), ("a == YES", "a == 1"), ("#size > 3", "#size > 3"),
        ("a => 1", "a >= 1"), ("$a == 1", "$a == 1"), ("a.@count > 0", "a.@count > 0"), ("SUBQUERY(p, $x, $x.a == 1).@count > 0", "SUBQUERY(p, $x, $x.a == 1).@count > 0"),
        ("a + 1 == b", "a + 1 == b"), ("(a == 1 OR b == 2) AND c == 3", "(a == 1 OR b == 2) AND c == 3"), ("a == 1 OR b == 2 AND c == 3", "a == 1 OR (b == 2 AND c == 3)"),
        ("ALL a.b == 1", "ALL a.b == 1"), ("a == 1.5", "a == 1.5"), ("name LIKE \"it's\"", "name LIKE \"it's\""), ("name == 'say \"x\"'", "name == \"say \\\"x\\\"\""),
    ])
    func prints(format: String, printed: String) {
        #expect(NSPredicate(format: format).predicateFormat == printed)
    }
}
