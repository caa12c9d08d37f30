import CoreData

/// Objects that are made and connected without a context, and inserted then.
extension RandomRun {
    func insertOrphans(in context: Int) throws {
        guard usable(in: context).count < 24 else { return }
        let kinds = (0..<Int.random(in: 2...4, using: &random)).compactMap { _ in pick(Kind.allCases) }
        let numbers = Array(nextNumber..<nextNumber + kinds.count)
        nextNumber += kinds.count
        var planned = ExpectedGraph()
        for (number, kind) in zip(numbers, kinds) { planned.insert(number, kind) }
        let links = self.links(among: numbers, kinds, &planned)
        let order = numbers.shuffled(using: &random)
        try change(context, "insert connected \(Array(zip(kinds.map(\.name), numbers))), links \(links)", { graph in
            for (number, kind) in zip(numbers, kinds) { graph.insert(number, kind) }
            for link in links { graph.link(link.number, link.shape, to: link.members) }
        }, act: {
            let made = try connected(numbers, kinds, links, planned)
            // What is reachable comes along; the rest is inserted by itself.
            for number in order { if let object = made[number] { contexts[context].insert(object) } }
            learn(numbers.compactMap { number in made[number].map { (number, $0) } })
            for (number, object) in made where chance(1, of: 2) { held[context][number] = object }
        })
    }

    private typealias Link = (number: Int, shape: Int, members: [Int])

    private func links(among numbers: [Int], _ kinds: [Kind], _ planned: inout ExpectedGraph) -> [Link] {
        var result: [Link] = []
        for _ in 0..<6 {
            let owner = pick(numbers.count)
            guard let shape = pick(Shape.ofKind[kinds[owner].rawValue]) else { continue }
            let end = Shape.all[shape]
            let fitting = zip(numbers, kinds).filter { $1.isKind(of: end.destination) }.map(\.0)
            // A row has room for one owner of a to-many without inverse.
            if end.isToMany, end.inverse == nil, result.contains(where: { $0.shape == shape }) { continue }
            let members = end.isToMany ? pickSome(fitting, upTo: 3) : pick(fitting).map { [$0] } ?? []
            planned.link(numbers[owner], shape, to: members)
            result.append((numbers[owner], shape, members))
        }
        return result
    }

    /// Makes the objects, and compares what they say of one another with the plan before anybody inserts them.
    private func connected(_ numbers: [Int], _ kinds: [Kind], _ links: [Link], _ planned: ExpectedGraph) throws -> [Int: NSManagedObject] {
        var made: [Int: NSManagedObject] = [:]
        for (number, kind) in zip(numbers, kinds) {
            guard let entity = Self.model.entitiesByName[kind.name] else { throw Mismatch("no entity \(kind.name)") }
            let object = NSManagedObject(entity: entity, insertInto: nil)
            object.setValue(number, forKey: "number")
            made[number] = object
        }
        for link in links {
            let end = Shape.all[link.shape], members = link.members.compactMap { made[$0] }
            let value: Any? = end.isOrdered ? NSOrderedSet(array: members) : end.isToMany ? NSSet(array: members) : members.first
            made[link.number]?.setValue(value, forKey: end.name)
        }
        for (number, object) in made {
            guard let thing = planned.things[number] else { continue }
            for shape in Shape.ofKind[thing.kind.rawValue] {
                let found = object.numbers(Shape.all[shape].name), wanted = thing.links[shape]
                guard Shape.all[shape].isOrdered ? found == wanted : found.sorted() == wanted.sorted() else {
                    throw Mismatch("the orphan \(number) has \(found) as \(Shape.all[shape].name), not \(wanted)")
                }
            }
        }
        return made
    }
}
