import CoreData
import Testing

@Suite("Predicates: paths, quantifiers and values in every place")
struct PredicateShapeTests {
    static let day = 86_400.0

    private func stack(_ kind: StoreKind) throws -> Stack {
        let company = NSEntityDescription("Company", NSAttributeDescription("name", .stringAttributeType))
        let department = NSEntityDescription("Department", NSAttributeDescription("name", .stringAttributeType))
        let employee = NSEntityDescription(
            "Employee", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("pay", .integer64AttributeType),
            NSAttributeDescription("born", .dateAttributeType), NSAttributeDescription("code", .UUIDAttributeType))
        relate(company, .many("departments"), department, .one("company"))
        relate(department, .many("staff"), employee, .one("dept"))
        relate(employee, .many("reports"), employee, .one("boss"))
        let stack = try Stack(model(company, department, employee), kind)
        try stack.seed { context in
            let acme = context.make("Company", ["name": "Acme"]), bolt = context.make("Company", ["name": "Bolt"])
            context.make("Company", ["name": "Cora"])
            func department(_ name: String, _ company: NSManagedObject) -> NSManagedObject { context.make("Department", ["name": name, "company": company]) }
            let lab = department("Lab", acme), shop = department("Shop", acme)
            _ = department("Void", bolt)
            func hire(_ name: String?, _ pay: Int?, _ day: Double, _ dept: NSManagedObject?, _ boss: NSManagedObject? = nil) -> NSManagedObject {
                let person = context.make("Employee", ["born": Date(timeIntervalSinceReferenceDate: day * Self.day)])
                for (key, value) in ["name": name, "pay": pay, "dept": dept, "boss": boss] as [String: Any?] { person.setValue(value, forKey: key) }
                return person
            }
            let ann = hire("Ann", 10, 1, lab)
            let bob = hire("Bob", 20, 2, lab, ann)
            _ = hire("Cem", nil, 3, shop, bob)
            _ = hire("Über", 30, 4, shop, ann)
            _ = hire("a*b?", 40, 5, nil, bob)
        }
        return stack
    }

