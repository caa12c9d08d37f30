import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// String operators.
extension SelectCompiler {
    /// `[c]` 1, `[d]` 2; nil when letters compare as they are. `[n]` promises texts
    /// that are prepared already; `[l]` changes nothing here.
    func foldFlags(_ comparison: Comparison) -> Int? {
        if comparison.options.contains(.normalized) { return nil }
        var flags = 0
        if comparison.options.contains(.caseInsensitive) { flags |= 1 }
        if comparison.options.contains(.diacriticInsensitive) { flags |= 2 }
        return flags == 0 ? nil : flags
    }

    func fold(_ text: SQLFragment, _ flags: Int) -> SQLFragment { "nl_fold(" + text + ", \(flags))" }

    /// The operand as text; numbers are written out, other kinds have no text to search.
    private func textOperand(_ operand: Operand, beside other: Operand) throws -> SQLFragment {
        if let constant = operand.constant {
            if case .null = constant { return SQLFragment("NULL") }
            guard let text = text(constant) else {
                throw StoreError.invalidRequest("A string operator of the predicate has \(constant.kind) on one side; it takes text.")
            }
            return .value(text)
        }
        switch operand.type {
        case .text, .url, .any: return operand.sql
        case .integer, .boolean, .real, .decimal: return writtenOut(operand.sql, operand.type)
        case .entity: throw SQLCannotSay(what: "a part of an entity's name")
        case .date, .uuid, .data, .opaque, .external, .reference:
            throw StoreError.invalidRequest("A string operator of the predicate is used on \(operand.type.name); it takes text.")
        }
    }

    /// A value as text. SQLite writes the real 10 as 10.0, `NSNumber` as 10.
    func writtenOut(_ value: SQLFragment, _ type: ValueType) -> SQLFragment {
        switch type {
        case .real, .decimal, .date: "nl_text(" + value + ")"
        default: "CAST(" + value + " AS TEXT)"
        }
    }

    func containsText(_ comparison: Comparison, text: Operand, part: Operand) throws -> SQLFragment {
        let (a, b) = (try textOperand(text, beside: part), try textOperand(part, beside: text))
        guard let flags = foldFlags(comparison) else { return "instr(" + a + ", " + b + ") > 0" }
        return "nl_contains(" + a + ", " + b + ", \(flags))"
    }

    func textual(_ comparison: Comparison, _ left: Operand, _ right: Operand) throws -> SQLFragment {
        let flags = foldFlags(comparison)
        if comparison.operation == .beginsWith, flags == nil, left.isColumn, left.type.isText, let constant = right.constant {
            if let range = try prefixRange(left.sql, constant) { return range }
        }
        let (a, b) = (try textOperand(left, beside: right), try textOperand(right, beside: left))
        if comparison.operation == .like, flags == nil, left.isColumn, left.type.isText, case .text(let pattern) = right.constant.flatMap(text),
           let range = try prefixRange(left.sql, .string(LikePattern.prefix(of: pattern))) {
            return range + " AND nl_like(" + a + ", " + b + ", 0)"
        }
        if comparison.operation == .matches, case .text(let pattern) = right.constant.flatMap(text) {
            do {
                _ = try RegularExpressions.matches("", pattern, options: comparison.options)
            } catch {
                throw StoreError.invalidRequest("\(error)")
            }
        }
        let function = switch comparison.operation {
        case .beginsWith: "nl_begins"
        case .endsWith: "nl_ends"
        case .like: "nl_like"
        default: "nl_matches"
        }
        return "\(function)(" + a + ", " + b + ", \(flags ?? 0))"
    }

    /// A prefix as a range, which an index on the column serves: from the prefix to the next text after all that begin so.
    private func prefixRange(_ column: SQLFragment, _ constant: PredicateValue) throws -> SQLFragment? {
        guard let text = prefix(constant) else { return nil }
        boundForms += [.prefix, .prefixEnd]
        return column + " >= " + .value(.text(text)) + " AND " + column + " < " + .value(SelectCompiler.prefixEnd(text))
    }

    func prefix(_ constant: PredicateValue) -> String? {
        guard case .text(let prefix) = text(constant), !prefix.isEmpty else { return nil }
        return prefix
    }

    static func prefixEnd(_ prefix: String) -> SQLValue {
        var upper = Array(prefix.utf8)
        // No byte of UTF-8 is 0xFF, so the last one can always be raised.
        upper[upper.count - 1] += 1
        return .textBytes(upper)
    }
}
