/// Attributes against constants, and against one another.
extension PlainGenerator {
    static func operators(_ type: FetchType) -> [PlainOperator] {
        switch type {
        case .string, .uri: PlainOperator.allCases
        case .transformable: [.equal, .notEqual]
        case .bool: [.equal, .notEqual, .isIn]
        default: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn]
        }
    }

    mutating func attribute(_ start: Path) -> PlainComparison {
        let path = hops(start)
        guard let field = field(path.kind) else { return PlainComparison(left: .constant(.none), operation: .equal, right: .constant(.none)) }
        var comparison = against(path.expression(field), path.kind, field)
        comparison.shape = path.shape
        return comparison
    }

    /// A value of a field against constants.
    mutating func against(_ left: PlainExpression, _ kind: FetchKind, _ field: FetchField) -> PlainComparison {
        let operation = pick(Self.operators(field.type))
        var options = options(field.type)
        let right: PlainExpression
        switch operation {
        case .between: right = bounds(kind, field)
        case .isIn: right = list(kind, field)
        case .matches:
            if field.type != .string { options = [] }
            right = .pattern(pattern(constant(kind, field).string ?? "", options))
        case .like: right = .constant(.text(likePattern(constant(kind, field).string ?? "")))
        case .contains, .begins, .ends:
            let text = constant(kind, field).string ?? ""
            right = .constant(.text(pools.part(of: text, &random, from: operation == .begins, to: operation == .ends)))
        default:
            let isNil = field.type == .transformable || chance(operation.isOrder ? 1 : 12)
            right = .constant(isNil ? .none : constant(kind, field))
            if right == .constant(.none) { options = [] }
        }
        var comparison = PlainComparison(left: left, operation: operation, options: options, right: right)
        comparison.type = field.type.rawValue
        if chance(4), operation == .equal || operation.isOrder { swap(&comparison.left, &comparison.right) }
        return comparison
    }

    private mutating func bounds(_ kind: FetchKind, _ field: FetchField) -> PlainExpression {
        var bounds = [constant(kind, field), constant(kind, field)]
        if (PlainValue.order(bounds[0], bounds[1]) ?? 0) > 0, chance(85) { bounds.swapAt(0, 1) }
        if chance(4) { bounds[chance(50) ? 0 : 1] = .none }
        return chance(50) ? .constant(.many(bounds)) : .list(bounds.map(PlainExpression.constant))
    }

    private mutating func list(_ kind: FetchKind, _ field: FetchField) -> PlainExpression {
        var values = (0..<pick([0, 1, 1, 2, 2, 3, 5])).map { _ in constant(kind, field) }
        if chance(12) { values.append(.none) }
        if chance(50) { return .constant(.many(values)) }
        var elements = values.map(PlainExpression.constant)
        if chance(15), kind == self.kind { elements.append(.path(variable: nil, [field.name])) }
        return .list(elements)
    }

    private mutating func likePattern(_ text: String) -> String {
        var letters = PlainPools.letters(text).map { ["*", "?", "\\"].contains($0) ? "\\" + $0 : $0 }
        for _ in 0..<pick([0, 1, 1, 2]) where !letters.isEmpty {
            let index = Int.random(in: 0..<letters.count, using: &random)
            switch pick([0, 1, 2]) {
            case 0: letters[index] = "?"
            case 1: letters[index] = "*"
            default: letters.removeSubrange(index...)
            }
        }
        return (chance(20) ? "*" : "") + letters.joined() + (chance(40) ? "*" : "")
    }

    private mutating func pattern(_ text: String, _ options: PlainOptions) -> PlainPattern {
        let caseless = options.contains(.c)
        var parts: [PlainPattern.Part] = []
        for scalar in PlainText.fold(text, options.intersection(.d)).unicodeScalars {
            let isLetter = (0x61...0x7A).contains(scalar.value | 0x20) && scalar.isASCII && !["s", "k", "S", "K"].contains(scalar)
            let piece: PlainPattern.Piece = if chance(25) || caseless && !isLetter {
                .dot
            } else if isLetter, scalar.value >= 0x61, chance(25) {
                .range("a", max("c", scalar))
            } else {
                .letter(scalar)
            }
            if chance(90) { parts.append(PlainPattern.Part(piece: piece, count: chance(70) ? .once : pick(PlainPattern.Count.allCases))) }
        }
        // An empty pattern is none, at Apple's too.
        if chance(30) || parts.isEmpty { parts.append(PlainPattern.Part(piece: .dot, count: .any)) }
        let other = [PlainPattern.Part(piece: .letter("a"), count: .some)]
        return PlainPattern(alternatives: chance(15) ? [other, parts] : [parts])
    }

    /// One attribute against another of a type that fits.
    mutating func paths(_ first: Path, _ second: Path) -> PlainComparison? {
        let left = hops(first), right = hops(second)
        guard let a = field(left.kind, where: { $0.type != .transformable }),
              let b = field(right.kind, where: { $0.type == a.type || $0.type.isNumber && a.type.isNumber }) else { return nil }
        var operations = Self.operators(a.type).filter { $0 != .between && $0 != .isIn && $0 != .matches && $0 != .like }
        if a.type == .uri { operations = [.equal, .notEqual] }
        let operation = pick(operations)
        var comparison = PlainComparison(
            left: left.expression(a), operation: operation, options: options(a.type), right: right.expression(b))
        (comparison.type, comparison.shape) = (a.type.rawValue, left.shape)
        return comparison
    }
}
