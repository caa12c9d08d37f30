/// The functions the language knows, by Apple's selector names, and the operators that stand for some of them.
package enum FunctionNames {
    /// Selector to number of arguments; nil where it varies.
    package static let arity: [String: Int?] = [
        "now": 0, "random": 0, "random:": 1, "randomn:": 1,
        "sum:": nil, "count:": nil, "min:": nil, "max:": nil, "average:": nil, "median:": nil, "mode:": nil, "stddev:": nil,
        "add:to:": 2, "from:subtract:": 2, "multiply:by:": 2, "divide:by:": 2, "modulus:by:": 2, "raise:toPower:": 2,
        "sqrt:": 1, "log:": 1, "ln:": 1, "exp:": 1, "floor:": 1, "ceiling:": 1, "trunc:": 1, "abs:": 1,
        "uppercase:": 1, "lowercase:": 1, "canonical:": 1, "length:": 1, "stripDiacritic:": 1,
        "bitwiseAnd:with:": 2, "bitwiseOr:with:": 2, "bitwiseXor:with:": 2, "leftshift:by:": 2, "rightshift:by:": 2,
        "onesComplement:": 1, "noindex:": 1, "distanceToLocation:fromLocation:": 2, "castObject:toType:": 2,
        "distinct:": 1, "objectFrom:withIndex:": 2, "first:": 1, "last:": 1, "size:": 1,
    ]

    /// The selector for a name as written: `sum`, `sum:`, `SUM:`; nil when there is no such function.
    static func resolve(_ name: String, arguments count: Int) -> String? {
        let exact = count == 0 || name.hasSuffix(":") ? name : name + ":"
        if arity[exact] != nil { return exact }
        return byLowercase[exact.lowercased()]
    }

    private static let byLowercase = Dictionary(uniqueKeysWithValues: arity.keys.map { ($0.lowercased(), $0) })

    /// An infix operator and how tightly it binds.
    struct Infix {
        var selector: String
        var symbol: String
        var precedence: Int
    }

    static let infix: [FormatToken.Symbol: Infix] = [
        .bitOr: Infix(selector: "bitwiseOr:with:", symbol: "|", precedence: 1),
        .bitXor: Infix(selector: "bitwiseXor:with:", symbol: "^", precedence: 2),
        .bitAnd: Infix(selector: "bitwiseAnd:with:", symbol: "&", precedence: 3),
        .shiftLeft: Infix(selector: "leftshift:by:", symbol: "<<", precedence: 4),
        .shiftRight: Infix(selector: "rightshift:by:", symbol: ">>", precedence: 4),
        .plus: Infix(selector: "add:to:", symbol: "+", precedence: 5),
        .minus: Infix(selector: "from:subtract:", symbol: "-", precedence: 5),
        .times: Infix(selector: "multiply:by:", symbol: "*", precedence: 6),
        .divide: Infix(selector: "divide:by:", symbol: "/", precedence: 6),
        .power: Infix(selector: "raise:toPower:", symbol: "**", precedence: 7),
    ]

    static let infixBySelector = Dictionary(uniqueKeysWithValues: infix.values.map { ($0.selector, $0) })
}
