// Casts between fetch requests of different results. With Objective-C the result type does not exist at run time, so any of them
// succeeds; in Swift alone the compiler turns them into traps.

extension SourcePort {
    /// `Person.fetchRequest() as! NSFetchRequest<Person>` takes the same object as what it is said to be, on every platform.
    mutating func requestCast() {
        let start = index
        index += 1
        guard let mark = token(0), mark.isSymbol("!") || mark.isSymbol("?"), mark.start == tokens[start].end,
              let type = token(1), type.isWord("NSFetchRequest"), let angle = token(2), angle.isSymbol("<"),
              let end = closingAngle(index + 2), let operand = startOfOperand(endingAt: start - 1) else { return }
        // What is anything, or some store request, is asked at run time, and answers truly.
        guard let name = lastName(operand..<start), isRequest(name, isAsked: mark.text == "?") else { return }
        index = end + 1
        change(SourceEdit(tokens[operand].start..<tokens[operand].start, "unsafeBitCast("))
        change(SourceEdit(tokens[start - 1].end..<type.start, ", to: "))
        change(SourceEdit(tokens[end].end..<tokens[end].end, mark.text == "?" ? "?.self)" : ".self)"))
        note(.changed, mark.line, "A cast of a fetch request to one of other results is unsafeBitCast.")
    }

    /// By its name: no types are known here. `as?` is left alone wherever it may be a question.
    private func isRequest(_ name: String, isAsked: Bool) -> Bool {
        if isAsked { return name == "fetchRequest" || name.hasPrefix("fetchRequestTemplate") || name.hasPrefix("fetchRequestFromTemplate") }
        let small = name.lowercased()
        return small.contains("request") || small.contains("fetch")
    }

    private func closingAngle(_ start: Int) -> Int? {
        var depth = 0, place = start
        while place < tokens.count {
            let token = tokens[place]
            if token.isSymbol("<") { depth += 1 } else if token.isSymbol(">") { depth -= 1 }
            if depth == 0 { return place }
            guard token.isName || ["<", ">", ".", ",", "?", "!", "&", "[", "]", ":"].contains(token.text) else { return nil }
            place += 1
        }
        return nil
    }

    private func opening(_ end: Int) -> Int? {
        var depth = 0, place = end
        while place >= 0 {
            let token = tokens[place]
            if [")", "]", ">"].contains(where: token.isSymbol) { depth += 1 }
            if ["(", "[", "<"].contains(where: token.isSymbol) { depth -= 1 }
            if token.isSymbol("{") || token.isSymbol("}") || token.kind == .directive { return nil }
            if depth == 0 { return place }
            place -= 1
        }
        return nil
    }

    private static let keywords: Set<String> = [
        "return", "try", "await", "in", "if", "guard", "while", "let", "var", "case", "where", "is", "as", "else", "throw", "switch",
    ]

    /// The first token of the names, calls and indexes, joined by points, that end at a place; nil where it is anything else.
    private func startOfOperand(endingAt end: Int) -> Int? {
        var place = end
        while place >= 0 {
            let token = tokens[place]
            if token.isSymbol("!") || token.isSymbol("?") {
                place -= 1
                continue
            }
            if [")", "]", ">"].contains(where: token.isSymbol) {
                guard let open = opening(place) else { return nil }
                let isCall = open > 0 && tokens[open - 1].end == tokens[open].start
                    && (tokens[open - 1].isName || [")", "]", ">", "!", "?"].contains(where: tokens[open - 1].isSymbol))
                guard isCall else { return token.isSymbol(">") ? nil : open }
                place = open - 1
                continue
            }
            guard token.isName, token.kind == .escapedWord || !Self.keywords.contains(token.text) else { return nil }
            guard place >= 2, tokens[place - 1].isSymbol(".") else { return place }
            place -= 2
        }
        return nil
    }

    /// The name of what an operand ends with: the function it calls, or the property it reads; nil for an element of a collection.
    private func lastName(_ operand: Range<Int>) -> String? {
        var place = operand.upperBound - 1
        while operand.contains(place) {
            let token = tokens[place]
            if token.isName { return token.text }
            if token.isSymbol(")") { place = (opening(place) ?? 0) - 1 } else if token.isSymbol("!") || token.isSymbol("?") { place -= 1 } else { return nil }
        }
        return nil
    }
}
