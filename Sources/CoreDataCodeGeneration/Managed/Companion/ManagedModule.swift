/// A module with its declarations.
struct ManagedModule {
    var name: String
    var declarations = SourceDeclarations()
    private(set) var types: [[String]: SourceDeclarations.NominalType] = [:]
    private(set) var aliases: [[String]: SourceDeclarations.Alias] = [:]

    init(name: String, files: [(path: String, text: String)], _ conditions: BuildConditions) {
        self.name = name
        for file in files {
            let one = SourceScanner.scan(file.text, file: file.path, conditions)
            declarations.types += one.types
            declarations.aliases += one.aliases
            declarations.managed += one.managed
            declarations.unreadable += one.unreadable
            declarations.imports.formUnion(one.imports)
        }
        for type in declarations.types where types[type.path] == nil { types[type.path] = type }
        for alias in declarations.aliases where aliases[alias.path] == nil { aliases[alias.path] = alias }
    }

    func nominal(_ path: [String]) -> SwiftType.Nominal? {
        guard types[path] != nil else { return nil }
        var steps: [SwiftType.Nominal.Step] = []
        for length in 1...path.count {
            guard let type = types[Array(path.prefix(length))] else { return nil }
            // What stands in a private type needs no mark of its own.
            let isMarked = type.isPrivate && !steps.contains { $0.discriminator != nil }
            steps.append(.init(
                name: path[length - 1], kind: type.nominalKind,
                discriminator: isMarked ? FileDiscriminator.of(type.fileName, in: name) : nil))
        }
        return SwiftType.Nominal(name, steps)
    }
}

extension SourceDeclarations.NominalType {
    var nominalKind: SwiftType.Nominal.Kind {
        switch kind {
        case .class, .actor: .class
        case .struct: .struct
        case .enum: .enum
        case .protocol: .protocol
        }
    }

    var fileName: String { String(file.split(separator: "/").last ?? "") }
}
