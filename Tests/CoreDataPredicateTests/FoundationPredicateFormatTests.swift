import CoreDataPredicate
import Foundation
import Testing

@Suite("NSPredicate from formats")
struct FoundationPredicateFormatTests {
    @Test("Every kind of argument fills a placeholder")
    func arguments() {
        let cases: [(Any?, String)] = [
            (nil, "nil"), (NSNull(), "nil"), (5, "5"), (Int16(5), "5"), (5.5, "5.5"), (true, "1"), ("a", "\"a\""),
            (NSString("a"), "\"a\""), ([1, 2], "{1, 2}"), (NSArray(array: [1, 2]), "{1, 2}"), (NSNumber(value: 5), "5"),
        ]
        for (argument, text) in cases {
            #expect(NSPredicate(format: "x == %@", argument).predicateFormat == "x == \(text)")
            #expect(NSPredicate(format: "x == %@", argumentArray: [argument]).predicateFormat == "x == \(text)")
        }
    }

    @Test("Apple's own spellings of arguments compile and mean the same")
    func spellings() {
        let names = ["a", "b"]
        let optional: String? = nil
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(NSPredicate(format: "name IN %@", names) == NSPredicate(format: "name IN %@", names as NSArray))
        #expect(NSPredicate(format: "name IN %@", names as CVarArg) == NSPredicate(format: "name IN %@", Set(names).sorted()))
        #expect(NSPredicate(format: "name == %@", optional) == NSPredicate(format: "name == nil"))
        #expect(NSPredicate(format: "d > %@", date as NSDate) == NSPredicate(format: "d > %@", date as CVarArg))
        #expect(NSPredicate(format: "%K == %d", "age", 3) == NSPredicate(format: "age == 3"))
        #expect(NSPredicate(format: "id == %@", UUID() as CVarArg).predicateFormat.hasPrefix("id == "))
        #expect(NSPredicate(format: "a IN %@", [1, nil] as [Any?]).predicateFormat == "a IN {1, nil}")
        #expect(NSPredicate(format: "a IN %@ AND b == %@", [1, nil] as [Any?], 2).predicateFormat == "a IN {1, nil} AND b == 2")
        let predicate: NSPredicate = .init(format: "a == 1")
        #expect(predicate.predicateFormat == "a == 1")
    }

    @Test("getVaList and withVaList feed init(format:arguments:)")
    func variableArguments() {
        func forward(_ format: String, _ args: CVarArg...) -> NSPredicate { NSPredicate(format: format, arguments: getVaList(args)) }
        #expect(forward("a == %@ AND b == %d", "x", 3).predicateFormat == "a == \"x\" AND b == 3")
        #expect(withVaList([4]) { NSPredicate(format: "a == %d", arguments: $0) }.predicateFormat == "a == 4")
        let length = withVaList([7]) { vsnprintf(nil, 0, "%d%%", $0) }
        #expect(length == 2)
    }

    @Test("The predicate's class is Apple's: comparison, compound or neither")
    func classes() throws {
        #expect(NSPredicate(format: "a == 1") is NSComparisonPredicate)
        let compound = try #require(NSPredicate(format: "a == 1 OR NOT b == 2") as? NSCompoundPredicate)
        #expect(compound.compoundPredicateType == .or)
        #expect(compound.subpredicates.count == 2)
        #expect((compound.subpredicates.last as? NSCompoundPredicate)?.compoundPredicateType == .not)
        #expect(!(NSPredicate(format: "TRUEPREDICATE") is NSCompoundPredicate))
    }

    @Test("A bad format is a thrown error with position and reason")
    func badFormat() throws {
        let error = try #require(throws: NSPredicate.FormatError.self) { try NSPredicate(validating: "name == == 3") }
        #expect(error.format == "name == == 3")
        #expect(error.position == 8)
        #expect(!error.reason.isEmpty)
        #expect((error as NSError).domain == NSCocoaErrorDomain)
        #expect((error as NSError).code == 2048)
        #expect(error.localizedDescription.contains("Unable to parse the format string"))
    }

