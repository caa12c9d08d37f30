import CoreDataPredicate
import CoreDataStorage
import Foundation
import SQLiteDriver

/// The SQL functions and collations our statements call, and those Apple's triggers call.
enum SQLFunctions {
    static func register(on connection: SQLiteConnection, derivedRows: DerivedRows) throws {
        for name in noting {
            try connection.register(function: name, argumentCount: -1, isDeterministic: false) { call in
                // Table, Z_ENT, Z_PK, attribute, value.
                if call.count == 5 { derivedRows.note(entityNumber: call.integer(1), primaryKey: call.integer(2)) }
                call.resultNull()
            }
        }
        for function in DerivedFunction.all { try function.register(as: function.name, on: connection) }
        try registerForms(on: connection)
        try registerMatches(on: connection)
        for (comparison, name) in collations {
            try connection.register(collation: name) { comparison.compare(utf8: $0, $1) }
        }
    }

    /// What Apple's triggers for derived attributes call to tell the framework which rows they wrote to.
    static let noting = [
        "NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
        "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]

    private static let collations: [(CoreDataStorage.SortComparison, String)] = [
        (.caseInsensitive, "nl_nocase"), (.localized, "nl_localized"), (.localizedCaseInsensitive, "nl_localized_nocase"),
        (.localizedStandard, "nl_standard"),
    ]

    /// nil is the binary order every column has.
    static func collation(_ comparison: CoreDataStorage.SortComparison) -> String? { collations.first { $0.0 == comparison }?.1 }

    private static func registerForms(on connection: SQLiteConnection) throws {
        try connection.register(function: "nl_fold", argumentCount: 2) { call in
            guard let text = call.text(0) else { return call.resultNull() }
            call.result(TextForms.fold(text, Int(call.integer(1))))
        }
        // Written out with SQLite's own operators it would name each side twice.
        try connection.register(function: "nl_xor", argumentCount: 2) { call in
            if call.isNull(0) || call.isNull(1) { return call.resultNull() }
            call.result(call.integer(0) ^ call.integer(1))
        }
        try connection.register(function: "nl_text", argumentCount: 1) { call in
            switch call.number(0) {
            case .real(let number): call.result(PredicateValue.real(number).asText ?? "")
            default: call.text(0).map { call.result($0) } ?? call.resultNull()
            }
        }
        for operation in DecimalOperation.allCases { try operation.register(on: connection) }
        // NSString counts UTF-16.
        try connection.register(function: "nl_length", argumentCount: 1) { call in
            guard let text = call.text(0) else { return call.resultNull() }
            call.result(Int64(text.utf16.count))
        }
    }

    /// The folded bytes of the part looked for.
    private final class Part {
        let bytes: [UInt8]
        init(_ text: String, _ flags: Int) { bytes = Array(TextForms.fold(text, flags).utf8) }
    }

    private final class Pattern {
        let pattern: LikePattern
        init(_ text: String, _ flags: Int) { pattern = LikePattern(text, options: TextForms.options(flags)) }
    }

    /// Arguments: text, pattern, fold flags. NULL on either side is NULL.
    private static func registerMatches(on connection: SQLiteConnection) throws {
        func register(_ name: String, _ test: @escaping @Sendable (UnsafeRawBufferPointer, [UInt8]) -> Bool) throws {
            try connection.register(function: name, argumentCount: 3) { call in
                let flags = Int(call.integer(2))
                guard !call.isNull(0), let part = call.prepared(1, as: Part.self, make: { call.text(1).map { Part($0, flags) } })
                else { return call.resultNull() }
                if flags == 0, let text = call.textBytes(0) { return call.result(test(text, part.bytes) ? Int64(1) : 0) }
                var text = TextForms.fold(call.text(0) ?? "", flags)
                call.result(text.withUTF8 { test(UnsafeRawBufferPointer($0), part.bytes) } ? Int64(1) : 0)
            }
        }
        try register("nl_contains", TextForms.contains)
        try register("nl_begins") { $0.starts(with: $1) }
        try register("nl_ends") { $0.count >= $1.count && $0.suffix($1.count).elementsEqual($1) }
        try connection.register(function: "nl_like", argumentCount: 3) { call in
            let flags = Int(call.integer(2))
            guard let text = call.text(0), let kept = call.prepared(1, as: Pattern.self, make: { call.text(1).map { Pattern($0, flags) } })
            else { return call.resultNull() }
            call.result(kept.pattern.matches(text) ? Int64(1) : 0)
        }
        try connection.register(function: "nl_matches", argumentCount: 3) { call in
            guard let text = call.text(0), let pattern = call.text(1) else { return call.resultNull() }
            do {
                let matches = try RegularExpressions.matches(text, pattern, options: TextForms.options(Int(call.integer(2))))
                call.result(matches ? Int64(1) : 0)
            } catch {
                call.result(error: "\(error)")
            }
        }
    }
}