    static let askedOfPeople: [(String, [String])] = [
        ("pay IN {10, 20, nil}", ["Ann", "Bob"]), ("pay IN {'10', 20.0}", ["Ann", "Bob"]),
        ("pay BETWEEN {10, 10 + 10}", ["Ann", "Bob"]), ("15 BETWEEN {pay, pay + 10}", ["Ann"]), ("pay BETWEEN {boss.pay, boss.pay * 3}", ["Bob", "a*b?", "Über"]),
        ("born > CAST(172800, 'NSDate') - 1 AND born < CAST(86400 * 4, 'NSDate')", ["Bob", "Cem"]),
        ("born + 86400 == CAST(259200, 'NSDate')", ["Bob"]), ("born - boss.born >= 172800", ["a*b?", "Über"]),
        ("name LIKE 'a\\\\*b\\\\?'", ["a*b?"]), ("name LIKE 'a?b?'", ["a*b?"]), ("name LIKE[cd] '?ber'", ["Über"]), ("name LIKE '*'", ["Ann", "Bob", "Cem", "a*b?", "Über"]),
        ("name MATCHES '.ber'", ["Über"]), ("name MATCHES[c] 'ü.*'", ["Über"]), ("name MATCHES '[A-C]..'", ["Ann", "Bob", "Cem"]), ("name MATCHES '\\\\p{Lu}\\\\w+'", ["Ann", "Bob", "Cem", "Über"]),
        ("boss.boss.name == 'Ann'", ["Cem", "a*b?"]), ("ANY reports.reports.name == 'Cem'", ["Ann"]), ("NONE reports.pay > 25", ["Cem", "a*b?", "Über"]),
        ("ALL reports.pay >= 20", ["Ann", "Cem", "a*b?", "Über"]), ("ANY reports.pay == nil", ["Bob"]), ("ANY reports.dept.name IN {'Shop'}", ["Ann", "Bob"]),
        ("reports.@count == 2 AND reports.@sum.pay == 50", ["Ann"]), ("reports.@max.pay == 40 AND reports.@min.pay == 40", ["Bob"]), ("reports.@avg.pay == 25", ["Ann"]),
        ("reports.reports.@count == 2", ["Ann"]), ("SUBQUERY(reports, $r, SUBQUERY($r.reports, $s, $s.pay > $r.pay).@count > 0).@count == 1", ["Ann"]),
        ("SUBQUERY(reports, $r, $r.pay > SELF.pay AND $r.dept == SELF.dept).@count > 0", ["Ann"]),
        ("SELF IN dept.staff AND dept.name == 'Lab'", ["Ann", "Bob"]), ("SELF IN boss.reports", ["Bob", "Cem", "a*b?", "Über"]), ("boss IN dept.staff", ["Bob"]),
        ("dept.company.name BEGINSWITH[c] 'a' AND dept.name ENDSWITH 'b'", ["Ann", "Bob"]), ("dept == nil OR dept.staff.@count == 2", ["Ann", "Bob", "Cem", "a*b?", "Über"]),
        ("TERNARY(pay > 15, 'rich', 'poor') == 'rich'", ["Bob", "a*b?", "Über"]), ("pay % 20 == 0".replacingOccurrences(of: "pay % 20", with: "modulus:by:(pay, 20)"), ["Bob", "a*b?"]),
        ("(pay & 8) == 8", ["Ann", "Über", "a*b?"].sorted()), ("pay / 20 == 1", ["Bob", "Über"]), ("'Ann' == name OR 20 < pay", ["Ann", "a*b?", "Über"]),
        ("name CONTAINS '*' OR name CONTAINS[cd] 'UB'", ["a*b?", "Über"]), ("lowercase:(name) == 'über' OR length:(name) == 4 AND name BEGINSWITH 'a'", ["a*b?", "Über"]),
        ("ANY {10, 20} == pay", ["Ann", "Bob"]), ("{10, 20} CONTAINS pay", ["Ann", "Bob"]), ("NOT pay IN {10, 20}", ["a*b?", "Über"]),
        ("entity.name == 'Employee' AND SELF.pay == 10", ["Ann"]), ("ANY boss.reports.name == 'Bob'", ["Bob", "Über"]), ("boss.reports.@count > 1 AND name != 'Bob'", ["Cem", "a*b?", "Über"]),
    ]

    @Test("Found in a store, unsaved, and by evaluating, alike", arguments: StoreKind.allCases, askedOfPeople)
    func people(kind: StoreKind, asked: (format: String, names: [String])) throws {
        try stack(kind).run { context in
            let predicate = NSPredicate(format: asked.format)
            try #expect(context.names("Employee", predicate).sorted() == asked.names.sorted())
            let reparsed = NSPredicate(format: predicate.predicateFormat)
            try #expect(context.names("Employee", reparsed).sorted() == asked.names.sorted(), "\(predicate.predicateFormat)")
            try #expect(context.count(for: context.request("Employee", predicate)) == asked.names.count)
            // Touched, everybody is asked in memory too.
            for person in try context.all("Employee") { person.setValue(person.value(forKey: "born"), forKey: "born"); person.setValue(UUID(), forKey: "code") }
            let rules = ["NOT", "nil"].contains { asked.format.contains($0) }
            let unsaved = try context.names("Employee", predicate).sorted()
            #expect(unsaved == asked.names.sorted() || rules, "\(unsaved)")
        }
    }

