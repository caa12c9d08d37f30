/// Reads one source file's declarations. Bodies of functions, closures and accessors are passed over; types in them count as
/// unreachable, since nothing outside can name them.
struct SourceScanner {
    private var reader: TokenReader
    private let file: String
    private var result = SourceDeclarations()
    private var scopes: [Scope] = []

    private enum Scope {
        case type(path: [String], index: Int?, isExtension: Bool, isPrivate: Bool, isGeneric: Bool)
        case body
    }

    static func scan(_ text: String, file: String, _ conditions: BuildConditions) -> SourceDeclarations {
        var scanner = SourceScanner(reader: TokenReader(conditions.active(SourceLexer.tokens(of: text))), file: file)
        scanner.run()
        return scanner.result
    }

    private init(reader: TokenReader, file: String) {
        self.reader = reader
        self.file = file
    }

    /// What stands before a declaration.
    private struct Modifiers {
        var managedLine: Int?
        var isPrivate = false
        var access: String?
        var isStatic = false
    }

    private mutating func run() {
        var modifiers = Modifiers()
        while let token = reader.current {
            if token.isSymbol("@") {
                attribute(&modifiers)
            } else if token.isSymbol("{") {
                reader.next()
                scopes.append(.body)
                modifiers = Modifiers()
            } else if token.isSymbol("}") {
                reader.next()
                _ = scopes.popLast()
                modifiers = Modifiers()
            } else if token.isSymbol("("), token.kind == .symbol {
                reader.next()
            } else if token.kind == .word, !(previous?.isSymbol(".") ?? false) {
                word(token.text, &modifiers)
            } else {
                reader.next()
            }
        }
    }

    private var previous: SourceToken? { reader.position > 0 ? reader.tokens[reader.position - 1] : nil }

    private mutating func attribute(_ modifiers: inout Modifiers) {
        let line = reader.line
        reader.next()
        guard let name = reader.next() else { return }
        if name.text == "NSManaged" { modifiers.managedLine = line }
        while reader.current?.isSymbol(".") == true {
            reader.next()
            reader.next()
        }
        if reader.current?.isSymbol("(") == true { reader.group() }
    }

    private mutating func word(_ text: String, _ modifiers: inout Modifiers) {
        switch text {
        case "private", "fileprivate":
            reader.next()
            // private(set) leaves the property's own name alone.
            if reader.current?.isSymbol("(") == true { reader.group() } else { modifiers.isPrivate = true }
            return
        case "public", "open", "package", "internal":
            reader.next()
            if reader.current?.isSymbol("(") == true { reader.group() } else if text != "internal" { modifiers.access = text }
            return
        case "nonisolated", "unowned":
            reader.next()
            if reader.current?.isSymbol("(") == true { reader.group() }
            return
        case "final", "dynamic", "override", "required", "weak", "lazy", "mutating", "optional", "convenience", "indirect", "distributed":
            reader.next()
            return
        case "static":
            reader.next()
            modifiers.isStatic = true
            return
        case "class" where ["func", "var", "let", "subscript", "final", "override"].contains(reader.peek()?.text ?? ""):
            reader.next()
            modifiers.isStatic = true
            return
        case "class", "struct", "enum", "actor", "protocol": nominal(SourceDeclarations.Kind(rawValue: text) ?? .struct, modifiers)
        case "extension": extensionHead(modifiers)
        case "typealias": alias()
        case "import": importation()
        case "var", "let": variables(modifiers)
        case "func": function(modifiers)
        case "case": cases()
        default:
            if let line = modifiers.managedLine { result.unreadable.append((file, line, text)) }
            reader.next()
        }
        modifiers = Modifiers()
    }
}

// MARK: Types

extension SourceScanner {
    private var enclosing: (path: [String], isPrivate: Bool, isGeneric: Bool)? {
        guard case .type(let path, _, _, let isPrivate, let isGeneric) = scopes.last else { return nil }
        return (path, isPrivate, isGeneric)
    }

    private var isInBody: Bool { scopes.contains { if case .body = $0 { true } else { false } } }

    private mutating func nominal(_ kind: SourceDeclarations.Kind, _ modifiers: Modifiers) {
        let line = reader.line
        reader.next()
        guard let name = reader.current, name.isName else { return }
        reader.next()
        let outer = enclosing
        let isGeneric = genericParameters() || outer?.isGeneric == true
        let inherited = inheritance()
        let path = (outer?.path ?? []) + [name.text]
        let isPrivate = modifiers.isPrivate || outer?.isPrivate == true
        guard open() else { return }
        // Members of a private type are not private themselves; those of a private extension are.
        if !isInBody {
            result.types.append(SourceDeclarations.NominalType(
                path: path, kind: kind, isPrivate: isPrivate, access: modifiers.access, isGeneric: isGeneric, inherited: inherited, file: file, line: line))
        }
        let index = isInBody ? nil : result.types.count - 1
        scopes.append(.type(path: path, index: index, isExtension: false, isPrivate: false, isGeneric: isGeneric))
    }

    /// What stands between a colon and the body or where clause.
    private mutating func inheritance() -> [TypeSyntax] {
        var inherited: [TypeSyntax] = []
        guard reader.take(symbol: ":") else { return [] }
        repeat { if let type = reader.type() { inherited.append(type) } } while reader.take(symbol: ",")
        return inherited
    }

