import CoreData
import CoreDataSchema
import CoreDataTestSupport
import Foundation

/// What the engine shows is not what it should.
struct Mismatch: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// What a seed decides before the first step.
struct RandomSetting {
    enum Probing: CaseIterable { case everything, some, little }

    let isTree: Bool
    let usesSQLite: Bool
    let probing: Probing
    let readsByKey: Bool
    let checksRows: Bool
    let checksIntegrity: Bool
    /// Rows are read again however new they are; clean objects stay whoever holds them.
    let distrustsRows: Bool
    let retainsObjects: Bool

    init(_ random: inout SeededGenerator) {
        isTree = Int.random(in: 0..<5, using: &random) < 2
        usesSQLite = Int.random(in: 0..<5, using: &random) > 0
        probing = Probing.allCases.randomElement(using: &random) ?? .some
        readsByKey = Int.random(in: 0..<4, using: &random) == 0
        checksRows = Int.random(in: 0..<4, using: &random) == 0
        checksIntegrity = Int.random(in: 0..<12, using: &random) == 0
        distrustsRows = Int.random(in: 0..<6, using: &random) == 0
        retainsObjects = Int.random(in: 0..<6, using: &random) == 0
    }
}

/// One seed: a store, a family of contexts, what they should show, and steps that change both and compare.
///
/// A step draws from numbers of its own, so that leaving one out changes what others find, but not what they try.
final class RandomRun {
    static let model = RandomModel.make()
    /// Slots of the shapes, by kind, once an object of it was seen.
    fileprivate var slots: [Kind: [Int]] = [:]

    let seed: UInt64
    let setting: RandomSetting
    var random: SeededGenerator
    let folder: TemporaryFolder?
    let coordinator: NSPersistentStoreCoordinator
    let contexts: [NSManagedObjectContext]
    var world: ExpectedWorld
    /// Objects somebody holds, by context and number.
    var held: [[Int: NSManagedObject]]
    var identifiers: [Int: NSManagedObjectID] = [:]
    var numbers: [RowKey: Int] = [:]
    var nextNumber = 1
    /// What was done, for the report.
    private(set) var log: [String] = []
    /// What concerns other contexts: nobody may wait for a child from inside of its parent.
    var later: [() throws -> Void] = []
    /// What the next line begins with: the step it belongs to.
    private var heading: String?

    init(seed: UInt64) throws {
        self.seed = seed
        var random = SeededGenerator(seed)
        setting = RandomSetting(&random)
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        folder = setting.usesSQLite ? try TemporaryFolder() : nil
        try Self.addStore(to: coordinator, in: folder)
        let family = Self.family(setting, &random)
        contexts = Self.contexts(family, on: coordinator, setting, &random)
        world = ExpectedWorld(contexts: family)
        held = family.map { _ in [:] }
        self.random = random
        for (context, expected) in zip(contexts, family) {
            note("context \(context.name ?? "?"): parent \(expected.parent.map(String.init) ?? "coordinator")"
                + (expected.mergesAutomatically ? ", merges" : "") + (expected.hasUndo ? ", undo" : ""))
        }
    }

