import CoreDataPredicate
import Foundation
import Testing

@Suite("Format language: keys that are words of the language")
struct FormatWordTests {
    /// Words that mean something behind a bracket or in front of a parenthesis only.
    static let soft = [
        "first", "last", "size", "First", "LAST", "SIZE", "ci", "caseinsensitive", "index", "count", "min", "max", "sum", "average",
        "median", "mode", "now", "random", "length", "abs", "floor", "subquery", "function", "cast", "ternary", "fetch", "union",
        "intersect", "minus", "uppercase", "distinct", "block", "ascending", "type", "id", "key", "value", "is", "asc", "c", "cd",
        "not_a_word", "order", "any1", "inn", "anykeys", "selfie", "nilable", "truth", "nowhere", "ands", "orchid",
    ]
    /// Words that begin or join predicates, or are values.
    static let hard = [
        "and", "or", "not", "in", "all", "any", "some", "none", "like", "matches", "contains", "beginswith", "endswith", "between",
        "null", "nil", "self", "true", "yes", "false", "no", "anykey", "truepredicate", "falsepredicate",
    ]

    private func parsed(_ format: String) throws -> PredicateTree { try PredicateFormat.parse(format, arguments: []) }

    private func comparison(_ keys: String...) -> PredicateTree {
        .comparison(Comparison(.keyPath(.evaluatedObject, keys), .equal, .constant(.integer(1))))
    }

    @Test("Soft words are keys wherever an operand stands", arguments: soft)
    func softWords(word: String) throws {
        #expect(try parsed("\(word) == 1") == comparison(word))
        #expect(try parsed("(\(word)==1)") == comparison(word))
        #expect(try parsed("\(word).name == 1") == comparison(word, "name"))
        #expect(try parsed("owner.\(word) == 1") == comparison("owner", word))
        #expect(try parsed("SELF.\(word) == 1") == comparison(word))
        #expect(try parsed("#\(word) == 1") == comparison(word))
        #expect(try parsed("1 == \(word)") == .comparison(Comparison(.constant(.integer(1)), .equal, .key(word))))
        for operation in ["IN {1, 2}", "BETWEEN {1, 2}", "LIKE 'a'", "== nil", "CONTAINS[cd] 'a'"] {
            guard case .comparison(let comparison) = try parsed("\(word) \(operation)") else { Issue.record("\(word) \(operation)"); continue }
            #expect(comparison.left == .key(word))
        }
        for quantifier in ["ANY", "ALL", "NOT", "NONE"] { #expect(throws: Never.self) { try parsed("\(quantifier) \(word).a == \(word)") } }
        let both = try parsed("\(word) == \(word) AND NOT \(word) < \(word) + \(word) OR {\(word), -\(word)} CONTAINS \(word)")
        #expect(try parsed(PredicatePrinter.text(of: both)) == both)
    }

    @Test("In brackets FIRST, LAST and SIZE are places, in longer expressions keys")
    func brackets() throws {
        func element(_ index: ElementIndex) -> PredicateTree {
            .comparison(Comparison(.element(.key("list"), index), .equal, .constant(.integer(1))))
        }
        #expect(try parsed("list[FIRST] == 1") == element(.first))
        #expect(try parsed("list[last] == 1") == element(.last))
        #expect(try parsed("list[Size] == 1") == element(.size))
        #expect(try parsed("list[size - 1] == 1") == element(.at(.function("from:subtract:", [.key("size"), .constant(.integer(1))]))))
        #expect(try parsed("list[#first] == 1") == element(.at(.key("first"))))
        #expect(try parsed("list[index] == 1") == element(.at(.key("index"))))
        #expect(try parsed("first[first] == 1") == .comparison(Comparison(.element(.key("first"), .first), .equal, .constant(.integer(1)))))
        for index in [ElementIndex.first, .at(.key("first")), .at(.key("SIZE"))] {
            #expect(try parsed(PredicatePrinter.text(of: element(index))) == element(index))
        }
    }

    @Test("Before a parenthesis first, last and size are functions")
    func functions() throws {
        for name in ["first", "last", "size"] {
            let call = PredicateTree.comparison(Comparison(.function("\(name):", [.key(name)]), .equal, .constant(.integer(1))))
            #expect(try parsed("\(name):(\(name)) == 1") == call)
            #expect(try parsed("\(name)(\(name)) == 1") == call)
            #expect(try parsed("\(name.uppercased())(\(name)) == 1") == call)
        }
    }

    @Test("Hard words need #, and the error says so", arguments: hard)
    func hardWords(word: String) throws {
        #expect(try parsed("#\(word) == 1") == comparison(word))
        #expect(try parsed("owner.\(word) == 1") == comparison("owner", word))
        #expect(try parsed("owner.#\(word) == 1") == comparison("owner", word))
        #expect(try parsed("SELF.\(word).a == 1") == comparison(word, "a"))
        let tree = comparison(word)
        #expect(try parsed(PredicatePrinter.text(of: tree)) == tree)
        let values: Set = ["null", "nil", "self", "true", "yes", "false", "no", "anykey", "truepredicate", "falsepredicate"]
        if values.contains(word) { return }
        #expect { try parsed("\(word) == 1") } throws: { "\($0)".contains("#\(word)") }
        #expect { try parsed("a == 1 AND \(word).b > 2") } throws: { "\($0)".contains("#\(word)") }
        #expect { try parsed("1 == \(word)") } throws: { "\($0)".contains("#\(word)") }
    }

    @Test("Predicates made of parts with such keys print what reads back")
    func parts() throws {
        for word in Self.soft + Self.hard {
            let predicate = NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: "\(word).\(word)"), rightExpression: NSExpression(forKeyPath: word),
                modifier: .direct, type: .equalTo)
            #expect(try parsed(predicate.predicateFormat) == predicate.tree, "\(predicate.predicateFormat)")
            let row = [word: 3]
            #expect(NSPredicate(format: "#\(word) == 3").evaluate(with: row))
            #expect(NSPredicate(format: "%K == 3", word).evaluate(with: row) == (word != "self"))
        }
    }
}
