/// Finds out which types written names mean: those of the module itself, then of modules it depends on, then the library's.
struct TypeResolver {
    let module: ManagedModule
    let dependencies: [ManagedModule]

    /// Why a type has no symbol.
    struct Failure: Error { var reason: String }

    func resolve(_ syntax: TypeSyntax, in context: [String], _ depth: Int = 0) throws(Failure) -> SwiftType {
        guard depth < 32 else { throw Failure(reason: "“\(syntax.text)” names itself") }
        switch syntax {
        case .optional(let wrapped): return .optional(try resolve(wrapped, in: context, depth + 1))
        case .array(let element): return .nominal(.init("Swift", "Array", .struct), [try resolve(element, in: context, depth + 1)])
        case .dictionary(let key, let value):
            return .nominal(.init("Swift", "Dictionary", .struct), [try resolve(key, in: context, depth + 1), try resolve(value, in: context, depth + 1)])
        case .tuple(let elements):
            var types: [SwiftType] = []
            for element in elements { types.append(try resolve(element, in: context, depth + 1)) }
            return .tuple(types)
        case .composition(let parts): return try existential(parts, in: context, depth)
        case .other(let text): throw Failure(reason: "Core Data cannot keep a “\(text)”")
        case .named(let components): return try named(components, in: context, depth)
        }
    }

    private func existential(_ parts: [TypeSyntax], in context: [String], _ depth: Int) throws(Failure) -> SwiftType {
        var protocols: [SwiftType.Nominal] = []
        for part in parts {
            guard case .existential(let more) = try resolve(part, in: context, depth + 1) else {
                throw Failure(reason: "a composition with a class has no symbol the companion could supply; use the class alone")
            }
            protocols += more
        }
        return .existential(protocols.sorted { ($0.module, $0.path.map(\.name).joined()) < ($1.module, $1.path.map(\.name).joined()) })
    }

    private func named(_ components: [TypeSyntax.Component], in context: [String], _ depth: Int) throws(Failure) -> SwiftType {
        var arguments: [SwiftType] = []
        for argument in components.flatMap(\.arguments) { arguments.append(try resolve(argument, in: context, depth + 1)) }
        let names = components.map(\.name)
        // Inside out: what the enclosing types declare, then the module.
        for length in stride(from: context.count, through: 0, by: -1) {
            if let found = try lookUp(Array(context.prefix(length)) + names, in: module, arguments, depth) { return found }
        }
        if names.count > 1, names[0] == module.name, let found = try lookUp(Array(names.dropFirst()), in: module, arguments, depth) { return found }
        for other in dependencies {
            let isQualified = names.count > 1 && names[0] == other.name
            let path = isQualified ? Array(names.dropFirst()) : names
            if let found = try TypeResolver(module: other, dependencies: dependencies).lookUp(path, in: other, arguments, depth) { return found }
        }
        let isLibrary = names.count == 2 && ["Swift", "Foundation", "FoundationEssentials", "CoreData"].contains(names[0])
        return try library(isLibrary ? Array(names.dropFirst()) : names, arguments)
    }

    private func lookUp(_ path: [String], in module: ManagedModule, _ arguments: [SwiftType], _ depth: Int) throws(Failure) -> SwiftType? {
        if let alias = module.aliases[path] {
            guard !alias.isGeneric else { throw Failure(reason: "“\(path.joined(separator: "."))” is a generic alias; write the type itself") }
            return try resolve(alias.target, in: Array(path.dropLast()), depth + 1)
        }
        guard let type = module.types[path], let nominal = module.nominal(path) else { return nil }
        guard !type.isGeneric, arguments.isEmpty else { throw Failure(reason: "“\(path.joined(separator: "."))” is generic") }
        return nominal.kind == .protocol ? .existential([nominal]) : .nominal(nominal, [])
    }

    private func library(_ names: [String], _ arguments: [SwiftType]) throws(Failure) -> SwiftType {
        let text = names.joined(separator: ".")
        guard names.count == 1 else { throw Failure(reason: unknown(text)) }
        switch text {
        case "Any": return .existential([])
        case "AnyObject": return .anyObject
        case "Void": return .void
        default: break
        }
        if let one = TypeLibrary.protocols[text] { return .existential([one]) }
        guard let nominal = TypeLibrary.type(TypeLibrary.aliases[text] ?? text) else { throw Failure(reason: unknown(text)) }
        return .nominal(nominal, arguments)
    }

    private func unknown(_ name: String) -> String {
        "the type “\(name)” is declared neither in “\(module.name)”, nor in a target of the package that “\(module.name)” depends on, "
            + "nor among the types of Swift, Foundation and CoreData that a property may have"
    }
}
