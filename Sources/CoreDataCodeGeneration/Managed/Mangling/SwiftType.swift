/// A type as the compiler knows it.
indirect enum SwiftType: Hashable {
    case nominal(Nominal, [SwiftType])
    /// Any, when there is none.
    case existential([Nominal])
    case anyObject
    case tuple([SwiftType])

    struct Nominal: Hashable {
        enum Kind: String { case `class` = "C", `struct` = "V", `enum` = "O", `protocol` = "P" }

        struct Step: Hashable {
            var name: String
            var kind: Kind
            /// What tells private types of one name in different files apart.
            var discriminator: String?
        }

        var module: String
        var path: [Step]

        init(_ module: String, _ path: [Step]) {
            self.module = module
            self.path = path
        }

        init(_ module: String, _ name: String, _ kind: Kind) { self.init(module, [Step(name: name, kind: kind)]) }

        var kind: Kind { path.last?.kind ?? .struct }
    }

    static func optional(_ wrapped: SwiftType) -> SwiftType { .nominal(Nominal("Swift", "Optional", .enum), [wrapped]) }
    static let void = SwiftType.tuple([])

    var wrapped: SwiftType? {
        guard case .nominal(let nominal, let arguments) = self, nominal == Nominal("Swift", "Optional", .enum) else { return nil }
        return arguments.first
    }

    /// Every named type in it.
    var nominals: [Nominal] {
        switch self {
        case .nominal(let nominal, let arguments): [nominal] + arguments.flatMap(\.nominals)
        case .existential(let protocols): protocols
        case .anyObject: []
        case .tuple(let elements): elements.flatMap(\.nominals)
        }
    }
}