    /// Skips `<…>`; whether there was one.
    private mutating func genericParameters() -> Bool {
        guard reader.take(symbol: "<") else { return false }
        var depth = 1
        while depth > 0, let token = reader.next() {
            if token.isSymbol("<") { depth += 1 } else if token.isSymbol(">") { depth -= 1 }
        }
        return true
    }

    /// Passes over a where clause to behind the opening brace.
    private mutating func open() -> Bool {
        while let token = reader.current, !token.isSymbol("{") {
            if token.isSymbol("}") || token.isSymbol(";") { return false }
            reader.next()
        }
        return reader.take(symbol: "{")
    }

    private mutating func extensionHead(_ modifiers: Modifiers) {
        reader.next()
        guard case .named(let components)? = reader.type() else { return }
        let inherited = inheritance()
        guard open() else { return }
        let path = (enclosing?.path ?? []) + components.map(\.name)
        if !inherited.isEmpty { result.conformances.append((path, inherited)) }
        scopes.append(.type(path: path, index: nil, isExtension: true, isPrivate: modifiers.isPrivate, isGeneric: false))
    }

    private mutating func alias() {
        reader.next()
        guard let name = reader.next(), name.isName else { return }
        let isGeneric = genericParameters()
        guard reader.take(symbol: "="), let target = reader.type(), !isInBody else { return }
        result.aliases.append(.init(path: (enclosing?.path ?? []) + [name.text], target: target, isGeneric: isGeneric))
    }

    private mutating func importation() {
        reader.next()
        if let kind = reader.current, ["class", "struct", "enum", "protocol", "typealias", "func", "var", "let"].contains(kind.text),
           reader.peek()?.isName == true { reader.next() }
        if let module = reader.next(), module.isName { result.imports.insert(module.text) }
    }

    private mutating func cases() {
        reader.next()
        guard case .type(_, let index?, _, _, _) = scopes.last, result.types[index].kind == .enum else { return }
        repeat {
            guard let name = reader.next(), name.isName else { return }
            var text = "`\(name.text)`"
            if reader.current?.isSymbol("(") == true {
                reader.group()
                result.types[index].hasPayload = true
            }
            if reader.take(symbol: "=") {
                text += " = "
                if reader.take(symbol: "-") { text += "-" }
                if let value = reader.next() { text += value.kind == .string ? "\"\(value.text)\"" : value.text }
                // 0.5 is three tokens.
                if reader.current?.isSymbol(".") == true, let fraction = reader.peek(), fraction.kind == .number {
                    text += ".\(fraction.text)"
                    reader.next()
                    reader.next()
                }
            }
            result.types[index].cases.append(text)
        } while reader.take(symbol: ",")
    }
}

// MARK: Members

extension SourceScanner {
    private func managed(_ name: String, _ form: SourceDeclarations.Managed.Form, _ modifiers: Modifiers, line: Int) -> SourceDeclarations.Managed? {
        guard case .type(let path, _, let isExtension, let isPrivate, let isGeneric) = scopes.last else { return nil }
        return SourceDeclarations.Managed(
            name: name, form: form, context: path, isInExtension: isExtension, isUnreachable: isInBody || isGeneric,
            isPrivate: modifiers.isPrivate || isPrivate, isStatic: modifiers.isStatic, file: file, line: line)
    }

    private mutating func variables(_ modifiers: Modifiers) {
        reader.next()
        guard let line = modifiers.managedLine else { return }
        var pending: [(name: String, line: Int)] = []
        repeat {
            guard let name = reader.current, name.isName else { break }
            reader.next()
            pending.append((name.text, name.line))
            guard reader.take(symbol: ":") else { continue }
            guard let type = reader.type() else { break }
            for one in pending {
                if let managed = managed(one.name, .property(type), modifiers, line: one.line) { result.managed.append(managed) }
            }
            pending = []
        } while reader.take(symbol: ",")
        for one in pending { result.unreadable.append((file, one.line, one.name)) }
        _ = line
    }

    private mutating func function(_ modifiers: Modifiers) {
        reader.next()
        guard modifiers.managedLine != nil else { return }
        guard let name = reader.next(), name.isName, !genericParameters(), reader.current?.isSymbol("(") == true else {
            result.unreadable.append((file, reader.line, "func"))
            return
        }
        var inner = TokenReader(reader.group()), parameters: [SourceDeclarations.Parameter] = []
        while !inner.isAtEnd {
            guard let label = inner.next(), label.isName else { break }
            if inner.current?.isName == true { inner.next() }
            guard inner.take(symbol: ":"), let type = inner.type() else {
                result.unreadable.append((file, name.line, name.text))
                return
            }
            parameters.append(.init(label: label.isWord("_") ? "" : label.text, type: type))
            while let token = inner.current, !token.isSymbol(",") { _ = token; inner.next() }
            _ = inner.take(symbol: ",")
        }
        var isThrowing = false, output: TypeSyntax?
        while let token = reader.current, token.isWord("throws") || token.isWord("async") || token.isWord("rethrows") {
            isThrowing = true
            reader.next()
        }
        if reader.take(symbol: "->") { output = reader.type() }
        if let managed = managed(name.text, .function(parameters, result: output, isThrowing: isThrowing), modifiers, line: name.line) {
            result.managed.append(managed)
        }
    }
}
