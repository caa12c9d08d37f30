/// Functions, arithmetic, TERNARY, and what SQL cannot say.
extension PlainGenerator {
    mutating func computed() -> PlainComparison? {
        let path = hops(Path(nil, kind))
        var comparison: PlainComparison?
        switch Int.random(in: 0..<11, using: &random) {
        case 10: comparison = lists(path)
        case 0..<3: comparison = textual(path)
        case 3..<6: comparison = arithmetic(path)
        case 6..<8: comparison = rounded(path)
        default: comparison = bits(path)
        }
        comparison?.shape = path.shape
        return comparison
    }

    private mutating func textual(_ path: Path) -> PlainComparison? {
        guard let field = field(path.kind, where: { $0.type == .string }), let text = constant(path.kind, field).string else { return nil }
        var name = pick(["uppercase:", "lowercase:", "canonical:", "length:"])
        let value = PlainArithmetic.call(name, [.text(text)])
        var operation: PlainOperator = pick([.equal, .notEqual, .less, .greaterOrEqual])
        var left = PlainExpression.call(name, [path.expression(field)])
        if name == "length:", chance(30), case .whole(let length) = value {
            left = .arithmetic("+", left, .constant(.whole(1)))
            operation = .greater
            return typed(PlainComparison(left: left, operation: operation, right: .constant(.whole(length))), "length:")
        }
        if name == "canonical:", chance(30) {
            name = "BEGINSWITH canonical:"
            operation = .begins
        }
        return typed(PlainComparison(left: left, operation: operation, right: .constant(value)), name)
    }

    private func typed(_ comparison: PlainComparison, _ type: String) -> PlainComparison {
        var comparison = comparison
        comparison.type = type
        return comparison
    }

    private mutating func arithmetic(_ path: Path) -> PlainComparison? {
        func fits(_ field: FetchField) -> Bool { field.type.isNumber && field.type != .decimal && !["big", "ident"].contains(field.name) }
        if chance(15), let date = field(path.kind, where: { $0.type == .date }) {
            let left = PlainExpression.arithmetic(pick(["+", "-"]), path.expression(date), .constant(.whole(Int64(pick([1, 10, 990])))))
            return typed(PlainComparison(left: left, operation: pick([.equal, .less, .greater]), right: .constant(constant(path.kind, date))), "date ±")
        }
        guard let a = field(path.kind, where: fits) else { return nil }
        let symbol = pick(["+", "-", "*", "/", "/", "**"])
        var right: PlainExpression = .constant(symbol == "**" ? .whole(Int64(pick([0, 1, 2, 3]))) : pick([.whole(2), .whole(3), .whole(0), .real(0.5), .real(2)]))
        if symbol != "**", chance(35), let b = field(path.kind, where: fits) { right = path.expression(b) }
        var left = PlainExpression.arithmetic(symbol, path.expression(a), right)
        if chance(20) { left = .arithmetic(pick(["+", "/"]), left, .constant(.whole(2))) }
        let value: PlainExpression = chance(30) ? path.expression(a) : .constant(.whole(Int64(pick([0, 1, 2, 4, 10]))))
        return typed(PlainComparison(left: left, operation: pick([.equal, .notEqual, .less, .greater, .lessOrEqual]), right: value), symbol)
    }

    /// Two lists, written or given, sometimes the same in another order.
    private mutating func lists(_ path: Path) -> PlainComparison? {
        guard let field = field(path.kind, where: { $0.type.isNumber || $0.type == .string }) else { return nil }
        let (a, b) = (constant(path.kind, field), constant(path.kind, field))
        var comparison = PlainComparison(
            left: .list(chance(70) ? [path.expression(field), .constant(b)] : [.constant(b), path.expression(field)]),
            operation: pick([.equal, .equal, .notEqual]), options: options(field.type),
            right: chance(50) ? .constant(.many([a, b])) : .list([.constant(a), .constant(b)]))
        if chance(20) { (comparison.left, comparison.right) = (comparison.right, comparison.left) }
        return typed(comparison, "list")
    }

    private mutating func rounded(_ path: Path) -> PlainComparison? {
        guard let field = field(path.kind, where: { $0.type.isNumber && !["big", "ident"].contains($0.name) }) else { return nil }
        let name = pick(["abs:", "floor:", "ceiling:", "trunc:", "sqrt:"])
        var left = PlainExpression.call(name, [path.expression(field)])
        if chance(20), field.type != .decimal { left = .arithmetic("/", left, .constant(.whole(2))) }
        return typed(PlainComparison(
            left: left, operation: pick([.equal, .notEqual, .less, .greater]), right: .constant(.whole(Int64(pick([0, 1, 2, 3]))))), name)
    }

    private mutating func bits(_ path: Path) -> PlainComparison? {
        guard let field = field(path.kind, where: { $0.type.isWhole && $0.name != "ident" }) else { return nil }
        let name = pick(["modulus:by:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "onesComplement:"])
        var arguments = [path.expression(field)]
        if name != "onesComplement:" { arguments.append(.constant(.whole(Int64(pick([1, 2, 3, 5]))))) }
        if name == "modulus:by:", chance(10) { arguments[1] = .constant(.whole(0)) }
        return typed(PlainComparison(
            left: .call(name, arguments), operation: pick([.equal, .notEqual, .greater]), right: .constant(.whole(Int64(pick([0, 1, 2, -2]))))), name)
    }

    mutating func conditional() -> PlainComparison {
        let test = attribute(Path(nil, kind)), path = hops(Path(nil, kind))
        guard let field = field(path.kind, where: { $0.type.isNumber || $0.type == .string }) else { return test }
        let other = constant(path.kind, field)
        let left = PlainExpression.conditional(.compare(test), path.expression(field), .constant(other))
        var comparison = PlainComparison(left: left, operation: pick([.equal, .notEqual, .less, .greater]), right: .constant(chance(50) ? other : constant(path.kind, field)))
        (comparison.type, comparison.shape) = ("TERNARY", path.shape)
        return comparison
    }

    mutating func element() -> PlainComparison? {
        let links = kind.links.filter { $0.count == .ordered }
        if links.isEmpty { return nil }
        let link = pick(links)
        guard let field = field(link.destination, where: { $0.type != .transformable }) else { return nil }
        let value = constant(link.destination, field)
        var comparison = PlainComparison(
            left: .element(collection: [link.name], first: chance(50), key: field.name),
            operation: pick([.equal, .equal, .notEqual]), right: .constant(value))
        (comparison.type, comparison.shape) = ("[FIRST]", "ordered")
        return comparison
    }
}
