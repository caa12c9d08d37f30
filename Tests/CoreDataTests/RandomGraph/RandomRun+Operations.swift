import CoreData
import Foundation

/// What a step may do; each operation changes the expectation and the engine alike.
extension RandomRun {
    private typealias Operation = (weight: Int, body: @Sendable (RandomRun, Int) throws -> Void)

    private static let operations: [Operation] = [
        (14, { try $0.insert(in: $1) }), (12, { try $0.setAttribute(in: $1) }), (16, { try $0.setToOne(in: $1) }),
        (16, { try $0.changeToMany(in: $1) }), (18, { try $0.changeOrder(in: $1) }), (9, { try $0.delete(in: $1) }),
        (5, { try $0.process(in: $1) }), (7, { try $0.undo(in: $1) }), (5, { try $0.redo(in: $1) }),
        (2, { try $0.undoAndRedo(in: $1) }), (4, { try $0.refresh(in: $1) }), (4, { try $0.revert(in: $1) }),
        (4, { try $0.refreshAll(in: $1) }), (11, { try $0.save(in: $1) }), (3, { try $0.rollback(in: $1) }),
        (1, { try $0.reset(in: $1) }), (2, { try $0.obtainPermanentIDs(in: $1) }), (6, { try $0.letGo(in: $1) }),
        (3, { try $0.group(in: $1) }), (3, { try $0.insertOrphans(in: $1) }), (3, { try $0.renameMidEvent(in: $1) }),
    ]
    private static let weights = operations.reduce(0) { $0 + $1.weight }

    func perform(in context: Int) throws {
        var left = pick(Self.weights)
        for operation in Self.operations {
            left -= operation.weight
            if left < 0 { return try operation.body(self, context) }
        }
    }

    /// Objects a context may change: present, and known there in their newest state.
    func usable(in context: Int, _ kind: Kind? = nil) -> [Int] {
        let expected = world.contexts[context]
        return expected.graph.things.filter { number, thing in
            !thing.isDeleted && kind.map(thing.kind.isKind) ?? true && !expected.stale.contains(number)
        }.keys.sorted()
    }

    /// Makes a change if the family's rules allow it; whether it did.
    @discardableResult
    func change(
        _ context: Int, _ text: @autoclosure () -> String, _ expect: (inout ExpectedGraph) -> Void, act: () throws -> Void
    ) throws -> Bool {
        if setting.isTree {
            var trial = world.contexts[context].graph
            (trial.touched, trial.missed) = ([], [])
            expect(&trial)
            if trial.hasUnpropagated { trial.propagate() }
            guard world.mayTouch(trial.touched.union(trial.missed), in: context) else { return false }
            world.markStale(trial.touched, below: context)
        }
        describe(text())
        world.contexts[context].edit(expect)
        try act()
        return true
    }

    // MARK: Objects

    private func insert(in context: Int) throws {
        guard usable(in: context).count < 26, let kind = pick(Kind.allCases) else { return }
        let number = nextNumber
        nextNumber += 1
        try change(context, "insert \(kind.name) \(number)", { $0.insert(number, kind) }, act: {
            guard let entity = Self.model.entitiesByName[kind.name] else { throw Mismatch("no entity \(kind.name)") }
            let object = NSManagedObject(entity: entity, insertInto: contexts[context])
            object.setValue(number, forKey: "number")
            learn([(number, object)])
            if chance(2, of: 3) { held[context][number] = object }
        })
    }

    private func setAttribute(in context: Int) throws {
        guard let number = pick(usable(in: context)) else { return }
        let value = pick(5)
        if chance(1, of: 2) {
            let title = value == 0 ? nil : "title \(value)"
            try change(context, "\(number).title = \(title ?? "nil")", { $0.set(number, title: title) }, act: {
                try object(number, in: context).setValue(title, forKey: "title")
            })
        } else {
            let count = value == 0 ? nil : value
            try change(context, "\(number).count = \(count.map(String.init) ?? "nil")", { $0.set(number, count: count) }, act: {
                try object(number, in: context).setValue(count, forKey: "count")
            })
        }
    }

    private func delete(in context: Int) throws {
        guard let number = pick(usable(in: context)) else { return }
        try change(context, "delete \(number)", { $0.delete(number) }, act: {
            contexts[context].delete(try object(number, in: context))
        })
        // Between the deletion and its consequences nobody else may come in.
        if setting.isTree || chance(1, of: 2) { try process(in: context) }
    }

    // MARK: Relationships

    func setToOne(in context: Int) throws {
        guard let (number, shape) = pickRelationship(in: context, where: { !$0.isToMany }) else { return }
        let target = chance(1, of: 5) ? nil : pick(usable(in: context, Shape.all[shape].destination))
        try change(
            context, "\(number).\(Shape.all[shape].name) = \(target.map(String.init) ?? "nil")",
            { $0.link(number, shape, to: target.map { [$0] } ?? []) },
            act: {
                let value = try target.map { try object($0, in: context) }
                try object(number, in: context).setValue(value, forKey: Shape.all[shape].name)
            })
    }

    private func pickRelationship(in context: Int, where matches: (Shape) -> Bool) -> (number: Int, shape: Int)? {
        guard let number = pick(usable(in: context)), let kind = world.contexts[context].graph.things[number]?.kind,
              let shape = pick(Shape.ofKind[kind.rawValue].filter { matches(Shape.all[$0]) })
        else { return nil }
        return (number, shape)
    }