    static let askedOfCompanies: [(String, [String])] = [
        ("ANY departments.staff.name == 'Bob'", ["Acme"]), ("ALL departments.staff.pay > 5", ["Bolt", "Cora"]), ("NONE departments.staff.pay > 35", ["Acme", "Bolt", "Cora"]),
        ("departments.staff.@count == 4", ["Acme"]), ("departments.staff.@sum.pay == 60", ["Acme"]), ("departments.staff.@avg.pay == 20", ["Acme"]), ("departments.staff.@max.pay == 30", ["Acme"]),
        ("departments.@count == 0", ["Cora"]), ("SUBQUERY(departments, $d, $d.staff.@count == 0).@count == 1", ["Bolt"]),
        ("SUBQUERY(departments, $d, ANY $d.staff.pay > 25).@count == 1", ["Acme"]), ("SUBQUERY(departments.staff, $s, $s.boss.dept != $s.dept).@count > 0", ["Acme"]),
        ("SUBQUERY(departments, $d, SUBQUERY($d.staff, $s, $s.pay >= 10 AND $s.boss != nil).@count == 1).@count == 2", ["Acme"]),
        ("ANY departments.name LIKE[c] 'v*' OR ANY departments.name BEGINSWITH 'L'", ["Acme", "Bolt"]), ("departments.staff.@distinctUnionOfObjects.name.@count == 4", ["Acme"]),
    ]

    @Test("Nested to-manys", arguments: StoreKind.allCases, askedOfCompanies)
    func companies(kind: StoreKind, asked: (format: String, names: [String])) throws {
        try stack(kind).run { context in
            try #expect(context.names("Company", NSPredicate(format: asked.format)) == asked.names)
            #expect(try context.all("Company").filter { NSPredicate(format: asked.format).evaluate(with: $0) }.compactMap { $0.text("name") } == asked.names)
        }
    }

    @Test("Objects, IDs, sets and dates as arguments", arguments: StoreKind.allCases)
    func arguments(kind: StoreKind) throws {
        try stack(kind).run { context in
            let ann = try context.named("Ann", "Employee"), lab = try context.named("Lab", "Department"), bob = try context.named("Bob", "Employee")
            func names(_ format: String, _ arguments: Any...) throws -> [String] { try context.names("Employee", NSPredicate(format: format, argumentArray: arguments)) }
            try #expect(names("boss IN %@", [ann, bob.objectID]) == ["Bob", "Cem", "a*b?", "Über"])
            try #expect(names("boss IN %@", NSSet(array: [ann])) == ["Bob", "Über"])
            try #expect(names("NOT (boss IN %@)", [ann]) == ["Cem", "a*b?"])
            try #expect(names("ANY reports IN %@", [bob]) == ["Ann"])
            try #expect(names("reports CONTAINS %@", bob) == ["Ann"])
            try #expect(names("%@ IN reports", bob.objectID) == ["Ann"])
            try #expect(names("boss.dept == %@ AND SELF != %@", lab, bob) == ["Cem", "a*b?", "Über"])
            try #expect(names("dept.company IN %@", try context.all("Company")) == ["Ann", "Bob", "Cem", "Über"])
            let dates = [Date(timeIntervalSinceReferenceDate: 2 * Self.day), Date(timeIntervalSinceReferenceDate: 4 * Self.day)]
            try #expect(names("born BETWEEN %@", dates) == ["Bob", "Cem", "Über"])
            try #expect(names("born IN %@", Set(dates)) == ["Bob", "Über"])
            try #expect(names("boss.born < %@", dates[0]) == ["Bob", "Über"])
            try #expect(names("pay IN %@", [10, 20.0, NSNull(), NSDecimalNumber(string: "30")] as NSArray) == ["Ann", "Bob", "Über"])
            try #expect(names("boss IN %@", [NSManagedObject]()) == [])
            try #expect(context.names("Employee", NSPredicate(format: "pay IN %@", [10, 20] as [Any])) == ["Ann", "Bob"])
            try #expect(context.names("Employee", NSPredicate(format: "pay IN %@ AND name == %@", [10, 20] as [Any], "Bob")) == ["Bob"])
            let template = NSPredicate(format: "pay > $low AND boss IN $who AND name BEGINSWITH[c] $part")
            try #expect(context.names("Employee", template.withSubstitutionVariables(["low": 15, "who": [ann, bob], "part": "A"])) == ["a*b?"])
        }
    }
}
