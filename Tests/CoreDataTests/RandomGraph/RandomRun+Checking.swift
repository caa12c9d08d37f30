import CoreData
import CoreDataSchema
import Foundation

/// What must hold after every step.
extension RandomRun {
    func checkAll(acting context: Int) throws {
        for other in contexts.indices { try check(other, other == context ? setting.probing : .little) }
    }

    /// One context against its expectation. Loaded objects are always looked at, which fires nothing; how many others are
    /// reached, and so loaded, is the probing's business.
    func check(_ context: Int, _ probing: RandomSetting.Probing) throws {
        try contexts[context].performAndWait {
            let expected = world.contexts[context]
            if let disagreement = expected.graph.disagreement(butFor: expected.stale) {
                throw Mismatch("the expectation contradicts itself: \(disagreement)")
            }
            try checkChanges(context)
            try checkRegistered(context)
            try checkHeld(context)
            guard probing != .little || chance(1, of: 12) else { return }
            for number in usable(in: context) where probing == .everything || chance(1, of: 5) {
                try compare(number, with: try object(number, in: context), in: context, loads: true)
            }
            if !world.contexts[context].graph.hasUnpropagated, chance(1, of: 5) { try checkFetch(context) }
        }
    }

    private func known(_ objects: Set<NSManagedObject>, _ list: String) throws -> Set<Int> {
        Set(try objects.map { object in
            guard let number = numbers[object.key] else { throw Mismatch("\(list) has an unknown object: \(object.objectID)") }
            return number
        })
    }

