import CoreData
import CoreDataTestSupport

/// One seed: a world, two stores that hold it, and predicates asked of both, of its objects in memory, and of the reference.
final class FetchRun {
    static let model = FetchModel.make()

    let seed: UInt64
    var random: SeededGenerator
    let pools: PlainPools
    var world = PlainWorld()
    /// No number is given twice.
    var lastNumber = 0
    let sql: FetchStack
    let memory: FetchStack

    init(seed: UInt64, model: NSManagedObjectModel = FetchRun.model, plainTexts: Bool = false) throws {
        self.seed = seed
        random = SeededGenerator(seed)
        pools = PlainPools(&random, isASCII: plainTexts)
        sql = try FetchStack(model, sqlite: true)
        memory = try FetchStack(model, sqlite: false)
        fill()
        for stack in [sql, memory] {
            stack.show(world)
            try stack.context.save()
        }
    }

    func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    func chance(_ percent: Int) -> Bool { pick(100) < percent }

    private func fill() {
        let counts: [(FetchKind, Int)] = [(.item, 14), (.subItem, 5), (.leafItem, 3), (.town, 5), (.harbour, 3), (.tag, 9)]
        for (kind, count) in counts {
            for _ in 0..<count {
                lastNumber += 1
                insert(lastNumber, kind)
            }
        }
        for number in world.things.keys.sorted() { linkAll(number) }
    }

    func insert(_ number: Int, _ kind: FetchKind) {
        world.insert(number, kind)
        for field in kind.fields where field.name != "ident" && !chance(22) { world.set(number, field.name, pools.value(of: field, &random)) }
    }

    func linkAll(_ number: Int) {
        guard let kind = world.things[number]?.kind else { return }
        for link in kind.links where chance(55) { relink(number, link) }
    }

    func relink(_ number: Int, _ link: FetchLink) {
        let candidates = world.numbers(of: link.destination)
        if candidates.isEmpty { return }
        let count = link.isToMany ? pick(4) : pick(5) == 0 ? 0 : 1
        var members: [Int] = []
        for _ in 0..<count {
            let member = candidates[pick(candidates.count)]
            if !members.contains(member) { members.append(member) }
        }
        world.link(number, link, to: members)
    }

    /// A request to come: which entity, with which objects.
    struct Question {
        let kind: FetchKind
        let subentities: Bool
        let predicate: PlainPredicate
        /// Format strings for the store and parts in memory, or the other way round.
        let isSwapped: Bool
        let literal: Bool
        let byID: Bool
    }

    func question() -> Question {
        let kinds: [FetchKind] = [.item, .item, .item, .item, .item, .subItem, .leafItem, .site, .site, .harbour, .town, .tag, .tag]
        let kind = kinds[pick(kinds.count)]
        var generator = PlainGenerator(random: SeededGenerator(random.next()), pools: pools, world: world, kind: kind)
        return Question(
            kind: kind, subentities: !chance(10), predicate: generator.predicate(), isSwapped: chance(50), literal: chance(50), byID: chance(50))
    }

    // MARK: NSPredicates

    func predicate(_ question: Question, _ predicate: PlainPredicate, on stack: FetchStack, asFormat: Bool) throws -> NSPredicate {
        let object: (Int) -> Any = { number in
            guard let object = stack.objects[number] else { return NSNull() }
            return question.byID ? object.objectID : object
        }
        return asFormat ? try PlainFormat.predicate(predicate, literal: question.literal, object: object)
            : PlainAssembly(object: object).predicate(predicate)
    }

    func request(_ question: Question, _ predicate: NSPredicate?) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: question.kind.rawValue)
        request.includesSubentities = question.subentities
        request.predicate = predicate
        return request
    }

    /// Asks everybody; nil when all agree. Coverage is noted the first time.
    func check(_ question: Question, coverage: inout FetchCoverage) -> String? {
        let stored = PlainEvaluation(world, .sql)
        let numbers = world.numbers(of: question.kind, subentities: question.subentities)
        let expected = numbers.filter { stored.holds(question.predicate, $0) }
        coverage.note(question.predicate, meetings: stored.meetings, isEmpty: expected.isEmpty)
        guard mismatch(question, question.predicate) != nil else { return nil }
        return report(question)
    }

    func mismatch(_ question: Question, _ predicate: PlainPredicate) -> String? {
        do {
            let numbers = world.numbers(of: question.kind, subentities: question.subentities)
            let stored = PlainEvaluation(world, .sql), live = PlainEvaluation(world, .memory)
            let expected = numbers.filter { stored.holds(predicate, $0) }
            for (name, stack, isFormat) in [("SQLite", sql, !question.isSwapped), ("in-memory store", memory, question.isSwapped)] {
                let asked = try self.predicate(question, predicate, on: stack, asFormat: isFormat)
                let found = try stack.context.fetch(request(question, asked)).map(\.ident).sorted()
                if found != expected { return difference(name, found, expected, "\(asked)") }
                let count = try stack.context.count(for: request(question, asked))
                if count != expected.count { return "\(name) counts \(count) and not \(expected.count)" }
            }
            let asked = try self.predicate(question, predicate, on: sql, asFormat: question.isSwapped)
            let satisfying = numbers.filter { live.holds(predicate, $0) }
            let found = numbers.filter { sql.objects[$0].map { asked.evaluate(with: $0) } ?? false }
            if found != satisfying { return difference("evaluate(with:)", found, satisfying, "\(asked)") }
            return nil
        } catch {
            return "throws \(error)"
        }
    }

    private func difference(_ name: String, _ found: [Int], _ expected: [Int], _ asked: String) -> String {
        let (missing, extra) = (Set(expected).subtracting(found).sorted(), Set(found).subtracting(expected).sorted())
        let first = (missing + extra).first.flatMap { number in world.things[number].map { "\(number): \($0.description)" } }
        return "\(name) misses \(missing), has \(extra) too\n  \(first ?? "")"
    }

    /// The smallest part that fails by itself.
    private func report(_ question: Question) -> String {
        var predicate = question.predicate
        var descends = true
        while descends {
            descends = false
            for part in predicate.parts where mismatch(question, part) != nil {
                (predicate, descends) = (part, true)
                break
            }
        }
        return """
            \(question.kind)\(question.subentities ? "" : " without subentities"): \(PlainFormat.description(predicate))
              (\(question.isSwapped ? "SQLite by parts" : "SQLite by format")) \(mismatch(question, predicate) ?? "")
            """
    }
}
