import Foundation
import Testing
@testable import CoreDataPredicate

/// A format and its arguments, for test tables.
struct FormatCase: Sendable, CustomTestStringConvertible {
    var format: String
    var arguments: [PredicateArgument]

    init(_ format: String, _ values: PredicateValue...) {
        self.format = format
        arguments = values.map(PredicateArgument.value)
    }

    var testDescription: String { format }

    func parse() throws -> PredicateTree { try PredicateFormat.parse(format, arguments: arguments) }
}

func parse(_ format: String, _ values: PredicateValue...) throws -> PredicateTree {
    try PredicateFormat.parse(format, arguments: values.map(PredicateArgument.value))
}
