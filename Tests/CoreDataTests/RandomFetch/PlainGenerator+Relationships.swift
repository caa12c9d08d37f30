/// To-manys: quantifiers, operators, SUBQUERY; and objects as values.
extension PlainGenerator {
    mutating func quantified(_ start: Path) -> PlainComparison? {
        if chance(8) { return ofToOne(start) }
        guard let path = toMany(start), let field = field(path.kind) else { return nil }
        if chance(10), [.string, .int32, .bool, .date].contains(field.type) { return member(path, field) }
        var comparison = against(path.expression(field), path.kind, field)
        if comparison.left != path.expression(field) { swap(&comparison.left, &comparison.right) }
        comparison.quantifier = pick([.any, .any, .any, .all, .none])
        comparison.shape = path.shape
        return comparison
    }

    /// ANY of one value: what is nil is no match.
    private mutating func ofToOne(_ start: Path) -> PlainComparison? {
        let path = hops(start)
        guard !path.keys.isEmpty, let field = field(path.kind, where: { $0.type != .transformable }) else { return nil }
        var comparison = against(path.expression(field), path.kind, field)
        if comparison.left != path.expression(field) || comparison.right == .constant(.none) { return nil }
        comparison.quantifier = pick([.any, .none])
        comparison.shape = path.shape
        return comparison
    }

    /// A value among those of a to-many's members.
    private mutating func member(_ path: Path, _ field: FetchField) -> PlainComparison {
        let value = PlainExpression.constant(constant(path.kind, field))
        var comparison = PlainComparison(
            left: path.expression(field), operation: .contains, options: options(field.type), right: value)
        if chance(50) { comparison = PlainComparison(left: value, operation: .isIn, options: comparison.options, right: path.expression(field)) }
        (comparison.type, comparison.shape) = (field.type.rawValue, path.shape)
        return comparison
    }

    mutating func counted(_ start: Path) -> PlainComparison? {
        guard let path = toMany(start, further: false) else { return nil }
        let isSummed = chance(60)
        let summed = isSummed ? field(path.kind) { ($0.type.isWhole && $0.name != "ident") || ["factor", "rating", "opened", "since"].contains($0.name) } : nil
        let name: String
        var right: PlainValue
        switch summed {
        case nil:
            name = "@count"
            right = .whole(Int64(pick([0, 0, 1, 1, 2, 3])))
        case let field? where field.type == .date:
            name = pick(["@min", "@max"])
            right = constant(path.kind, field)
        case let field?:
            name = pick(["@sum", "@min", "@max", "@avg"])
            right = chance(50) ? constant(path.kind, field) : .whole(Int64(pick([0, 1, 2, 5, 10])))
        }
        // The greatest integers overflow a sum; SQLite refuses it.
        if summed?.name == "big" { return nil }
        if chance(5) { right = .none }
        var comparison = PlainComparison(
            left: .aggregate(name, variable: path.variable, collection: path.keys, key: summed?.name ?? ""),
            operation: right.isNone ? pick([.equal, .notEqual]) : pick([.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
            right: .constant(right))
        (comparison.type, comparison.shape) = (name, path.shape)
        return comparison
    }

    mutating func subquery(_ start: Path, depth: Int) -> PlainComparison? {
        guard let path = toMany(start, further: false) else { return nil }
        let element = depth == 1 ? "x" : "y"
        let inner = Path(element, path.kind)
        var parts: [PlainPredicate] = []
        for _ in 0..<pick([1, 1, 2]) {
            var part: PlainPredicate
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where depth == 1: part = subquery(inner, depth: 2).map(PlainPredicate.compare) ?? .compare(attribute(inner))
            case 1, 2: part = paths(inner, Path(nil, kind)).map(PlainPredicate.compare) ?? .compare(attribute(inner))
            case 3: part = quantified(inner).map(PlainPredicate.compare) ?? .compare(attribute(inner))
            case 4: part = counted(inner).map(PlainPredicate.compare) ?? .compare(attribute(inner))
            default: part = .compare(attribute(inner))
            }
            if chance(15) { part = .not(part) }
            parts.append(part)
        }
        let predicate: PlainPredicate = parts.count == 1 ? parts[0] : chance(50) ? .and(parts) : .or(parts)
        var comparison = PlainComparison(
            left: .subqueryCount(variable: path.variable, collection: path.keys, element: element, predicate),
            operation: pick([.equal, .greater, .greater, .greaterOrEqual, .less, .notEqual]),
            right: .constant(.whole(Int64(pick([0, 0, 0, 1, 2])))))
        (comparison.type, comparison.shape) = ("SUBQUERY", path.shape)
        return comparison
    }

    private mutating func thing(_ kind: FetchKind) -> PlainValue {
        let numbers = world.numbers(of: kind)
        return numbers.isEmpty ? .none : .thing(pick(numbers))
    }

    /// Objects against SELF, to-ones and to-manys.
    mutating func objects() -> PlainComparison? {
        let path = hops(Path(nil, kind))
        var comparison: PlainComparison
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1:
            let isList = chance(40)
            let right: PlainValue = isList ? .many((0..<pick([0, 1, 3, 6])).map { _ in thing(path.kind) }) : chance(15) ? .none : thing(path.kind)
            if path.keys.isEmpty, right.isNone { return nil }
            comparison = PlainComparison(left: path.expression, operation: isList ? .isIn : pick([.equal, .notEqual]), right: .constant(right))
            comparison.shape = path.shape
        case 2:
            let other = hops(Path(nil, kind))
            if path.kind.isKind(of: other.kind) == false, other.kind.isKind(of: path.kind) == false { return nil }
            comparison = PlainComparison(left: path.expression, operation: pick([.equal, .notEqual]), right: other.expression)
            comparison.shape = path.shape
        case 3:
            guard let many = toMany(Path(nil, kind)) else { return nil }
            comparison = PlainComparison(left: many.expression, operation: .contains, right: .constant(thing(many.kind)))
            if chance(50) { comparison = PlainComparison(left: comparison.right, operation: .isIn, right: many.expression) }
            comparison.shape = many.shape
        case 4:
            guard let many = toMany(Path(nil, kind), further: false) else { return nil }
            comparison = PlainComparison(left: many.expression, operation: .contains, right: path.kind.isKind(of: many.kind) ? path.expression : .constant(thing(many.kind)))
            comparison.shape = many.shape
        default:
            guard let many = toMany(Path(nil, kind)) else { return nil }
            let isList = chance(50)
            comparison = PlainComparison(
                quantifier: pick([.any, .any, .none, .all]), left: many.expression, operation: isList ? .isIn : pick([.equal, .equal, .notEqual]),
                right: .constant(isList ? .many((0..<pick([0, 1, 3])).map { _ in thing(many.kind) }) : thing(many.kind)))
            comparison.shape = many.shape
        }
        comparison.type = "object"
        return comparison
    }
}
