import CoreDataStorage

/// The words of a command, sorted into operands and options.
///
/// Invariant: there are as many operands as the command's `CommandSpec` allows; every option is one it has.
struct Arguments {
    let spec: CommandSpec
    private(set) var operands: [String] = []
    private var values: [String: [String]] = [:]

    /// Reads the words after the command's name. `--` ends the options; `-` alone is an operand (standard input).
    init(_ words: some Sequence<String>, for spec: CommandSpec) throws(UsageError) {
        self.spec = spec
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            } else if word.hasPrefix("--") {
                try readLong(word.dropFirst(2), &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                try readShort(word.dropFirst(), &rest)
            } else {
                operands.append(word)
            }
        }
        if flag("help") { return }
        // The last of two different values would win without a word.
        for option in spec.allOptions where option.value != nil && !option.isRepeatable && Set(all(option.name)).count > 1 {
            throw UsageError("--\(option.name) is given \(all(option.name).count) times, and counts once.", spec)
        }
        try checkOperands()
    }

    private mutating func readLong(_ word: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let name = String(word.prefix { $0 != "=" })
        guard let option = spec.allOptions.first(where: { $0.name == name }) else {
            throw unknown("--" + name)
        }
        let attached = word.count > name.count ? String(word.dropFirst(name.count + 1)) : nil
        if option.value == nil {
            if attached != nil { throw UsageError("--\(name) takes no value.", spec) }
            values[name, default: []].append("")
        } else {
            let text = if let attached { attached } else { try value(of: option, &rest) }
            values[name, default: []].append(text)
        }
    }

    /// `-o FILE`, `-oFILE`.
    private mutating func readShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws(UsageError) {
        guard let letter = letters.first, let option = spec.allOptions.first(where: { $0.short == letter }) else {
            throw unknown("-" + letters)
        }
        if option.value == nil {
            values[option.name, default: []].append("")
            if letters.count > 1 { try readShort(letters.dropFirst(), &rest) }
        } else {
            values[option.name, default: []].append(
                letters.count > 1 ? String(letters.dropFirst()) : try value(of: option, &rest))
        }
    }

    private func value(of option: OptionSpec, _ rest: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError("--\(option.name) needs a value: --\(option.name) \(option.value ?? "VALUE").", spec)
        }
        return value
    }

    private func unknown(_ word: String) -> UsageError {
        let known = spec.allOptions.map { "--" + $0.name }
        let nearest = NearestName.find(word, among: known)
        let advice = nearest.map { "Did you mean “\($0)”?" } ?? "It has: \(known.joined(separator: ", "))."
        return UsageError("“coredata \(spec.name)” has no option “\(word)”. \(advice)", spec)
    }

    private func checkOperands() throws(UsageError) {
        let needed = spec.operands.prefix { !$0.isOptional }
        if operands.count < needed.count {
            let missing = needed[operands.count]
            throw UsageError("\(missing.name) is missing: \(missing.help).", spec)
        }
        if operands.count > spec.operands.count {
            throw UsageError("“\(operands[spec.operands.count])” is one word too many.", spec)
        }
    }

    // MARK: Asking

    func flag(_ name: String) -> Bool { values[name] != nil }

    /// The last value given.
    func value(_ name: String) -> String? { values[name]?.last }

    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// A whole number from `minimum` up.
    func integer(_ name: String, minimum: Int = 0) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw UsageError("--\(name) takes a whole number from \(minimum) up, not “\(text)”.", spec)
        }
        return number
    }

    func choice(_ name: String, among choices: [String]) throws(UsageError) -> String? {
        guard let text = value(name) else { return nil }
        guard choices.contains(text) else {
            let nearest = NearestName.find(text, among: choices).map { " Did you mean “\($0)”?" } ?? ""
            throw UsageError("--\(name) takes \(choices.joined(separator: ", ")), not “\(text)”.\(nearest)", spec)
        }
        return text
    }

    func required(_ name: String) throws(UsageError) -> String {
        guard let value = value(name) else {
            let option = spec.allOptions.first { $0.name == name }
            throw UsageError("--\(name) is missing: \(option?.help ?? "it is needed").", spec)
        }
        return value
    }

    func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }
}

/// What is wrong with a command line.
struct UsageError: Error {
    let message: String
    /// The command whose usage helps; nil before one is known.
    let spec: CommandSpec?

    init(_ message: String, _ spec: CommandSpec? = nil) {
        self.message = message
        self.spec = spec
    }
}
