import CoreDataPredicate
import Foundation

/// The format strings of public code (`predicates.txt`), read in place.
package enum PublicFormats {
    /// nil when the corpus is not on this machine. `\(…)` stands as a key, `\"` as a quote.
    package static func read() -> [String]? {
        guard let url = Corpus.url("predicates.txt"), let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { plain(String($0.prefix { $0 != "\t" })) }
    }

    private static func plain(_ line: String) -> String {
        var result = ""
        var rest = Substring(line)
        while let first = rest.first {
            if rest.hasPrefix("\\(") {
                var depth = 0
                repeat {
                    if rest.first == "(" { depth += 1 }
                    if rest.first == ")" { depth -= 1 }
                    rest = rest.dropFirst()
                } while depth > 0 || rest.first == "("
                result += "interpolated"
            } else if rest.hasPrefix("\\\"") {
                result += "\""
                rest = rest.dropFirst(2)
            } else {
                result.append(first)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// One argument for each placeholder: keys `k0`, numbers, and for `%@` a text that says which one it is.
    package static func arguments(for format: String) -> [PredicateArgument] {
        var arguments: [PredicateArgument] = []
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...].drop { $0 == "l" }
            switch rest.first {
            case "K": arguments.append(.value(.string("k\(arguments.count)")))
            case "@": arguments.append(.value(.string(mark(arguments.count))))
            default: arguments.append(.value(.integer(1)))
            }
        }
        return arguments
    }

    package static func mark(_ index: Int) -> String { "«\(index)»" }

    package static func isMark(_ text: String) -> Bool { text.hasPrefix("«") }
}
