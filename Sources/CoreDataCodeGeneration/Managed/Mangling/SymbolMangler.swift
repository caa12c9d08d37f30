/// Writes symbols in Swift's stable mangling, as far as members of classes need it: identifiers whose words and whole repeat, types
/// that repeat, and repetitions in a row, are abbreviated. The tests hold it to what the compiler writes.
struct SymbolMangler {
    private var text = ""
    /// Bytes of `text`.
    private var words: [(start: Int, length: Int)] = []
    private var identifiers: [String: Int] = [:]
    private var nominals: [SwiftType.Nominal: Int] = [:]
    private var types: [SwiftType: Int] = [:]
    private var count = 0
    private var merge = Merge()

    private struct Merge {
        var position = -1, size = 0, repetitions = 0
        var isStandard = false
    }

    struct Member {
        var owner: SwiftType.Nominal
        /// The module of the extension it stands in, when that is not the class's.
        var extensionModule: String?
        var name: String
        var discriminator: String?
    }

    static func getter(_ member: Member, _ type: SwiftType) -> String { property(member, type) + "vg" }
    static func setter(_ member: Member, _ type: SwiftType) -> String { property(member, type) + "vs" }

    private static func property(_ member: Member, _ type: SwiftType) -> String {
        var mangler = SymbolMangler()
        mangler.begin(member)
        mangler.append(type)
        return mangler.text
    }

    static func function(
        _ member: Member, labels: [String], _ parameters: [SwiftType], _ result: SwiftType, isThrowing: Bool = false
    ) -> String {
        var mangler = SymbolMangler()
        mangler.begin(member)
        if !labels.isEmpty {
            if labels.allSatisfy(\.isEmpty) {
                mangler.text += "y"
            } else {
                for label in labels { if label.isEmpty { mangler.text += "_" } else { mangler.append(identifier: label) } }
            }
        }
        mangler.append(result)
        mangler.append(parameters: parameters, isLabelled: labels.first?.isEmpty == false)
        return mangler.text + (isThrowing ? "KF" : "F")
    }

    /// A type on its own, as the run time looks it up.
    static func name(of type: SwiftType) -> String {
        var mangler = SymbolMangler()
        mangler.append(type)
        return mangler.text
    }

    private mutating func begin(_ member: Member) {
        text = "$s"
        append(nominal: member.owner)
        if let module = member.extensionModule {
            append(module: module)
            text += "E"
        }
        append(identifier: member.name)
        append(discriminator: member.discriminator)
    }

    private mutating func append(discriminator: String?) {
        guard let discriminator else { return }
        append(identifier: discriminator)
        text += "LL"
    }
}

// MARK: Types

extension SymbolMangler {
    /// One parameter without a label stands alone, unless it is a tuple.
    private mutating func append(parameters: [SwiftType], isLabelled: Bool) {
        guard let first = parameters.first else { return text += "y" }
        if parameters.count > 1 || isLabelled { return append(list: parameters) }
        if case .tuple = first { append(list: parameters) } else { append(first) }
    }

    private mutating func append(list: [SwiftType]) {
        for (index, element) in list.enumerated() {
            append(element)
            if index == 0 { text += "_" }
        }
        text += "t"
    }

    private mutating func append(_ type: SwiftType) {
        switch type {
        case .tuple(let elements): if elements.isEmpty { text += "y" } else { append(list: elements) }
        case .anyObject: text += "yXl"
        case .existential(let protocols):
            if protocols.isEmpty { text += "y" }
            for (index, one) in protocols.enumerated() {
                append(nominal: one)
                if index == 0 { text += "_" }
            }
            text += "p"
        case .nominal(let nominal, let arguments) where arguments.isEmpty: append(nominal: nominal)
        case .nominal(let nominal, let arguments):
            if let index = types[type] { return append(substitution: index) }
            if let wrapped = type.wrapped {
                append(wrapped)
                text += "Sg"
            } else {
                append(nominal: nominal)
                text += "y"
                for argument in arguments { append(argument) }
                text += "G"
            }
            types[type] = count
            count += 1
        }
    }

    private static let standard: [String: Character] = [
        "Array": "a", "Bool": "b", "Dictionary": "D", "Double": "d", "Float": "f", "Set": "h", "Int": "i", "Character": "J", "Optional": "q",
        "Substring": "s", "String": "S", "UInt": "u", "Hashable": "H", "Equatable": "Q", "Comparable": "L", "Encodable": "E", "Decodable": "e",
        "Range": "n", "ClosedRange": "N", "Collection": "l", "Sequence": "T",
    ]

    private mutating func append(nominal: SwiftType.Nominal) {
        if nominal.module == "Swift", nominal.path.count == 1, let letter = Self.standard[nominal.path[0].name] {
            return append(standard: letter)
        }
        if let index = nominals[nominal] { return append(substitution: index) }
        if nominal.path.count > 1 {
            append(nominal: SwiftType.Nominal(nominal.module, nominal.path.dropLast()))
        } else {
            append(module: nominal.module)
        }
        guard let last = nominal.path.last else { return }
        append(identifier: last.name)
        append(discriminator: last.discriminator)
        // Of a protocol the name is enough where only protocols can stand.
        if last.kind != .protocol { text += last.kind.rawValue }
        nominals[nominal] = count
        count += 1
    }

    private mutating func append(module: String) {
        if module == "Swift" { text += "s" } else { append(identifier: module) }
    }
}

// MARK: Abbreviations

extension SymbolMangler {
    private mutating func append(standard letter: Character) {
        guard !merged(letter, isStandard: true) else { return }
        let start = text.utf8.count
        text += "S\(letter)"
        merge = Merge(position: start + 1, size: 1, repetitions: 1, isStandard: true)
    }

    private mutating func append(substitution index: Int) {
        if index >= 26 {
            text += "A\(index == 26 ? "" : "\(index - 27)")_"
            return
        }
        let letter = Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(index)))
        guard !merged(letter, isStandard: false) else { return }
        let start = text.utf8.count
        text += "A\(letter)"
        merge = Merge(position: start + 1, size: 1, repetitions: 1, isStandard: false)
    }

    /// `AB` and then C becomes `AbC`; `Si` and then i becomes `S2i`.
    private mutating func merged(_ letter: Character, isStandard: Bool) -> Bool {
        guard merge.repetitions > 0, merge.repetitions < 2048, merge.isStandard == isStandard,
              text.utf8.count == merge.position + merge.size, let last = text.last else { return false }
        if last == letter {
            merge.repetitions += 1
            let repeated = "\(merge.repetitions)\(letter)"
            cut(to: merge.position)
            text += repeated
            merge.size = repeated.utf8.count
            return true
        }
        guard !isStandard else { return false }
        cut(to: text.utf8.count - 1)
        text += last.lowercased()
        merge = Merge(position: text.utf8.count, size: 1, repetitions: 1, isStandard: false)
        text.append(letter)
        return true
    }

    private mutating func cut(to length: Int) { text = String(decoding: text.utf8.prefix(length), as: UTF8.self) }

    private mutating func append(identifier: String) {
        if let index = identifiers[identifier] { return append(substitution: index) }
        identifiers[identifier] = count
        count += 1
        var spelling = IdentifierSpelling(identifier, written: Array(text.utf8), words: words)
        text += spelling.text()
        words = spelling.words
    }
}
