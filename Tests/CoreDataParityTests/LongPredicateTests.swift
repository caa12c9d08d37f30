import CoreData
import Testing

@Suite("Long and deep predicates")
struct LongPredicateTests {
    /// Salaries 30, -7 and none.
    private func staff(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { context in
            let dept = context.make("Department", ["name": "R&D"])
            context.make("Employee", ["name": "Ada", "salary": 30, "dept": dept])
            context.make("Employee", ["name": "Bob", "salary": -7, "dept": dept])
            context.make("Employee", ["name": "Cleo"])
        }
        return stack
    }

    private func names(_ stack: Stack, _ predicate: NSPredicate) throws -> [String] { try stack.run { try $0.names("Employee", predicate) } }

    @Test("Thousands of ANDs and ORs, flat, in parentheses or folded together one by one", arguments: StoreKind.allCases)
    func compounds(kind: StoreKind) throws {
        let stack = try staff(kind)
        for count in [1_000, 2_500] {
            let all = (0..<count).map { "salary != \($0 + 100)" }
            let any = (0..<count).map { "salary == \($0)" }
            #expect(try names(stack, NSPredicate(format: all.joined(separator: " AND "))) == ["Ada", "Bob"])
            #expect(try names(stack, NSPredicate(format: any.joined(separator: " OR "))) == ["Ada"])
            #expect(try names(stack, NSPredicate(format: "NOT (" + any.joined(separator: " OR ") + ")")) == ["Bob"])
            #expect(try names(stack, NSPredicate(format: String(repeating: "(", count: count) + any.joined(separator: ") OR ") + ")")) == ["Ada"])
            let parts = any.map { NSPredicate(format: $0) }
            #expect(try names(stack, NSCompoundPredicate(orPredicateWithSubpredicates: parts)) == ["Ada"])
            #expect(try names(stack, parts.dropFirst().reduce(parts[0]) { NSCompoundPredicate(orPredicateWithSubpredicates: [$0, $1]) }) == ["Ada"])
        }
    }

    @Test("Parentheses five thousand deep", arguments: StoreKind.allCases)
    func parentheses(kind: StoreKind) throws {
        let stack = try staff(kind)
        let (open, close) = (String(repeating: "(", count: 5_000), String(repeating: ")", count: 5_000))
        #expect(try names(stack, NSPredicate(format: open + "salary == " + open + "30" + close + close)) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: String(repeating: "NOT (", count: 5_000) + "salary == 30" + close)) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: String(repeating: "(salary == 30 AND ", count: 5_000) + "name == 'Ada'" + close)) == ["Ada"])
    }

    @Test("Long arithmetic and deep expressions", arguments: StoreKind.allCases, [5, 20, 40, 80, 150])
    func expressions(kind: StoreKind, count: Int) throws {
        let stack = try staff(kind)
        func fold(_ open: String, _ close: String, of operand: String = "salary") -> String {
            String(repeating: open, count: count) + operand + String(repeating: close, count: count)
        }
        for format in [
            fold("", " + 1") + " == \(30 + count)", fold("(", " + 1)") + " == \(30 + count)", fold("(1 + ", ")") + " == \(30 + count)",
            fold("", " + salary - salary") + " == 30", fold("((", " + 1) * 1)") + " == \(30 + count)", fold("abs(", ")") + " == 30",
            fold("TERNARY(salary == nil, 0, ", ")") + " == 30", fold("", " | 0") + " == 30", fold("~~", "") + " == 30",
            fold("lowercase(", ")", of: "name") + " == 'ada'", fold("CAST(", ", 'NSNumber')") + " == 30",
        ] {
            #expect(try names(stack, NSPredicate(format: format)) == ["Ada"], "\(format.prefix(60))… × \(count)")
        }
    }

    @Test("Sums of ten thousand terms", arguments: StoreKind.allCases)
    func sums(kind: StoreKind) throws {
        let stack = try staff(kind)
        #expect(try names(stack, NSPredicate(format: "salary" + String(repeating: " + 1", count: 10_000) + " == 10030")) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: "salary" + String(repeating: " - 1 + 2", count: 5_000) + " == 5030")) == ["Ada"])
    }

    @Test("Lists of a hundred thousand values", arguments: StoreKind.allCases)
    func lists(kind: StoreKind) throws {
        let stack = try staff(kind)
        let numbers = Array(0..<100_000)
        #expect(try names(stack, NSPredicate(format: "salary IN %@", numbers)) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: "NOT (salary IN %@)", numbers)) == ["Bob"])
        #expect(try names(stack, NSPredicate(format: "name IN[c] %@", numbers.map { "n\($0)" } + ["ADA"])) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: "%@ CONTAINS salary", numbers)) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: "ANY dept.employees.salary IN %@", numbers)) == ["Ada", "Bob"])
    }

    @Test("ANY and ALL of a list written out, and dates in arithmetic", arguments: StoreKind.allCases)
    func writtenLists(kind: StoreKind) throws {
        let stack = try staff(kind)
        #expect(try names(stack, NSPredicate(format: "ANY {1, 30, -7} == salary")) == ["Ada", "Bob"])
        #expect(try names(stack, NSPredicate(format: "ALL {1, 2} < salary")) == ["Ada"])
        #expect(try names(stack, NSPredicate(format: "NOT (ANY {1, salary} == 30)")) == ["Bob", "Cleo"])
        #expect(try names(stack, NSPredicate(format: "ANY {} == salary")) == [])
        #expect(try names(stack, NSPredicate(format: "dept.employees.@distinctUnionOfObjects.name.@count == 2")) == ["Ada", "Bob"])
    }
}
