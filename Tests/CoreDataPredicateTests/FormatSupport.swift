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

/// Lines of the shared corpus, in place; nil when it is not on this machine.
enum SharedCorpus {
    static let folder: URL? = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let named = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let candidates = [named, root.deletingLastPathComponent().appendingPathComponent("shared")].compactMap { $0 }
        return candidates.first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("predicates.txt").path) }
    }()

    /// The format strings, `\(…)` read as a key and `\"` as a quote.
    static func predicates() -> [String]? {
        guard let folder, let text = try? String(contentsOf: folder.appendingPathComponent("predicates.txt"), encoding: .utf8)
        else { return nil }
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            plain(String(line.split(separator: "\t", omittingEmptySubsequences: false)[0]))
        }
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

    /// One fitting argument for each placeholder.
    static func arguments(for format: String) -> [PredicateArgument] {
        var arguments: [PredicateArgument] = []
        var rest = Substring(format)
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...].drop { $0 == "l" }
            switch rest.first {
            case "K": arguments.append(.value(.string("some.key")))
            case "@": arguments.append(.value(.string("text \(arguments.count)")))
            default: arguments.append(.value(.integer(Int64(arguments.count))))
            }
        }
        return arguments
    }
}
