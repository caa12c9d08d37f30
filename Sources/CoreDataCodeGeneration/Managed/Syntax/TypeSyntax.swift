/// A type as it is written.
indirect enum TypeSyntax: Equatable {
    struct Component: Equatable {
        var name: String
        var arguments: [TypeSyntax] = []
    }

    /// `String`, `Shop.Tag`, `Measurement<UnitLength>`
    case named([Component])
    case optional(TypeSyntax)
    case array(TypeSyntax)
    case dictionary(TypeSyntax, TypeSyntax)
    case tuple([TypeSyntax])
    case composition([TypeSyntax])
    /// Functions, metatypes, packs and what else there is.
    case other(String)

    static func named(_ name: String) -> TypeSyntax { .named([Component(name: name)]) }

    var text: String {
        switch self {
        case .named(let components):
            components.map { $0.name + ($0.arguments.isEmpty ? "" : "<\($0.arguments.map(\.text).joined(separator: ", "))>") }
                .joined(separator: ".")
        case .optional(.composition(let parts)): "(\(TypeSyntax.composition(parts).text))?"
        case .optional(let wrapped): wrapped.text + "?"
        case .array(let element): "[\(element.text)]"
        case .dictionary(let key, let value): "[\(key.text): \(value.text)]"
        case .tuple(let elements): "(\(elements.map(\.text).joined(separator: ", ")))"
        case .composition(let parts): parts.map(\.text).joined(separator: " & ")
        case .other(let text): text
        }
    }
}
