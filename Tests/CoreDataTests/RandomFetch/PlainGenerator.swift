import CoreDataTestSupport

/// Draws predicates that fit a data set: paths by the model, constants mostly from values that are there.
struct PlainGenerator {
    var random: SeededGenerator
    let pools: PlainPools
    let world: PlainWorld
    let kind: FetchKind

    init(random: SeededGenerator, pools: PlainPools, world: PlainWorld, kind: FetchKind) {
        (self.random, self.pools, self.world, self.kind) = (random, pools, world, kind)
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }
    mutating func pick<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }

    mutating func predicate(depth: Int = 3) -> PlainPredicate {
        guard depth > 0, chance(45) else { return chance(2) ? .truth(chance(60)) : .compare(comparison()) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...2: return .and((0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(depth: depth - 1) })
        case 3...7: return .or((0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(depth: depth - 1) })
        default: return .not(predicate(depth: depth - 1))
        }
    }

    mutating func comparison() -> PlainComparison {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: return attribute(Path(nil, kind))
        case 45..<62: return quantified(Path(nil, kind)) ?? attribute(Path(nil, kind))
        case 62..<70: return counted(Path(nil, kind)) ?? attribute(Path(nil, kind))
        case 70..<77: return subquery(Path(nil, kind), depth: 1) ?? attribute(Path(nil, kind))
        case 77..<85: return objects() ?? attribute(Path(nil, kind))
        case 85..<89: return paths(Path(nil, kind), Path(nil, kind)) ?? attribute(Path(nil, kind))
        case 89..<97: return computed() ?? attribute(Path(nil, kind))
        case 97: return conditional()
        default: return element() ?? attribute(Path(nil, kind))
        }
    }

    // MARK: paths

    /// Keys on the way from an object.
    struct Path {
        let variable: String?
        var keys: [String] = []
        var kind: FetchKind
        private var steps: [String] = []

        init(_ variable: String?, _ kind: FetchKind) { (self.variable, self.kind) = (variable, kind) }

        mutating func append(_ link: FetchLink) {
            keys.append(link.name)
            kind = link.destination
            let isMutual = link.inverse.flatMap { link.destination.link($0)?.isToMany } ?? false
            steps.append(link.count == .ordered ? "ordered" : !link.isToMany ? "one" : isMutual ? "many-many" : "many")
        }

        /// What the coverage table calls it.
        var shape: String { (variable == nil ? "" : "$") + (steps.isEmpty ? "own" : steps.joined(separator: "→")) }
        func expression(_ field: FetchField) -> PlainExpression { .path(variable: variable, keys + [field.name]) }
        var expression: PlainExpression { .path(variable: variable, keys) }
    }

    mutating func hops(_ start: Path) -> Path {
        var path = start
        let count = pick([0, 0, 0, 0, 0, 1, 1, 1, 2])
        for _ in 0..<count {
            let links = path.kind.links.filter { !$0.isToMany }
            if links.isEmpty { return path }
            path.append(pick(links))
        }
        return path
    }

    /// A path that ends in a to-many; rarely one to-one, or another to-many, after it.
    mutating func toMany(_ start: Path, further: Bool = true) -> Path? {
        var path = chance(20) ? hops(start) : start
        let links = path.kind.links.filter(\.isToMany)
        if links.isEmpty { return nil }
        path.append(pick(links))
        guard further, chance(15) else { return path }
        let next = path.kind.links
        path.append(pick(next))
        return path
    }

    mutating func field(_ kind: FetchKind, where accepts: (FetchField) -> Bool = { _ in true }) -> FetchField? {
        let fields = kind.fields.filter(accepts)
        return fields.isEmpty ? nil : pick(fields)
    }

    // MARK: constants

    /// A value of some object, or one from the pool.
    mutating func constant(_ kind: FetchKind, _ field: FetchField) -> PlainValue {
        if chance(80) {
            let values = world.numbers(of: kind).compactMap { world.things[$0]?.values[field.name] }.filter { !$0.isNone }
            if !values.isEmpty { return pick(values) }
        }
        return value(field)
    }

    mutating func value(_ field: FetchField) -> PlainValue { pools.value(of: field, &random) }

    mutating func options(_ type: FetchType) -> PlainOptions {
        guard type == .string, chance(50) else { return [] }
        return pick([.c, .d, [.c, .d]])
    }
}

extension PlainPools {
    func value(of field: FetchField, _ random: inout SeededGenerator) -> PlainValue {
        switch field.name {
        case "code": return code(&random)
        // Summed up in any order: quarters are exact.
        case "factor", "rating": return .real(Double(Int.random(in: -8...12, using: &random)) / 4)
        default: return value(field.type, &random)
        }
    }
}