    @Test("Too few or too many arguments are thrown errors")
    func argumentCount() {
        #expect(throws: NSPredicate.FormatError.self) { try NSPredicate(validating: "a == %@ AND b == %@", arguments: [1]) }
        #expect(throws: NSPredicate.FormatError.self) { try NSPredicate(validating: "a == %@", arguments: [1, 2]) }
        #expect(throws: NSPredicate.FormatError.self) { try NSPredicate(validating: "%K == 1", arguments: [1]) }
    }

    @Test("An argument that no predicate can compare is named by its number")
    func badArgument() throws {
        struct Point {}
        let error = try #require(throws: NSPredicate.FormatError.self) {
            try NSPredicate(validating: "a == %@ AND b == %@", arguments: [1, Point()])
        }
        #expect(error.position == nil)
        #expect(error.reason.hasPrefix("Argument 2"))
    }

    @Test("Equal text makes equal predicates with equal hashes; copies too")
    func equality() {
        for format in ["a == 1", "a == 1 AND b == 2", "TRUEPREDICATE", "NOT a == 1"] {
            let (one, two) = (NSPredicate(format: format), NSPredicate(format: format))
            #expect(one == two)
            #expect(one.hash == two.hash)
            #expect(one.copy() as? NSPredicate == two)
            #expect(one.description == format)
        }
        #expect(NSPredicate(format: "a == 1") != NSPredicate(format: "a == 2"))
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
    }

    @Test("PR39: substitution binds variables, also inside a subquery's predicate but not its iterator")
    func substitution() {
        let template = NSPredicate(format: "age > $AGE AND SUBQUERY(tags, $AGE, $AGE.text == $T).@count > 0 AND $LEFT == 1")
        let bound = template.withSubstitutionVariables(["AGE": 18, "T": "x"])
        #expect(bound.predicateFormat == "age > 18 AND SUBQUERY(tags, $AGE, $AGE.text == \"x\").@count > 0 AND $LEFT == 1")
        #expect(NSPredicate(format: "a == $X").withSubstitutionVariables(["X": NSNull()]).predicateFormat == "a == nil")
    }

    @Test("An expression or predicate as an argument takes the placeholder's place")
    func nested() {
        let expression = NSExpression(forKeyPath: "firm.name")
        #expect(NSPredicate(format: "%@ == 'x'", expression).predicateFormat == "firm.name == \"x\"")
    }
}

@Suite("NSPredicate as a tree")
struct FoundationPredicateTreeTests {
    private let one = NSPredicate(format: "a == 1")
    private let two = NSPredicate(format: "b == 2")

    @Test("Foundation's compounds become trees of their parts")
    func compounds() {
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [one, two]).tree == NSPredicate(format: "a == 1 AND b == 2").tree)
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: [one, two]).tree == .or([one.tree, two.tree]))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: one).tree == .not(one.tree))
        #expect(NSCompoundPredicate(type: .and, subpredicates: []).tree == .and([]))
        let nested = NSCompoundPredicate(type: .or, subpredicates: [NSCompoundPredicate(type: .not, subpredicates: [one]), two])
        #expect(nested.tree == .or([.not(one.tree), two.tree]))
        #expect(nested.formatText == "NOT a == 1 OR b == 2")
    }

    @Test("Replaced subpredicates change the tree of a compound from a format")
    func replaced() throws {
        let compound = try #require(NSPredicate(format: "a == 1 AND b == 2") as? NSCompoundPredicate)
        compound.subpredicates = [two]
        #expect(compound.tree == .and([two.tree]))
        compound.compoundPredicateType = .or
        #expect(compound.predicateFormat == "b == 2")
    }

    @Test("Foundation's constants are constants, its blocks are blocks that still answer")
    func others() throws {
        #expect(NSPredicate(value: true).tree == .constant(true))
        #expect(NSPredicate(value: false).tree == .constant(false))
        guard case .block(let block) = NSPredicate(block: { object, _ in object as? Int == 5 }).tree else {
            Issue.record("not a block")
            return
        }
        #expect(try block.evaluate(5, nil))
        #expect(try !block.evaluate(6, nil))
        #expect(block.text.hasPrefix("BLOCKPREDICATE(0x"))
    }
}
