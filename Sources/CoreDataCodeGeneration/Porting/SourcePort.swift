import Foundation

/// Makes Swift source compile where there is no Objective-C, and leaves its meaning where there is:
///
/// - `@objc` and its kin go between `#if canImport(ObjectiveC)` and `#endif`;
/// - `#keyPath(Person.name)` becomes `(\Person.name)._kvcKeyPathString!`, which the compiler checks on every platform, or, where a
///   key path would not have a name, the text it stands for;
/// - `#selector` of the comparisons Core Data sorts with becomes `NSSelectorFromString`;
/// - casts of a fetch request to one of other results become `unsafeBitCast`.
///
/// Invariant: what is surely not compiled on Linux is left as it is, so that porting twice changes nothing more.
package struct SourcePort {
    /// Something a person must see to, or may want to know.
    package struct Note: Sendable, Equatable {
        package enum Kind: String, Sendable { case changed, hand }
        package var kind: Kind
        package var line: Int
        package var message: String
    }

    private let bytes: [UInt8]
    private let newline: String
    let knowledge: PortKnowledge
    var tokens: [SourceToken] = []
    var index = 0
    private var scopes: [Scope] = []
    private var pending: Scope?
    private(set) var edits: [SourceEdit] = []
    private(set) var notes: [Note] = []

    private struct Scope {
        var type: String?
        var isProtocol = false
    }

    package static func port(_ text: String, _ knowledge: PortKnowledge) -> (edits: [SourceEdit], notes: [Note]) {
        var port = SourcePort(text, knowledge)
        port.run()
        return (port.edits, port.notes.sorted { $0.line < $1.line })
    }

    private init(_ text: String, _ knowledge: PortKnowledge) {
        bytes = Array(text.utf8)
        newline = text.utf8.firstRange(of: "\r\n".utf8) == nil ? "\n" : "\r\n"
        self.knowledge = knowledge
        tokens = BuildConditions().active(SourceLexer.tokens(of: text, keepsInterpolations: true))
    }

    private mutating func run() {
        while index < tokens.count {
            let token = tokens[index]
            if token.isSymbol("@"), let attribute = attribute(at: index) {
                port(attribute)
            } else if token.isSymbol("#keyPath") {
                keyPath()
            } else if token.isSymbol("#selector") {
                selector()
            } else if token.isWord("as"), self.token(-1)?.isSymbol(".") != true {
                requestCast()
            } else {
                if token.isWord("import") { importation() }
                track(token)
                index += 1
            }
        }
    }

    /// Modules that are not there are named: what is used of them needs a hand.
    private mutating func importation() {
        guard let module = token(1), module.isName, module.line == tokens[index].line, token(-1).map({ $0.line < module.line || $0.isSymbol(";") }) ?? true,
              BuildConditions.isAbsent(module.text) else { return }
        note(.hand, module.line, "There is no module \(module.text) on Linux. Put the import, and what uses it, between #if canImport(\(module.text)) and #endif.")
    }

    func token(_ offset: Int) -> SourceToken? { tokens.indices.contains(index + offset) ? tokens[index + offset] : nil }

    mutating func change(_ edit: SourceEdit) { edits.append(edit) }

    mutating func note(_ kind: Note.Kind, _ line: Int, _ message: String) { notes.append(Note(kind: kind, line: line, message: message)) }

    // MARK: Where we are

    private mutating func track(_ token: SourceToken) {
        if token.isSymbol("{") {
            scopes.append(pending ?? Scope(type: nil))
            pending = nil
        } else if token.isSymbol("}") {
            _ = scopes.popLast()
        } else if token.isSymbol(";") {
            pending = nil
        } else if token.kind == .word, ["class", "struct", "enum", "actor", "protocol", "extension"].contains(token.text),
                  self.token(-1)?.isSymbol(".") != true, let name = self.token(1), name.isName, !Self.memberWords.contains(name.text) {
            var last = name.text, next = 2
            while self.token(next)?.isSymbol(".") == true, let more = self.token(next + 1), more.isName {
                last = more.text
                next += 2
            }
            pending = Scope(type: last, isProtocol: token.text == "protocol")
        }
    }

    private static let memberWords: Set<String> = ["func", "var", "let", "subscript", "init", "final", "override", "private", "public", "internal"]

    /// The type whose body we are in, whatever functions are in between.
    var enclosingType: String? { scopes.last { $0.type != nil }?.type }

    // MARK: Lines

    private func lineStart(_ offset: Int) -> Int { (bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1 }
    private func lineEnd(_ offset: Int) -> Int {
        let end = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return end > offset && end <= bytes.count && bytes[end - 1] == UInt8(ascii: "\r") ? end - 1 : end
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    private func indentation(_ offset: Int) -> String {
        let start = lineStart(offset)
        return String(decoding: bytes[start...].prefix { Self.isBlank($0) }, as: UTF8.self)
    }

    private func isFirstOnLine(_ offset: Int) -> Bool { bytes[lineStart(offset)..<offset].allSatisfy { Self.isBlank($0) } }

    /// Where the blanks before and after a place begin and end.
    private func blanks(before offset: Int) -> Int {
        var start = offset
        while start > 0, Self.isBlank(bytes[start - 1]) { start -= 1 }
        return start
    }

    private func blanks(after offset: Int) -> Int {
        var end = offset
        while end < bytes.count, Self.isBlank(bytes[end]) { end += 1 }
        return end
    }

    private static let guardLine = "#if canImport(ObjectiveC)"
}

// MARK: Attributes

extension SourcePort {
    /// Attributes that exist with Objective-C alone, one behind the other.
    private struct Attribute {
        var range: Range<Int>
        var first: Int
        /// The token behind.
        var next: Int
        var line: Int
        var names: [String]
    }

    private static let guarded: Set<String> = [
        "objc", "objcMembers", "IBOutlet", "IBInspectable", "IBDesignable", "IBSegueAction", "GKInspectable",
    ]

    private func attribute(at start: Int) -> Attribute? {
        var next = start, end = tokens[start].start, names: [String] = []
        while next + 1 < tokens.count, tokens[next].isSymbol("@"), Self.guarded.contains(tokens[next + 1].text),
              names.isEmpty || lineStart(tokens[next].start) == lineStart(tokens[start].start) {
            names.append(tokens[next + 1].text)
            end = tokens[next + 1].end
            next += 2
            // An argument list stands right behind the name.
            if next < tokens.count, tokens[next].isSymbol("("), tokens[next].start == end {
                next = group(next)
                end = tokens[next - 1].end
            }
        }
        guard !names.isEmpty else { return nil }
        return Attribute(range: tokens[start].start..<end, first: start, next: next, line: tokens[start].line, names: names)
    }

    /// Behind the parenthesis that closes the one at a place.
    func group(_ start: Int) -> Int {
        var depth = 0, next = start
        while next < tokens.count {
            if tokens[next].isSymbol("(") { depth += 1 } else if tokens[next].isSymbol(")") { depth -= 1 }
            next += 1
            if depth == 0 { break }
        }
        return next
    }

    private mutating func port(_ attribute: Attribute) {
        let text = String(decoding: bytes[attribute.range], as: UTF8.self)
        defer { index = attribute.next }
        if scopes.last?.isProtocol == true, let end = optionalRequirement(attribute) {
            guardWhole(attribute.range.lowerBound..<end)
            note(.hand, attribute.line, "An optional requirement exists with Objective-C alone and was put between #if and #endif. Elsewhere give it "
                + "a default implementation in an extension of the protocol, and call it without “?”.")
            return
        }
        if let start = startOfModifiers(before: attribute.first) {
            move(attribute, to: tokens[start].start, text)
        } else {
            enclose(attribute.range)
        }
        note(.changed, attribute.line, "\(text) is between #if canImport(ObjectiveC) and #endif.")
        bindToClasses(attribute)
    }

    /// `#if`, the attributes, `#endif`, each on a line of its own.
    private mutating func enclose(_ range: Range<Int>) {
        let indent = indentation(range.lowerBound), isFirst = isFirstOnLine(range.lowerBound)
        let before = isFirst ? range.lowerBound : blanks(before: range.lowerBound)
        change(SourceEdit(before..<range.lowerBound, (isFirst ? "" : newline + indent) + Self.guardLine + newline + indent))
        let after = blanks(after: range.upperBound)
        let rest = bytes[after..<lineEnd(after)]
        if rest.isEmpty || rest.starts(with: "//".utf8) {
            let end = lineEnd(after)
            change(SourceEdit(end..<end, newline + indent + "#endif"))
        } else {
            change(SourceEdit(range.upperBound..<after, newline + indent + "#endif" + newline + indent))
        }
    }

    private mutating func guardWhole(_ range: Range<Int>) {
        let indent = indentation(range.lowerBound), isFirst = isFirstOnLine(range.lowerBound)
        let before = isFirst ? range.lowerBound : blanks(before: range.lowerBound)
        change(SourceEdit(before..<range.lowerBound, (isFirst ? "" : newline + indent) + Self.guardLine + newline + indent))
        let end = lineEnd(range.upperBound), rest = bytes[range.upperBound..<end]
        let isAlone = rest.allSatisfy { Self.isBlank($0) } || rest.drop { Self.isBlank($0) }.starts(with: "//".utf8)
        let place = isAlone ? end : range.upperBound
        change(SourceEdit(place..<place, newline + indent + "#endif" + (isAlone ? "" : newline + indent)))
    }

    /// The first modifier of the declaration, when one stands before the attributes: `#if` cannot stand behind it.
    private func startOfModifiers(before place: Int) -> Int? {
        var start = place
        while start > 0 {
            let last = tokens[start - 1]
            if last.kind == .word, Self.modifiers.contains(last.text), !(start > 1 && tokens[start - 2].isSymbol("@")) {
                start -= 1
            } else if last.isSymbol(")"), start >= 4, tokens[start - 3].isSymbol("("), Self.modifiers.contains(tokens[start - 4].text) {
                start -= 4
            } else {
                break
            }
        }
        return start == place ? nil : start
    }

    private static let modifiers: Set<String> = [
        "public", "open", "package", "internal", "private", "fileprivate", "final", "override", "dynamic", "static", "class", "weak", "unowned",
        "lazy", "required", "convenience", "mutating", "nonmutating", "nonisolated", "indirect",
    ]

    private mutating func move(_ attribute: Attribute, to place: Int, _ text: String) {
        let indent = indentation(place), isFirst = isFirstOnLine(place), before = isFirst ? place : blanks(before: place)
        let lines = [Self.guardLine, text, "#endif", ""].joined(separator: newline + indent)
        change(SourceEdit(before..<place, (isFirst ? "" : newline + indent) + lines))
        change(SourceEdit(attribute.range.lowerBound..<blanks(after: attribute.range.upperBound), ""))
    }

    /// A protocol with Objective-C is one of classes without saying so.
    private mutating func bindToClasses(_ attribute: Attribute) {
        var next = attribute.next
        while next < tokens.count, Self.modifiers.contains(tokens[next].text) { next += 1 }
        guard next + 2 < tokens.count, tokens[next].isWord("protocol"), tokens[next + 1].isName, tokens[next + 2].isSymbol("{") else { return }
        let end = tokens[next + 1].end
        change(SourceEdit(end..<end, ": AnyObject"))
        note(.changed, tokens[next].line, "The protocol “\(tokens[next + 1].text)” inherits from AnyObject, as with Objective-C.")
    }

    /// The end of an optional requirement; nil when it is none.
    private func optionalRequirement(_ attribute: Attribute) -> Int? {
        var next = attribute.next
        while next < tokens.count, Self.modifiers.contains(tokens[next].text) { next += 1 }
        guard next < tokens.count, tokens[next].isWord("optional") else { return nil }
        var depth = 0, end = tokens[next].end, line = tokens[next].line
        while next < tokens.count {
            let token = tokens[next]
            if depth == 0 {
                if token.isSymbol("}") || token.isSymbol(";") || token.kind == .directive { break }
                let continues = ["->", "throws", "async", "rethrows", "where"].contains(token.text) || tokens[next - 1].isSymbol("->")
                if token.line > line, !continues { break }
            }
            if ["(", "[", "{"].contains(where: token.isSymbol) { depth += 1 }
            if [")", "]", "}"].contains(where: token.isSymbol) { depth -= 1 }
            (end, line) = (token.end, token.line)
            next += 1
        }
        return end
    }
}