    /// The three sets, and what objects and context say of themselves.
    private func checkChanges(_ context: Int) throws {
        let engine = contexts[context], expected = world.contexts[context]
        let (inserted, updated, deleted) = (engine.insertedObjects, engine.updatedObjects, engine.deletedObjects)
        let insertedNumbers = try known(inserted, "insertedObjects")
        guard insertedNumbers == expected.inserted else {
            throw Mismatch("context \(context): insertedObjects are \(insertedNumbers.sorted()), not \(expected.inserted.sorted())")
        }
        let updatedNumbers = try known(updated, "updatedObjects")
        let changed = expected.changed
        // A deletion reaches those the parent says are related, whatever this context last heard of them.
        guard changed.isSubset(of: updatedNumbers), updatedNumbers.isSubset(of: expected.dirty.union(expected.stale)) else {
            throw Mismatch("context \(context): updatedObjects are \(updatedNumbers.sorted()); changed are \(changed.sorted()), "
                + "touched \(expected.dirty.sorted())")
        }
        let deletedNumbers = try known(deleted, "deletedObjects")
        guard expected.deleted.isSubset(of: deletedNumbers),
              deletedNumbers.subtracting(expected.deleted).allSatisfy({ !expected.graph.isLive($0) || expected.stale.contains($0) })
        else { throw Mismatch("context \(context): deletedObjects are \(deletedNumbers.sorted()), not \(expected.deleted.sorted())") }
        guard engine.hasChanges == !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) else {
            throw Mismatch("context \(context): hasChanges is \(engine.hasChanges) with \(inserted.count) inserted, "
                + "\(updated.count) updated, \(deleted.count) deleted")
        }
        for (list, name, flag) in [
            (inserted, "inserted", \NSManagedObject.isInserted), (updated, "updated", \.isUpdated), (deleted, "deleted", \.isDeleted),
        ] {
            if let object = list.first(where: { !$0[keyPath: flag] || !$0.hasChanges }) {
                throw Mismatch("\(numbers[object.key] ?? 0) is among the \(name) objects, and does not say so")
            }
        }
    }

    /// The identity map: one object a key, findable under it; what is loaded shows what it should.
    private func checkRegistered(_ context: Int) throws {
        let engine = contexts[context], expected = world.contexts[context]
        for object in engine.registry?.objects ?? [] {
            guard engine.registry?[object.key] === object, object.managedObjectContext === engine else {
                throw Mismatch("context \(context): \(object.objectID) is not registered under its own key")
            }
            guard let number = numbers[object.key] else { continue }
            if expected.stale.contains(number) { continue }
            guard expected.graph.isLive(number) else {
                if object.isInserted != false, !object.isDeleted { throw Mismatch("\(number) is gone, and still listed as inserted") }
                continue
            }
            if object.isDeleted { throw Mismatch("\(number) is not deleted, but says so") }
            if !object.isFault { try compare(number, with: object, in: context, loads: false) }
        }
    }

    private func checkHeld(_ context: Int) throws {
        for (number, object) in held[context] where object.managedObjectContext !== contexts[context] {
            if world.contexts[context].stale.contains(number) { continue }
            // Deleted without a save, it leaves with its event, which a step of its own may end.
            if !world.contexts[context].graph.isLive(number) { continue }
            throw Mismatch("\(number) left its context \(context)")
        }
    }

    private func checkFetch(_ context: Int) throws {
        let kind = pick(Kind.allCases) ?? .alpha, expected = world.contexts[context]
        let found = try contexts[context].fetch(NSFetchRequest<NSManagedObject>(entityName: kind.name))
        let numbers = try found.map { object in
            guard let number = self.numbers[object.key] else { throw Mismatch("a fetch finds an unknown object: \(object.objectID)") }
            return number
        }
        guard Set(numbers).count == numbers.count else { throw Mismatch("a fetch finds an object twice: \(numbers.sorted())") }
        let wanted = Set(expected.graph.live.filter { expected.graph.things[$0]?.kind.isKind(of: kind) == true }).subtracting(expected.stale)
        guard Set(numbers).subtracting(expected.stale) == wanted else {
            throw Mismatch("context \(context): a fetch of \(kind.name) finds \(numbers.sorted()), not \(wanted.sorted())")
        }
    }

    // MARK: One object

    func compare(_ number: Int, with object: NSManagedObject, in context: Int, loads: Bool) throws {
        guard let thing = world.contexts[context].graph.things[number] else { throw Mismatch("\(number) should not be there") }
        try compareAttributes(number, thing, object)
        for shape in Shape.ofKind[thing.kind.rawValue] {
            guard let shown = try members(of: object, thing.kind, shape, loads: loads) else { continue }
            try compare(number, thing, shape, shown, in: context)
        }
    }

    private func compareAttributes(_ number: Int, _ thing: ExpectedThing, _ object: NSManagedObject) throws {
        let title = object.value(forKey: "title") as? String, count = object.value(forKey: "count") as? Int
        guard object.value(forKey: "number") as? Int == number, object.entity.name == thing.kind.name else {
            throw Mismatch("\(object.objectID) is \(object.entity.name ?? "?") \(object.value(forKey: "number") ?? "nil"), "
                + "not \(thing.kind.name) \(number)")
        }
        guard title == thing.title, count == thing.count else {
            throw Mismatch("\(number) shows “\(title ?? "nil")”, \(count.map(String.init) ?? "nil"), not “\(thing.title ?? "nil")”, "
                + "\(thing.count.map(String.init) ?? "nil")")
        }
    }

    /// Numbers of the members an object shows; nil when they are not loaded and must not be.
    private func members(of object: NSManagedObject, _ kind: Kind, _ shape: Int, loads: Bool) throws -> [Int]? {
        let slot = slot(of: shape, kind, in: object), name = Shape.all[shape].name
        if setting.readsByKey, loads {
            let objects: [NSManagedObject] = switch object.value(forKey: name) {
            case let one as NSManagedObject: [one]
            case let ordered as NSOrderedSet: ordered.array.compactMap { $0 as? NSManagedObject }
            case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
            default: []
            }
            return try objects.map { try number(of: $0.key, name) }
        }
        guard Shape.all[shape].isToMany else {
            guard case .reference(let key) = object.value(at: slot) else { return [] }
            return [try number(of: key, name)]
        }
        if loads { return try object.memberKeys(at: slot).map { try number(of: $0, name) } }
        return try object.toMany?[slot]?.members?.keys.map { try number(of: $0, name) }
    }

    private func number(of key: RowKey, _ name: String) throws -> Int {
        guard let number = numbers[key] else { throw Mismatch("“\(name)” names an object nobody made: \(key)") }
        return number
    }

    private func compare(_ number: Int, _ thing: ExpectedThing, _ shape: Int, _ shown: [Int], in context: Int) throws {
        let expected = world.contexts[context], description = Shape.all[shape]
        var (wanted, shown) = (thing.links[shape], shown)
        guard Set(shown).count == shown.count else { throw Mismatch("\(number).\(description.name) names one object twice: \(shown)") }
        if description.mayDangle {
            // A name nobody cleared leads nowhere.
            let isThere = { expected.graph.isLive($0) && !expected.stale.contains($0) }
            wanted = wanted.filter(isThere)
            shown = shown.filter(isThere)
        }
        let agrees = description.isOrdered ? shown == wanted : Set(shown) == Set(wanted)
        if !agrees { throw Mismatch("context \(context): \(number).\(description.name) shows \(shown), not \(wanted)") }
    }
}