    /// Objects that may join a relationship: a row has room for one owner of a to-many without inverse.
    private func candidates(in context: Int, _ shape: Int, of number: Int) -> [Int] {
        let all = usable(in: context, Shape.all[shape].destination)
        guard Shape.all[shape].inverse == nil else { return all }
        let things = world.contexts[context].graph.things.filter { $0.key != number }
        return all.filter { candidate in things.values.allSatisfy { !$0.links[shape].contains(candidate) } }
    }

    func pickSome(_ list: [Int], upTo count: Int) -> [Int] {
        Array(list.shuffled(using: &random).prefix(Int.random(in: 0...count, using: &random)))
    }

    private func link(
        _ number: Int, _ shape: Int, to members: [Int], in context: Int, _ verb: String, act: (NSManagedObject, String) throws -> Void
    ) throws {
        let name = Shape.all[shape].name
        try change(context, "\(number).\(name) \(verb): \(members)", { $0.link(number, shape, to: members) }, act: {
            try act(try object(number, in: context), name)
        })
    }

    func changeToMany(in context: Int) throws {
        guard let (number, shape) = pickRelationship(in: context, where: { $0.isToMany && !$0.isOrdered }) else { return }
        let members = world.contexts[context].graph.things[number]?.links[shape] ?? []
        let candidates = candidates(in: context, shape, of: number)
        switch pick(7) {
        case 0, 1:
            guard let member = pick(candidates) else { return }
            try link(number, shape, to: members + [member], in: context, "adds \(member)") { owner, name in
                owner.mutableSetValue(forKey: name).add(try object(member, in: context))
            }
        case 2:
            guard let member = pick(members.filter(world.contexts[context].graph.isLive)) else { return }
            try link(number, shape, to: members.filter { $0 != member }, in: context, "removes \(member)") { owner, name in
                owner.mutableSetValue(forKey: name).remove(try object(member, in: context))
            }
        case 3:
            let wanted = pickSome(candidates, upTo: 3)
            try link(number, shape, to: wanted, in: context, "becomes") { owner, name in
                owner.setValue(NSSet(array: try wanted.map { try object($0, in: context) }), forKey: name)
            }
        case 4:
            let less = pickSome(candidates, upTo: 4)
            try link(number, shape, to: members.filter { !less.contains($0) }, in: context, "loses \(less)") { owner, name in
                owner.mutableSetValue(forKey: name).minus(Set(try less.map { try object($0, in: context) }))
            }
        case 5:
            let common = pickSome(candidates, upTo: 4)
            try link(number, shape, to: members.filter(common.contains), in: context, "keeps \(common)") { owner, name in
                owner.mutableSetValue(forKey: name).intersect(Set(try common.map { try object($0, in: context) }))
            }
        default:
            let more = pickSome(candidates, upTo: 3)
            try link(number, shape, to: members + more, in: context, "adds \(more)") { owner, name in
                owner.mutableSetValue(forKey: name).addObjects(from: try more.map { try object($0, in: context) })
            }
        }
    }

    func changeOrder(in context: Int) throws {
        guard var (number, shape) = pickRelationship(in: context, where: \.isOrdered) else { return }
        var members = world.contexts[context].graph.things[number]?.links[shape] ?? []
        // An order takes two.
        for _ in 0..<3 where members.count < 2 {
            (number, shape) = pickRelationship(in: context, where: \.isOrdered) ?? (number, shape)
            members = world.contexts[context].graph.things[number]?.links[shape] ?? []
        }
        let candidates = candidates(in: context, shape, of: number)
        var wanted = members
        switch pick(6) {
        case 0:
            guard let member = pick(candidates) else { return }
            if !wanted.contains(member) { wanted.append(member) }
            try link(number, shape, to: wanted, in: context, "adds \(member)") { owner, name in
                owner.mutableOrderedSetValue(forKey: name).add(try object(member, in: context))
            }
        case 1:
            guard let member = pick(candidates.filter { !members.contains($0) }) else { return }
            let index = pick(members.count + 1)
            wanted.insert(member, at: index)
            try link(number, shape, to: wanted, in: context, "inserts \(member) at \(index)") { owner, name in
                owner.mutableOrderedSetValue(forKey: name).insert(try object(member, in: context), at: index)
            }
        case 2:
            guard members.count > 1 else { return }
            let from = pick(members.count), to = pick(members.count)
            wanted.insert(wanted.remove(at: from), at: to)
            try link(number, shape, to: wanted, in: context, "moves \(from) to \(to)") { owner, name in
                owner.mutableOrderedSetValue(forKey: name).moveObjects(at: IndexSet(integer: from), to: to)
            }
        case 3:
            guard !members.isEmpty else { return }
            let index = pick(members.count)
            wanted.remove(at: index)
            try link(number, shape, to: wanted, in: context, "removes at \(index)") { owner, name in
                owner.mutableOrderedSetValue(forKey: name).removeObject(at: index)
            }
        case 4:
            guard !members.isEmpty, let member = pick(candidates.filter { !members.contains($0) }) else { return }
            let index = pick(members.count)
            wanted[index] = member
            try link(number, shape, to: wanted, in: context, "puts \(member) at \(index)") { owner, name in
                owner.mutableOrderedSetValue(forKey: name).replaceObject(at: index, with: try object(member, in: context))
            }
        default:
            let chosen = pickSome(candidates, upTo: 4)
            try link(number, shape, to: chosen, in: context, "becomes") { owner, name in
                owner.setValue(NSOrderedSet(array: try chosen.map { try object($0, in: context) }), forKey: name)
            }
        }
    }
}