    static func addStore(to coordinator: NSPersistentStoreCoordinator, in folder: TemporaryFolder?) throws {
        // What a power cut leaves is another test's business.
        let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["synchronous": "OFF"]]
        try coordinator.addPersistentStore(
            ofType: folder == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil,
            at: folder?.file("Graph.sqlite"), options: folder == nil ? nil : options)
    }

    private static func family(_ setting: RandomSetting, _ random: inout SeededGenerator) -> [ExpectedContext] {
        guard setting.isTree else {
            return [ExpectedContext(parent: nil, mergesAutomatically: false, hasUndo: Int.random(in: 0..<6, using: &random) > 0)]
        }
        let count = Int.random(in: 2...5, using: &random)
        return (0..<count).map { number in
            // The first on the coordinator; of the others a few beside it, most below some context before them.
            let isRoot = number == 0 || Int.random(in: 0..<4, using: &random) == 0
            return ExpectedContext(
                parent: isRoot ? nil : Int.random(in: 0..<number, using: &random),
                mergesAutomatically: Bool.random(using: &random), hasUndo: Int.random(in: 0..<3, using: &random) == 0)
        }
    }

    private static func contexts(
        _ family: [ExpectedContext], on coordinator: NSPersistentStoreCoordinator, _ setting: RandomSetting,
        _ random: inout SeededGenerator
    ) -> [NSManagedObjectContext] {
        let policies: [NSMergePolicy] = [.error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback]
        var contexts: [NSManagedObjectContext] = []
        for (number, expected) in family.enumerated() {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            if let parent = expected.parent { context.parent = contexts[parent] } else { context.persistentStoreCoordinator = coordinator }
            context.name = String(number)
            context.mergePolicy = policies.randomElement(using: &random) ?? NSMergePolicy.error
            context.automaticallyMergesChangesFromParent = expected.mergesAutomatically
            if setting.distrustsRows { context.stalenessInterval = 0 }
            context.retainsRegisteredObjects = setting.retainsObjects
            if expected.hasUndo { context.performAndWait { context.undoManager = UndoManager() } }
            contexts.append(context)
        }
        return contexts
    }

    func note(_ line: String) { log.append(line) }

    /// Runs some of the steps 0, 1, 2…; throws the first mismatch.
    func run(_ steps: [Int]) throws {
        for step in steps {
            random = SeededGenerator(seed ^ (UInt64(step) &+ 1) &* 0xD6E8_FEB8_6659_FD93)
            let context = world.contexts.count == 1 ? 0 : pick(world.contexts.count)
            heading = "\(step) [\(context)] "
            do {
                try contexts[context].performAndWait { try perform(in: context) }
                try settle()
                while !later.isEmpty { try later.removeFirst()() }
                try checkAll(acting: context)
            } catch let error as Mismatch {
                throw Mismatch("step \(step): \(error.description)")
            }
        }
    }

    /// Waits for merges that run by themselves, and lets go of what is not there any more.
    private func settle() throws {
        for (number, context) in contexts.enumerated() {
            context.performAndWait {}
            dropGone(in: number)
        }
    }

    func dropGone(in context: Int) {
        held[context] = held[context].filter { world.contexts[context].graph.isLive($0.key) }
    }

    // MARK: Chance

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    func chance(_ numerator: Int, of denominator: Int) -> Bool { pick(denominator) < numerator }
    func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &random) }

    func describe(_ text: String) {
        log.append((heading ?? "    ") + text)
        heading = nil
    }
}

// MARK: Objects and numbers

extension RandomRun {
    /// The object of a number in a context: the one somebody holds, or found again in one of four ways.
    func object(_ number: Int, in context: Int) throws -> NSManagedObject {
        if let object = held[context][number], chance(3, of: 4) { return object }
        guard let identifier = identifiers[number] else { throw Mismatch("the test lost the ID of \(number)") }
        let mayFetch = !world.contexts[context].graph.hasUnpropagated
        let object: NSManagedObject
        switch pick(mayFetch ? 4 : 3) {
        case 0, 1: object = contexts[context].object(with: identifier)
        case 2: object = try contexts[context].existingObject(with: identifier)
        default: object = try fetched(number, in: context)
        }
        if let known = held[context][number], known !== object {
            throw Mismatch("\(number) is two objects in one context: \(known.objectID) and \(object.objectID)")
        }
        if chance(1, of: 2) { held[context][number] = object }
        return object
    }

    private func fetched(_ number: Int, in context: Int) throws -> NSManagedObject {
        guard let kind = world.contexts[context].graph.things[number]?.kind else { throw Mismatch("no kind for \(number)") }
        let request = NSFetchRequest<NSManagedObject>(entityName: kind.name)
        request.predicate = NSPredicate(format: "number == %d", number)
        request.returnsObjectsAsFaults = chance(1, of: 2)
        if chance(1, of: 3) { request.relationshipKeyPathsForPrefetching = prefetched(from: kind) }
        let found = try contexts[context].fetch(request)
        guard let object = found.first, found.count == 1 else {
            throw Mismatch("a fetch of \(kind.name) \(number) finds \(found.count) objects")
        }
        return object
    }

    /// A path over one relationship of a kind, and over a second one from there.
    private func prefetched(from kind: Kind) -> [String] {
        guard let first = pick(Shape.ofKind[kind.rawValue]).map({ Shape.all[$0] }),
              let second = pick(Shape.ofKind[first.destination.rawValue]).map({ Shape.all[$0] })
        else { return [] }
        return [first.name + "." + second.name]
    }

    func slot(of shape: Int, _ kind: Kind, in object: NSManagedObject) -> Int {
        if let known = slots[kind] { return known[shape] }
        let byName = object.runtime.resolved.slotByName
        let made = Shape.all.map { byName[$0.name] ?? -1 }
        slots[kind] = made
        return made[shape]
    }

    /// Learns the IDs objects have now.
    func learn(_ objects: [(number: Int, object: NSManagedObject)]) {
        for (number, object) in objects {
            numbers[object.key] = number
            identifiers[number] = object.objectID
        }
    }

    /// Objects that came back under IDs nobody has seen.
    func learnInserted(in context: Int) {
        for object in contexts[context].insertedObjects where numbers[object.key] == nil {
            if let number = object.value(forKey: "number") as? Int { learn([(number, object)]) }
        }
    }
}
